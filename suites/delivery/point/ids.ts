/** Ids of pickup points: any text, stored unchanged, unique within a method, independent between methods (spec: Pickup point). */
import { isDeepStrictEqual } from 'node:util';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { atOnce, eachAtOnce } from '../../../harness/process/at-once.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { changedFields, POINT_FIELDS, readBackFaults } from '../steps/fields.ts';
import { methodWith, methodWithPoints } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import {
  addPoints,
  countOf,
  idsOf,
  listedIds,
  listPoints,
  type Method,
  readPoint,
  showsPoint,
} from '../steps/reading.ts';
import { changeOfPoint, exampleOfPoint, minimalPoint, otherCountry, pointAt } from '../steps/values.ts';

/** Texts that change when they are parsed as numbers, as booleans, or in another charset. */
const KEPT_IDS = [
  // These four are equal as numbers.
  '0012',
  '12',
  '12e0',
  '+12',
  // Some languages treat it as empty.
  '0',
  '9007199254740993',
  'true',
  // To a database that compares words, each of these is the one before it; the second one is written in decomposed letters.
  'PM-Ābelé_7',
  'PM-A\u0304bele\u0301_7',
  'PM-Abele_7',
  'PM 7 ',
  'PM 7',
  // To a database that compares words as a dictionary sorts them, or to a page address, the same.
  'PM-Straße_7',
  'PM-Strasse_7',
  'PM-Strasse-7',
  // Some databases give all characters beyond the basic plane one weight.
  'PM-7🚉',
  'PM-7🚚',
  'x'.repeat(60),
  // The same in their first 64 characters, and in as many as common columns and indexes hold.
  'x'.repeat(72),
  'x'.repeat(73),
  'x'.repeat(254),
  'x'.repeat(255),
  'x'.repeat(260),
  // Texts that escaping, unescaping, stripping or template expansion would change, and inner spaces.
  'Zip &amp; <b>7</b>  $1 C:\\new "q" \'s\'',
  // Line breaks, tabs, invisible characters and a ligature, which normalization changes: a service may refuse these.
  'tab\tone\r\ntwo\rthree\nfour zero\u200bwidth soft\u00adhyphen no\u00a0break \ufb01ve\n',
];

/** Some languages treat it as no id. */
const NO_ID_TO_SOME = '0';

/**
 * Ids that have to be encoded in a path. Besides `a+b` and `a%20b` there is `a b`: a service that decodes twice, or reads a plus as a
 * space, finds the wrong one. A comparison of patterns takes `a%_` for each of them. A router may interpret an ending as a format, a comma as the
 * end of a handle, and a backslash as a slash; a file system loses a dot at the end, and a filter what is invisible.
 */
const AWKWARD_IDS = [
  'a b',
  'a%_',
  'a+b',
  'a%20b',
  NO_ID_TO_SOME,
  'who?#&=;,:',
  'Rīga.json',
  'Nr. 7.',
  '東京 🚉',
  'C:\\a\u200bb\u00ad',
];

/** Calls that are sent without waiting for each other. */
const AT_ONCE = 4;

/** A service may want a title that no other point has. */
const titleAt = (at: number): string => `Central Station ${String.fromCodePoint('A'.codePointAt(0)! + at)}`;

/** Adds points with ids that a service may refuse; returns the accepted ones. */
async function offer(context: Context, { delivery, handle }: Method, ids: readonly string[]): Promise<string[]> {
  const taken: string[] = [];
  for (const [at, id] of ids.entries()) {
    const point = minimalPoint(context, id, 'Plain street 1', titleAt(at));
    if (isServed(await context.send(delivery.addPoint(handle, point), 'add'))) taken.push(id);
  }
  return taken;
}

/** How the field that `changeOfPoint` changes differs from these words. */
const changeFaults = (context: Context, words: string, shown: unknown) => {
  const field = exampleOfPoint(context);
  return readBackFaults(context, field, changeOfPoint(context, words)[field], shown);
};

/** The id of a point that no call deletes. */
const PLAIN_ID = 'stays';

/** The call works for a plain id; otherwise a failure would prove nothing about ids. */
async function givenPlainIdWorks(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const { given, send } = context;
  const { delivery, handle } = method;
  const field = exampleOfPoint(context);
  const shown = async () =>
    new Map((await listPoints(context, method)).map((point) => [point.id, point[field] ?? null] as const));
  // One of the two stays, so that no later delete removes the last point of the method.
  await addPoints(context, method, [pointAt(context, PLAIN_ID), pointAt(context, 'plain')]);
  await readPoint(context, method, 'plain');
  const before = await shown();
  const change = delivery.changePoint(handle, 'plain', changeOfPoint(context, 'Plain city'));
  await given.accepted(send(change, 'given'), 'delivery.point.update-applies');
  const after = await shown();
  const isShown = changeFaults(context, 'Plain city', after.get('plain')).length === 0;
  given.holds(isShown, 'delivery.point.update-applies', 'an update of a point is lost');
  given.holds(
    ids.every((id) => isDeepStrictEqual(before.get(id), after.get(id))),
    'delivery.point.update-leaves-other-points',
    'an update of one point changes another',
  );
  await given.promised(send(delivery.deletePoint(handle, 'plain'), 'given'), 'delivery.point.delete-removes');
  const left = idsOf(await listPoints(context, method));
  given.holds(!left.includes('plain'), 'delivery.point.delete-removes', 'a deleted point is still listed');
  given.holds(
    [...ids, PLAIN_ID].every((id) => !before.has(id) || left.includes(id)),
    'delivery.point.delete-leaves-other-points',
    'the delete of one point deleted another',
  );
}

/** Whether a point with a plain id takes this change. Where checks explain a failure, there is one. */
async function isChangedByPlainId(context: Context, { delivery, handle }: Method, words: string): Promise<boolean> {
  if (!context.explains) return false;
  return isServed(await context.send(delivery.changePoint(handle, PLAIN_ID, changeOfPoint(context, words)), 'control'));
}

/** A number without digits, which some services do not accept in the name of a city. */
const inLetters = (count: number): string => String(count).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);

/** Asserts that each of these points can be read, changed and deleted by its id without affecting the others. */
async function expectReadsUnder(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const { expect, given, send } = context;
  const { delivery, handle } = method;
  const named = (id: string) => `the point ${JSON.stringify(id)}`;
  const wordsFor = (id: string) => `City ${inLetters(ids.indexOf(id))}`;
  const listed = idsOf(await listPoints(context, method));
  for (const id of ids)
    given.holds(listed.includes(id), 'delivery.point.id-kept', `${named(id)} is not in the list under its id`);
  const readings = await eachAtOnce(ids, (id) => send(delivery.readPoint(handle, id), 'read'));
  for (const [at, id] of ids.entries()) {
    const read = readings[at]!;
    expect.that(showsPoint(read, id), `${named(id)} must be readable by its id, encoded once`, {
      expected: id,
      actual: summary(read),
      pointer: '/id',
      response: read,
    });
  }
  for (const id of ids) {
    const changed = await send(delivery.changePoint(handle, id, changeOfPoint(context, wordsFor(id))), 'change');
    const rule = `${named(id)} must be changed by its id, encoded once`;
    // The same values are taken for a plain id: they are not what was refused.
    const isAboutId = !isServed(changed) && (await isChangedByPlainId(context, method, wordsFor(id)));
    if (isAboutId) expect.served(changed, rule);
    else expect.accepted(changed, rule);
  }
  for (const point of await listPoints(context, method)) {
    const id = String(point.id);
    if (!ids.includes(id)) continue;
    const faults = changeFaults(context, wordsFor(id), point[exampleOfPoint(context)]);
    expect.noFaults(faults, `an update by id must change only the point with that id (${id})`);
  }
  // Alternately from both halves, so that ids which are alike are not deleted one after the other.
  const order = ids.flatMap((_, at) => ids[at % 2 === 0 ? at / 2 : Math.ceil(ids.length / 2) + (at - 1) / 2] ?? []);
  for (const [at, id] of order.entries()) {
    const deleted = await send(delivery.deletePoint(handle, id), 'delete');
    expect.served(deleted, `${named(id)} must be deleted by its id, encoded once`);
    // At the first try after every second delete.
    if (at % 2 === 0 && at < order.length - 1 && !context.explains) continue;
    // Repeated points in a list are judged by the checks of lists.
    const left = [...new Set(idsOf(await listPoints(context, method)).filter((one) => ids.includes(one)))];
    expect.equal(left.sort(), order.slice(at + 1).sort(), 'a delete by id must remove the point with that id', {
      pointer: '/pickup_points',
    });
  }
}

/** Asserts that an accepted batch call lists the ids unchanged. */
async function keptInBatch(context: Context, first: Method, ids: readonly string[]): Promise<void> {
  const method = (await unlessFull(context, () => methodWithPoints(context))) ?? first;
  const points = ids.map((id) => pointAt(context, id));
  if (!isServed(await context.send(wholeList(method, points), 'batch'))) return;
  const listed = (await listPoints(context, method)).map((point) => point.id ?? null);
  context.given.holds(
    listed.length === ids.length,
    'delivery.batch.replaces-all',
    `${listed.length} points are listed after a batch call with ${ids.length}`,
  );
  const lost = ids.filter((id) => !listed.includes(id));
  context.expect.equal(lost, [], 'ids of a batch call must be listed as the same strings', {
    actual: listed,
    pointer: '/pickup_points/…/id',
  });
}

export const checks: readonly Check[] = [
  check(
    'delivery.point.id-kept',
    'MUST return the id of a pickup point as the string that was sent',
    { ...OWN_METHODS, clauses: ['delivery.point.id-kept'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await methodWith(context, []);
      const taken = await offer(context, method, KEPT_IDS);
      const listed = await listPoints(context, method);
      given.granted(taken.length > 0, 'delivery.point.create-stores', 'no point was accepted');
      given.holds(
        listed.length === taken.length,
        'delivery.point.create-stores',
        `${listed.length} points are listed after ${taken.length} were added`,
      );
      for (const id of taken) {
        expect.that(
          listed.some((point) => point.id === id),
          `the id ${JSON.stringify(id)} must be listed as the same string`,
          { expected: id, actual: listed.map((point) => point.id ?? null), pointer: '/pickup_points/…/id' },
        );
      }
      const readings = await eachAtOnce(taken, (id) => send(delivery.readPoint(method.handle, id), 'read'));
      for (const [at, id] of taken.entries()) {
        const response = readings[at]!;
        // Reading by an awkward id has a clause of its own.
        if (!/^\d{1,4}$/.test(id) && !isServed(response)) continue;
        const shown = await given.resource(response, 'pickup_point', 'delivery.point.read-by-id');
        given.holds(
          String(shown.id ?? id) === id || Number(shown.id) === Number(id),
          'delivery.point.read-by-id',
          `reading ${id} returned another point`,
        );
        expect.that(shown.id === id, 'a point must have its id as the same string', {
          expected: id,
          actual: shown.id ?? null,
          pointer: '/id',
          response,
        });
      }
      await keptInBatch(context, method, taken);
    },
  ),

  check(
    'delivery.point.id-unique',
    'MUST keep ids unique within a method after every add and update',
    { ...OWN_METHODS, clauses: ['delivery.point.id-unique'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const first = await methodWith(context, [pointAt(context, 'x'), pointAt(context, 'y')]);
      // A refusal of an add has to be for the id that it repeats, and for nothing else.
      await given.accepted(
        send(delivery.addPoint(first.handle, pointAt(context, 'z')), 'add'),
        'delivery.point.create-stores',
      );
      const second = await unlessFull(context, () => methodWith(context, []));
      const isUnique = async (method: Method, id: string, after: string): Promise<readonly string[]> => {
        const ids = await listedIds(context, method, (found) => countOf(found, id) <= 1);
        expect.that(countOf(ids, id) <= 1, `the id ${id} must be listed at most once after ${after}`, {
          expected: [...new Set(ids)],
          actual: ids,
          pointer: '/pickup_points',
        });
        return ids;
      };
      const before = idsOf(await listPoints(context, first));
      given.holds(
        before.length === 3 && new Set(before).size === 3,
        'delivery.point.create-stores',
        `three points were added, but the list contains ${before}`,
      );
      // The service may refuse it, ignore it, or replace the old one.
      await send(delivery.addPoint(first.handle, pointAt(context, 'x', 'Another street 1')), 'add');
      await isUnique(first, 'x', 'an add with its id');
      // In a database whose key has further columns, a point that differs in all of them is another one.
      // In plain values: a refusal for anything else would look like one for the id.
      const other = { city: 'Riga', zip: '1050', country: otherCountry(context, 'LV'), attributes: { terminal: '17' } };
      const otherwise = { ...pointAt(context, 'otherwise', 'Market street 7'), ...other, id: 'x' };
      await send(delivery.addPoint(first.handle, otherwise), 'add');
      await isUnique(first, 'x', 'an add with its id, in which everything else differs');
      await send(delivery.addPoint(first.handle, pointAt(context, 'y')), 'add');
      await isUnique(first, 'y', 'an add of exactly the same point');
      await send(delivery.changePoint(first.handle, 'z', { id: 'y' }), 'change');
      await isUnique(first, 'y', 'an update that gives its id to another point');
      if (second !== undefined) {
        await send(delivery.addPoint([second.handle, first.handle], pointAt(context, 'x')), 'add');
        await isUnique(first, 'x', 'an add under two handles');
        await isUnique(second, 'x', 'an add under two handles');
      }
      await send(delivery.addPoint([first.handle, first.handle], pointAt(context, 'twice')), 'add');
      await isUnique(first, 'twice', 'an add under the same handle twice');
      // Simultaneously: a service that looks up an id before it stores it finds none for any of them. One has another id, because a
      // service that stores the points of a method together may lose it, or all others.
      const sent = [...Array.from({ length: AT_ONCE - 1 }, () => 'race'), 'beside'];
      // The first one has words of its own: a service may have each title once.
      const adds = sent.map((id, at) =>
        delivery.addPoint(first.handle, { ...pointAt(context, at === 0 ? 'runner' : id), id }),
      );
      const added = await atOnce(adds.map((add) => () => send(add, 'add')));
      const now = await isUnique(first, 'race', 'several adds with its id at once');
      const lost = sent.filter((id, at) => isServed(added[at]!) && !now.includes(id));
      given.holds(
        lost.length === 0,
        'delivery.point.create-stores',
        `${lost[0]} was added while others were, and is lost`,
      );
    },
  ),

  check(
    'delivery.point.same-id-in-two-methods',
    'MUST keep points with the same id in two methods separate',
    { ...OWN_METHODS, clauses: ['delivery.point.same-id-in-two-methods'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const first = await methodWith(context, [pointAt(context, 'same', 'First street 1')]);
      const second = await methodWith(context, [pointAt(context, 'other', 'Other street 1')]);
      const addressOf = async (method: Method) => (await readPoint(context, method, 'same')).address;
      given.holds(
        (await addressOf(first)) === 'First street 1',
        'delivery.point.address-kept',
        'the address of a point does not read back',
      );
      const added = await send(delivery.addPoint(second.handle, pointAt(context, 'same', 'Second street 2')), 'add');
      expect.served(added, 'must accept an id that only another method has');
      expect.equal(
        await addressOf(first),
        'First street 1',
        'an add to one method must not change the point with the same id in another',
      );
      const own = await addressOf(second);
      expect.that(own !== 'First street 1', 'each method must show its own point with the id', {
        expected: 'Second street 2',
        actual: own ?? null,
        pointer: '/address',
      });

      for (const [method, other] of [
        [first, second],
        [second, first],
      ] as const) {
        const before = await readPoint(context, other, 'same');
        const call = delivery.changePoint(
          method.handle,
          'same',
          changeOfPoint(context, method === first ? 'Firstville' : 'Secondville'),
        );
        await given.accepted(send(call, 'change'), 'delivery.point.update-applies');
        const changed = changedFields(context, POINT_FIELDS, before, await readPoint(context, other, 'same'));
        expect.equal(changed, [], 'an update in one method must not change the point with the same id in another');
      }
      await given.promised(
        send(delivery.deletePoint(second.handle, 'same'), 'delete'),
        'delivery.point.delete-removes',
      );
      const left = await send(delivery.readPoint(first.handle, 'same'), 'read');
      expect.that(showsPoint(left, 'same'), 'a delete in one method must keep the point with the same id in another', {
        expected: 'the point of the other method',
        actual: summary(left),
        response: left,
      });
    },
  ),

  check(
    'delivery.point.id-any-characters',
    'MUST find a point by an id with spaces, reserved characters or any script, encoded once',
    { ...OWN_METHODS, clauses: ['delivery.point.id-any-characters'], exactValues: ['id'] },
    async (context) => {
      const method = await methodWith(context, []);
      const taken = await offer(context, method, AWKWARD_IDS);
      if (taken.length > 0) {
        if (context.explains) await givenPlainIdWorks(context, method, taken);
        await expectReadsUnder(context, method, taken);
      }
      if (!taken.some((id) => id !== NO_ID_TO_SOME))
        throw new Inconclusive(
          'the target refuses every id with spaces, reserved characters or letters of other scripts, so no such point can be requested; the contract does not say whether it may',
          'contract',
        );
    },
  ),

  check(
    'delivery.point.id-with-slash',
    'SHOULD find a point by an accepted id with a slash, encoded once',
    { ...OWN_METHODS, clauses: ['delivery.point.id-with-slash'], exactValues: ['id'] },
    async (context) => {
      const { expect } = context;
      const method = await methodWith(context, []);
      const taken = await offer(context, method, ['a//b', 'hall/1/']);
      if (taken.length > 0) {
        if (context.explains) await givenPlainIdWorks(context, method, taken);
        return expectReadsUnder(context, method, taken);
      }
      expect.equal(idsOf(await listPoints(context, method)), [], 'a point whose id was refused should not be listed');
    },
  ),
];
