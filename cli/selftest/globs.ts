/** What `--check` and `--fault` select. */

import { matchesAny } from '../../contracts/run/glob.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import type { SelftestOptions } from './options.ts';

/**
 * Throws a UsageError for a glob that matches nothing, which is a slip of the pen and would look like a success, and for
 * flags of which one leaves out what the other asks for.
 */
export function checkGlobs(options: SelftestOptions, checkIds: readonly string[], faultIds: readonly string[]): void {
  givenMatching('--check', options.checks, checkIds, 'check: proofmark run --list shows their ids');
  givenMatching('--fault', options.faults, faultIds, 'fault: the page of the matrix shows their ids');
  if (!options.withFaults && options.faults.length > 0) {
    throw new UsageError('--no-faults leaves out what --fault asks for: give one of the two.');
  }
}

function givenMatching(flag: string, globs: readonly string[], ids: readonly string[], what: string): void {
  const empty = globs.find((glob) => !ids.some((id) => matchesAny(id, [glob])));
  if (empty !== undefined) throw new UsageError(`${flag} "${empty}" matches no ${what}.`);
}
