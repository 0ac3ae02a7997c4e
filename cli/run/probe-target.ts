/** The probes of a run: credentials and values of its profile, tried before the checks start, with what they create and remove. */

import { openLedger } from '../../harness/cleanup/ledger.ts';
import { openSpool } from '../../harness/evidence/events/spool.ts';
import { createRecorder } from '../../harness/evidence/recorder.ts';
import { asRedacted } from '../../harness/evidence/redaction/redacted.ts';
import { TRUSTABLE } from '../../harness/probe/trustable.ts';
import { openWriteSession, type WriteSession } from '../../harness/probe/write-session.ts';
import type { Job } from '../../harness/runner/job.ts';
import type { ClientOptions } from '../../harness/target/client/index.ts';
import type { Client } from '../../harness/target/client/types.ts';
import { redactionFor } from '../../harness/target/secrets/profile-redaction.ts';
import { type Inspected, preflight } from './target/preflight.ts';
import type { Target } from './target/target.ts';

export interface ProbeRun extends Pick<Job, 'ledger' | 'ledgerFolder' | 'spoolFolder'> {
  readonly run: string;
  readonly trusted: readonly string[];
  /** Another run uses the account: a login could end its session. */
  readonly isResellerHeld: boolean;
  readonly rate: ClientOptions['rate'] | undefined;
  /** Whether the run has been asked to stop. */
  readonly isStopped: () => boolean;
}

/** Inspects the target of a run. Objects that a probe creates are in the ledger of the run. */
export async function probeTarget(
  { kind, profile }: Pick<Target, 'kind' | 'profile'>,
  { run, trusted, isResellerHeld, rate, isStopped, ledger, ledgerFolder, spoolFolder }: ProbeRun,
): Promise<Inspected> {
  const isEmbedded = kind !== 'profile';
  const write = (client: Client): WriteSession => {
    const redaction = redactionFor(profile);
    return openWriteSession({
      profile,
      run: { run, seed: 1, propertyRuns: 0, selected: [], showPersonalData: false, unusable: {} },
      client,
      redaction,
      recorder: createRecorder({ check: '', spool: () => undefined, redaction, showPersonalData: false }),
      driver: undefined,
      ledger: openLedger(ledgerFolder, { run, ...ledger }, profile.secrets()),
    });
  };
  const sessions: WriteSession[] = [];
  const found = await preflight(isResellerHeld ? { ...profile, reseller: undefined } : profile, {
    // The profile of the embedded mock is made from its state: where they differ, the mock has a fault.
    trusted: new Set(isEmbedded ? TRUSTABLE : trusted),
    isStopped,
    ...(rate === undefined ? {} : { rate }),
    ...(isEmbedded || !profile.allow.has('write')
      ? {}
      : {
          writing: (client) => {
            const session = write(client);
            sessions.push(session);
            return session;
          },
        }),
  });
  const notes = sessions.flatMap((session) => session.notes);
  if (notes.length > 0) {
    const redaction = redactionFor(profile);
    const spool = openSpool(spoolFolder, 'probe');
    spool.append(...notes.map((note) => asRedacted(redaction.value({ type: 'ledger' as const, ...note }))));
    spool.close();
  }
  return found;
}
