/** Deleting a pickup point, and calls for points and methods that do not exist. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { withLeadingUnderscore } from '../../../harness/target/near-miss.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { type Place, portion, wholeList } from '../batch/calls.ts';
import { distinguishes, idsBesideA1, partsOfA1 } from '../steps/awkward-values/similar-ids.ts';
import { changedFields, POINT_FIELDS } from '../steps/fields.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { addPoints, idsOf, listedIds, listPoints, type Method, readPoint, showsPoint } from '../steps/reading.ts';
import { changeOfMethod, changeOfPoint, pointAt } from '../steps/values.ts';

const OF_A_LIST = 'of-a-list';

/** The path of a handle that does not exist. */
const toHandle = (path: string, handle: string, other: string): string =>
  path.replace(encodeURIComponent(handle), encodeURIComponent(other));

/** Portions with the ids of deleted points, which a service may refuse to use again. */
async function uploadedAgain(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const portions = ids.map((id, at) => portion(method, [pointAt(context, id)], placeOf(at, ids.length)));
  for (const call of portions) {
    const isTaken = isServed(await context.send(call, 'again'));
    // An open upload may prevent others.
    if (!isTaken) await context.send(wholeList(method, [pointAt(context, OF_A_LIST)]), 'end');
    if (!isTaken) return;
  }
  const isWhole = (found: readonly string[]): boolean => found.toSorted().join() === ids.toSorted().join();
  const listed = await listedIds(context, method, isWhole);
  context.given.holds(
    isWhole(listed),
    'delivery.batch.finalization-publishes',
    `after an upload of points with the ids of deleted ones ${listed.join(', ') || 'nothing'} is listed`,
  );
  // A service may keep its refusal of a read from the time when the point was deleted.
  await readPoint(context, method, ids[0]!);
}

const placeOf = (at: number, count: number): Place => (at === 0 ? 'first' : at === count - 1 ? 'last' : 'middle');

export const checks: readonly Check[] = [
  check(
    'delivery.point.delete-removes',
    'MUST NOT list or return a deleted pickup point',
    { ...OWN_METHODS, clauses: ['delivery.point.delete-removes'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await methodWith(context, []);
      const ids = ['first', 'second', 'third'];
      await addPoints(
        context,
        method,
        ids.map((id) => pointAt(context, id)),
      );
      const listed = idsOf(await listPoints(context, method)).sort();
      given.holds(
        listed.join() === ids.toSorted().join(),
        'delivery.point.create-stores',
        `${ids} were added, but the list contains ${listed}`,
      );
      const deletedIds: string[] = [];
      for (const [at, name] of [...ids, 'first'].entries()) {
        let id = name;
        // The last one is added by a list, with a previously deleted id if the service accepts it again.
        if (at === ids.length && !isServed(await send(wholeList(method, [pointAt(context, id)]), 'again'))) {
          id = OF_A_LIST;
          await given.points(delivery, method.handle, [pointAt(context, id)]);
        }
        await readPoint(context, method, id);
        const deleted = await send(delivery.deletePoint(method.handle, id), 'delete');
        expect.served(deleted, 'must delete a point of its method');
        const read = await send(delivery.readPoint(method.handle, id), 'read');
        expect.that(!showsPoint(read, id), 'a deleted point must no longer be readable', {
          expected: 'a refusal',
          actual: summary(read),
          response: read,
        });
        deletedIds.push(id);
        // Some services write all points of a method with it, as they once were. Which fields can be changed is not stated.
        if (at === ids.length) await send(delivery.changeMethod(method.handle, changeOfMethod(context)), 'change');
        // At the first try once before the next add: no delete brings back what another one has deleted.
        if (!context.explains && at < ids.length - 1) continue;
        const isGone = (found: readonly string[]) => !deletedIds.some((one) => found.includes(one));
        const left = await listedIds(context, method, isGone);
        expect.that(isGone(left), 'a deleted point must no longer be listed', {
          expected: `a list without ${deletedIds.join(', ')}`,
          actual: left,
          pointer: '/pickup_points',
        });
      }
      await uploadedAgain(context, method, ids);
    },
  ),

  check(
    'delivery.point.delete-leaves-other-points',
    'MUST keep the other pickup points of the method when one is deleted',
    { ...OWN_METHODS, clauses: ['delivery.point.delete-leaves-other-points'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const near = [...(await idsBesideA1(context)), ...(await partsOfA1(context))];
      const ids = ['a10', 'a1', 'a100', 'a1-2', 'b-a1', 'c', ...near];
      const method = await methodWith(
        context,
        ids.map((id) => pointAt(context, id)),
      );
      const before = new Map((await listPoints(context, method)).map((point) => [point.id, point]));
      given.holds(before.size === ids.length, 'delivery.point.list-contains', 'not all points are listed');
      const asSent = ids.every((id) => before.has(id));
      given.holds(asSent, 'delivery.point.id-kept', 'not all points are listed under their ids');
      const gone: string[] = [];
      // The newest, one whose id begins others and is a word of one, and one in the middle, so that the loss of any neighbour shows.
      const similar = [...(ids.includes('A1') ? ['A10'] : []), ...(ids.includes('á1') ? ['á10'] : [])];
      for (const id of ['nowhere', ...similar]) await send(delivery.deletePoint(method.handle, id), 'delete');
      for (const id of ['c', 'a1', 'a100', ...ids.filter((one) => one === '7')]) {
        const deleted = send(delivery.deletePoint(method.handle, id), 'delete');
        await given.promised(deleted, 'delivery.point.delete-removes');
        gone.push(id);
        const others = ids.filter((other) => !gone.includes(other));
        const isRight = (found: readonly string[]) => others.every((other) => found.includes(other));
        const listed = await listedIds(context, method, isRight);
        expect.that(isRight(listed), `after the delete of ${gone} the other points must be listed`, {
          expected: others,
          actual: listed,
          pointer: '/pickup_points',
        });
      }
      for (const point of await listPoints(context, method)) {
        const was = before.get(point.id);
        const changed = was === undefined ? [] : changedFields(context, POINT_FIELDS, was, point);
        expect.equal(changed, [], `the delete of others must leave the point ${String(point.id)} as it was`);
      }
    },
  ),

  check(
    'delivery.point.unknown-read-refused',
    'MUST refuse to read an unknown point id',
    { ...OWN_METHODS, clauses: ['delivery.point.unknown-read-refused'] },
    async (context) => {
      const { delivery, expect, send } = context;
      const method = await methodWith(context, [pointAt(context, 'point-10')]);
      await unlessFull(context, () => methodWith(context, [pointAt(context, 'elsewhere')]));
      const wrong = {
        'an id that no point has': 'nowhere',
        'the last character of the id missing': 'point-1',
        'an additional character at the end of the id': 'point-100',
        // In SQL's LIKE an underscore matches any character.
        'an underscore instead of the first character of the id': '_oint-10',
        ...((await distinguishes(context, 'cases')) && { 'the id in the other letter case': 'POINT-10' }),
        ...((await distinguishes(context, 'accents')) && { 'an accent on a letter of the id': 'póint-10' }),
        'the id of a point of another method': 'elsewhere',
        // In JavaScript every object has this property, also one whose properties are points by their ids.
        'an id that is the name of a property of every object': 'constructor',
      };
      const expectRefused = async (known: string, unknown: Readonly<Record<string, string>>): Promise<void> => {
        const probes = Object.entries(unknown).map(([change, id]) => ({
          change,
          mutate: (call: ServiceRequest): ServiceRequest => ({
            ...call,
            path: delivery.readPoint(method.handle, id).path,
          }),
        }));
        await expect.refusesEach(delivery.readPoint(method.handle, known), probes, {
          clause: 'delivery.point.read-by-id',
          accepted: (response) => showsPoint(response, known),
        });
      };
      await expectRefused('point-10', wrong);
      // Some languages and databases compare two texts of digits as numbers. A service may refuse such an id.
      if (isServed(await send(delivery.addPoint(method.handle, pointAt(context, '12')), 'add')))
        await expectRefused('12', { 'a leading zero before an id of digits': '012' });
      if (
        (await distinguishes(context, 'forms')) &&
        isServed(await send(delivery.addPoint(method.handle, pointAt(context, 'é12')), 'add'))
      )
        await expectRefused('é12', { 'a letter of the id as two characters': 'e\u030112' });
    },
  ),

  check(
    'delivery.point.unknown-not-updated',
    'MUST refuse to update an unknown point id, or create the point',
    { ...OWN_METHODS, clauses: ['delivery.point.unknown-not-updated'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await methodWith(context, [pointAt(context, 'point-10')]);
      await unlessFull(context, () => methodWith(context, [pointAt(context, 'elsewhere')]));
      const similar = [
        ...((await distinguishes(context, 'cases')) ? ['POINT-10'] : []),
        ...((await distinguishes(context, 'accents')) ? ['póint-10'] : []),
      ];
      const listed = context.explains ? undefined : idsOf(await listPoints(context, method));
      for (const id of ['point-1', 'point-100', ...similar, '_oint-10', 'elsewhere']) {
        const shown =
          listed === undefined
            ? showsPoint(await send(delivery.readPoint(method.handle, id), 'read'), id)
            : listed.includes(id);
        given.holds(
          !shown,
          'delivery.point.unknown-read-refused',
          `the method shows a point ${id} that it does not have`,
        );
        const response = await send(
          delivery.changePoint(method.handle, id, changeOfPoint(context, 'Nowhere')),
          'change',
        );
        const there = showsPoint(await send(delivery.readPoint(method.handle, id), 'read'), id);
        const says = isServed(response) ? 'a success' : 'a refusal';
        expect.that(
          isServed(response) === there,
          `the response to an update of an unknown id must be true: it was ${says}`,
          {
            expected: there ? 'a success, since the point exists now' : 'a refusal, since the point does not exist',
            actual: summary(response),
            response,
          },
        );
      }
      const known = delivery.changePoint(method.handle, 'point-10', changeOfPoint(context, 'Rīga'));
      await given.accepted(send(known, 'control'), 'delivery.point.update-applies');
    },
  ),

  check(
    'delivery.point.unknown-method-refused',
    'MUST refuse to list, add or replace pickup points under an unknown handle',
    { ...OWN_METHODS, clauses: ['delivery.point.unknown-method-refused'] },
    async (context) => {
      const { delivery, expect, resources } = context;
      const first = await methodWith(context, []);
      const second = await unlessFull(context, () => methodWith(context, []));
      const [other, method] = second === undefined ? [undefined, first] : [first, second];
      // Never a handle that could belong to another owner: only texts with our mark, or one that only a pattern takes for ours.
      const pattern = withLeadingUnderscore(method.handle);
      const wrong = {
        'a handle that was never assigned': resources.newMark(),
        ...(pattern !== undefined && { 'an underscore instead of the first character of the handle': pattern }),
        'additional characters at the end of the handle': `${method.handle}-${resources.newMark()}`,
      };
      const probes = Object.entries(wrong).map(([change, handle]) => ({
        change,
        mutate: (call: ServiceRequest): ServiceRequest => ({
          ...call,
          path: toHandle(call.path, method.handle, handle),
        }),
      }));
      await expect.refusesEach(delivery.addPoint(method.handle, pointAt(context, 'added')), probes, {
        clause: 'delivery.point.create-stores',
      });
      await expect.refusesEach(delivery.listPoints(method.handle), probes, {
        clause: 'delivery.point.list-contains',
        accepted: (response) => isServed(response) && response.text.includes('added'),
      });
      await expect.refusesEach(wholeList(method, [pointAt(context, 'added')]), probes.slice(0, 1), {
        clause: 'delivery.batch.replaces-all',
      });
      if (other === undefined) return;
      const reached = await listedIds(context, other, (ids) => ids.length === 0);
      expect.equal(reached, [], 'a refused add must not reach another method', { pointer: '/pickup_points' });
    },
  ),
];
