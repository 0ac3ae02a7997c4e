/**
 * The list of a method from its end and a single read show the same points after every kind of change: a service may keep the
 * responses to both, and forget them at some changes only.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { walk } from '../../../harness/target/list-walk.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { changedFields, POINT_FIELDS } from '../steps/fields.ts';
import { idsOf, listPoints, type Method, showsPoint } from '../steps/reading.ts';
import { changeOfPoint, pointAt } from '../steps/values.ts';

/** A call, the point that it is about, and the clause about what it does to the list. */
type Change = readonly [what: string, id: string, call: ServiceRequest, clause: string];

/**
 * Changes of points, each under the handle of the method alone, and as the second one in a path. Before each update and list the point
 * that it is about was the last one that was read.
 */
function changesOf(context: Context, { delivery, handle }: Method, beside: Method): Change[] {
  const both = [beside.handle, handle];
  const update = (how: string, named: string | readonly string[]): Change => {
    const change = changeOfPoint(context, `Changed ${how}`);
    return [`an update ${how}`, 'one', delivery.changePoint(named, 'one', change), 'delivery.point.list-contains'];
  };
  const list = (how: string, named: string | readonly string[], options?: Json): Change => {
    const points = [pointAt(context, 'one', `Listed ${how} 1`), pointAt(context, 'last')];
    return [
      `a list ${how}`,
      'one',
      wholeList({ delivery, handle: named }, points, options),
      'delivery.batch.replaces-all',
    ];
  };
  const addAndDelete = (how: string, named: string | readonly string[]): Change[] => [
    [`an add ${how}`, 'added', delivery.addPoint(named, pointAt(context, 'added')), 'delivery.point.create-stores'],
    [`a delete ${how}`, 'added', delivery.deletePoint(named, 'added'), 'delivery.point.delete-removes'],
  ];
  return [
    update('under one handle', handle),
    ...addAndDelete('under one handle', handle),
    list('under one handle', handle),
    list('for a country', handle, { country: pointAt(context, 'one').country }),
    update('under two handles', both),
    list('under two handles', both),
    ...addAndDelete('under two handles', both),
  ];
}

/** The list of points from its end, by their ids. */
async function reversedList({ send, resources }: Context, { delivery, handle }: Method): Promise<Map<unknown, Json>> {
  const { items } = await walk(send, resources, delivery.listPoints(handle, { desc: true }), 'pickup_points');
  return new Map(items.filter(isJsonObject).map((point) => [point.id, point]));
}

/**
 * Asserts that both show the same after each change of a method with these points. `beside` is another method of the same owner, which
 * has a point `one` as well.
 */
export async function agreesAfterChanges(
  context: Context,
  method: Method,
  beside: Method,
  points: readonly Json[],
): Promise<void> {
  const { expect, given, send } = context;
  const ids = [...(await reversedList(context, method)).keys()].sort();
  const isWhole = ids.join('\n') === idsOf(points).sort().join('\n');
  given.holds(isWhole, 'delivery.lists.desc-reverses-whole-list', 'the reversed list holds other points than the list');
  for (const [what, id, call, clause] of changesOf(context, method, beside)) {
    // How many handles a call may name is not stated, nor that a point can be changed.
    if (!isServed(await send(call, 'change'))) continue;
    const response = await send(method.delivery.readPoint(method.handle, id), 'read');
    const isThere = showsPoint(response, id);
    const reversed = await reversedList(context, method);
    const listed = reversed.get(id);
    if ((listed !== undefined) !== isThere) {
      const isUsual = idsOf(await listPoints(context, method)).includes(id) === isThere;
      given.holds(isUsual, clause, `after ${what} the list and a read of ${id} differ`);
    }
    expect.that(
      (listed !== undefined) === isThere,
      `after ${what} the reversed list must show ${id} only if it can be read`,
      {
        expected: `a list ${isThere ? 'with' : 'without'} ${id}`,
        actual: [...reversed.keys()],
        pointer: '/pickup_points',
      },
    );
    if (listed === undefined) continue;
    const alone = await given.resource(response, 'pickup_point', 'delivery.point.read-by-id');
    const [differing] = changedFields(context, POINT_FIELDS, alone, listed);
    expect.that(
      differing === undefined,
      `after ${what} the reversed list must show ${differing} as the point itself does`,
      {
        expected: alone,
        actual: listed,
        pointer: `/pickup_points/…/${differing}`,
      },
    );
  }
}
