/** Every accepted text reads back: after a single add, a batch call or an update. */
import type { MultilanguageText } from '../../../contracts/fields/multilanguage.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import { withEscapes } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { AWKWARD_WORDS, MANY_KEYS, STYLED_KEYS } from '../steps/awkward-values/members.ts';
import { eachText, type TextOfField, withEscapedText } from '../steps/awkward-values/texts.ts';
import { givenShape, inOneLanguage, POINT_FIELDS, POINT_KEPT, readBackFaults } from '../steps/fields.ts';
import { makePoint, updatePoint } from '../steps/lost-writes.ts';
import { methodWith, methodWithPoints } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { listPoints, type Method, readPoint } from '../steps/reading.ts';

const LONG_CHARACTERS = 1_000;
const ID_DIGITS = 3;

/** `inside`: in a list within the attributes. */
type Place = 'title' | 'address' | 'city' | 'zip' | 'attributes' | 'inside';

/** Where a text goes: into all fields, or into those that a service may take it in if it restricts one of them. */
const PLACES: readonly (readonly Place[])[] = [
  ['title', 'address', 'city', 'zip', 'attributes', 'inside'],
  ['title', 'address', 'city', 'zip', 'attributes'],
  ['title', 'address', 'city', 'attributes', 'inside'],
  ['title', 'address', 'city', 'attributes'],
  ['title', 'address', 'zip', 'attributes'],
  ['address', 'city', 'attributes'],
  ['title', 'city', 'attributes'],
  ['title', 'address', 'city'],
  ['address'],
];

const FIELDS_OF_TEXTS = ['title', 'address', 'city'] as const;

/** The places of a text with parts: a service that refuses it in one of these fields may take some of its parts there. */
const isForAll = (places: readonly Place[]): boolean => FIELDS_OF_TEXTS.every((place) => places.includes(place));

/** A point with the text in these fields. */
function withText(context: Context, id: string, textOf: TextOfField, places: readonly Place[] = PLACES[0]!): Json {
  const textIn = (place: keyof typeof ORDINARY, at: number): string =>
    places.includes(place) ? textOf(at) : ORDINARY[place];
  const text = textIn('attributes', 0);
  // Without the list, attributes hold what nearly every service accepts.
  const attributes = places.includes('inside') ? { text, inside: [text] } : { text };
  return {
    ...{ id, title: titleOf(context, textIn('title', 0)), address: textIn('address', 1) },
    ...{ city: textIn('city', 2), zip: textIn('zip', 3), country: 'LV' },
    attributes,
  };
}

/** A text in the default language and, unless it is a long one, in another language of the website, whose code may be other code. */
function titleOf(context: Context, words: string): MultilanguageText {
  const title = inOneLanguage(context, words);
  if (typeof title === 'string' || words === '' || words.length > LONG_CHARACTERS) return title;
  const other = context.profile.website?.languages?.findLast((language) => !Object.hasOwn(title, language));
  return other === undefined ? title : { ...title, [other]: words };
}

/** What a service which restricts one of the fields takes in the others. */
const ORDINARY: Readonly<Record<Exclude<Place, 'inside'>, string>> = {
  ...{ title: 'Station Square', address: 'Station Square 2', city: 'Riga', zip: 'LV-1050' },
  attributes: 'Station Square',
};

const NONE_TAKEN = 'no point was accepted';
const KEPT = 'every accepted text must read back as it was sent';

/** Compares points with how they read back; a difference violates the clause that `clauseOf` names for the field. */
function expectRead(
  context: Context,
  sent: readonly Json[],
  read: ReadonlyMap<unknown, Json>,
  how: string,
  clauseOf: (field: (typeof POINT_FIELDS)[number]) => string,
): void {
  for (const point of sent) {
    const found = read.get(point.id);
    if (found === undefined) continue;
    for (const field of POINT_FIELDS) {
      givenShape(context, field, found[field]);
      const [fault] = readBackFaults(context, field, point[field], found[field]);
      context.expect.that(fault === undefined, `${KEPT}, ${how}: point ${String(point.id)}: ${fault?.message}`, {
        expected: fault?.expected,
        actual: fault?.actual,
        pointer: `/${field}`,
        clauses: [isOfOtherLanguage(context, field, fault) ? IN_EACH_LANGUAGE : clauseOf(field)],
      });
    }
  }
}

/** Whether a title differs only in languages beside the one that every text has. */
function isOfOtherLanguage(
  context: Context,
  field: string,
  fault: { readonly pointer?: string | undefined } | undefined,
): boolean {
  const title = inOneLanguage(context, '');
  if (field !== 'title' || typeof title === 'string') return false;
  const language = /^\/title\/([^/]+)$/.exec(fault?.pointer ?? '')?.[1];
  return language !== undefined && !Object.hasOwn(title, language);
}

const byId = (points: readonly Json[]): Map<unknown, Json> => new Map(points.map((point) => [point.id, point]));

const AWKWARD_NUMBERS = { lat: 56.946285123, ratio: 0.30000000000000004, tiny: 1.5e-7 };

/** By id, awkward attributes in the forms that a service may take: empty values, which some languages confuse, and others that some change. */
const AWKWARD_ATTRIBUTES: Readonly<Record<string, readonly Json[]>> = {
  'awkward-inside': [
    { object: {}, list: [], inside: [{}, []], words: AWKWARD_WORDS, keys: STYLED_KEYS, ...AWKWARD_NUMBERS },
    { ...AWKWARD_WORDS, ...STYLED_KEYS, ...AWKWARD_NUMBERS },
  ],
  'many-keys': [MANY_KEYS],
};

/** No id is a prefix of another: updates of similar ids have checks of their own. */
const idOf = (at: number, name: string): string => `t${String(at).padStart(ID_DIGITS, '0')}-${name}`;
/** The name of the text of a point. */
const nameIn = (id: unknown): string => String(id).slice(ID_DIGITS + 2);

/** Adds each text in a separate point; returns the accepted points. */
async function addAll(context: Context, method: Method): Promise<Json[]> {
  const { delivery, handle } = method;
  const taken: Json[] = [];
  let at = 0;
  let places = PLACES;
  await eachText(context, async (name, textOf, { hasParts }) => {
    const id = idOf(at++, name);
    for (const some of hasParts ? places.filter(isForAll) : places) {
      const point = withText(context, id, textOf, some);
      const call = withEscapedText(name, delivery.addPoint(handle, point));
      if (!isServed(await makePoint(context, method, id, call, 'add'))) continue;
      taken.push(point);
      // What one text could not go into, the next one probably can't either.
      if (some !== PLACES[0]) places = [PLACES[0]!, some, ...PLACES.slice(1).filter((other) => other !== some)];
      return true;
    }
    // The first one is plain: its refusal is not for the text, so that the check runs again with other values.
    context.given.granted(taken.length > 0, 'delivery.point.create-stores', NONE_TAKEN);
    return false;
  });
  for (const [id, forms] of Object.entries(AWKWARD_ATTRIBUTES)) {
    for (const attributes of forms) {
      const point = { ...withText(context, id, () => '', []), attributes };
      if (!isServed(await makePoint(context, method, id, delivery.addPoint(handle, point), 'add'))) continue;
      taken.push(point);
      break;
    }
  }
  return taken;
}

/**
 * Sends the points to another method in one call, with JSON escapes if those are accepted; returns the accepted ones, which
 * may be none.
 */
async function replaceAll(context: Context, method: Method, points: readonly Json[]): Promise<readonly Json[]> {
  const short = points.filter(({ address }) => String(address).length <= LONG_CHARACTERS);
  for (const [some, call] of [
    [points, withEscapes(wholeList(method, points))],
    [points, wholeList(method, points)],
    [short, wholeList(method, short)],
  ] as const) {
    if (isServed(await makePoint(context, method, String(some[0]?.id), call, 'replace'))) return some;
  }
  return [];
}

/** Updates each point with the texts of the next one, in the fields that can be changed; returns the expected points. */
async function updateAll(context: Context, method: Method, points: readonly Json[]): Promise<Json[]> {
  const updates = (point: Json, fields: Json, name = ''): Promise<ServiceResponse> =>
    updatePoint(context, method, String(point.id), fields, (call) => withEscapedText(name, call));
  const updated: Json[] = [];
  let changeable: readonly string[] | undefined;
  for (const [at, point] of points.entries()) {
    const { id, ...all } = points[(at + 1) % points.length]!;
    const fields = Object.fromEntries(Object.entries(all).filter(([name]) => changeable?.includes(name) !== false));
    const isTaken = isServed(await updates(point, fields, nameIn(id)));
    updated.push(isTaken ? { ...point, ...fields } : point);
    if (isTaken || changeable !== undefined) continue;
    // Which fields can be changed is not stated: those whose present value is refused can not.
    changeable = [];
    for (const [name, value] of Object.entries(point))
      if (name !== 'id' && isServed(await updates(point, { [name]: value }))) changeable = [...changeable, name];
  }
  return updated;
}

const IN_EACH_LANGUAGE = 'delivery.multilanguage.object-read-back';
const LISTED = 'delivery.point.list-agrees-with-read';
const IN_BATCH = 'delivery.batch.fields-kept';
const UPDATED = 'delivery.point.update-applies';

export const checks: readonly Check[] = [
  check(
    'delivery.point.texts-kept-by-every-call',
    'MUST return every accepted text of a point, whether added, uploaded or updated',
    { ...OWN_METHODS, clauses: [...new Set(Object.values(POINT_KEPT)), LISTED, IN_BATCH, UPDATED, IN_EACH_LANGUAGE] },
    async (context) => {
      const { given } = context;
      const alone = await methodWith(context, []);
      const taken = await addAll(context, alone);
      given.granted(taken.length > 0, 'delivery.point.create-stores', NONE_TAKEN);
      const read = new Map<unknown, Json>();
      for (const point of await eachAtOnce(taken, ({ id }) => readPoint(context, alone, String(id))))
        read.set(point.id, point);
      expectRead(context, taken, read, 'added alone', (field) => POINT_KEPT[field]);
      expectRead(context, taken, byId(await listPoints(context, alone)), 'in the list', () => LISTED);

      const together = (await unlessFull(context, () => methodWithPoints(context))) ?? alone;
      const replaced = await replaceAll(context, together, taken);
      const listed = byId(await listPoints(context, together));
      expectRead(context, replaced, listed, 'in a batch call', () => IN_BATCH);

      const updated = await updateAll(context, together, replaced);
      const now = byId(await listPoints(context, together));
      expectRead(context, updated, now, 'by an update', () => UPDATED);
    },
  ),
];
