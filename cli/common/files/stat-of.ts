/** Whether a file or folder that a command line names is there. */
import { type Stats, statSync } from 'node:fs';
import { whyUnusable } from '../../../harness/process/file-error.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';

/**
 * `undefined` where there is no such file. One that this user may not see is not missing: throws a UsageError that says so and
 * ends with `correct`.
 */
export function statOf(file: string, correct: string): Stats | undefined {
  try {
    return statSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new UsageError(`${file} can't be read, ${whyUnusable(error)}: ${correct}.`);
  }
}
