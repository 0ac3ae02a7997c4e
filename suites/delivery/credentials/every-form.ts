/**
 * The forms of the calls for points with the key of a second store or of a delivery provider (spec: Authentication, A; A. Delivery
 * endpoints): several handles, a country, portions, 100 points and the parameters of lists. What the first store's key shows as well has
 * checks of its own.
 */
import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { Delivery, type Json, type ListOptions } from '../../../harness/target/interfaces/delivery.ts';
import { walk } from '../../../harness/target/list-walk.ts';
import { isObject, isRefusalOfPromise, isServed } from '../../../harness/target/response/judge-response.ts';
import { idsFrom, portion } from '../batch/calls.ts';
import { inTurn } from '../steps/methods/create-method.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OF_PROVIDER, TWO_STORES } from '../steps/options.ts';
import { intrudersOf, plainPoint } from '../steps/owners/index.ts';
import { idsOf, listPoints, type Method } from '../steps/reading.ts';
import { readableMethod } from './own-method.ts';

/** A call that changes points. */
interface Step {
  readonly form: string;
  readonly call: ServiceRequest;
  /** The ids in the lists after it, the first one and the others; undefined where they need not be read. */
  readonly ids?: readonly [first: string, others: string];
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

function stepsFor(delivery: Delivery, handles: readonly string[]): readonly Step[] {
  const first = { delivery, handle: handles[0]! };
  const address = { address: 'Street of another' };
  const ofCountry = { pickup_points: [plainPoint('b')], country: 'LV' };
  return [
    { form: 'a point for several methods', call: delivery.addPoint(handles, plainPoint('a')), ids: ['a', 'a'] },
    { form: 'a point of another country', call: delivery.addPoint(handles, estonian('ee')) },
    {
      form: 'a change in several methods',
      call: delivery.changePoint(handles, 'a', address),
      ids: ['a,ee', 'a,ee'],
    },
    {
      form: 'a list for a country in several methods',
      call: delivery.batchReplace(handles, ofCountry),
      ids: ['b,ee', 'b,ee'],
    },
    { form: 'a delete in several methods', call: delivery.deletePoint(handles, 'b'), ids: ['ee', 'ee'] },
    // Whether the old list stays readable meanwhile is not stated.
    { form: 'a first portion', call: portion(first, [plainPoint('x')], 'first') },
    { form: 'a middle portion', call: portion(first, [plainPoint('y')], 'middle') },
    { form: 'a last portion', call: portion(first, [plainPoint('z')], 'last'), ids: ['x,y,z', 'ee'] },
  ];
}

function longList(delivery: Delivery, handle: string): Step {
  const ids = idsFrom('p', MAX_PORTION_ITEMS);
  return {
    form: `a list of ${MAX_PORTION_ITEMS} points`,
    call: delivery.batchReplace(handle, { pickup_points: ids.map(plainPoint) }),
    ids: [ids.toSorted().join(), 'ee'],
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
  for (const { form, call, ids, isPromised } of steps) {
    const response = await context.send(call, 'change');
    if (!isServed(response)) {
      if (isPromised !== true) problems.set(form, { what: refused(response), response });
      else if (isRefusalOfPromise(response)) problems.set(form, { what: refused(response) });
      continue;
    }
    if (ids === undefined) continue;
    const lists = await inTurn(methods, (method) => listPoints(context, method));
    const seen = lists.map((points) => idsOf(points).sort().join());
    const at = seen.findIndex((one, place) => one !== ids[place === 0 ? 0 : 1]);
    if (at < 0) continue;
    problems.set(form, { what: `leaves ${seen[at] || 'nothing'} instead of ${ids[at === 0 ? 0 : 1]}` });
    return false;
  }
  return true;
}

/** What the parameters of lists do to a list of three points, and whether one of methods may have a size. */
async function readParameters(context: Context, { delivery, handle }: Method, problems: Problems): Promise<void> {
  const { resources, send } = context;
  const idsIn = async (options: ListOptions): Promise<string[]> => {
    const { items } = await walk(send, resources, delivery.listPoints(handle, options), 'pickup_points');
    return items.filter(isObject).map(({ id }) => String(id));
  };
  const orders = [await idsIn({}), await idsIn({ desc: true })].map((ids) => ids.join());
  // Without a stable order they may be equal by chance.
  if (orders[0] === orders[1] && (await idsIn({})).join() === orders[0])
    problems.set('a reversed list of points', { what: `is ${orders[1]}, as without desc` });
  const page = await send(delivery.listPoints(handle, { pageSize: 2 }), 'read');
  const points = isObject(page.json) ? page.json.pickup_points : undefined;
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
  const message = `with the key of ${who} ${form} ${own?.what}, and not with that of a store`;
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
