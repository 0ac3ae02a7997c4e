/** Each field of an added pickup point reads back (spec: Pickup point). */

import { isDeepStrictEqual } from 'node:util';
import { fits } from '../../../contracts/fields/forms.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import { once, unlessUndecided } from '../../../harness/resources/once.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import {
  type Case,
  type CasesByField,
  type ReadBack,
  titleCases,
  valuesTogether,
} from '../steps/awkward-values/cases.ts';
import { givenShape, POINT_KEPT, type PointField, readBackFaults } from '../steps/fields.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { addPoints, listPoints, readPoint } from '../steps/reading.ts';
import {
  AWKWARD_TEXT,
  EMOJI_TEXT,
  LONG_TEXT,
  NUMERIC_TEXT,
  otherCountry,
  pointAt,
  UNTIDY_TEXT,
} from '../steps/values.ts';

const SHARED = 'points with values in all fields';

/** Points with values in all fields, as they read back after all were added; undefined if one is refused. */
async function pointsTogether(context: Context): Promise<readonly ReadBack[] | undefined> {
  const { delivery, send } = context;
  const method = await methodWith(context, []);
  const points = valuesTogether(context, CASES).map((values, at) => ({ ...pointAt(context, `case-${at}`), ...values }));
  for (const point of points)
    if (!isServed(await send(delivery.addPoint(method.handle, point), 'add'))) return undefined;
  return eachAtOnce(points, async (sent) => ({ sent, read: await readPoint(context, method, String(sent.id)) }));
}

/** A check that a field reads back with each of several values: one point per value, in one method. */
function keepsPointField(id: string, field: keyof typeof CASES, title: CheckTitle): Check {
  return check(id, title, { ...OWN_METHODS, clauses: [id], shares: SHARED }, async (context) => {
    const { delivery, expect, given, send } = context;
    const isKept = await unlessUndecided(async () => {
      const together = await once(context, SHARED, () => pointsTogether(context));
      for (const { read } of together ?? []) givenShape(context, field, read[field]);
      return together?.every(({ sent, read }) => readBackFaults(context, field, sent[field], read[field]).length === 0);
    });
    if (isKept) return expect.that(isKept, `the ${field} of a new point must read back`);
    const method = await given.newMethod(delivery);
    await addPoints(context, method, [pointAt(context, 'plain')]);
    const taken: { id: string; value: unknown }[] = [];
    for (const [at, { value, refusable }] of (CASES[field](context) as readonly Case[]).entries()) {
      const id = `case-${at}`;
      const response = await send(delivery.addPoint(method.handle, { ...pointAt(context, id), [field]: value }), 'add');
      if (isServed(response)) taken.push({ id, value });
      // The plain first value proves the rule where the others are refused.
      else if (refusable !== true && !(context.sendsMinimum && taken.length > 0))
        expect.accepted(response, `must accept a point with the ${field} ${JSON.stringify(value)}`);
    }
    // Only after all were added: the later ones must not have changed the earlier ones.
    for (const { id, value } of taken) {
      const read = (await readPoint(context, method, id))[field];
      givenShape(context, field, read);
      const others = taken.filter((other) => other.id !== id).map((other) => other.value);
      given.holds(
        readBackFaults(context, field, value, read).length === 0 ||
          [...others, pointAt(context, 'plain')[field]].every((other) => !isDeepStrictEqual(other, read)),
        'delivery.point.read-by-id',
        `reading ${id} shows the ${field} of another point`,
      );
      expect.noFaults(readBackFaults(context, field, value, read), `the ${field} of a new point must read back`);
    }
  });
}

const TEXTS: readonly Case[] = [
  { value: AWKWARD_TEXT },
  { value: NUMERIC_TEXT },
  { value: EMOJI_TEXT, refusable: true },
  { value: UNTIDY_TEXT, refusable: true },
  { value: 'Station Square 2\nentrance B', refusable: true },
  { value: LONG_TEXT, refusable: true },
];

const CASES = {
  title: (context) => titleCases(context, 'Central Station'),
  address: () => [{ value: 'Brīvības iela 1' }, ...TEXTS],
  // Some services accept no digits in the name of a city.
  city: () => [{ value: 'Jūrmala' }, ...TEXTS],
  zip: () => [
    { value: 'LV-1050' },
    { value: '01067' },
    { value: '00501' },
    { value: 'SW1A 1AA' },
    { value: '1050' },
    { value: '東京 100', refusable: true },
    { value: '1e3', refusable: true },
  ],
  // Which countries a service accepts, besides that of the store, is not stated.
  country: () => [
    { value: 'LV' },
    // NO and NA are taken for other values by some formats; the others are missing in some tables.
    ...['EE', 'NO', 'NA', 'GB', 'US', 'CW'].map((value) => ({ value, refusable: true })),
  ],
} satisfies CasesByField<PointField>;

export const checks: readonly Check[] = [
  keepsPointField('delivery.point.title-kept', 'title', 'MUST return the title that was set on a pickup point'),
  keepsPointField('delivery.point.address-kept', 'address', 'MUST return the address that was set on a pickup point'),
  keepsPointField('delivery.point.city-kept', 'city', 'MUST return the city that was set on a pickup point'),
  keepsPointField(
    'delivery.point.zip-kept',
    'zip',
    'MUST return the zip that was set on a pickup point, with leading zeros',
  ),
  keepsPointField('delivery.point.country-kept', 'country', 'MUST return the country that was set on a pickup point'),

  check(
    'delivery.point.country-is-code',
    'MUST return the country of a pickup point, if any, as a two-letter code',
    { ...OWN_METHODS, clauses: ['delivery.point.country-is-code'] },
    async (context) => {
      const { delivery, expect, given, send } = context;
      const points: Json[] = [
        { ...pointAt(context, 'latvian'), country: 'LV' },
        { ...pointAt(context, 'estonian'), country: otherCountry(context, 'EE') },
      ];
      const method = await methodWith(context, points);
      // A service may require a country.
      const { country: _, ...stateless } = pointAt(context, 'stateless');
      if (isServed(await send(delivery.addPoint(method.handle, stateless), 'add'))) points.push(stateless);

      const listed = await listPoints(context, method);
      let countries = 0;
      for (const { id } of points) {
        const read = await readPoint(context, method, String(id));
        for (const shown of [read, listed.find((point) => point.id === id) ?? {}]) {
          expect.that(fits('country', shown.country), 'the country of a point must be a two-letter text, or no value', {
            expected: 'a two-letter text',
            actual: shown.country,
            pointer: '/country',
          });
          if (!isUnset(shown.country)) countries += 1;
        }
      }
      given.holds(countries > 0, POINT_KEPT.country, 'no point shows the country that it was given');
    },
  ),
];
