/**
 * The forms of the calls for points with the key of a second store or of a delivery provider (spec: Authentication, A; A. Delivery
 * endpoints): several handles, a country, portions, 100 points and the parameters of lists. What the first store's key shows as well has
 * checks of its own.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { Delivery, type Json, type ListOptions } from '../../../harness/target/interfaces/delivery.ts';
import { walk } from '../../../harness/target/list-walk.ts';
import { isRefusalOfPromise, isServed } from '../../../harness/target/response/judge-response.ts';
import { idsFrom, portion } from '../batch/calls.ts';
import { inTurn } from '../steps/methods/create-method.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OF_PROVIDER, TWO_STORES } from '../steps/options.ts';
import { intrudersOf, plainPoint } from '../steps/owners/index.ts';
import { idsOf, listPoints, type Method } from '../steps/reading.ts';
import { readableMethod } from './own-method.ts';

/** The ids that the lists of the methods have, the first method's first. */
type Lists = readonly (readonly string[])[];

/** A call that changes points. */
interface Step {
  readonly form: string;
  readonly call: ServiceRequest;
  /** What a call that is served makes of the lists. */
  readonly after: (lists: Lists) => Lists;
  /** Whether the old list stays readable during an upload is not stated. */
  readonly leavesUpload?: true;
  /** Nothing in it is a choice of the check that a call of the first store does not have as well. */
  readonly isPromised?: true;
}

interface Wrong {
  /** The end of a sentence about the form. */
  readonly what: string;
  /** Of a refusal, which may be about the values that the check chose. */
  readonly response?: ServiceResponse;
}

/** What is wrong, by form. */
type Problems = Map<string, Wrong>;

const estonian = (id: string): Json => ({ ...plainPoint(id), city: 'Tallinn', zip: '10111', country: 'EE' });

const everywhere =
  (change: (ids: readonly string[]) => readonly string[]) =>
  (lists: Lists): Lists =>
    lists.map(change);

const inFirst =
  (change: () => readonly string[]) =>
  ([, ...others]: Lists): Lists => [change(), ...others];

function stepsFor(delivery: Delivery, handles: readonly string[]): readonly Step[] {
  const added = (point: Json, form: string): Step => ({
    form,
    call: delivery.addPoint(handles, point),
    after: everywhere((ids) => [...ids, String(point.id)]),
  });
  return [
    added(plainPoint('a'), 'a point for several methods'),
    added(estonian('ee'), 'a point of another country'),
    {
      form: 'a change in several methods',
      call: delivery.changePoint(handles, 'a', { address: 'Street of another' }),
      after: (lists) => lists,
    },
    {
      form: 'a list for a country in several methods',
      call: delivery.batchReplace(handles, { pickup_points: [plainPoint('b')], country: 'LV' }),
      after: everywhere((ids) => [...ids.filter((id) => id === 'ee'), 'b']),
    },
    {
      form: 'a delete in several methods',
      call: delivery.deletePoint(handles, 'b'),
      after: everywhere((ids) => ids.filter((id) => id !== 'b')),
    },
    ...portions({ delivery, handle: handles[0]! }),
  ];
}

function portions(method: Method): readonly Step[] {
  const staged: string[] = [];
  return (
    [
      ['first', 'x'],
      ['middle', 'y'],
      ['last', 'z'],
    ] as const
  ).map(([place, id]) => ({
    form: `a ${place} portion`,
    call: portion(method, [plainPoint(id)], place),
    after: (lists) => {
      staged.push(id);
      return place === 'last' ? inFirst(() => staged)(lists) : lists;
    },
    ...(place === 'last' ? {} : { leavesUpload: true }),
  }));
}

function longList(delivery: Delivery, handle: string): Step {
  const ids = idsFrom('p', MAX_PORTION_ITEMS);
  return {
    form: `a list of ${MAX_PORTION_ITEMS} points`,
    call: delivery.batchReplace(handle, { pickup_points: ids.map(plainPoint) }),
    after: inFirst(() => ids),
    isPromised: true,
  };
}

const refused = (response: ServiceResponse): string => `is refused: ${summary(response)}`;

/** Takes the steps up to the first one that leaves other points than it should; returns whether there was none. */
async function isTaken(
  context: Context,
  methods: readonly Method[],
  steps: readonly Step[],
  problems: Problems,
): Promise<boolean> {
  let expected: Lists = await idsIn(context, methods);
  for (const { form, call, after, leavesUpload, isPromised } of steps) {
    const response = await context.send(call, 'change');
    if (!isServed(response)) {
      if (isPromised !== true) problems.set(form, { what: refused(response), response });
      else if (isRefusalOfPromise(response)) problems.set(form, { what: refused(response) });
      continue;
    }
    expected = after(expected);
    if (leavesUpload === true) continue;
    const seen = await idsIn(context, methods);
    const at = seen.findIndex((ids, place) => textOf(ids) !== textOf(expected[place]!));
    if (at < 0) continue;
    problems.set(form, { what: `leaves ${textOf(seen[at]!)} instead of ${textOf(expected[at]!)}` });
    return false;
  }
  return true;
}

const idsIn = (context: Context, methods: readonly Method[]): Promise<string[][]> =>
  inTurn(methods, async (method) => idsOf(await listPoints(context, method)));

const textOf = (ids: readonly string[]): string => ids.toSorted().join() || 'nothing';

/** What the parameters of lists do to a list of three points, and whether one of methods may have a size. */
async function readParameters(context: Context, { delivery, handle }: Method, problems: Problems): Promise<void> {
  const { resources, send } = context;
  const idsWith = async (options: ListOptions): Promise<string[]> => {
    const { items } = await walk(send, resources, delivery.listPoints(handle, options), 'pickup_points');
    return items.filter(isJsonObject).map(({ id }) => String(id));
  };
  const orders = [await idsWith({}), await idsWith({ desc: true })].map((ids) => ids.join());
  // Without a stable order they may be equal by chance.
  if (orders[0] === orders[1] && (await idsWith({})).join() === orders[0])
    problems.set('a reversed list of points', { what: `is ${orders[1]}, as without desc` });
  const page = await send(delivery.listPoints(handle, { pageSize: 2 }), 'read');
  const points = isJsonObject(page.json) ? page.json.pickup_points : undefined;
  if (isServed(page) && Array.isArray(points) && points.length > 2)
    problems.set('a list of points with a page_size of 2', { what: `has ${points.length} points on its first page` });
  const methods = await send(delivery.listMethods({ pageSize: 10 }), 'read');
  if (isRefusalOfPromise(methods)) problems.set('a list of methods with a page_size', { what: refused(methods) });
}

async function problemsOf(context: Context, delivery: Delivery): Promise<Problems> {
  const problems: Problems = new Map();
  const first = await readableMethod(context, delivery);
  // An owner may be allowed one method only.
  const second = await unlessFull(context, () => readableMethod(context, delivery));
  const methods = second === undefined ? [first] : [first, second];
  const handles = methods.map(({ handle }) => handle);
  if (!(await isTaken(context, methods, stepsFor(delivery, handles), problems))) return problems;
  await readParameters(context, first, problems);
  await isTaken(context, methods, [longList(delivery, first.handle)], problems);
  return problems;
}

/** States nothing about the first store: a form that is wrong there as well does not depend on the owner. */
async function expectFormsOfStore(context: Context, who: string, delivery: Delivery): Promise<void> {
  const problems = await problemsOf(context, delivery);
  const ofStore = problems.size === 0 ? problems : await problemsOf(context, context.delivery);
  const [form, own] = [...problems].find(([one]) => !ofStore.has(one)) ?? [];
  const wrong = own === undefined ? 'each form must be served' : `${form} ${own.what}, and not with that of a store`;
  const message = `with the key of ${who} ${wrong}`;
  if (own?.response !== undefined) context.expect.accepted(own.response, message);
  context.expect.that(own === undefined, message);
}

export const checks: readonly Check[] = [
  check(
    'delivery.credentials.provider-key-every-form',
    'MUST serve each form of a call with the key of a delivery provider that it serves with that of a store',
    {
      ...OF_PROVIDER,
      needs: [...OF_PROVIDER.needs, 'delivery.private.apiKey'],
      clauses: ['delivery.credentials.public-key-accepted'],
    },
    async (context) => {
      const { given, profile } = context;
      const key = given.configured(profile.delivery?.public?.apiKey, 'delivery.public.apiKey');
      await expectFormsOfStore(context, 'a delivery provider', new Delivery('public', key));
    },
  ),
  check(
    'delivery.credentials.other-store-every-form',
    'MUST serve each form of a call with the key of a second store that it serves with that of the first',
    { ...TWO_STORES, clauses: ['delivery.credentials.private-key-accepted'] },
    async (context) => {
      await intrudersOf(context);
      await expectFormsOfStore(context, 'a second store', context.otherDelivery);
    },
  ),
];
