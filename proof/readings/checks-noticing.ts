/** Which checks can notice a service with a single answer: the others see no difference from the embedded service. */
import { sharingOf } from '../../harness/check/running/sharing.ts';
import { remembering } from '../../mock/faults/interception.ts';
import type { Http } from '../../mock/types/deviation.ts';
import { CHECKS } from '../../suites/index.ts';
import { Reach } from '../matrix/reach.ts';
import { CORRECT } from '../matrix/rows.ts';
import { runRow } from '../matrix/run-row.ts';
import { type Choice, deviationsOf } from './reading.ts';

/** The ids of the checks that see a difference from the embedded service, for each service in the order of `choices`. */
export async function checksNoticing(choices: readonly Choice[]): Promise<ReadonlySet<string>[]> {
  const deviations = choices.map(deviationsOf);
  // Many of these services count requests, or lock callers out: every check that sends them a request may notice.
  const remembered = deviations.flat().map(({ http, ...others }) => ({
    ...others,
    ...(http === undefined
      ? {}
      : { http: remembering(() => Object.assign<Http, Partial<Http>>((...args) => http(...args), http)) }),
  }));
  const reach = new Reach(remembered, sharingOf(CHECKS));
  await runRow({ row: CORRECT, checks: CHECKS.map(({ id }) => id), propertyRuns: 0 }, reach);
  return deviations.map(
    (of) => new Set(CHECKS.filter((check) => of.some(({ id }) => reach.meets(check.id, id))).map(({ id }) => id)),
  );
}
