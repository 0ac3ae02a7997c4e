/**
 * A delivery provider's key works like a store's, tested briefly (spec: Authentication, A; A. Delivery endpoints). A violation that a
 * store's key shows as well does not depend on the key.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckOptions, CheckTitle } from '../../../harness/check/facts.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { Delivery, type Json } from '../../../harness/target/interfaces/delivery.ts';
import { walk } from '../../../harness/target/list-walk.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { idsFrom, portion } from '../batch/calls.ts';
import { TOO_MANY, withOneMore } from '../batch/limit.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { type MethodKind, methodWith, methodWithPoints, OF_STORE } from '../steps/methods/filled-methods.ts';
import { OF_PROVIDER } from '../steps/options.ts';
import { OF_PUBLIC, plainPoint, plainTitle } from '../steps/owners/index.ts';
import { idsOf, listedByHandle, listPoints, type Method, readMethod } from '../steps/reading.ts';
import { awkwardPoints, firstLostField } from './awkward-points.ts';
import { expectAsForStore, type Problem, problemIf, refused } from './beside-store.ts';
import { readableMethod } from './own-method.ts';

const ACCEPTED = 'delivery.credentials.public-key-accepted';

/** The missing effect of a call; undefined when the call had its effect. */
type EffectCheck = (context: Context, method: Method) => Promise<Problem | undefined>;

/** A create that is refused of a provider in any values, and served of a store, is a breach of its own. */
async function creatableMethod(context: Context, delivery: Delivery): Promise<Method> {
  const { expect, given, profile } = context;
  if (delivery.owner !== 'public') return readableMethod(context, delivery);
  const { defaultLanguage, languages = [] } = profile.website ?? {};
  // A service may refuse titles as plain strings, and in languages of the store that the provider does not have.
  const inOne = [...new Set([defaultLanguage ?? languages[0] ?? 'en', 'en'])];
  const attempts = [
    { title: plainTitle(context) },
    {},
    ...inOne.map((language) => ({ title: { [language]: plainTitle(context) } })),
  ];
  let refusal: ServiceResponse | undefined;
  for (const fields of attempts) {
    const { method, response } = await tryMethod(context, delivery, fields);
    if (method !== undefined) {
      await readMethod(context, method);
      return method;
    }
    refusal = response;
  }
  given.granted(
    profile.delivery?.private?.apiKey !== undefined,
    'delivery.method.create-stores',
    'the create was refused',
  );
  await readableMethod(context, context.delivery);
  expect.accepted(refusal!, 'must create a method with the key of a delivery provider, as with that of a store');
  return given.newMethod(delivery);
}

/** A method of the owner that other checks may have used, with any points. */
const usedMethod =
  (borrow: (context: Context, kind: MethodKind) => Promise<Method>): typeof readableMethod =>
  async (context, delivery) => {
    if (!context.mayShare) return readableMethod(context, delivery);
    // Where this title is refused, the next run of the check tries others.
    context.isBrief = true;
    return borrow(context, delivery.owner === 'public' ? OF_PUBLIC : OF_STORE);
  };

/** For checks that begin with a whole list. A check that does not pass makes its own method (`borrowed.ts`). */
const methodToFill = usedMethod(methodWithPoints);

const methodWithoutPoints = usedMethod((context, kind) => methodWith(context, [], kind));

/** Sends awkward texts in one batch call; if a service refuses some of them, fewer. */
async function lostTexts(context: Context, method: Method): Promise<Problem | undefined> {
  for (const points of await awkwardPoints(context)) {
    const call = method.delivery.batchReplace(method.handle, { pickup_points: points });
    if (!isServed(await context.send(call, 'replace'))) continue;
    const lost = firstLostField(context, points, await listPoints(context, method));
    return lost === undefined ? undefined : { what: lost };
  }
  context.given.granted(false, 'delivery.batch.replaces-all', 'no list of points was accepted');
  return undefined;
}

const withProviderKey = (
  id: string,
  title: CheckTitle,
  clause: string,
  undone: EffectCheck,
  {
    make = readableMethod,
    ...options
  }: Pick<CheckOptions, 'additional'> & { readonly make?: typeof readableMethod } = {},
): Check =>
  check(id, title, { ...OF_PROVIDER, clauses: [ACCEPTED], ...options }, async (context) => {
    const key = context.given.configured(context.profile.delivery?.public?.apiKey, 'delivery.public.apiKey');
    await expectAsForStore(context, {
      ...{ owner: 'a delivery provider', delivery: new Delivery('public', key), clause },
      try: async (delivery) => undone(context, await make(context, delivery)),
    });
  });

/** The limit of a call belongs to the interface and is the same for each kind of key. */
const limitsLists = check(
  'delivery.credentials.provider-key-limits-lists',
  'MUST refuse a portion with 101 points with the key of a delivery provider',
  {
    ...OF_PROVIDER,
    clauses: ['delivery.batch.refuses-101-points-in-a-portion'],
  },
  async (context) => {
    const { expect, given, profile } = context;
    const key = given.configured(profile.delivery?.public?.apiKey, 'delivery.public.apiKey');
    const method = await methodToFill(context, new Delivery('public', key));
    const points = idsFrom('p', TOO_MANY).map(plainPoint);
    await expect.refuses(
      portion(method, points.slice(0, MAX_PORTION_ITEMS), 'first'),
      withOneMore(points[MAX_PORTION_ITEMS]!),
      { clause: 'delivery.batch.accepts-100-points', change: "a 101st point with a provider's key" },
    );
    // Other checks use the method as well, and a service may allow only one upload at a time.
    await context.send(portion(method, [plainPoint('end')], 'last'), 'given');
  },
);

export const checks: readonly Check[] = [
  withProviderKey(
    'delivery.credentials.provider-key-lists-methods',
    'MUST create methods with the key of a delivery provider, and list them',
    'delivery.method.list-contains-own',
    async (context, { delivery, handle }) =>
      problemIf(!(await listedByHandle(context, delivery, [handle])).has(handle), 'a new method is not listed'),
    { make: creatableMethod },
  ),
  withProviderKey(
    'delivery.credentials.provider-key-updates-methods',
    'MUST update a method with the key of a delivery provider',
    'delivery.method.update-applies',
    async (context, method) => {
      // The title with plain values: which fields can be changed is not stated.
      const words = `${context.resources.newMark()} changed`;
      const change: Json = context.sendsMinimum ? { title: words } : { reference: words };
      const problem = await refused(context, method.delivery.changeMethod(method.handle, change));
      if (problem !== undefined) return problem;
      const read = await readMethod(context, method);
      const isKept = context.sendsMinimum ? JSON.stringify(read.title).includes(words) : read.reference === words;
      return problemIf(!isKept, 'an update is lost');
    },
  ),
  withProviderKey(
    'delivery.credentials.provider-key-deletes-methods',
    'MUST delete a method with the key of a delivery provider, and list it no longer',
    'delivery.method.delete-removes',
    async (context, { delivery, handle }) => {
      // In large pages, and in those of the service's own size, which a cache may serve.
      const isListed = async () => {
        const call = delivery.listMethods();
        const { items } = await walk(context.send, context.resources, call, 'delivery_methods');
        const inLarge = (await listedByHandle(context, delivery, [handle])).has(handle);
        return inLarge || items.some((item) => isJsonObject(item) && item.handle === handle);
      };
      // Listed before: a cache shows it afterwards only then.
      await isListed();
      const problem = await refused(context, delivery.deleteMethod(handle));
      if (problem !== undefined) return problem;
      if (isServed(await context.send(delivery.readMethod(handle), 'probe')))
        return { what: 'a deleted method is still returned' };
      return problemIf(await isListed(), 'a deleted method is still listed');
    },
    { additional: true },
  ),
  withProviderKey(
    'delivery.credentials.provider-key-stores-points',
    'MUST store a pickup point added with the key of a delivery provider',
    'delivery.point.create-stores',
    async (context, method) => {
      const problem = await refused(context, method.delivery.addPoint(method.handle, plainPoint('added')));
      if (problem !== undefined) return problem;
      const ids = idsOf(await listPoints(context, method));
      return problemIf(ids.join() !== 'added', 'a new point is not listed');
    },
    { make: methodWithoutPoints },
  ),
  withProviderKey(
    'delivery.credentials.provider-key-replaces-points',
    'MUST replace pickup points in a batch call with the key of a delivery provider',
    'delivery.batch.replaces-all',
    async (context, method) => {
      for (const ids of [
        ['a', 'b'],
        ['b', 'c'],
      ]) {
        const call = method.delivery.batchReplace(method.handle, { pickup_points: ids.map(plainPoint) });
        const problem = await refused(context, call);
        if (problem !== undefined) return problem;
      }
      const ids = idsOf(await listPoints(context, method)).sort();
      return problemIf(ids.join() !== 'b,c', `the list contains ${ids} after a batch call with b and c`);
    },
    { make: methodToFill },
  ),
  withProviderKey(
    'delivery.credentials.provider-key-publishes-portions',
    'MUST publish the portions of a delivery provider with the final one, and replace one country alone',
    'delivery.batch.finalization-publishes',
    async (context, method) => {
      const steps = [
        ['a whole list', method.delivery.batchReplace(method.handle, { pickup_points: [plainPoint('old')] }), ['old']],
        // Whether the old list stays readable meanwhile is not stated.
        ['the first portion', portion(method, ['a', 'b'].map(plainPoint), 'first'), ['old', '']],
        ['the final portion', portion(method, [plainPoint('c')], 'last'), ['a,b,c']],
      ] as const;
      for (const [what, call, expected] of steps) {
        const problem = await refused(context, call);
        if (problem !== undefined) return problem;
        const ids = idsOf(await listPoints(context, method))
          .sort()
          .join();
        if (!expected.some((one) => one === ids))
          return { what: `the list contains ${ids || 'nothing'} instead of ${expected[0]} after ${what}` };
      }
      const estonian = { ...plainPoint('other'), city: 'Tallinn', zip: '10111', country: 'EE' };
      const ofCountry = method.delivery.batchReplace(method.handle, { pickup_points: [estonian], country: 'EE' });
      // A service may refuse points of another country.
      if ((await refused(context, ofCountry)) !== undefined) return undefined;
      const ids = idsOf(await listPoints(context, method))
        .sort()
        .join();
      const left = `a list for one country leaves ${ids || 'nothing'} of a, b, c and other`;
      return problemIf(ids !== 'a,b,c,other', left);
    },
    { additional: true, make: methodToFill },
  ),
  withProviderKey(
    'delivery.credentials.provider-key-keeps-texts',
    'MUST return every text of a batch call with the key of a delivery provider',
    'delivery.batch.fields-kept',
    lostTexts,
    { additional: true, make: methodToFill },
  ),
  limitsLists,
];
