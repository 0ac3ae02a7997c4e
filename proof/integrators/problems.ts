/** What is wrong with the verdicts on an integrator of which it is known which clauses it breaks. */
import type { PrecheckResult } from '../../cli/precheck/examples/run.ts';

/**
 * The problems, in words; none where a correct integrator is not blamed, or where one of the clauses of a fault is, and no other. A warning
 * counts as finding the fault, since a clause may be a SHOULD.
 */
export function problemsOf(
  { clauses }: { readonly clauses: readonly string[] },
  { broken, warned, findings, results }: Pick<PrecheckResult, 'broken' | 'warned' | 'findings' | 'results'>,
): string[] {
  const others = broken.filter((clause) => !clauses.includes(clause));
  const isFound = clauses.length === 0 || [...broken, ...warned].some((clause) => clauses.includes(clause));
  const reasonOf = (clause: string): string =>
    results.find(({ verdict, clauses: judged }) => verdict === 'fail' && judged.includes(clause))?.reason ?? '';
  return [
    ...others.map((clause) => `blamed: ${clause}: ${reasonOf(clause)}`),
    ...(isFound ? [] : [`not found: ${clauses.join(', ')}`, ...findings]),
  ];
}
