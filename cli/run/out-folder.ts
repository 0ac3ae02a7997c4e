/** The folder of the reports belongs to one run at a time. */
import { join } from 'node:path';
import { claim } from '../../harness/claims.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { makeOutFolder } from '../out-folder.ts';

const CLAIM_FILE = '.proofmark-run';

/** Makes the folder and claims it; returns what gives it back. Throws a UsageError when another run writes into it. */
export function claimFolder(folder: string): () => void {
  makeOutFolder(folder);
  const claimed = claim(join(folder, CLAIM_FILE), 'run');
  if ('release' in claimed) return claimed.release;
  const { pid, host } = claimed.heldBy;
  throw new UsageError(
    `Another run (process ${pid} on ${host}) is writing into ${folder}: wait for its end, or give this one another folder with --out.`,
  );
}
