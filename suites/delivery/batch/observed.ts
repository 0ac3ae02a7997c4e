/** Observations of batch calls where the contract leaves the choice to the service. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { pointsAt, portion, replacePoints, wholeList } from './calls.ts';
import { usedBatchMethod } from './new-method.ts';
import { byId, listedDuringUpload, listedPoints } from './points/content.ts';

/** `accepted`, or the status and the code of the refusal. */
export function handlingOf(response: ServiceResponse): string {
  if (isServed(response)) return 'accepted';
  const code = isJsonObject(response.json) ? response.json.error_code : undefined;
  return `refused: status ${response.status}${typeof code === 'number' ? `, error_code ${code}` : ''}`;
}

const portionAlone = check(
  'delivery.batch.observed-portion-without-list',
  'OBSERVES how a portion without a started list is handled',
  { clauses: [], observations: ['delivery.batch.portion-without-open-list'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    await replacePoints(context, method, pointsAt(context, ['old']));
    const response = await context.send(portion(method, pointsAt(context, ['new']), 'last'));
    const listed = await listedDuringUpload(context, method);
    context.observe('delivery.batch.portion-without-open-list', {
      response: handlingOf(response),
      listed: listed?.ids.toSorted() ?? 'the list is refused',
    });
  },
);

const foreignCountry = check(
  'delivery.batch.observed-foreign-country',
  'OBSERVES how points of a country other than that of the batch call are handled',
  { clauses: [], observations: ['delivery.batch.country-differs-from-points'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    const [lv, ee] = [{ country: 'LV' }, { country: 'EE' }];
    await replacePoints(context, method, [...pointsAt(context, ['lv-old'], lv), ...pointsAt(context, ['ee-old'], ee)]);
    const points = [...pointsAt(context, ['lv-new'], lv), ...pointsAt(context, ['ee-new'], ee)];
    const response = await context.send(wholeList(method, points, lv));
    const after = byId(await listedPoints(context, method));
    context.observe('delivery.batch.country-differs-from-points', {
      response: handlingOf(response),
      listed: [...after.keys()].sort(),
      countryOfForeignPoint: after.get('ee-new')?.country ?? null,
    });
  },
);

export const checks: readonly Check[] = [portionAlone, foreignCountry];
