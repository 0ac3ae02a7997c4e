/** An update of a point changes only the fields that it names (spec: Endpoints, PUT pickup_point). */
import { isDeepStrictEqual } from 'node:util';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { idsBesideA1 } from '../steps/awkward-values/similar-ids.ts';
import {
  changedFields,
  givenPlainTitle,
  holdsFormerText,
  inOneLanguage,
  POINT_FIELDS,
  POINT_KEPT,
  type PointField,
  pick,
  readBackFaults,
} from '../steps/fields.ts';
import { updatePoint } from '../steps/lost-writes.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { addPoints, idsOf, listPoints, type Method, readPoint } from '../steps/reading.ts';
import { losesNoUpdate } from '../steps/updates/at-once.ts';
import { appliesInTurn } from '../steps/updates/in-turn.ts';
import { appliesSimilar, similarPoints } from '../steps/updates/similar.ts';
import { HARD_TEXTS, pointValues } from '../steps/values.ts';

const APPLIES = 'delivery.point.update-applies';

/** Adds a point with these values and states that they read back: only then an update has to keep them too. */
async function addReadable(context: Context, method: Method, id: string, values: Json): Promise<void> {
  await addPoints(context, method, [{ id, ...values }]);
  const read = await readPoint(context, method, id);
  for (const field of POINT_FIELDS) {
    const lost = readBackFaults(context, field, values[field], read[field]);
    context.given.holds(lost.length === 0, POINT_KEPT[field], lost[0]?.message ?? '');
  }
}

/**
 * Changes a point, or as many fields of it as the target accepts: which ones can be changed is not stated. Returns the fields that were
 * accepted; if none is, the check cannot decide.
 */
async function changeWhatIsTaken(context: Context, method: Method, id: string, next: Json): Promise<PointField[]> {
  const whole = await updatePoint(context, method, id, next);
  const fields = Object.keys(next) as PointField[];
  if (isServed(whole)) return fields;
  const taken: PointField[] = [];
  for (const field of fields) {
    if (isServed(await updatePoint(context, method, id, { [field]: next[field] }))) taken.push(field);
  }
  if (taken.length === 0) await context.given.accepted(whole, APPLIES);
  return taken;
}

/** Asserts that two readings of a point agree in these fields. */
function expectUnchanged(
  context: Context,
  fields: readonly string[],
  before: Json,
  after: Json,
  sentence: (field: string) => string,
): void {
  const [field] = changedFields(context, fields, before, after);
  context.expect.that(field === undefined, sentence(field ?? ''), {
    expected: before[field ?? ''] ?? null,
    actual: after[field ?? ''] ?? null,
    pointer: `/${field}`,
  });
}

/**
 * Asserts that each point has its last values, after all were updated in order and then in reverse order: an effect of an update on
 * later points shows in one of the two rounds.
 */
async function keepTheirOwn(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const { delivery, expect, given, send } = context;
  for (const [round, order] of [ids, ids.toReversed()].entries()) {
    const sent = new Map<string, Json>();
    for (const [at, id] of order.entries()) {
      const own = `${round} of ${id}`;
      const fields: Json = {
        ...{ title: inOneLanguage(context, `Locker ${own}`), address: `Street ${own}`, city: `City ${own}` },
        ...{ zip: `LV-${round}${at}`, country: (at + round) % 2 === 0 ? 'EE' : 'LV', attributes: { terminal: own } },
      };
      await given.accepted(send(delivery.changePoint(method.handle, id, fields), 'change'), APPLIES);
      sent.set(id, fields);
    }
    const listed = new Map((await listPoints(context, method)).map((point) => [point.id, point]));
    for (const [id, fields] of sent) {
      const faults = POINT_FIELDS.flatMap((field) =>
        readBackFaults(context, field, fields[field], listed.get(id)?.[field]),
      );
      expect.noFaults(faults, `the point ${id} must hold what it was given, whatever other points are given`);
    }
  }
}

/** Updates of all fields of a point at once, after each was taken alone or with others. */
const losesNone = (context: Context, method: Method, id: string, values: Json): Promise<void> =>
  losesNoUpdate(context, {
    ...{ what: 'a point', applies: APPLIES, values, fields: POINT_FIELDS },
    change: (fields) => context.send(method.delivery.changePoint(method.handle, id, fields), 'change'),
    read: () => readPoint(context, method, id),
  });

/** What a service takes that allows plain letters only. */
const inPlainWords = (context: Context, fields: Json): Json => ({
  ...fields,
  ...('title' in fields && { title: inOneLanguage(context, 'Market Lockers') }),
  ...('address' in fields && { address: 'Market Street 3' }),
  ...('city' in fields && { city: 'Riga' }),
});

/** Sends an update, in plain words where it is refused. Returns the last response. */
async function updateInSomeWords(context: Context, method: Method, id: string, fields: Json): Promise<ServiceResponse> {
  const { delivery, handle } = method;
  const response = await context.send(delivery.changePoint(handle, id, fields), 'change');
  const plain = inPlainWords(context, fields);
  if (isServed(response) || isDeepStrictEqual(plain, fields)) return response;
  return context.send(delivery.changePoint(handle, id, plain), 'change');
}

/** Applies each update to a separate point, and asserts with two lists that the other fields are unchanged. */
async function keepUnnamed(context: Context, updates: readonly Json[]): Promise<void> {
  const { given } = context;
  const ids = updates.map((_, at) => `changing-${at}`);
  const method = await methodWith(
    context,
    ids.map((id) => ({ id, ...pointValues(context, 'first') })),
  );
  const listed = async () => new Map((await listPoints(context, method)).map((point) => [String(point.id), point]));
  const before = await listed();
  const taken: (readonly [id: string, fields: Json])[] = [];
  for (const [at, fields] of updates.entries()) {
    const id = ids[at]!;
    if (isServed(await updateInSomeWords(context, method, id, fields))) taken.push([id, fields]);
  }
  given.granted(taken.length > 0, APPLIES, 'no update was accepted');
  const after = await listed();
  for (const [id, fields] of taken) {
    const was = before.get(id) ?? {};
    for (const field of POINT_FIELDS)
      given.holds(!isUnset(was[field]), POINT_KEPT[field], `the ${field} that was given is not listed`);
    const unnamed = POINT_FIELDS.filter((field) => !Object.hasOwn(fields, field));
    expectUnchanged(context, unnamed, was, after.get(id) ?? {}, (field) => {
      return `an update of ${Object.keys(fields)} must leave ${field} as it was`;
    });
  }
  // The one that was changed in its first field only has other values in the rest.
  await losesNone(context, method, ids[0]!, pointValues(context, 'second'));
}

/** Whether a point shows this value that was given none: a service may complete it, and take an empty value for none. */
async function isThatOfNone(context: Context, method: Method, field: string, value: unknown): Promise<boolean> {
  const { [field]: _, ...others } = pointValues(context, 'first') as Json;
  const id = `without-${field}`;
  const added = await context.send(method.delivery.addPoint(method.handle, { id, ...others }), 'control');
  return isServed(added) && (await readPoint(context, method, id))[field] === value;
}

/** Awkward texts, if the service accepts them. A text that an add loses as well is not caused by the update. */
async function keepsHardTexts(context: Context, method: Method, values: Json): Promise<void> {
  const { delivery, expect, send } = context;
  for (const words of HARD_TEXTS) {
    const texts: Json = { title: inOneLanguage(context, words), address: words, city: words };
    const fields = ['title', 'address', 'city'] as const;
    if (!isServed(await send(delivery.changePoint(method.handle, 'changing', texts), 'change'))) continue;
    const read = await readPoint(context, method, 'changing');
    const faults = fields.flatMap((field) => readBackFaults(context, field, texts[field], read[field]));
    if (faults.length > 0) await addReadable(context, method, `added-${words.length}`, { ...values, ...texts });
    expect.noFaults(faults, 'after an update of title, address and city the new values must be returned');
  }
}

export const checks: readonly Check[] = [
  check(
    APPLIES,
    'MUST apply each field of a point update, alone and with other fields',
    { ...OWN_METHODS, clauses: [APPLIES] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await methodWith(context, []);
      const sets = [pointValues(context, 'first'), pointValues(context, 'second')] as const;
      await addReadable(context, method, 'changing', sets[0]);
      if (context.explains) await addReadable(context, method, 'pattern', sets[1]);

      const change = (fields: Json, purpose: 'change' | 'again' = 'change') =>
        send(delivery.changePoint(method.handle, 'changing', fields), purpose);
      const taken = await appliesInTurn(context, {
        ...{ what: 'a point', sets, fields: POINT_FIELDS, change },
        read: () => readPoint(context, method, 'changing'),
      });
      await keepsHardTexts(context, method, sets[0]);
      await appliesSimilar(context, {
        values: similarPoints(context),
        change,
        read: () => readPoint(context, method, 'changing'),
        givenKept: (values) => addReadable(context, method, 'similar', { ...sets[0], ...values }),
      });
      // An empty object is a value too.
      if (isServed(await change({ attributes: {} }))) {
        const { attributes } = await readPoint(context, method, 'changing');
        expect.noFaults(
          readBackFaults(context, 'attributes', {}, attributes),
          'after an update of the attributes to an object without members none must be returned',
        );
      }

      // The rule also applies to a point from a list.
      await given.points(delivery, method.handle, [{ id: 'of-a-list', ...sets[0] }]);
      await readPoint(context, method, 'of-a-list');
      const last = taken.includes('city') ? 'city' : taken[0]!;
      const response = await send(delivery.changePoint(method.handle, 'of-a-list', pick(sets[1], [last])), 'change');
      expect.served(response, 'must accept an update of a point that was added by a batch call');
      const read = await readPoint(context, method, 'of-a-list');
      const faults = readBackFaults(context, last, sets[1][last], read[last]);
      expect.noFaults(faults, `after an update of a point of a batch call its new ${last} must be returned`);
    },
  ),

  check(
    'delivery.point.empty-update-applies',
    'MUST apply an empty value in a point update, and a value after it',
    { ...OWN_METHODS, clauses: [APPLIES] },
    async (context) => {
      const { delivery, expect, send } = context;
      const method = await methodWith(context, []);
      const values = pointValues(context, 'first');
      await addReadable(context, method, 'changing', values);
      const change = (fields: Json) => send(delivery.changePoint(method.handle, 'changing', fields), 'change');
      for (const empties of [{ address: '' }, { city: '', zip: '' }, { title: '' }]) {
        // A service may refuse an empty value; an accepted one has to be stored.
        if (!isServed(await change(empties))) continue;
        const read = await readPoint(context, method, 'changing');
        for (const field of Object.keys(empties)) {
          const isEmpty =
            field === 'title' ? !holdsFormerText(context, values.title, read.title) : isUnset(read[field]);
          if (!isEmpty && (await isThatOfNone(context, method, field, read[field]))) continue;
          if (!isEmpty && field === 'title')
            await givenPlainTitle(context, change, () => readPoint(context, method, 'changing'));
          expect.that(isEmpty, `${field} must be empty after an accepted update that empties it`, {
            expected: '',
            actual: read[field],
            pointer: `/${field}`,
          });
        }
      }
      const again = pick(values, ['address', 'city', 'zip', 'title']);
      const taken = await changeWhatIsTaken(context, method, 'changing', again);
      const read = await readPoint(context, method, 'changing');
      const faults = taken.flatMap((field) => readBackFaults(context, field, again[field], read[field]));
      expect.noFaults(faults, 'a value that follows an empty one must read back');
      await takesFirstValues(context, method, values);
    },
  ),

  check(
    'delivery.point.update-keeps-omitted-fields',
    'MUST keep the fields of a point that an update does not name',
    { ...OWN_METHODS, clauses: ['delivery.point.update-keeps-omitted-fields'], exactValues: ['omitted-fields'] },
    async (context) => {
      const { given } = context;
      const next = pointValues(context, 'second');
      // One field alone, then all except one: some values may be lost only when two fields are named.
      const updates: Json[] = [
        ...POINT_FIELDS.map((field) => pick(next, [field])),
        ...POINT_FIELDS.map((field) => pick(next, allBut(field))),
        { attributes: '' },
        // An update without fields, which a service may refuse.
        {},
      ];
      if (!context.explains) return keepUnnamed(context, updates);
      const method = await methodWith(context, [{ id: 'changing', ...pointValues(context, 'first') }]);
      let before = await readPoint(context, method, 'changing');
      for (const field of POINT_FIELDS)
        given.holds(!isUnset(before[field]), POINT_KEPT[field], `the ${field} that was given does not read back`);
      let taken = 0;
      let refused: ServiceResponse | undefined;
      for (const fields of updates) {
        const response = await updateInSomeWords(context, method, 'changing', fields);
        if (!isServed(response)) {
          refused ??= response;
          continue;
        }
        if (Object.keys(fields).length > 0) taken += 1;
        const after = await readPoint(context, method, 'changing');
        const unnamed = POINT_FIELDS.filter((field) => !Object.hasOwn(fields, field));
        expectUnchanged(context, unnamed, before, after, (field) => {
          return `an update of ${Object.keys(fields).join(', ') || 'nothing'} must leave ${field} as it was`;
        });
        before = after;
      }
      if (taken === 0 && refused !== undefined) await given.accepted(refused, APPLIES);
      await losesNone(context, method, 'changing', pointValues(context, 'first'));
    },
  ),

  check(
    'delivery.point.update-leaves-other-points',
    'MUST NOT change other points of the method when one is updated',
    { ...OWN_METHODS, clauses: ['delivery.point.update-leaves-other-points'] },
    async (context) => {
      const { expect, given } = context;
      const ids = ['a10', 'a1', 'a100', 'a1-2', 'b-a1', ...(await idsBesideA1(context))];
      const values = pointValues(context, 'first');
      const method = await methodWith(
        context,
        ids.map((id) => ({ id, ...values, address: `Street of ${id}` })),
      );
      if (!context.explains) return keepTheirOwn(context, method, ids);
      const readAll = () => eachAtOnce(ids, (id) => readPoint(context, method, id));
      for (const [at, { address }] of (await readAll()).entries()) {
        const others = ids.filter((_, other) => other !== at).map((id) => `Street of ${id}`);
        given.holds(
          !others.includes(String(address)),
          'delivery.point.read-by-id',
          `reading ${ids[at]} shows the address of another point`,
        );
      }
      for (const [at, id] of ids.entries()) {
        if (id === 'A1' || id === '007') continue;
        // All others in the list, and one of them alone.
        const others = ids.filter((one) => one !== id);
        const neighbour = ids[(at + 1) % ids.length]!;
        const before = await listPoints(context, method);
        const neighbourBefore = await readPoint(context, method, neighbour);
        const next = pointValues(context, 'second');
        await changeWhatIsTaken(context, method, id, next);
        const after = await listPoints(context, method);
        expect.equal(
          ids.filter((one) => !idsOf(after).includes(one)),
          [],
          `after an update of the point ${id} all points must be listed (only missing ones are shown)`,
        );
        const unchanged = (other: string, was: Json, is: Json) =>
          expectUnchanged(context, POINT_FIELDS, was, is, (field) => {
            return `an update of the point ${id} must not change ${field} of the point ${other}`;
          });
        for (const other of others) {
          const [was, is] = [before, after].map((points) => points.find((point) => point.id === other));
          if (was !== undefined && is !== undefined) unchanged(other, was, is);
        }
        unchanged(neighbour, neighbourBefore, await readPoint(context, method, neighbour));
        // Back to the old value, so that the next update would show if it spreads.
        const back = { ...values, address: `Street of ${id}` };
        await changeWhatIsTaken(context, method, id, back);
      }
    },
  ),
];

/** Asserts that a point which was added with its id alone, if a service takes that, shows the values that an update gives it. */
async function takesFirstValues(context: Context, method: Method, values: Json): Promise<void> {
  const { delivery, expect, send } = context;
  const id = 'bare';
  if (!isServed(await send(delivery.addPoint(method.handle, { id }), 'add'))) return;
  const first = pick(values, FIRST_FIELDS);
  if (!isServed(await send(delivery.changePoint(method.handle, id, first), 'change'))) return;
  const read = await readPoint(context, method, id);
  const faults = FIRST_FIELDS.flatMap((field) => readBackFaults(context, field, first[field], read[field]));
  expect.noFaults(faults, 'a point without values must show those that an update gives it');
}

/** The others are emptied before. */
const FIRST_FIELDS = ['title', 'country', 'attributes'] as const;

const allBut = (field: PointField): PointField[] => POINT_FIELDS.filter((other) => other !== field);
