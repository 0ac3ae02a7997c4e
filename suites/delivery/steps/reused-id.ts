/**
 * A point that takes the id of another one, which was deleted or left out of a list, has nothing of it: not at once, and not after an
 * update. Services that only mark points as deleted bring back what the new one is not given.
 */
import { isUnset } from '../../../contracts/fields/unset.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { inOneLanguage, keptTexts, POINT_FIELDS, type PointField, pick, sameReading } from './fields.ts';
import { listPoints, type Method, readPoint } from './reading.ts';
import { changeOfPoint, pointAt, pointValues } from './values.ts';

type Former = Json & { readonly id: string; readonly country?: unknown };

/** The fields of a point that is given few; which ones a service needs is not stated. */
const FEW_FIELDS: readonly (readonly PointField[])[] = [
  ['title'],
  POINT_FIELDS.filter((field) => field !== 'attributes'),
];

/** A country that is not given may come from elsewhere: the store, the countries of the method, the address. */
const JUDGED = POINT_FIELDS.filter((field) => field !== 'country');

/** The fields of a point, beside the given ones, that read like those of a former one. */
const keptFields = (context: Context, former: Json, read: Json, given: readonly string[]): string[] =>
  JUDGED.filter((field) => !given.includes(field) && !isUnset(former[field])).filter((field) =>
    sameReading(context, field, former[field], read[field]),
  );

/**
 * Without what the service supplies by itself, such as the store's city: a point with another id that is given as little shows it as well,
 * also directly after one with other values.
 */
async function exceptSupplied(
  context: Context,
  method: Method,
  former: Former,
  fields: readonly PointField[],
  kept: readonly string[],
): Promise<readonly string[]> {
  if (kept.length === 0) return kept;
  const before = {
    ...pointValues(context, 'second'),
    id: `${former.id}-before`,
    title: inOneLanguage(context, 'The one before'),
  };
  await context.send(method.delivery.addPoint(method.handle, before), 'control');
  // With a title of its own, since a service may have each title once.
  const sent = { ...pick(former, fields), id: `${former.id}-new`, title: inOneLanguage(context, 'Another one') };
  const added = context.send(method.delivery.addPoint(method.handle, sent), 'control');
  await context.given.accepted(added, 'delivery.point.create-stores');
  const supplied = keptFields(context, former, await readPoint(context, method, sent.id), fields);
  return kept.filter((field) => !supplied.includes(field));
}

/** Adds a point with few fields under the id of one that is gone: what it is not given it must not have from that one. */
export async function addedWithLess(context: Context, method: Method, former: Former): Promise<void> {
  const { expect, send } = context;
  const { id } = former;
  for (const fields of FEW_FIELDS) {
    const sent = { id, ...pick(former, fields) };
    if (!isServed(await send(method.delivery.addPoint(method.handle, sent), 'add'))) continue;
    const same = keptFields(context, former, await readPoint(context, method, id), fields);
    const kept = await exceptSupplied(context, method, former, fields, same);
    expect.equal(kept, [], `a new point with only ${fields} must not have other fields of the former one`, {
      pointer: `/${kept[0] ?? ''}`,
    });
    return staysSoAfterUpdate(context, method, former, fields, same);
  }
}

/** Updates a new point in one field, which must not bring back the others of the former one; `supplied` it had before. */
async function staysSoAfterUpdate(
  context: Context,
  method: Method,
  former: Former,
  fields: readonly string[],
  supplied: readonly string[],
): Promise<void> {
  const { id } = former;
  const change = changeOfPoint(context, 'Changed');
  if (!isServed(await context.send(method.delivery.changePoint(method.handle, id, change), 'change'))) return;
  const given = [...fields, ...supplied, ...Object.keys(change)];
  const kept = keptFields(context, former, await readPoint(context, method, id), given);
  context.expect.equal(kept, [], `an update of ${Object.keys(change)} must not bring back fields of a former point`, {
    pointer: `/${kept[0] ?? ''}`,
  });
}

/**
 * What a point of a list has of a former one, although the list gives it little: a title in one language and a country, or all but
 * attributes where a service needs more. What the service supplies by itself a point beside it shows too.
 */
async function keptByList(
  context: Context,
  method: Method,
  former: Former,
  options?: { readonly country: unknown },
): Promise<Json | undefined> {
  const { attributes: _, ...rest } = pointAt(context, former.id);
  const titled = (point: Json, words: string): Json => ({ ...point, title: inOneLanguage(context, words) });
  for (const point of [pick(rest, ['country']), rest]) {
    const own = { ...titled(point, 'Listed again'), id: former.id };
    const beside = { ...titled(point, 'Listed beside'), id: `${former.id}-new` };
    if (!isServed(await context.send(wholeList(method, [own, beside], options), 'replace'))) continue;
    const listed = new Map((await listPoints(context, method)).map((one) => [one.id, one]));
    const shown = listed.get(own.id) ?? {};
    const supplied = keptFields(context, former, listed.get(beside.id) ?? {}, Object.keys(own));
    const kept = keptFields(context, former, shown, [...Object.keys(own), ...supplied]) as PointField[];
    const languages = keptTexts(context, former.title, shown.title);
    if (kept.length === 0 && languages.length === 0) return undefined;
    return pick(shown, [...kept, ...(languages.length > 0 ? (['title'] as const) : [])]);
  }
  return undefined;
}

/** Asserts that such a point has nothing of the former one, which was deleted or left out of a list. */
export async function listedWithLess(context: Context, method: Method, former: Former): Promise<void> {
  expectNothingKept(context, await keptByList(context, method, former));
}

function expectNothingKept({ expect }: Context, kept: Json | undefined): void {
  const [field] = Object.keys(kept ?? {});
  expect.that(kept === undefined, `a point of a list must not have the ${field} of a former one with its id`, {
    expected: 'nothing but what the list gives it',
    actual: kept,
    pointer: `/pickup_points/…/${field}`,
  });
}

const formerPoint = (context: Context): Former => ({
  ...pointAt(context, 'former'),
  id: 'former',
  title: context.given.text('Former words'),
});

const isTaken = async ({ send }: Context, call: ServiceRequest): Promise<boolean> =>
  isServed(await send(call, 'given'));

/** The same for a point that a list has left out, when it is added or listed again. */
export async function reusedAfterLists(context: Context, method: Method): Promise<void> {
  const former = formerPoint(context);
  for (const comesBack of [addedWithLess, listedWithLess])
    if (
      (await isTaken(context, wholeList(method, [former]))) &&
      (await isTaken(context, wholeList(method, [pointAt(context, 'kept')])))
    )
      await comesBack(context, method, former);
}

/** The same for a point that a list for its country replaces. */
export async function replacedInCountry(context: Context, method: Method): Promise<void> {
  const former = formerPoint(context);
  const isThere = (): Promise<boolean> => isTaken(context, wholeList(method, [former]));
  if (!(await isThere())) return;
  const kept = await keptByList(context, method, former, { country: former.country });
  if (kept !== undefined && (await isThere())) {
    const isReplaced = (await keptByList(context, method, former)) === undefined;
    const rule = 'a list without a country does not replace a point that has its id either';
    context.given.holds(isReplaced, 'delivery.batch.replaces-all', rule);
  }
  expectNothingKept(context, kept);
}
