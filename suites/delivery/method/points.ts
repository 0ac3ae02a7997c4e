/** Calls for pickup points leave the fields of their method as they were (spec: Endpoints, A. Delivery endpoints). */
import { isUnset } from '../../../contracts/fields/unset.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { pointsAt, wholeList } from '../batch/calls.ts';
import { changedFields, METHOD_FIELDS, METHOD_KEPT, textsOf } from '../steps/fields.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { readMethod } from '../steps/reading.ts';
import { changeOfPoint, methodValues, ownCountry, pointAt } from '../steps/values.ts';

export const checks: readonly Check[] = [
  check(
    'delivery.method.points-leave-fields',
    'MUST keep the fields of a method when its pickup points change',
    { ...OWN_METHODS, clauses: [...new Set(Object.values(METHOD_KEPT))] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const values = methodValues(context, 'first');
      // In each language, so that a lost one shows.
      const words = Object.values(textsOf(context, values.title)).join();
      const method = await given.newMethod(delivery, { ...values, title: given.text(words) });
      const { handle } = method;
      const before = await readMethod(context, method);
      const fields = METHOD_FIELDS.filter((field) => !isUnset(before[field]));
      const country = ownCountry(context);
      const expectKept = async (what: string): Promise<void> => {
        const after = await readMethod(context, method);
        for (const field of changedFields(context, fields, before, after))
          expect.that(false, `the ${field} of a method must stay as it was after ${what}`, {
            clauses: [METHOD_KEPT[field as keyof typeof METHOD_KEPT]],
            expected: before[field],
            actual: after[field],
            pointer: `/${field}`,
          });
      };
      const done: string[] = [];
      for (const [what, call] of [
        ['a new point', delivery.addPoint(handle, pointAt(context, 'one'))],
        ['an update of a point', delivery.changePoint(handle, 'one', changeOfPoint(context, 'Another street'))],
        ['a new list', wholeList(method, pointsAt(context, ['one', 'two']))],
        ['a new list for a country', wholeList(method, pointsAt(context, ['three']), { country })],
        ['a deleted point', delivery.deletePoint(handle, 'three')],
        ['a list of one point', wholeList(method, pointsAt(context, ['last']))],
        ['a deletion of the last point', delivery.deletePoint(handle, 'last')],
        ['an empty list for a country', wholeList(method, [], { country })],
        ['an empty list', wholeList(method, [])],
      ] as const) {
        if (!isServed(await send(call, 'change'))) continue;
        done.push(what);
        // At the first try one reading shows what all of them did.
        if (context.explains) await expectKept(what);
      }
      given.granted(done.length > 0, 'delivery.point.create-stores', 'no call for points was accepted');
      if (!context.explains) await expectKept(done.join(', '));
      expect.that(done.length > 0, 'the fields of a method must stay as they were');
    },
  ),
];
