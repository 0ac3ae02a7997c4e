/** Ids stay unique within a method, whatever a batch call repeats and however the service handles it. */
import { type Check, check } from '../../../../harness/check/check.ts';
import type { Context } from '../../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import type { FullReading } from '../../lists/reading/index.ts';
import { OWN_METHODS } from '../../steps/options.ts';
import type { Method } from '../../steps/reading.ts';
import { pointsAt, portion, replacePoints, upload, wholeList } from '../calls.ts';
import { usedBatchMethod } from '../new-method.ts';
import { handlingOf } from '../observed.ts';
import { byId, expectListed, givenListed } from './content.ts';

const RULE = 'each id must be listed at most once';
const REPLACES = 'delivery.batch.replaces-all';

const inOneCall = check(
  'delivery.batch.ids-unique',
  'MUST keep ids unique after a batch call that repeats one',
  {
    clauses: ['delivery.batch.ids-unique'],
    observations: ['delivery.batch.duplicate-handling'],
    ...OWN_METHODS,
  },
  async (context) => {
    const method = await usedBatchMethod(context);
    await replacePoints(context, method, pointsAt(context, ['a', 'b']));
    await givenListed(context, method, { exactly: ['a', 'b'] }, REPLACES);
    // With titles of their own: a service may refuse two points with one title, whatever their ids are.
    const [first, last] = [
      { address: 'The first' },
      { address: 'The last', title: context.given.text('Last station') },
    ];
    const points = [...pointsAt(context, ['a'], first), ...pointsAt(context, ['c']), ...pointsAt(context, ['a'], last)];
    const differing = await context.send(wholeList(method, points));
    const seen = await expectListed(context, method, { atMostOnce: ['a', 'b', 'c'] }, RULE);
    context.observe('delivery.batch.duplicate-handling', winnerIn(differing, seen));
    const [point] = pointsAt(context, ['d']) as [Json];
    await context.send(wholeList(method, [point, point]));
    await expectListed(context, method, { atMostOnce: ['a', 'b', 'c', 'd'] }, RULE);
  },
);

/** `refused: …`, or the stored one of the two points. */
function winnerIn(response: ServiceResponse, seen: FullReading): string {
  if (!isServed(response)) return handlingOf(response);
  const address = byId(seen).get('a')?.address;
  const winner = address === 'The first' ? 'the first' : address === 'The last' ? 'the last' : 'neither';
  return `accepted: ${winner} of the points is stored`;
}

const acrossPortions = check(
  'delivery.batch.ids-unique-across-portions',
  'MUST keep ids unique after an upload whose portions repeat one',
  { clauses: ['delivery.batch.ids-unique-across-portions'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    await upload(context, method, [pointsAt(context, ['a']), pointsAt(context, ['b'])]);
    await givenListed(context, method, { exactly: ['a', 'b'] }, 'delivery.batch.finalization-publishes');
    const again = pointsAt(context, ['c'], { address: 'Again', title: context.given.text('Station again') });
    await context.send(portion(method, pointsAt(context, ['c', 'd']), 'first'));
    await context.send(portion(method, pointsAt(context, ['e']), 'middle'));
    const last = await context.send(portion(method, again, 'last'));
    // After a refusal the upload continues, and the final list shows whether the refused portion was stored in part.
    if (!isServed(last)) await context.send(portion(method, pointsAt(context, ['f']), 'last'));
    await expectListed(context, method, { atMostOnce: ['a', 'b', 'c', 'd', 'e', 'f'] }, RULE);
  },
);

const acrossCountries = check(
  'delivery.batch.ids-unique-across-countries',
  'MUST keep ids unique after a call for one country that reuses an id of another',
  { clauses: ['delivery.batch.ids-unique-across-countries'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    const [lv, ee] = [{ country: 'LV' }, { country: 'EE' }];
    await replacePoints(context, method, [...pointsAt(context, ['a', 'b'], lv), ...pointsAt(context, ['c'], ee)]);
    await givenListed(context, method, { exactly: ['a', 'b', 'c'] }, REPLACES);
    await context.send(wholeList(method, pointsAt(context, ['a', 'd'], ee), ee));
    await expectListed(context, method, { atMostOnce: ['a', 'b', 'c', 'd'] }, RULE);
    await addedDuringUpload(context, method);
  },
);

/** A point of another country takes an id of an upload before the upload ends. Either call may be refused. */
async function addedDuringUpload(context: Context, method: Method): Promise<void> {
  const [lv, ee] = [{ country: 'LV' }, { country: 'EE' }];
  const first = await context.send(portion(method, pointsAt(context, ['taken'], lv), 'first', lv));
  if (!isServed(first)) return;
  const [taken] = pointsAt(context, ['taken'], ee) as [Json];
  await context.send(method.delivery.addPoint(method.handle, taken), 'add');
  await context.send(portion(method, pointsAt(context, ['e'], lv), 'last', lv));
  await expectListed(context, method, { atMostOnce: ['taken', 'c', 'e'] }, RULE);
}

export const checks: readonly Check[] = [inOneCall, acrossPortions, acrossCountries];
