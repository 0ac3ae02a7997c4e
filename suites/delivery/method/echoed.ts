/** Updates that send back all that was read, as clients do that read, change and store: what they change has to be applied. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { METHOD_FIELDS, type MethodField, POINT_FIELDS, type PointField, readBackFaults } from '../steps/fields.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { readMethod, readPoint } from '../steps/reading.ts';
import { changeOfMethod, changeOfPoint, pointAt } from '../steps/values.ts';

const OF_METHOD = 'delivery.method.update-applies';
const OF_POINT = 'delivery.point.update-applies';

/** Those of the fields that a resource has. */
const pickRead = (read: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.flatMap((name) => (read[name] === undefined ? [] : [[name, read[name]]])));

function expectApplied(context: Context, clause: string, change: Json, read: Json): void {
  for (const [field, sent] of Object.entries(change)) {
    const [fault] = readBackFaults(context, field as MethodField | PointField, sent, read[field]);
    context.expect.that(fault === undefined, `an update that also sends what was read must apply: ${fault?.message}`, {
      clauses: [clause],
      expected: sent,
      actual: read[field],
      pointer: `/${field}`,
    });
  }
}

export const checks: readonly Check[] = [
  check(
    'delivery.method.echoed-updates',
    'MUST apply an accepted update that sends the handle, the name, the id and all other fields as they were read',
    { ...OWN_METHODS, clauses: [OF_METHOD, OF_POINT], additional: true },
    async (context) => {
      const { expect, send } = context;
      const method = await methodWith(context, [pointAt(context, 'echo')]);
      const { delivery, handle } = method;
      const ofMethod = changeOfMethod(context);
      const echo = {
        ...pickRead(await readMethod(context, method), ['handle', 'name', ...METHOD_FIELDS]),
        ...ofMethod,
      };
      const point = await readPoint(context, method, 'echo');
      const ofPoint = changeOfPoint(context, 'Echoed');
      const echoOfPoint = { ...pickRead(point, ['id', ...POINT_FIELDS]), ...ofPoint };
      // Whether fields that are fixed, or only read, may be sent is the service's choice.
      if (isServed(await send(delivery.changePoint(handle, 'echo', echoOfPoint), 'change')))
        expectApplied(context, OF_POINT, ofPoint, await readPoint(context, method, 'echo'));
      if (isServed(await send(delivery.changeMethod(handle, echo), 'change')))
        expectApplied(context, OF_METHOD, ofMethod, await readMethod(context, method));
      if (expect.asserted === 0) throw new Skipped('the service refuses updates that also send what was read');
    },
  ),
];
