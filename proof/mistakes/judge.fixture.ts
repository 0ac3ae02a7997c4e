/** Judges a service with a profile as a run does, in this process: first the probes, then the checks without a browser. */

import { createRecorder } from '../../harness/evidence/recorder.ts';
import { openWriteSession, type WriteSession } from '../../harness/probe/write-session.ts';
import { memoryLedger } from '../../harness/runner/in-process.ts';
import type { Client } from '../../harness/target/client/types.ts';
import type { Profile } from '../../harness/target/profile/types.ts';
import { redactionFor } from '../../harness/target/secrets/profile-redaction.ts';

/** Allows the probes to write, with a ledger in memory. */
export const memoryWriting =
  (profile: Profile) =>
  (client: Client): WriteSession => {
    const redaction = redactionFor(profile);
    return openWriteSession({
      profile,
      run: { run: 'in-process', seed: 1, propertyRuns: 0, selected: [], showPersonalData: true, unusable: {} },
      client,
      redaction,
      recorder: createRecorder({ check: '', spool: () => undefined, redaction, showPersonalData: true }),
      driver: undefined,
      ledger: memoryLedger(),
    });
  };
