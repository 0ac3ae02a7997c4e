/** The folder of the reports belongs to one run at a time. */
import { join } from 'node:path';
import { claim, staleClaimAdvice } from '../../harness/cleanup/claims.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { makeOutFolder } from '../common/files/out-folder.ts';

const CLAIM_FILE = '.proofmark-run';

/** Makes the folder and claims it; returns what gives it back. Throws a UsageError when another run writes into it. */
export function claimFolder(folder: string): () => void {
  makeOutFolder(folder);
  const file = join(folder, CLAIM_FILE);
  const claimed = claim(file, 'run');
  if ('release' in claimed) return claimed.release;
  const { pid, host } = claimed.heldBy;
  throw new UsageError(
    `Another run (process ${pid} on ${host}) is writing into ${folder}: wait until it ends${staleClaimAdvice(file, claimed.heldBy)}, or give this one another folder with --out.`,
  );
}
