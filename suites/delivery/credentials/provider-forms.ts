/**
 * The forms of the calls for points with the key of a delivery provider (spec: Authentication, A; A. Delivery endpoints): several handles, a
 * country, 100 points and the parameters of lists. What a store's key shows as well has checks of its own.
 */
import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { Delivery } from '../../../harness/target/interfaces/delivery.ts';
import { isRefusalOfPromise, isServed } from '../../../harness/target/response/judge-response.ts';
import { idsFrom } from '../batch/calls.ts';
import { inTurn } from '../steps/methods/create-method.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OF_PROVIDER } from '../steps/options.ts';
import { plainPoint } from '../steps/owners/index.ts';
import { idsOf, listPoints, type Method } from '../steps/reading.ts';
import { readableMethod } from './own-method.ts';

/** A call that changes points, and the ids that the list of each method has after it. */
interface Step {
  readonly form: string;
  readonly call: ServiceRequest;
  readonly ids: readonly string[];
  /** Nothing in it is a choice of the check that a store's call does not have as well. */
  readonly isPromised?: true;
}

interface Wrong {
  /** The end of a sentence about the form. */
  readonly what: string;
  /** Of a refusal, which may be about the values that the check chose. */
  readonly response?: ServiceResponse;
}

type Problems = ReadonlyMap<string, Wrong>;

function stepsFor(delivery: Delivery, handles: readonly string[]): readonly Step[] {
  const many = idsFrom('p', MAX_PORTION_ITEMS);
  return [
    { form: 'a point for several methods', call: delivery.addPoint(handles, plainPoint('a')), ids: ['a'] },
    {
      form: 'a change in several methods',
      call: delivery.changePoint(handles, 'a', { address: 'Street of another' }),
      ids: ['a'],
    },
    {
      form: 'a list for a country in several methods',
      call: delivery.batchReplace(handles, { pickup_points: [plainPoint('b')], country: 'LV' }),
      ids: ['b'],
    },
    { form: 'a delete in several methods', call: delivery.deletePoint(handles, 'b'), ids: [] },
    {
      form: `a list of ${MAX_PORTION_ITEMS} points`,
      call: delivery.batchReplace(handles, { pickup_points: many.map(plainPoint) }),
      ids: many,
      isPromised: true,
    },
  ];
}

const refused = (response: ServiceResponse): string => `is refused: ${summary(response)}`;

async function problemsOf(context: Context, delivery: Delivery): Promise<Problems> {
  const { send } = context;
  const first = await readableMethod(context, delivery);
  // An owner may be allowed one method only.
  const second = await unlessFull(context, () => readableMethod(context, delivery));
  const methods: readonly Method[] = second === undefined ? [first] : [first, second];
  const problems = new Map<string, Wrong>();
  let expected = '';
  const handles = methods.map(({ handle }) => handle);
  for (const { form, call, ids, isPromised } of stepsFor(delivery, handles)) {
    const response = await send(call, 'change');
    if (isServed(response)) expected = [...ids].sort().join();
    else if (isPromised !== true) problems.set(form, { what: refused(response), response });
    else if (isRefusalOfPromise(response)) problems.set(form, { what: refused(response) });
    const lists = await inTurn(methods, (method) => listPoints(context, method));
    const wrong = lists.map((points) => idsOf(points).sort().join()).find((ids) => ids !== expected);
    if (wrong === undefined) continue;
    problems.set(form, { what: `leaves ${wrong || 'nothing'} instead of ${expected || 'nothing'}` });
    break;
  }
  const reads = [
    ['a reversed list of points', delivery.listPoints(first.handle, { desc: true })],
    ['a list of methods with a page_size', delivery.listMethods({ pageSize: 10 })],
  ] as const;
  for (const [form, call] of reads) {
    const response = await send(call, 'read');
    if (isRefusalOfPromise(response)) problems.set(form, { what: refused(response) });
  }
  return problems;
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
      const { expect, given, profile } = context;
      const key = given.configured(profile.delivery?.public?.apiKey, 'delivery.public.apiKey');
      const ofProvider = await problemsOf(context, new Delivery('public', key));
      const ofStore = ofProvider.size === 0 ? ofProvider : await problemsOf(context, context.delivery);
      const [form, own] = [...ofProvider].find(([one]) => !ofStore.has(one)) ?? [];
      const message = `with the key of a delivery provider ${form} ${own?.what}, and not with that of a store`;
      if (own?.response !== undefined) expect.accepted(own.response, message);
      expect.that(own === undefined, message);
    },
  ),
];
