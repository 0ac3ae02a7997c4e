import { isWordForNothing } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { pointsAt, wholeList } from '../batch/calls.ts';
import { changedFields, keptTexts, POINT_FIELDS, POINT_KEPT, readBackFaults, websiteOf } from '../steps/fields.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import {
  addPoints,
  countOf,
  idsOf,
  listedIds,
  listPoints,
  type Method,
  readMethod,
  readPoint,
  showsPoint,
} from '../steps/reading.ts';
import { addedWithLess, listedWithLess } from '../steps/reused-id.ts';
import { changeOfPoint, pointAt, pointValues } from '../steps/values.ts';
import { agreesAfterChanges } from './agreement.ts';

/** Ids with a common prefix: a service that compares only prefixes finds the wrong point. The longer ones come first. */
const LIKE_IDS = ['a10', 'a1', 'a100', 'b'] as const;

/** Whether a method takes a point under another id, but not under that of a deleted one: ids may stay taken for good. */
async function isKeptBack({ send }: Context, { delivery, handle }: Method, point: Json): Promise<boolean> {
  const fresh = { ...point, id: `${String(point.id)}2` };
  const isTaken = isServed(await send(delivery.addPoint(handle, fresh), 'add'));
  return isTaken && isServed(await send(delivery.deletePoint(handle, fresh.id), 'given'));
}

/**
 * Whether a method refuses a new point only because of the points that it has, or because it has none: the same one is taken when there is
 * another one, or by a new method. `before`: how many points it has.
 */
async function dependsOnPoints(context: Context, method: Method, id: string, before: number): Promise<boolean> {
  const takes = async ({ delivery, handle }: Method): Promise<boolean> =>
    isServed(await context.send(delivery.addPoint(handle, pointAt(context, id)), 'control'));
  if (before > 0) return (await unlessFull(context, async () => takes(await methodWith(context, [])))) === true;
  const other = wholeList(method, pointsAt(context, ['other']));
  return isServed(await context.send(other, 'control')) && takes(method);
}

/** Deletes a point that is there. */
async function deletePoint({ given, send }: Context, { delivery, handle }: Method, id: string): Promise<void> {
  await given.promised(send(delivery.deletePoint(handle, id), 'given'), 'delivery.point.delete-removes');
}

/** Asserts that the point `again` can be read by its id. */
async function expectReadable({ expect, send }: Context, { delivery, handle }: Method, message: string): Promise<void> {
  const response = await send(delivery.readPoint(handle, 'again'), 'read');
  const actual = summary(response);
  expect.that(showsPoint(response, 'again'), message, { expected: 'again', actual, pointer: '/id', response });
}

/** States that a point which is missing in the list can't be read either: else the list is what is wrong. */
async function givenNotReadable({ given, send }: Context, { delivery, handle }: Method, id: string): Promise<void> {
  const isReadable = showsPoint(await send(delivery.readPoint(handle, id), 'read'), id);
  given.holds(!isReadable, 'delivery.point.list-contains', `the point ${id} can be read, but is not in the list`);
}

const NULL_ID = 'with-null';
/** Optional fields without a value, and members that the contract does not have, by the id of their point. */
const UNUSUAL = {
  [NULL_ID]: { city: null, zip: null, attributes: null },
  'with-empty': { city: '', zip: '', attributes: '' },
  // Clients send what they have.
  'with-more': { lat: 56.946, lng: 24.105, note: 'Behind the market' },
};

/** Asserts that points with unusual members are stored, and that what is null does not become a word. A service may refuse them. */
async function storesUnusual(context: Context, method: Method): Promise<void> {
  const taken: string[] = [];
  for (const [id, fields] of Object.entries(UNUSUAL)) {
    const call = method.delivery.addPoint(method.handle, { ...pointAt(context, id), ...fields });
    if (isServed(await context.send(call, 'add'))) taken.push(id);
  }
  if (taken.length === 0) return;
  const ids = await listedIds(context, method, (found) => taken.every((id) => found.includes(id)));
  const lost = taken.filter((id) => !ids.includes(id));
  for (const id of lost) await givenNotReadable(context, method, id);
  context.expect.equal(
    lost,
    [],
    'an accepted point with optional fields that have no value, or with further members, must be listed',
    {
      actual: ids,
      pointer: '/pickup_points',
    },
  );
  if (!taken.includes(NULL_ID)) return;
  const point = await readPoint(context, method, NULL_ID);
  for (const field of ['city', 'zip'] as const) {
    // A service may complete what is missing, by the city of its store for example.
    context.expect.that(!isWordForNothing(point[field]), `a ${field} that is added as null must not become a word`, {
      expected: null,
      actual: point[field] ?? null,
      pointer: `/${field}`,
    });
  }
}

/** A title in a language that is not the default one, on a website with several: a list may be joined with the texts of the default one. */
function titleBesideDefault(context: Context): Json {
  const { languages, defaultLanguage } = websiteOf(context);
  const other = languages.findLast((code) => code !== (defaultLanguage ?? languages[0]));
  return other === undefined ? {} : { title: { [other]: 'Centrāltirgus pakomāts' } };
}

export const checks: readonly Check[] = [
  check(
    'delivery.point.create-stores',
    'MUST create exactly one pickup point per successful add',
    { ...OWN_METHODS, clauses: ['delivery.point.create-stores'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await given.newMethod(delivery);
      if (context.explains) await readMethod(context, method);
      for (const [before, id] of LIKE_IDS.entries()) {
        const response = await send(delivery.addPoint(method.handle, pointAt(context, id)), 'add');
        const message = `must add the point ${id} to a method without it`;
        if (!isServed(response) && (await dependsOnPoints(context, method, id, before)))
          expect.served(response, message);
        expect.accepted(response, message);
        const isRight = (ids: readonly string[]) => countOf(ids, id) === 1 && ids.length === before + 1;
        const ids = await listedIds(context, method, isRight);
        if (!context.explains && isRight(ids)) {
          expect.that(true, `the add of ${id} must add exactly this point to the list`);
          continue;
        }
        const readable = showsPoint(await send(delivery.readPoint(method.handle, id), 'read'), id);
        given.holds(
          ids.includes(id) || !readable,
          'delivery.point.list-contains',
          `the point ${id} can be read, but is not in the list`,
        );
        for (const old of LIKE_IDS.slice(0, before).filter((one) => !ids.includes(one)))
          await givenNotReadable(context, method, old);
        given.holds(
          readable || !ids.includes(id),
          'delivery.point.read-by-id',
          `the point ${id} is in the list, but can't be read`,
        );
        expect.that(isRight(ids), `the add of ${id} must add exactly this point to the list`, {
          expected: LIKE_IDS.slice(0, before + 1),
          actual: ids,
          pointer: '/pickup_points',
        });
      }
      await storesUnusual(context, method);
    },
  ),

  check(
    'delivery.point.create-after-delete',
    'MUST store a new point as it was sent when it reuses the id of a deleted one',
    { ...OWN_METHODS, clauses: ['delivery.point.create-stores'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await methodWith(context, []);
      const former = { id: 'again', ...pointValues(context, 'second'), title: given.text('Former words') };
      await addPoints(context, method, [former]);
      const { title: formerTitle } = await readPoint(context, method, 'again');
      const deleted = send(delivery.deletePoint(method.handle, 'again'), 'given');
      await given.promised(deleted, 'delivery.point.delete-removes');
      const read = await send(delivery.readPoint(method.handle, 'again'), 'read');
      given.holds(!showsPoint(read, 'again'), 'delivery.point.delete-removes', 'a deleted point can be read');

      const next = { id: 'again', ...pointValues(context, 'first') };
      // A service may want another title for each point.
      await addPoints(context, method, [{ ...next, id: 'other', title: given.text('Station of other') }]);
      const response = await send(delivery.addPoint(method.handle, next), 'add');
      if (!isServed(response) && (await isKeptBack(context, method, next))) {
        const there = showsPoint(await send(delivery.readPoint(method.handle, 'again'), 'read'), 'again');
        const ids = await listedIds(context, method, (found) => !found.includes('again'));
        expect.that(!there && !ids.includes('again'), 'a refused add must not bring back the deleted point', {
          expected: ['other'],
          actual: ids,
          pointer: '/pickup_points',
        });
        return;
      }
      expect.accepted(response, 'must accept a new point with the id of a deleted one');
      const other = await readPoint(context, method, 'other');
      // A read of this id was refused before: that refusal must not be cached, neither here nor in the list.
      await expectReadable(context, method, 'the new point must be readable under the id of the deleted one');
      const ids = await listedIds(context, method, (found) => countOf(found, 'again') === 1);
      expect.equal([...ids].sort(), ['again', 'other'], 'the new point must be listed once', {
        pointer: '/pickup_points',
      });
      const again = await readPoint(context, method, 'again');
      const others = POINT_FIELDS.filter((field) => field !== 'title');
      const changed = changedFields(context, others, other, again);
      const isFormer = changedFields(context, ['title'], { title: formerTitle }, again).length === 0;
      if (isFormer || keptTexts(context, formerTitle, again.title).length > 0) changed.push('title');
      expect.equal(changed, [], 'the new point must not have values of the deleted one');
      await deletePoint(context, method, 'again');
      // The same call as before the delete: a service that recognizes repeated calls may refuse it.
      if (isServed(await send(delivery.addPoint(method.handle, next), 'add'))) {
        await expectReadable(context, method, 'a point that is added again after its delete must be stored');
        await deletePoint(context, method, 'again');
      }
      await addedWithLess(context, method, next);
      await deletePoint(context, method, 'other');
      await listedWithLess(context, method, { ...other, id: 'other' });
    },
  ),

  check(
    'delivery.point.list-contains',
    'MUST list all pickup points of a method in an array named pickup_points',
    { ...OWN_METHODS, clauses: ['delivery.point.list-contains'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      // Plain points, some with few fields, and one with letters outside ASCII.
      const points: Json[] = [
        ...LIKE_IDS.map((id) => pointAt(context, id)),
        { id: 'second', ...pointValues(context, 'second') },
      ];
      const method = await methodWith(context, points);
      const bare = { ...pointAt(context, 'bare'), address: '', attributes: '' };
      // A service may require an address.
      const takesBare = isServed(await send(delivery.addPoint(method.handle, bare), 'add'));
      // And nothing but a title: a list that joins tables may leave out a point without a country.
      const least = { id: 'least', title: given.text('Station of least') };
      const takesLeast = isServed(await send(delivery.addPoint(method.handle, least), 'add'));
      // And all but a title, which may be in a table of its own.
      const { title: _, ...untitled } = pointAt(context, 'untitled');
      const takesUntitled = isServed(await send(delivery.addPoint(method.handle, untitled), 'add'));
      const few = [...(takesBare ? [bare] : []), ...(takesLeast ? [least] : []), ...(takesUntitled ? [untitled] : [])];
      const added = idsOf([...points, ...few]);
      const first = await send(delivery.listPoints(method.handle), 'list');
      expect.that(
        isServed(first) && isJsonObject(first.json) && Array.isArray(first.json.pickup_points),
        'the list must be an array named pickup_points',
        { expected: 'an array', actual: summary(first), pointer: '/pickup_points', response: first },
      );
      const ids = await listedIds(context, method, (found) => added.every((id) => found.includes(id)));
      for (const id of added) {
        if (ids.includes(id)) continue;
        given.holds(
          showsPoint(await send(delivery.readPoint(method.handle, id), 'read'), id),
          'delivery.point.create-stores',
          `the point ${id} is neither in the list nor can it be read`,
        );
        expect.that(false, 'the list must contain each point that was added', {
          expected: added,
          actual: ids,
          pointer: '/pickup_points',
        });
      }
    },
  ),

  check(
    'delivery.point.read-by-id',
    'MUST return the pickup point that the id names',
    { ...OWN_METHODS, clauses: ['delivery.point.read-by-id'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await methodWith(
        context,
        LIKE_IDS.map((id) => pointAt(context, id)),
      );
      const listed = new Map((await listPoints(context, method)).map((point) => [point.id, point]));
      for (const id of [...LIKE_IDS, LIKE_IDS[0]]) {
        const response = await send(delivery.readPoint(method.handle, id), 'read');
        given.holds(
          listed.has(id) || showsPoint(response, id),
          'delivery.point.create-stores',
          `the point ${id} is neither in the list nor can it be read`,
        );
        expect.that(showsPoint(response, id), 'reading an id must return the point with that id', {
          expected: id,
          actual: summary(response),
          pointer: '/id',
          response,
        });
        const { address } = await given.resource(response, 'pickup_point', 'delivery.point.read-by-id');
        const others = LIKE_IDS.filter((other) => other !== id).map((other) => `Street of ${other}`);
        expect.that(!others.includes(String(address)), 'reading an id must not return the fields of another point', {
          expected: `Street of ${id}`,
          actual: address ?? null,
          pointer: '/address',
          response,
        });
      }
    },
  ),

  check(
    'delivery.point.list-of-one-method',
    'MUST NOT list pickup points of another method',
    { ...OWN_METHODS, clauses: ['delivery.point.list-of-one-method'] },
    async (context) => {
      const { expect, given } = context;
      const first = await methodWith(context, [pointAt(context, 'first-1'), pointAt(context, 'first-2')]);
      const second = await methodWith(context, [pointAt(context, 'second-1')]);
      const empty = await unlessFull(context, () => methodWith(context, []));
      for (const [method, own] of [
        [first, 'first-'],
        [second, 'second-'],
        ...(empty === undefined ? [] : [[empty, 'none'] as const]),
      ] as const) {
        const ids = idsOf(await listPoints(context, method));
        given.holds(
          method === empty || ids.some((id) => id.startsWith(own)),
          'delivery.point.list-contains',
          'a method does not list its own points',
        );
        expect.equal(
          ids.filter((id) => !id.startsWith(own)),
          [],
          'the list of a method must not contain points of another method',
          { pointer: '/pickup_points' },
        );
      }
    },
  ),

  check(
    'delivery.point.list-agrees-with-read',
    'MUST return the same pickup point in the list and by its id',
    { ...OWN_METHODS, clauses: ['delivery.point.list-agrees-with-read'] },
    async (context) => {
      const { delivery, expect, given } = context;
      const points: Json[] = [
        { id: 'one', ...pointValues(context, 'first'), title: given.text('In each language') },
        { id: 'two', ...pointValues(context, 'second') },
        { id: 'three', ...pointValues(context, 'first'), attributes: '', zip: '007', ...titleBesideDefault(context) },
      ];
      const method = await methodWith(context, points);
      const listed = await listPoints(context, method);
      for (const sent of points) {
        const read = await readPoint(context, method, String(sent.id));
        for (const field of POINT_FIELDS) {
          const lost = readBackFaults(context, field, sent[field], read[field]);
          given.holds(lost.length === 0, POINT_KEPT[field], lost[0]?.message ?? '');
        }
        const entry = given.present(
          listed.find((point) => point.id === sent.id),
          'delivery.point.list-contains',
          `the point ${sent.id} is not in the list`,
        );
        const [field, ...others] = changedFields(context, POINT_FIELDS, read, entry);
        expect.that(field === undefined, `the list must show ${[field, ...others]} as the point itself does`, {
          expected: read,
          actual: entry,
          pointer: `/pickup_points/…/${field}`,
        });
      }
      // Again after a change: neither of the two may be stale.
      const change = delivery.changePoint(method.handle, 'one', changeOfPoint(context, 'Elsewhere'));
      await given.accepted(context.send(change, 'given'), 'delivery.point.update-applies');
      const alone = await readPoint(context, method, 'one');
      const entry = (await listPoints(context, method)).find((point) => point.id === 'one');
      const differing = changedFields(context, POINT_FIELDS, alone, entry ?? {});
      expect.equal(differing, [], 'after an update the list must show each field as the point itself does', {
        pointer: `/pickup_points/…/${differing[0]}`,
      });
      const other = await unlessFull(context, () => methodWith(context, [pointAt(context, 'one')]));
      if (other !== undefined) await agreesAfterChanges(context, method, other, points);
    },
  ),
];
