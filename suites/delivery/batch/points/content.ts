/**
 * What a method lists after a batch call. Before a wrong list counts as a violation of a batch rule, the
 * list itself is tested: items that are lost between two pages, or stored and not listed, have checks of their own.
 */
import type { Context } from '../../../../harness/check/context.ts';
import { GivenFailure } from '../../../../harness/check/failures.ts';
import type { ServiceRequest } from '../../../../harness/target/client/request.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { clauseOfEnd } from '../../../../harness/target/list-walk.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { type FullReading, pointsOf, readCompleteList, readList } from '../../lists/reading/index.ts';
import { changedFields, POINT_FIELDS } from '../../steps/fields.ts';
import { countOf, type Method, showsPoint } from '../../steps/reading.ts';

/** The ids that a list has to contain. */
export interface ExpectedIds {
  /** Exactly these ids, each once. */
  readonly exactly?: readonly string[];
  /** At least these ids, each once. */
  readonly all?: readonly string[];
  readonly none?: readonly string[];
  readonly atMostOnce?: readonly string[];
}

/** One defect of a list. */
interface Disagreement {
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly missing: readonly string[];
}

/** All points that a method lists, as a precondition. */
export async function listedPoints(
  context: Context,
  method: Method,
  order: { readonly desc?: boolean } = {},
): Promise<FullReading> {
  const reading = await readCompleteList(context, pointsOf(method.delivery, method.handle), order);
  if (reading.end === 'last-page') return reading;
  throw new GivenFailure(
    `the list of points could not be walked: ${reading.endReason}`,
    clauseOfEnd(reading.end),
    {
      response: reading.pages.at(-1)?.response,
    },
    reading.end === 'refused-page' ? 'refusal' : 'deviation',
  );
}

/** The points of a list by their ids. */
export function byId({ items }: FullReading): Map<string, Json> {
  return new Map(items.map((point) => [String(point.id), point]));
}

/**
 * Asserts what a method lists, and returns the list. `broken`: the clauses that a wrong list breaks, where the check is about several.
 */
export async function expectListed(
  context: Context,
  method: Method,
  wanted: ExpectedIds,
  rule: string,
  broken?: (reading: FullReading) => readonly string[],
): Promise<FullReading> {
  const { reading, wrong } = await judgeContent(context, method, wanted);
  const clauses = broken === undefined ? {} : { clauses: broken(reading) };
  const evidence = wrong === undefined ? {} : { ...evidenceOf(wrong, reading), ...clauses };
  context.expect.that(wrong === undefined, `${rule}: ${wrong?.message}`, evidence);
  return reading;
}

/** States what a method lists as a precondition, and returns the list. */
export async function givenListed(
  context: Context,
  method: Method,
  wanted: ExpectedIds,
  clause: string,
): Promise<FullReading> {
  const { reading, wrong } = await judgeContent(context, method, wanted);
  if (wrong !== undefined) throw new GivenFailure(wrong.message, clause, evidenceOf(wrong, reading));
  return reading;
}

/** Asserts that a call is served that the contract promises for any points. */
export async function expectServed({ expect, send }: Context, call: ServiceRequest, rule: string): Promise<void> {
  expect.served(await send(call), rule);
}

/** Asserts that a call is accepted. */
export async function expectAccepted({ expect, send }: Context, call: ServiceRequest, rule: string): Promise<void> {
  expect.accepted(await send(call), rule);
}

/**
 * The same for a call that a service may have a reason to refuse as a whole: after a refusal, `related` calls show whether each part of it is
 * taken in another one. A call of which a part is never taken remains a failure.
 */
export async function expectAcceptedInParts(
  { expect, send }: Context,
  call: ServiceRequest,
  related: readonly ServiceRequest[],
  rule: string,
): Promise<void> {
  const response = await send(call);
  for (const one of isServed(response) ? [] : related) await send(one, 'probe');
  expect.accepted(response, rule);
}

/** A call that differs from another in what the other must not be refused for, in words. */
export type Likeness = readonly [difference: string, call: ServiceRequest];

/**
 * Asserts that a list is accepted. Which values a service takes is its choice, so that a refusal alone decides nothing: it counts where
 * one of the calls that are `like` it is served.
 */
export async function expectAcceptedLike(
  { expect, send }: Context,
  call: ServiceRequest,
  like: readonly Likeness[],
  rule: string,
): Promise<void> {
  const response = await send(call);
  for (const [difference, other] of isServed(response) ? [] : like)
    if (isServed(await send(other))) expect.served(response, `${rule} must be accepted like ${difference}`);
  expect.accepted(response, rule);
}

const evidenceOf = ({ expected, actual }: Disagreement, reading: FullReading) => ({
  expected,
  actual,
  pointer: '/pickup_points',
  response: reading.pages.at(-1)?.response,
});

/** The list, and its differences from the expected one. Throws if the list itself cannot be trusted. */
async function judgeContent(context: Context, method: Method, wanted: ExpectedIds) {
  const reading = await listedPoints(context, method);
  const wrong = compared(reading, wanted);
  if (wrong !== undefined) {
    await sameOnOtherPages(context, method, reading);
    await missingIsNotStored(context, method, wrong.missing);
  }
  return { reading, wrong };
}

function compared({ ids }: FullReading, wanted: ExpectedIds): Disagreement | undefined {
  const all = wanted.exactly ?? wanted.all ?? [];
  const missing = all.filter((id) => !ids.includes(id));
  const none = wanted.none ?? [];
  const { exactly } = wanted;
  const strangers = ids.filter((id) => none.includes(id) || (exactly !== undefined && !exactly.includes(id)));
  const twice = [...new Set([...all, ...(wanted.atMostOnce ?? [])])].filter((id) => countOf(ids, id) > 1);
  const said = [
    ...(missing.length > 0 ? [`${quoted(missing)} missing`] : []),
    ...(strangers.length > 0 ? [`${quoted(strangers)} listed`] : []),
    ...(twice.length > 0 ? [`${quoted(twice)} listed more than once`] : []),
  ];
  if (said.length === 0) return undefined;
  const unwanted = new Set(strangers);
  const kept = ids.filter((id, at) => !unwanted.has(id) && !(twice.includes(id) && ids.indexOf(id) < at));
  // The expected list in the order of the response, so that a comparison shows only the defects.
  return { message: said.join(', '), expected: [...kept, ...missing], actual: ids, missing };
}

const SHOWN_IDS = 4;
const quoted = (ids: readonly string[]): string => {
  const shown = ids.slice(0, SHOWN_IDS).map((id) => JSON.stringify(id));
  return `${shown.join(', ')}${ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : ''}`;
};

/** What is really in the list shows with every page size; what is lost or repeated between pages does not. */
async function sameOnOtherPages(context: Context, method: Method, reading: FullReading): Promise<void> {
  if (reading.pages.length < 2) return;
  const largest = Math.max(...reading.pages.map(({ ids }) => ids.length));
  const pageSize = Math.max(1, Math.ceil(largest / 2));
  const other = await readList(context, pointsOf(method.delivery, method.handle), { pageSize });
  const same = reading.ids.toSorted().join('\n') === other.ids.toSorted().join('\n');
  const message = `with page_size=${pageSize} the same list shows other points`;
  context.given.holds(same, 'delivery.lists.every-item-once', message, { response: other.pages.at(-1)?.response });
}

/** A point that can be read by its id was stored, so it is only missing from the list. */
async function missingIsNotStored(context: Context, method: Method, missing: readonly string[]): Promise<void> {
  const [id] = missing;
  if (id === undefined) return;
  const response = await context.send(method.delivery.readPoint(method.handle, id), 'read');
  const message = `the point ${id} can be read by its id, but is not in the list`;
  context.given.holds(!showsPoint(response, id), 'delivery.point.list-contains', message, { response });
}

/** Asserts that points are unchanged in every field of the contract. */
export function expectUnchanged(
  context: Context,
  before: FullReading,
  after: FullReading,
  ids: readonly string[],
): void {
  const [were, are] = [byId(before), byId(after)];
  for (const id of ids) {
    const [was, is] = [were.get(id) ?? {}, are.get(id) ?? {}];
    const changed = changedFields(context, POINT_FIELDS, was, is);
    context.expect.that(
      changed.length === 0,
      `the point ${id} must stay as it was, but ${changed.join(', ')} changed`,
      {
        expected: was,
        actual: is,
        pointer: '/pickup_points',
        response: after.pages.at(-1)?.response,
      },
    );
  }
}

/** Whether a point is listed during its upload. */
export const isListedEarly = async (context: Context, method: Method, id: string): Promise<boolean> =>
  (await listedDuringUpload(context, method))?.ids.includes(id) === true;

/** States that the first portion of an open upload is not listed yet; otherwise no later portion would publish it. */
export async function givenUnlisted(context: Context, method: Method, id: string): Promise<void> {
  const unlisted = !(await isListedEarly(context, method, id));
  context.given.holds(unlisted, 'delivery.batch.unlisted-until-final-portion', 'a first portion is listed at once');
}

/**
 * The ids that are listed during an upload. The contract leaves open whether the old list is readable then, so a list
 * that is refused proves nothing.
 */
export async function listedDuringUpload(
  context: Context,
  method: Method,
  order: { readonly desc?: boolean } = {},
): Promise<FullReading | undefined> {
  try {
    return await listedPoints(context, method, order);
  } catch (error) {
    const refused = error instanceof GivenFailure && error.evidence.response && !isServed(error.evidence.response);
    if (refused) return undefined;
    throw error;
  }
}
