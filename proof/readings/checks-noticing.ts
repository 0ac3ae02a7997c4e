/** Which checks can notice a service with a single answer: the others see no difference from the embedded service. */
import { sharingOf } from '../../harness/check/running/sharing.ts';
import { CHECKS } from '../../suites/index.ts';
import { Reach } from '../matrix/reach.ts';
import { CORRECT } from '../matrix/rows.ts';
import { runRow } from '../matrix/run-row.ts';
import { type Choice, deviationsOf } from './reading.ts';

/** The ids of the checks that see a difference from the embedded service, for each service in the order of `choices`. */
export async function checksNoticing(choices: readonly Choice[]): Promise<ReadonlySet<string>[]> {
  const deviations = choices.map(deviationsOf);
  const reach = new Reach(deviations.flat(), sharingOf(CHECKS));
  await runRow({ row: CORRECT, checks: CHECKS.map(({ id }) => id), propertyRuns: 0 }, reach);
  return deviations.map(
    (of) => new Set(CHECKS.filter((check) => of.some(({ id }) => reach.meets(check.id, id))).map(({ id }) => id)),
  );
}
