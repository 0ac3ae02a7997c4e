/**
 * The end of a run, for whatever reason: what is still open in its ledger is put back within a time limit, and what is left then is
 * listed. The workers clean up after themselves; this is for those that were stopped, killed or refused.
 */
import { existsSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import type { LedgerChange } from '../../../contracts/run/events.ts';
import { readLedger, settleLedger } from '../../../harness/cleanup/ledger.ts';
import { sweepLedger } from '../../../harness/cleanup/sweep.ts';
import { objectOf } from '../../../harness/cleanup/undo/index.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import type { Profile } from '../../../harness/target/profile/types.ts';
import { registerThroughDriver, withClient } from '../../sweep/with-client.ts';

/** Longer than a clean-up of some ten objects at 5 requests a second takes, and short enough to wait for after Ctrl-C. */
export const MAX_CLEAN_UP_MS = 60_000;

/** Puts back what the ledger holds open, and returns what became of it, as events for the report. */
export async function cleanUpAfter(
  ledgerFile: string,
  profile: Profile,
  maxMs: number = MAX_CLEAN_UP_MS,
): Promise<readonly LedgerChange[]> {
  if (!existsSync(ledgerFile)) return [];
  const ledger = settleLedger(ledgerFile);
  // The embedded mock ends with the run, and its state with it.
  if (ledger.open.length === 0 || ledger.run.profile === null) return [];
  const ending = new AbortController();
  const registerApp = registerThroughDriver(profile);
  const swept = withClient(profile, (client) =>
    sweepLedger(ledgerFile, client, profile, registerApp === undefined ? {} : { registerApp }),
  ).then(
    ({ undone }) => ({ undone, why: undefined }),
    (error: Error) => ({ undone: [], why: error.message }),
  );
  const tooLong = after(maxMs, undefined, { signal: ending.signal }).then(
    () => ({ undone: [], why: `the clean-up took longer than ${Math.round(maxMs / 1000)} s` }),
    () => ({ undone: [], why: undefined }),
  );
  const { undone, why } = await Promise.race([swept, tooLong]);
  ending.abort();
  const reasons = new Map(undone.map(({ object, reason }) => [object, reason]));
  const done = undone
    .filter(({ outcome }) => outcome !== 'left')
    .map(({ outcome, object }): LedgerChange => ({ type: 'ledger', what: outcome as 'removed' | 'restored', object }));
  return [...done, ...leftIn(ledgerFile, (object) => reasons.get(object) ?? why)];
}

/** What is open in a ledger, as events. */
function leftIn(file: string, reasonOf: (object: string) => string | undefined): LedgerChange[] {
  try {
    return readLedger(file).open.map(({ entry }) => {
      const object = objectOf(entry);
      const reason = reasonOf(object);
      return { type: 'ledger', what: 'orphan', object, ...(reason === undefined ? {} : { reason }) };
    });
  } catch (error) {
    // A settled ledger of the mock is gone.
    if (error instanceof UsageError) return [];
    throw error;
  }
}
