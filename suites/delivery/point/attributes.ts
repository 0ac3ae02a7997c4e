/** Attributes of a pickup point: an object of any keys, or an empty string (spec: Pickup point). */

import { isDeepStrictEqual } from 'node:util';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { offerParts } from '../../../harness/plain/accepted-parts.ts';
import { AWKWARD_MEMBERS } from '../../../harness/plain/awkward-members.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { AWKWARD_WORDS, MANY_KEYS, OWN_KEYS_OF_OBJECTS, STYLED_KEYS } from '../steps/awkward-values/members.ts';
import { changedFields, POINT_FIELDS, POINT_KEPT, readBackFaults } from '../steps/fields.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { addPoints, listPoints, type Method, readPoint } from '../steps/reading.ts';
import { pointAt, showsOwnText } from '../steps/values.ts';

const SHAPE = 'delivery.point.attributes-shape';

/** An object, or no value. */
const hasShape = (attributes: unknown): boolean => isUnset(attributes) || isJsonObject(attributes);

const saysNothing = (attributes: unknown): boolean =>
  isUnset(attributes) || (isJsonObject(attributes) && Object.keys(attributes).length === 0);

const withAttributes = (context: Context, id: string, attributes: unknown): Json => ({
  ...pointAt(context, id),
  attributes,
});

/** Typical values: codes with leading zeros, numbers, false flags, lists, nested objects. */
const OBJECTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  flat: { terminal: '0017', '17': 'a key of digits', 'darba laiks': '08:00–22:00', Ķ: '"x" & <y>', length: 3 },
  typed: {
    ...{ count: 12, price: 2.5, below: -1, phone: 37120000017, open: true, cold: false },
    ...{ none: 0, note: '', days: ['Mo', 'Tu', 'Mo'], off: [], floor: 2, code: 'X-1' },
  },
  deep: { size: { max: 'XL', cm: [40, 60.5], inner: { deeper: { deepest: 'Rīga' } } }, list: [{ a: 1 }, { a: 2 }] },
};

/** Further levels than ten in all. */
const DEEPER = { h: { i: { j: { k: { l: { m: 'deep' } } } } } };

/** Awkward keys: numbers, names of fields, query syntax. A service may refuse some of them; accepted ones have to read back. */
const ODD_OBJECTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  counted: { '0': 'first', '1': 'second' },
  'counted-inside': { hours: { '0': 'Mo', '1': 'Tu' }, empty: {}, '': 'no name' },
  named: {
    id: 'other',
    handle: 'h',
    title: 'Other',
    address: 'Other',
    city: 'Other',
    zip: '1',
    country: 'LT',
    error: true,
  },
  signs: { 'a.b': 1, $ref: 'x', 'a[]': 'y', 'a[b]': 'z', ' ': 'space', __proto__x: 1, toString: 'text' },
  styles: STYLED_KEYS,
  ...OWN_KEYS_OF_OBJECTS,
  words: AWKWARD_WORDS,
  texts: AWKWARD_MEMBERS,
  pictures: { '🚚': 'van', '👩‍💻 desk': 2 },
  far: { ['long key '.repeat(9)]: 'found', a: { b: { c: { d: { e: { f: [{ g: DEEPER }] } } } } } },
  exact: {
    lat: 56.946285123,
    lng: -0.000123,
    ratio: 0.30000000000000004,
    large: 9007199254740991,
    zero: '0',
    code: '1e5',
    long: 'x'.repeat(300),
    many: Array.from({ length: 101 }, (_, at) => at),
    gaps: [1, null, '', 2, null],
    ...MANY_KEYS,
  },
};

/** What only shows in an object by itself: keys like the positions of a list, and keys that guards remove or refuse. */
const BY_ITSELF: ReadonlySet<string> = new Set(['counted', ...Object.keys(OWN_KEYS_OF_OBJECTS)]);

/** All others in one object. */
const TOGETHER = Object.fromEntries(
  Object.entries(ODD_OBJECTS).flatMap(([id, members]) => (BY_ITSELF.has(id) ? [] : Object.entries(members))),
);

/** A point whose attributes were accepted, as it reads; undefined where they are refused. */
async function readWith(context: Context, method: Method, id: string, attributes: Json): Promise<Json | undefined> {
  const point = { ...pointAt(context, id, 'Street of flat'), attributes };
  if (!isServed(await context.send(context.delivery.addPoint(method.handle, point), 'add'))) return undefined;
  return readPoint(context, method, id);
}

/**
 * Adds a point with each typical object, as far as a service accepts them; `refused` are the members of the others. There is a point
 * `flat` in any case.
 */
async function addTypical(context: Context, method: Method): Promise<{ accepted: string[]; refused: Json }> {
  const { delivery, send } = context;
  const accepted: string[] = [];
  const refused: Json = {};
  for (const [id, attributes] of Object.entries(OBJECTS)) {
    if (isServed(await send(delivery.addPoint(method.handle, withAttributes(context, id, attributes)), 'given')))
      accepted.push(id);
    else Object.assign(refused, attributes);
  }
  if (!accepted.includes('flat'))
    await addPoints(context, method, [withAttributes(context, 'flat', { terminal: '17' })]);
  return { accepted, refused };
}

/** The other fields of a point that differ from those of the plain one. */
function changedBeside(context: Context, plain: Json, read: Json): string[] {
  const others = POINT_FIELDS.filter((field) => field !== 'attributes' && field !== 'title');
  const changed = changedFields(context, others, plain, read);
  return showsOwnText(plain, 'title') && !showsOwnText(read, 'title') ? [...changed, 'title'] : changed;
}

/**
 * Asserts that accepted awkward attributes read back and do not change other fields of the point: most of them in one object, in parts
 * where that one is refused, and each object by itself where it reads differently. `refused`: typical attributes that were refused.
 */
async function keepsOddObjects(context: Context, method: Method, refused: Json): Promise<void> {
  const { given, expect } = context;
  // A second point with the same values but for its title, as the service returns it.
  const plain = await readPoint(context, method, 'flat');
  /** Whether they are accepted; what is accepted has to be kept. */
  const keeps = async (id: string, attributes: Json): Promise<boolean> => {
    const read = await readWith(context, method, id, attributes);
    if (read === undefined) return false;
    given.holds(hasShape(read.attributes), SHAPE, `attributes read as ${JSON.stringify(read.attributes)}`);
    expect.noFaults(
      readBackFaults(context, 'attributes', attributes, read.attributes),
      `the ${id} attributes of a new point must read back`,
    );
    expect.equal(
      changedBeside(context, plain, read),
      [],
      `the ${id} attributes must not change the other fields of their point (only changed ones are shown)`,
    );
    return true;
  };
  const all = { ...TOGETHER, ...refused };
  const together = await readWith(context, method, 'together', all);
  if (together === undefined) await offerParts(all, (part, at) => keeps(`part${at}`, part));
  const areKept =
    together !== undefined &&
    readBackFaults(context, 'attributes', all, together.attributes).length === 0 &&
    changedBeside(context, plain, together).length === 0;
  for (const [id, attributes] of Object.entries(ODD_OBJECTS))
    if (BY_ITSELF.has(id) || (together !== undefined && !areKept)) await keeps(id, attributes);
}

export const checks: readonly Check[] = [
  check(
    'delivery.point.attributes-object-kept',
    'MUST return an attributes object with any keys and nested values',
    { ...OWN_METHODS, clauses: ['delivery.point.attributes-object-kept'] },
    async (context) => {
      const { expect, given } = context;
      const method = await methodWith(context, []);
      const { accepted, refused } = await addTypical(context, method);
      for (const id of accepted) {
        const read = (await readPoint(context, method, id)).attributes;
        given.holds(hasShape(read), SHAPE, `attributes read as ${JSON.stringify(read)}`);
        expect.noFaults(
          readBackFaults(context, 'attributes', OBJECTS[id], read),
          `the ${id} attributes of a new point must read back`,
        );
      }
      await keepsOddObjects(context, method, refused);
    },
  ),

  check(
    'delivery.point.attributes-empty-string',
    'MUST accept an empty string as attributes and then return none',
    { ...OWN_METHODS, clauses: ['delivery.point.attributes-empty-string'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const some = { terminal: '3' };
      const method = await methodWith(context, [withAttributes(context, 'some', some)]);
      given.holds(
        !saysNothing((await readPoint(context, method, 'some')).attributes),
        POINT_KEPT.attributes,
        'attributes that are an object do not read back',
      );
      const other = delivery.changePoint(method.handle, 'some', { attributes: { terminal: '4' } });
      // Attributes may be read-only after the creation: then an update proves nothing.
      const isFixed = !isServed(await send(other, 'given'));
      given.holds(
        isFixed || isDeepStrictEqual((await readPoint(context, method, 'some')).attributes, { terminal: '4' }),
        'delivery.point.update-applies',
        'an update of the attributes is lost',
      );
      const added = await send(delivery.addPoint(method.handle, withAttributes(context, 'none', '')), 'add');
      expect.served(added, 'must accept a point whose attributes are an empty string');
      const call = delivery.changePoint(method.handle, 'some', { attributes: '' });
      const changed = await send(call, 'change');
      for (const id of isServed(changed) ? ['none', 'some'] : ['none']) {
        const read = (await readPoint(context, method, id)).attributes;
        expect.that(saysNothing(read), 'attributes given as an empty string must read as no attributes', {
          expected: '',
          actual: read,
          pointer: '/attributes',
        });
      }
      // Points without attributes may share one value by mistake: what one of them gets must not show in the other.
      if (!isServed(changed) || !isServed(await send(other, 'change'))) return;
      const left = (await readPoint(context, method, 'none')).attributes;
      expect.that(saysNothing(left), 'a point without attributes must have none after another point was given some', {
        expected: '',
        actual: left,
        pointer: '/attributes',
      });
    },
  ),

  check(
    SHAPE,
    'MUST return the attributes of a pickup point as an object or as an empty value',
    { ...OWN_METHODS, clauses: [SHAPE] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const method = await methodWith(context, []);
      const ids = ['object', 'text', 'none'];
      await addPoints(context, method, [
        withAttributes(context, 'object', OBJECTS.deep),
        withAttributes(context, 'text', ''),
      ]);
      const { attributes: _, ...none } = pointAt(context, 'none');
      if (!isServed(await send(delivery.addPoint(method.handle, none), 'add'))) ids.pop();
      const listed = await listPoints(context, method);
      for (const id of ids) {
        const alone = await readPoint(context, method, id);
        for (const { attributes } of [alone, listed.find((point) => point.id === id) ?? {}]) {
          expect.that(hasShape(attributes), 'attributes must be an object or an empty value', {
            expected: 'an object, "" or null',
            actual: attributes,
            pointer: '/attributes',
          });
        }
      }
      given.holds(
        !saysNothing((await readPoint(context, method, 'object')).attributes),
        POINT_KEPT.attributes,
        'attributes that are an object do not read back, so nothing could be judged',
      );
    },
  ),
];
