/** Calls about something else that come between the portions of an upload (spec: Endpoints, batch replace). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import type { Method } from '../steps/reading.ts';
import { changeOfMethod, changeOfPoint, pointAt } from '../steps/values.ts';
import { pointsAt, portion, wholeList } from './calls.ts';
import { batchMethodWith } from './new-method.ts';
import { expectListed } from './points/content.ts';
import { givenReadingEndsNoUpload } from './portions.ts';

const FINAL = 'delivery.batch.finalization-publishes';

const PORTIONS = [['a-1', 'a-2'], ['a-3']] as const;

/** What an integrator's other jobs read meanwhile. `other` has the points `o-1` and `o-2`. */
function readsBetween({ delivery, resources }: Context, method: Method, other?: Method): ServiceRequest[] {
  const ofOther =
    other === undefined ? [] : [delivery.readPoint(other.handle, 'o-1'), delivery.listPoints(other.handle)];
  return [
    delivery.readMethod(method.handle),
    delivery.listMethods({ pageSize: 1 }),
    delivery.readMethod(resources.newMark()),
    ...ofOther,
  ];
}

/** What they change in other methods. `made` is deleted. */
function writesBetween(context: Context, other?: Method, made?: Method): ServiceRequest[] {
  const { delivery } = context;
  const ofOther = (handle: string): ServiceRequest[] => [
    delivery.addPoint(handle, pointAt(context, 'o-3')),
    delivery.changePoint(handle, 'o-3', changeOfPoint(context, 'Otherville')),
    delivery.deletePoint(handle, 'o-2'),
  ];
  const ofMade = (handle: string): ServiceRequest[] => [
    delivery.changeMethod(handle, changeOfMethod(context)),
    delivery.addPoint(handle, pointAt(context, 'p')),
    delivery.deleteMethod(handle),
  ];
  return [...(other === undefined ? [] : ofOther(other.handle)), ...(made === undefined ? [] : ofMade(made.handle))];
}

/** Uploads the portions with these calls between them, and returns the response to the last portion. */
async function uploadAround(
  context: Context,
  method: Method,
  calls: () => Promise<readonly ServiceRequest[]>,
): Promise<ServiceResponse> {
  const { given, send } = context;
  const [first, last] = PORTIONS.map((ids) => pointsAt(context, ids));
  await given.accepted(send(portion(method, first!, 'first'), 'given'), FINAL);
  for (const call of await calls()) await send(call, 'between');
  const response = await send(portion(method, last!, 'last'));
  // An open upload may prevent the target from beginning others.
  if (!isServed(response)) await send(wholeList(method, pointsAt(context, ['end'])), 'end');
  return response;
}

export const checks: readonly Check[] = [
  check(
    'delivery.batch.calls-between-portions',
    'MUST publish all portions of an upload when calls about other methods come between them',
    { clauses: [FINAL], ...OWN_METHODS },
    async (context) => {
      const method = await batchMethodWith(context, []);
      const other = await unlessFull(context, () => batchMethodWith(context, pointsAt(context, ['o-1', 'o-2'])));
      const reads = readsBetween(context, method, other);
      let last = await uploadAround(context, method, async () => {
        const made = await unlessFull(context, () => context.given.newMethod(context.delivery));
        return [...reads, ...writesBetween(context, other, made)];
      });
      // Whether a change of something else ends an upload, so that its next portion is refused, is not stated. Reads end none.
      if (!isServed(last)) last = await uploadAround(context, method, async () => reads);
      if (!isServed(last)) await givenReadingEndsNoUpload(context, PORTIONS);
      await context.given.accepted(last, FINAL);
      const rule = 'an upload must publish all its portions, whatever calls about other methods come between them';
      await expectListed(context, method, { exactly: PORTIONS.flat() }, rule);
    },
  ),
];
