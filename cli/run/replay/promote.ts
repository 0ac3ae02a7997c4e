/** Keeps counterexamples of a run as cases that later runs try first. Every `proofmark run` loads this, so it imports nothing heavy. */
import { createHash } from 'node:crypto';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolders } from '../../../harness/process/make-folders.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { PROOFMARK_VERSION } from '../../../harness/process/version.ts';
import type { Results } from '../../../reports/results/shape.ts';

/** Where a user's own cases are kept, beside the place that the command is run from. */
export const VECTORS_FOLDER = 'proofmark-vectors';

/** States before the run that its counterexamples can be kept in a folder. */
export function checkPromotion(path: string | undefined): void {
  if (path !== undefined && existsSync(path) && !statSync(path).isDirectory())
    throw new UsageError(`--promote needs a folder in --vectors, and ${path} is a file.`);
}

/** Adds the counterexamples of a run to the folder and returns their files; those that are there already stay as they are. */
export function promote(results: Results, path: string | undefined): readonly string[] {
  const folder = path ?? VECTORS_FOLDER;
  const files: string[] = [];
  for (const { id, counterexample, reason, clauses, seed, replay } of results.checks) {
    if (counterexample === undefined) continue;
    // One case, one name: found again it is not a second file.
    const digest = createHash('sha256').update(JSON.stringify(counterexample)).digest('hex').slice(0, 8);
    const file = join(folder, `${id.replace(/^properties\./, '')}-${digest}.json`);
    const found = {
      ...(seed === undefined || replay === undefined ? {} : { seed, replay }),
      clauses,
      target: basename(results.target.name),
      proofmark: PROOFMARK_VERSION,
    };
    const about = reason?.split('. To repeat it:', 1)[0] ?? 'A counterexample.';
    makeFolders(folder);
    if (!existsSync(file))
      writeFileSync(file, `${JSON.stringify({ property: id, about, found, case: counterexample }, null, 2)}\n`);
    files.push(file);
  }
  return files;
}
