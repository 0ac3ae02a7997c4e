/**
 * Sequences of calls on several methods, after each of which everything that can be seen has to be as the calls left it. Where the
 * model of Delivery looks for what calls do to each other, this looks at all that they do: other orders, pages, owners and
 * languages, neighbours, and what a refused or a repeated call leaves.
 */
import fc from 'fast-check';
import { POINT_FIELDS } from '../../../../contracts/fields/catalogue/delivery.ts';
import { type Check, check } from '../../../../harness/check/check.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { forAll } from '../../../../harness/property/index.ts';
import { unlessUndecided } from '../../../../harness/resources/once.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { LIST_CLAUSES } from '../../../delivery/lists/reading/judge.ts';
import { distinctPairs } from '../../../delivery/steps/awkward-values/similar-ids.ts';
import { OWN_METHODS } from '../../../delivery/steps/options.ts';
import { newMethodOfOther, plainPoint } from '../../../delivery/steps/owners/index.ts';
import { listPoints } from '../../../delivery/steps/reading.ts';
import { methodValues } from '../../../delivery/steps/values.ts';
import { asOwner, isPlayable, ownerArbitrary } from '../../steps/owners.ts';
import { hasTwoStores } from '../../steps/stores.ts';
import { MODEL_CLAUSES } from '../clauses.ts';
import type { MethodFields } from '../state.ts';
import { Comparison } from './compare/index.ts';
import { StepRunner } from './play.ts';
import { type Step, stepArbitrary } from './steps.ts';
import { type MethodState, World } from './world.ts';

/** Some methods, a few steps with a look around after each, and one at everything. */
const REQUESTS_PER_RUN = 157;
const MAX_STEPS = 20;
/** Handles in a path: most calls meet in few methods, and what only the sixth shows needs six. */
const METHODS = [2, 2, 2, 3, 6] as const;

/** A list for all methods first, so that there is something for calls to meet. */
const stocked: Step = {
  ...{ do: 'list', at: 'all', ids: ['a1', '1'], more: 0, portions: 1 },
  values: {
    title: 'Centrs',
    address: 'Street 1',
    city: 'Tallinn',
    zip: '01015',
    country: 'EE',
    attributes: { a: '01' },
  },
};

/** The same with further points that each lack a field, where the service takes them. */
const bareStocked: Step = { ...stocked, more: POINT_FIELDS.length, areBare: true };

/** A list of several pages for one method, with signs and capitals: what calls do beside a long list, and to each place of it. */
const longStocked = (more: number): Step => ({
  ...{ do: 'list', at: 'first', ids: ['a1', '1'], more, areSigned: true, portions: 1 },
  values: {
    title: 'Smith & <Sons>',
    address: 'Street 1',
    city: 'Rīga & Jūrmala',
    zip: 'LV-1050 & 1',
    country: 'EE',
    attributes: { a: '01', Hint: 'Room & <7>' },
  },
});
/** A full call, and an upload in portions. */
const LONG = [98, 101] as const;
/** Calls that are refused for another method than the one with the long list. */
const refusedBeside = fc
  .shuffledSubarray(['DELETE', 'PUT', 'POST'] as const, { minLength: 2 })
  .map((ways) => ways.map((by): Step => ({ do: 'refused', what: 'no such method beside', by })));
const steps = fc.array(stepArbitrary, { minLength: 1, maxLength: MAX_STEPS, size: 'max' });
const sequences = fc.oneof(
  { weight: 1, arbitrary: steps },
  { weight: 2, arbitrary: steps.map((rest) => [stocked, ...rest]) },
  { weight: 1, arbitrary: steps.map((rest) => [stocked, bareStocked, ...rest]) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...LONG), refusedBeside, steps)
      .map(([more, refused, rest]) => [longStocked(more), ...refused, ...rest]),
  },
);

const CLAUSES: readonly string[] = [
  ...MODEL_CLAUSES,
  ...LIST_CLAUSES,
  'delivery.method.list-contains-own',
  'delivery.method.list-agrees-with-read',
  'delivery.point.list-contains',
  'delivery.owner.methods-not-listed',
  'delivery.batch.refused-list-changes-nothing',
  'delivery.point.id-any-characters',
  'delivery.multilanguage.object-read-back',
  'delivery.multilanguage.object-sets-named-languages',
  'delivery.credentials.missing-key-refused',
  'delivery.credentials.near-miss-key-refused',
];

export const checks: readonly Check[] = [
  check(
    'properties.delivery.whole-state',
    'MUST show exactly the state that calls left in every list, order, page and language, for every owner',
    { ...OWN_METHODS, clauses: CLAUSES, additional: true },
    async (context) => {
      const twoStores = hasTwoStores(context);
      return forAll(
        context,
        { requestsPerRun: REQUESTS_PER_RUN, stepsAt: 1, fits: ([, , owner]) => isPlayable(context, owner) },
        [fc.constantFrom(...METHODS), sequences, await ownerArbitrary(context)],
        (run, methods, steps, owner) =>
          asOwner(run, owner, async () => {
            const world = await begin(run.context, methods, twoStores);
            const stores = {
              own: run.context.delivery,
              other: twoStores ? run.context.otherDelivery : undefined,
            };
            const comparison = new Comparison(run.context, world, stores);
            const runner = new StepRunner(run.context, world, comparison, stores.own, run.step);
            await comparison.before();
            try {
              for (const step of steps) await runner.play(step);
              await comparison.whole();
            } finally {
              await runner.restore();
            }
          }),
      );
    },
  ),
];

/** Makes the methods, and the model of them. */
async function begin(context: Context, count: number, twoStores: boolean): Promise<World> {
  const world = new World(await distinguishesIds(context));
  const { delivery, given } = context;
  for (let at = 0; at < count; at += 1) {
    const whole = at === 0 ? await unlessUndecided(() => given.newMethod(delivery, allFields(context))) : undefined;
    const made = whole ?? (await given.newMethod(delivery, COUNTRIES));
    const { handle, fields, willCarry } = made;
    const marked = { reference: fields.reference, willCarry };
    world.add({ ...stateOf('own', handle, fields as MethodFields), marked });
  }
  if (twoStores) world.add(await methodOfOther(context));
  return world;
}

const COUNTRIES = { available_countries_to: ['EE', 'LV'] } as const;

/** What no call names, calls for other methods and points must leave. A service may refuse some of it. */
function allFields(context: Context): Json {
  const { title: _, reference: __, ...values } = methodValues(context, 'first');
  return { ...values, ...COUNTRIES };
}

/** A method of the other store, with points as it first shows them: what it takes, and in which languages, is not known. */
async function methodOfOther(context: Context): Promise<Omit<MethodState, 'place'>> {
  const { delivery, handle, fields } = await newMethodOfOther(context);
  const { title, ...known } = fields as MethodFields;
  const points = ['a1', 'B2'].map(plainPoint);
  await context.send(delivery.batchReplace(handle, { pickup_points: points }), 'given');
  const shown = await listPoints(context, { delivery, handle });
  return {
    ...{ ...stateOf('other', handle, known), ...(typeof title === 'string' ? { plainTitle: title } : {}) },
    points: new Map(shown.map(({ id, title: _, ...rest }) => [String(id), rest])),
  };
}

const apart = new WeakMap<Resources, Promise<boolean>>();

/** Whether ids that are alike are two to this service, found out once a run. */
function distinguishesIds(context: Context): Promise<boolean> {
  const known =
    apart.get(context.resources) ?? distinctPairs(context, ALIKE).then((found) => found.length === ALIKE.length);
  apart.set(context.resources, known);
  // What failed may be refused for its values only, and works in plain ones.
  known.catch(() => apart.delete(context.resources));
  return known;
}

const ALIKE = [
  ['a1', 'A1'],
  ['\u00e9', 'e\u0301'],
] as const;

const stateOf = (owner: MethodState['owner'], handle: string, fields: MethodFields): Omit<MethodState, 'place'> => ({
  ...{ owner, handle, alive: true, fields },
  ...{ points: new Map(), gone: new Set() },
});
