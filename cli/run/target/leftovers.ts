/** What earlier runs left on a target: until an old value is restored, the left one counts as the target's own. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LedgerFile, readLedger } from '../../../harness/cleanup/ledger.ts';
import { isRunning } from '../../../harness/cleanup/sweep.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import type { Profile } from '../../../harness/target/profile/types.ts';

/** Beneath the folder in which a run is started. */
export const LEDGER_FOLDER = '.proofmark/ledger';

/** Ids of the runs that have a ledger in this folder. */
export const ledgerNames = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => /^[A-Za-z0-9-]+$/.test(name)) : [];

/** A sentence that names the runs which ended early on this target and were not swept; undefined if all were swept. */
export function leftoverWarning({ v1, api }: Profile, ledgerFolder: string): string | undefined {
  const left = ledgerNames(ledgerFolder)
    .map((name) => ledgerAt(join(ledgerFolder, name)))
    .filter((ledger) => ledger !== undefined)
    .filter(({ run, open }) => open.length > 0 && run.target.v1 === (v1 ?? null) && run.target.api === (api ?? null))
    .filter((ledger) => !isRunning(ledger));
  if (left.length === 0) return undefined;
  const runs = left.map(({ run, open }) => `${run.run} (${open.length})`).join(', ');
  return `Earlier runs left changes on this target: ${runs}. Run proofmark sweep, then run again: until then their changes count as the target's own state.`;
}

function ledgerAt(file: string): LedgerFile | undefined {
  try {
    return readLedger(file);
  } catch (error) {
    // `sweep` reports it, because it has to deal with it.
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
