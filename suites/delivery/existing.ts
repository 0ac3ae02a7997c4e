/**
 * Methods and points that the store had before the run, made by any client: they are read, and nothing is changed. A run that may not
 * write has no others, and in any run they may hold what no check would write.
 */

import { isJsonObject } from '../../contracts/json/object.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { summary } from '../../harness/check/expect.ts';
import type { CheckOptions } from '../../harness/check/facts.ts';
import { GivenFailure, Inconclusive, Skipped } from '../../harness/check/failures.ts';
import { once } from '../../harness/resources/once.ts';
import { withoutMarks } from '../../harness/resources/run-info.ts';
import type { ServiceRequest } from '../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import type { Json } from '../../harness/target/interfaces/delivery.ts';
import { follow } from '../../harness/target/list-walk.ts';
import { isServed } from '../../harness/target/response/judge-response.ts';
import { livingAnomalies } from './lists/method-list.ts';
import { FEW_WAYS } from './lists/owners.ts';
import { type ListSource, methodsOf, pointsOf, readList } from './lists/reading/index.ts';
import { type Anomaly, LIST_CLAUSES } from './lists/reading/judge.ts';
import { evidenceOf, sentence } from './lists/rules.ts';
import { changedFields, METHOD_FIELDS, POINT_FIELDS } from './steps/fields.ts';
import { OWN_METHODS, TWO_OWNERS } from './steps/options.ts';
import { intrudersOf } from './steps/owners/index.ts';
import { nearMissKey, WITHOUT_KEY } from './steps/owners/keys.ts';
import { type Method, readMethod, readPoint, showsMethod, showsPoint } from './steps/reading.ts';

const READING: Pick<CheckOptions, 'needs' | 'effects' | 'part' | 'additional'> = {
  ...OWN_METHODS,
  effects: 'read',
  additional: true,
};

/** Of so many methods the first one with points is taken. */
const FEW_METHODS = 5;
/** Points that are read by their ids. */
const FEW_POINTS = 3;
/** A longer list of points takes too many requests to be walked several times. */
const MAX_PAGES = 3;

interface Existing {
  readonly method: Method;
  /** Those of the first page; at least one. What a client once sent as an id need not be a text. */
  readonly points: readonly Json[];
}

/** A method that no run has made, with points; undefined if none of the first few has any. */
async function findExisting(context: Context): Promise<Existing | undefined> {
  const { delivery } = context;
  const methods = (await firstMethods(context)).filter((method) => !isMarked(method));
  for (const { handle } of methods.slice(0, FEW_METHODS)) {
    const method = { delivery, handle: String(handle) };
    const points = await firstPoints(context, method);
    if (points.length > 0) return { method, points };
  }
  return undefined;
}

const firstMethods = async (context: Context): Promise<readonly Json[]> =>
  (await readList(context, methodsOf(context.delivery), { stopAfter: 1 })).items;

async function firstPoints({ resources, send }: Context, { delivery, handle }: Method): Promise<readonly Json[]> {
  const { items } = await follow(send, resources, delivery.listPoints(handle), 'pickup_points', 1);
  return items.filter(isJsonObject);
}

/** Whether a run of this tool has made a method, this one or another one: it may delete it at any time. */
function isMarked({ title, reference }: Json): boolean {
  const texts = JSON.stringify([title, reference]);
  return withoutMarks(texts) !== texts;
}

const found = (existing: Existing | undefined): Existing => {
  if (existing === undefined) throw new Skipped('the store had no delivery method with pickup points before the run');
  return existing;
};

async function givenExisting(context: Context): Promise<Existing> {
  context.readsOfOthers();
  return found(await once(context, `existing method of ${context.delivery.owner}`, () => findExisting(context)));
}

/** Reads what is there; once more where it can't be read, because its owner may have deleted it meanwhile. */
async function onExisting(context: Context, body: (existing: Existing) => Promise<void>): Promise<void> {
  try {
    await body(await givenExisting(context));
  } catch (error) {
    if (!(error instanceof GivenFailure)) throw error;
    await body(found(await findExisting(context)));
  }
  if (context.expect.asserted === 0) throw new Skipped('what the store had before the run was deleted meanwhile');
}

/** The ids that are the same in a path, however an address is written. */
const plainIdsOf = (points: readonly Json[]): string[] =>
  points.flatMap(({ id }) => (typeof id === 'string' && /^[\w-]+$/.test(id) ? [id] : []));

/** The fields of one object in which a list and the object alone differ. */
interface Comparison {
  readonly differing: readonly string[];
  readonly listed: Json;
  readonly alone: Json;
}

/**
 * Asserts that an object is the same in a list and alone. Others may change it between the two requests, so that a difference has to
 * show twice; what is deleted meanwhile is left out.
 */
async function expectAlike(
  { expect }: Context,
  what: 'method' | 'point',
  compare: () => Promise<Comparison | undefined>,
): Promise<void> {
  const first = await compare();
  const last = first === undefined || first.differing.length === 0 ? first : await compare();
  if (last === undefined) return;
  const { differing, listed, alone } = last;
  const names = differing.join(' and ');
  expect.that(differing.length === 0, `a ${what} must have the same ${names} in the list as alone`, {
    expected: listed,
    actual: alone,
    pointer: `/${differing[0]}`,
    clauses: [`delivery.${what}.list-agrees-with-read`],
  });
}

export const checks: readonly Check[] = [
  check(
    'delivery.existing.lists-agree-with-reads',
    'MUST return methods and points of before the run alone as in their lists',
    { ...READING, clauses: ['delivery.method.list-agrees-with-read', 'delivery.point.list-agrees-with-read'] },
    async (context) =>
      onExisting(context, async ({ method, points }) => {
        await expectAlike(context, 'method', async () => {
          const listed = (await firstMethods(context)).find(({ handle }) => handle === method.handle);
          if (listed === undefined) return undefined;
          const alone = await readMethod(context, method);
          return { differing: changedFields(context, METHOD_FIELDS, listed, alone), listed, alone };
        });
        for (const id of plainIdsOf(points).slice(0, FEW_POINTS)) {
          await expectAlike(context, 'point', async () => {
            const listed = (await firstPoints(context, method)).find((point) => point.id === id);
            if (listed === undefined) return undefined;
            const alone = await readPoint(context, method, id);
            return { differing: changedFields(context, POINT_FIELDS, listed, alone), listed, alone };
          });
        }
      }),
  ),

  check(
    'delivery.existing.pages-of-points',
    'MUST return points of before the run in pages of each size and in both orders',
    { ...READING, clauses: LIST_CLAUSES },
    async (context) => {
      const { method, points } = await givenExisting(context);
      if (!points.every(({ id }) => typeof id === 'string')) throw new Skipped('some points have no text as id');
      const source = pointsOf(context.delivery, method.handle);
      const [anomaly] = await anomaliesOrSkip(context, source);
      const message = anomaly === undefined ? 'the pages of points agree' : sentence({ source }, anomaly);
      const clauses = anomaly === undefined ? {} : { clauses: [anomaly.clause] };
      context.expect.that(anomaly === undefined, message, { ...evidenceOf(anomaly), ...clauses });
    },
  ),

  check(
    'delivery.existing.reads-need-key',
    'MUST refuse to return methods and points of before the run without a valid key',
    { ...READING, clauses: ['delivery.credentials.every-read'] },
    async (context) =>
      onExisting(context, async ({ method, points }) => {
        const probes = [WITHOUT_KEY[0]!, nearMissKey(context, context.delivery.key)];
        const clause = 'delivery.method.read-by-handle';
        for (const [call, accepted] of readsOf(method, points))
          await context.expect.refusesEach(call, probes, { clause, accepted, control: 'beside' });
      }),
  ),

  check(
    'delivery.existing.other-owners',
    'MUST NOT return methods and points of before the run to another owner',
    {
      ...TWO_OWNERS,
      effects: 'read',
      additional: true,
      clauses: ['delivery.owner.methods-not-readable', 'delivery.owner.points-not-readable'],
    },
    async (context) => {
      const { expect, send } = context;
      const { method, points } = await givenExisting(context);
      for (const { who, delivery: intruder } of await intrudersOf(context)) {
        for (const [call, shows, what] of readsOf({ delivery: intruder, handle: method.handle }, points)) {
          const response = await send(call, 'probe');
          expect.that(!shows(response), `${who} must not read ${what} of another owner`, {
            expected: 'a refusal',
            actual: summary(response),
            response,
            clauses: [`delivery.owner.${what === 'a method' ? 'methods' : 'points'}-not-readable`],
          });
        }
      }
    },
  ),
];

/** The anomalies of a list, which may be too short for the sizes of pages that the service takes, or change all the time. */
async function anomaliesOrSkip(context: Context, source: ListSource): Promise<readonly Anomaly[]> {
  try {
    const { ids, end } = await readList(context, source, { stopAfter: MAX_PAGES });
    if (end === 'stopped') throw new Skipped('the list of points that was there before the run is long');
    if (ids.length < 2) throw new Skipped('the method of before the run has fewer than two pickup points');
    return await livingAnomalies(context, source, [], FEW_WAYS, 'delivery.lists.desc-kept-on-later-pages');
  } catch (error) {
    const isRefused = error instanceof GivenFailure && error.shows === 'refusal';
    // What a client once sent as an id need not be a text, and may be on a later page only.
    const hasOtherIds = error instanceof GivenFailure && error.clause === source.keyClause;
    throw isRefused || hasOtherIds || error instanceof Inconclusive ? new Skipped(error.message) : error;
  }
}

type ReadOf = readonly [call: ServiceRequest, shows: (response: ServiceResponse) => boolean, what: string];

/** The reads of a method and its points, in both orders, and whether a response shows what they are for. */
function readsOf({ delivery, handle }: Method, points: readonly Json[]): ReadOf[] {
  const showsPoints = (response: ServiceResponse): boolean => {
    const { pickup_points: listed } = isJsonObject(response.json) ? response.json : {};
    return isServed(response) && Array.isArray(listed) && listed.length > 0;
  };
  const [id] = plainIdsOf(points);
  return [
    [delivery.readMethod(handle), (response) => showsMethod(response, handle), 'a method'],
    [delivery.listPoints(handle), showsPoints, 'points'],
    [delivery.listPoints(handle, { desc: true }), showsPoints, 'points'],
    ...(id === undefined
      ? []
      : [
          [delivery.readPoint(handle, id), (response: ServiceResponse) => showsPoint(response, id), 'a point'] as const,
        ]),
  ];
}
