import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { atOnce, eachAtOnce } from '../../../harness/process/at-once.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { changedFields, POINT_FIELDS } from '../steps/fields.ts';
import { methodWith, methodWithPoints } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { countOf, idsOf, listedIds, listPoints, type Method, readPoint, showsPoint } from '../steps/reading.ts';
import { changeOfPoint, otherCountry, pointAt } from '../steps/values.ts';
import { offer } from './offer-ids.ts';

/** Texts that change when they are parsed as numbers, as booleans, or in another charset. */
const KEPT_IDS = [
  // These four are equal as numbers.
  '0012',
  '12',
  '12e0',
  '+12',
  // Some languages treat it as empty.
  '0',
  '5e3',
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

/** Calls that are sent without waiting for each other. */
const AT_ONCE = 4;

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
];
