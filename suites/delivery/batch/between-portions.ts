/** Calls about something else that come between the portions of an upload (spec: Endpoints, batch replace). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import type { Method } from '../steps/reading.ts';
import { changeOfMethod, changeOfPoint, pointAt } from '../steps/values.ts';
import { pointsAt, portion, upload, wholeList } from './calls.ts';
import { batchMethodWith } from './new-method.ts';
import { expectListed } from './points/content.ts';

const FINAL = 'delivery.batch.finalization-publishes';

/** Reads, and calls for other methods: what an integrator's other jobs send meanwhile. `other` has the points `o-1` and `o-2`. */
function callsBetween(context: Context, method: Method, other?: Method, made?: Method): ServiceRequest[] {
  const { delivery, resources } = context;
  const reads = [
    delivery.readMethod(method.handle),
    delivery.listMethods({ pageSize: 1 }),
    delivery.readMethod(resources.newMark()),
  ];
  const ofOther = (handle: string): ServiceRequest[] => [
    delivery.readPoint(handle, 'o-1'),
    delivery.listPoints(handle),
    delivery.addPoint(handle, pointAt(context, 'o-3')),
    delivery.changePoint(handle, 'o-3', changeOfPoint(context, 'Otherville')),
    delivery.deletePoint(handle, 'o-2'),
  ];
  const ofMade = (handle: string): ServiceRequest[] => [
    delivery.changeMethod(handle, changeOfMethod(context)),
    delivery.addPoint(handle, pointAt(context, 'p')),
    delivery.deleteMethod(handle),
  ];
  return [
    ...reads,
    ...(other === undefined ? [] : ofOther(other.handle)),
    ...(made === undefined ? [] : ofMade(made.handle)),
  ];
}

export const checks: readonly Check[] = [
  check(
    'delivery.batch.calls-between-portions',
    'MUST publish all portions of an upload when calls about other methods come between them',
    { clauses: [FINAL], ...OWN_METHODS },
    async (context) => {
      const { given, send } = context;
      const method = await batchMethodWith(context, []);
      const other = await unlessFull(context, () => batchMethodWith(context, pointsAt(context, ['o-1', 'o-2'])));
      const portions = [pointsAt(context, ['a-1', 'a-2']), pointsAt(context, ['a-3'])] as const;
      await given.accepted(send(portion(method, portions[0], 'first'), 'given'), FINAL);
      const made = await unlessFull(context, () => given.newMethod(context.delivery));
      for (const call of callsBetween(context, method, other, made)) await send(call, 'between');
      const isTaken = isServed(await send(portion(method, portions[1], 'last')));
      if (!isTaken) {
        // Whether other calls end an upload, so that its next portion is refused, is not stated: nothing is lost in silence.
        await send(wholeList(method, pointsAt(context, ['end'])), 'end');
        await upload(context, method, portions);
      }
      const rule = 'an upload must publish all its portions, whatever calls about other methods come between them';
      await expectListed(context, method, { exactly: ['a-1', 'a-2', 'a-3'] }, rule);
    },
  ),
];
