/** A batch call keeps every field of a point. */
import { isUnset } from '../../../../contracts/fields/unset.ts';
import { type Check, check } from '../../../../harness/check/check.ts';
import type { Context } from '../../../../harness/check/context.ts';
import type { Fault } from '../../../../harness/check/expect.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import {
  inOneLanguage,
  POINT_FIELDS,
  POINT_KEPT,
  type PointField,
  readBackFaults,
  sameReading,
} from '../../steps/fields.ts';
import { OWN_METHODS } from '../../steps/options.ts';
import { addPoints, listPoints, type Method } from '../../steps/reading.ts';
import { AWKWARD_TEXT, EMOJI_TEXT, NUMERIC_TEXT, otherCountry, pointValues } from '../../steps/values.ts';
import { replacePoints, upload, wholeList } from '../calls.ts';
import { newMethod, usedBatchMethod } from '../new-method.ts';
import { isNearby, pointsOfCountries } from './postal-codes.ts';

const fieldsKept = check(
  'delivery.batch.fields-kept',
  'MUST return every field of the points of a batch call',
  { clauses: ['delivery.batch.fields-kept'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    const points = awkwardPoints(context);
    await replacePoints(context, method, points);
    await expectKept(context, method, points);
    // Points of one country, or in portions, lose nothing either.
    const ofCountry = points.filter(({ country }) => country === points[0]!.country);
    const byCountry = wholeList(method, ofCountry, { country: points[0]!.country });
    await context.given.accepted(context.send(byCountry, 'given'), 'delivery.batch.country-replaces');
    await expectKept(context, method, ofCountry, points.length);
    await upload(context, method, [points.slice(0, 2), points.slice(2)]);
    await expectKept(context, method, points);
    await expectNothingCopied(context, method, points[2]!);
    // An omitted field must not have the value of the previous point. A service may require all fields, or supply some.
    // Nor may the later points be without what the first one lacks: a database may be given all of them with the fields of that one.
    const sparse = [
      { id: 'first-sparse', title: points[1]!.title, address: 'Plain street 2', country: 'LV' },
      points[2]!,
      { id: 'sparse', title: points[0]!.title, address: 'Plain street 1', country: 'LV' },
    ];
    if (isServed(await context.send(wholeList(method, sparse)))) await expectKept(context, method, sparse);
    // A database may not support such letters; then the call has to be refused.
    const emoji: Json[] = [
      { ...points[0], id: 'letters', title: inOneLanguage(context, EMOJI_TEXT), address: EMOJI_TEXT },
    ];
    if (isServed(await context.send(wholeList(method, emoji)))) await expectKept(context, method, emoji);
    for (const list of pointsOfCountries(context)) {
      for (const some of [list, list.filter(isNearby)]) {
        if (!isServed(await context.send(wholeList(method, some)))) continue;
        await expectKept(context, method, some);
        break;
      }
    }
  },
);

/** Points with values that a faulty service would shorten, escape, flatten or lose. */
function awkwardPoints(context: Context): Json[] {
  return [
    { id: '0012', ...pointValues(context, 'first'), zip: NUMERIC_TEXT },
    { id: 'Rīga 1', ...pointValues(context, 'second'), title: context.given.text('Pakomāts') },
    {
      id: 'plain',
      title: inOneLanguage(context, AWKWARD_TEXT),
      address: AWKWARD_TEXT,
      city: 'Łódź',
      zip: 'SW1A 1AA',
      country: otherCountry(context, 'PL'),
      attributes: {
        'with space': 'ā/b\\c"d',
        карта: [1, 2.5, -3, true, false, 'x'],
        deep: { deeper: { deepest: [{ id: 1 }, { id: '1' }] } },
        text: NUMERIC_TEXT,
        nothing: null,
        empty: '',
      },
    },
    { id: 'no-attributes', ...pointValues(context, 'first'), attributes: '' },
  ];
}

/** Asserts that a point with nothing but its id has nothing of the point before it. A service may require fields, or assign values. */
async function expectNothingCopied(context: Context, method: Method, point: Json): Promise<void> {
  // A store near the run may assign its own country, which is hardly this one.
  const full: Json = { ...point, country: otherCountry(context, 'IS') };
  if (!isServed(await context.send(wholeList(method, [full, { id: 'bare' }])))) return;
  const bare = (await listPoints(context, method)).find(({ id }) => id === 'bare') ?? {};
  // The only country that a service takes may be its default.
  const judged = POINT_FIELDS.filter((field) => field !== 'country' || !context.hasOneCountry);
  const copied = judged.filter((field) => sameReading(context, field, full[field], bare[field]));
  context.expect.equal(copied, [], 'a point with nothing but its id must not have the values of the point before it', {
    pointer: `/pickup_points/…/${copied[0] ?? ''}`,
  });
}

interface Lost {
  readonly point: Json;
  readonly field: PointField | 'id';
  readonly fault: Fault;
}

/**
 * Asserts that points are listed as they were sent, among `count` in total; a value that a single add loses as well is
 * not a violation of a batch rule.
 */
async function expectKept(
  context: Context,
  method: Method,
  points: readonly Json[],
  count = points.length,
): Promise<void> {
  const listed = await listPoints(context, method);
  const all = listed.length === count;
  context.given.holds(all, 'delivery.batch.replaces-all', `${listed.length} of ${count} points are listed`);
  const lost = firstLostField(context, points, listed);
  for (const { point, field } of lost) {
    const alone = await newMethod(context);
    await addPoints(context, alone, [point]);
    const lostAlone = firstLostField(context, [point], await listPoints(context, alone)).find(
      (loss) => loss.field === field,
    );
    context.given.holds(lostAlone === undefined, keptClause(field, point), lostAlone?.fault.message ?? '');
  }
  const faults = lost.map(({ point, fault }) => ({ ...fault, message: `point ${String(point.id)}: ${fault.message}` }));
  context.expect.noFaults(faults, 'every field of a point must read back as it was sent');
}

function firstLostField(context: Context, points: readonly Json[], listed: readonly Json[]): Lost[] {
  return points.flatMap((point, at): Lost[] => {
    const read = listed.find(({ id }) => id === point.id);
    if (read === undefined) {
      const ids = listed.map(({ id }) => id);
      const message = 'no point with this id is listed';
      return [{ point, field: 'id', fault: { message, pointer: '/pickup_points', expected: point.id, actual: ids } }];
    }
    return POINT_FIELDS.flatMap((field) =>
      (field in point
        ? readBackFaults(context, field, point[field], read[field])
        : copiedFaults(context, field, points[at - 1], read)
      ).map((fault) => ({ point, field, fault })),
    );
  });
}

/** What an omitted field has of the point before it. What a service supplies in its place is not stated. */
function copiedFaults(context: Context, field: PointField, before: Json | undefined, read: Json): Fault[] {
  if (isUnset(before?.[field]) || !sameReading(context, field, before?.[field], read[field])) return [];
  const message = `${field} was omitted and has the value of the point before it`;
  return [{ message, pointer: `/${field}`, expected: 'another value or none', actual: read[field] }];
}

function keptClause(field: PointField | 'id', point: Json): string {
  if (field === 'id') return 'delivery.point.id-kept';
  if (field === 'attributes' && point.attributes === '') return 'delivery.point.attributes-empty-string';
  return POINT_KEPT[field];
}

export const checks: readonly Check[] = [fieldsKept];
