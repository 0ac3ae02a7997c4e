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

/** Reads, and calls for other methods: what an integrator's other jobs send meanwhile. */
function callsAbout(context: Context, method: Method, other: Method, made: Method | undefined): ServiceRequest[] {
  const { delivery, resources } = context;
  const ofMade =
    made === undefined
      ? []
      : [
          delivery.changeMethod(made.handle, changeOfMethod(context)),
          delivery.addPoint(made.handle, pointAt(context, 'p')),
          delivery.deleteMethod(made.handle),
        ];
  return [
    delivery.readMethod(method.handle),
    delivery.listMethods({ pageSize: 1 }),
    delivery.readMethod(resources.newMark()),
    delivery.readPoint(other.handle, 'o-1'),
    delivery.listPoints(other.handle),
    delivery.addPoint(other.handle, pointAt(context, 'o-3')),
    delivery.changePoint(other.handle, 'o-3', changeOfPoint(context, 'Otherville')),
    delivery.deletePoint(other.handle, 'o-2'),
    ...ofMade,
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
      const other = await batchMethodWith(context, pointsAt(context, ['o-1', 'o-2']));
      const portions = [pointsAt(context, ['a-1', 'a-2']), pointsAt(context, ['a-3'])] as const;
      await given.accepted(send(portion(method, portions[0], 'first'), 'given'), FINAL);
      const made = await unlessFull(context, () => given.newMethod(context.delivery));
      for (const call of callsAbout(context, method, other, made)) await send(call, 'between');
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
