/**
 * A model of the Delivery interface: random sequences of calls on two methods of a store, and on one of a second store
 * where the profile has its key, against the target and against a plain reading of the contract. What no check lists is
 * found here: what several calls do to each other.
 */
import fc from 'fast-check';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { forAllSequences } from '../../../harness/property/index.ts';
import { websiteOf } from '../../delivery/steps/fields.ts';
import { OWN_METHODS } from '../../delivery/steps/options.ts';
import { clausesFound } from '../steps/failure-attribution.ts';
import { hasTwoStores } from '../steps/stores.ts';
import { Replace, Stock, Upload, UploadBoth } from './batch-commands.ts';
import { MODEL_CLAUSES } from './clauses.ts';
import { commandFormat } from './format.ts';
import { ChangeMethod, DeleteMethod, MakeMethod, ReadMethod } from './method-commands.ts';
import {
  AddPoint,
  ChangePoint,
  type Command,
  DeletePoint,
  ListPoints,
  OnExistingPoint,
  ReadPoint,
} from './point-commands.ts';
import { simplerCommands } from './simpler-clauses.ts';
import { type Fields, type Model, newSlot, type Slot, slotOf } from './state.ts';
import { type SystemOptions, SystemUnderTest } from './system-under-test.ts';
import {
  type CallTarget,
  callTargetArbitrary,
  foreignAim,
  IDS,
  idArbitrary,
  maybeCountry,
  methodChanges,
  ownAim,
  type Points,
  pointArbitrary,
  pointChanges,
  pointList,
  singleCallTargetArbitrary,
  stockAim,
  wholeList,
} from './values.ts';

/** Methods made, listed and taken away, and the calls between. */
const REQUESTS_PER_RUN = 60;
const MAX_COMMANDS = 36;

/** Every command, the ones that meet each other most often several times. */
function commandsFor(context: Context, twoStores: boolean): fc.Arbitrary<Command>[] {
  const site = websiteOf(context);
  const point = pointArbitrary(site);
  const changes = pointChanges(site);
  const [aim, one, own] = [callTargetArbitrary(twoStores), singleCallTargetArbitrary(twoStores), ownAim(twoStores)];
  const pageSize = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
  const add = fc.tuple(aim, idArbitrary, point).map((of): Command => new AddPoint(...of));
  const remove = fc.tuple(aim, idArbitrary).map((of): Command => new DeletePoint(...of));
  const change = fc.tuple(aim, idArbitrary, changes).map((of): Command => new ChangePoint(...of));
  const nth = fc.nat({ max: 2 });
  const removePresent = fc
    .tuple(aim, nth)
    .map(([of, n]): Command => new OnExistingPoint(of, n, (id) => new DeletePoint(of, id)));
  const changePresent = fc
    .tuple(aim, nth, changes)
    .map(([of, n, fields]): Command => new OnExistingPoint(of, n, (id) => new ChangePoint(of, id, fields)));
  const replace = maybeCountry.chain((country) =>
    fc.tuple(aim, pointList(point, country)).map(([at, points]): Command => new Replace(at, points, country)),
  );
  const alter = fc.tuple(one, methodChanges(site)).map((of): Command => new ChangeMethod(...of));
  // Whatever is changed or taken away has to be there first, in every method that a call names.
  const stock = fc.tuple(stockAim, wholeList(point)).map(([at, points]): Command => new Stock(at, points));
  const first: CallTarget = { by: 'own', slots: ['A'] };
  const alterFirst = methodChanges(site).map((fields): Command => new ChangeMethod(first, fields));
  // Once the first method is gone, most calls come to nothing.
  const lesser = one.filter(({ by, slots: [name] }) => by === 'other' || name !== 'A');
  const make = fc.constantFrom('A' as const, 'B' as const, 'C' as const).map((name): Command => new MakeMethod(name));
  const read = fc.tuple(one, idArbitrary).map((of): Command => new ReadPoint(...of));
  return [
    add,
    add,
    add,
    add,
    remove,
    removePresent,
    removePresent,
    removePresent,
    removePresent,
    change,
    changePresent,
    changePresent,
    changePresent,
    changePresent,
    stock,
    stock,
    stock,
    stock,
    replace,
    uploads(own, point),
    uploads(own, point),
    ...(twoStores ? [intrusions(point)] : []),
    fc.tuple(portionsOf(point), portionsOf(point)).map((of): Command => new UploadBoth(...of)),
    fc.tuple(one, pageSize).map((of): Command => new ListPoints(...of)),
    read,
    read,
    alter,
    alter,
    alterFirst,
    alterFirst,
    one.map((of): Command => new ReadMethod(of)),
    lesser.map((of): Command => new DeleteMethod(of)),
    make,
    make,
  ];
}

/** A list cut in two or three, each id once. */
const portionsOf = (point: fc.Arbitrary<Fields>, country?: string): fc.Arbitrary<readonly Points[]> =>
  pointList(point, country, 2).chain((points) => {
    const pairs = [...points];
    const places = pairs.map((_, at) => at).slice(1);
    return fc
      .subarray(places, { minLength: 1 })
      .map((cuts) => [0, ...cuts].map((start, at) => new Map(pairs.slice(start, cuts[at]))));
  });

/** Calls for methods of the other store, whatever they are: each of them has to come to nothing. */
function intrusions(point: fc.Arbitrary<Fields>): fc.Arbitrary<Command> {
  const aim = foreignAim;
  return fc.oneof(
    aim.map((at): Command => new ListPoints(at, undefined)),
    fc.tuple(aim, idArbitrary).map((of): Command => new ReadPoint(...of)),
    fc.tuple(aim, pointList(point, undefined)).map(([at, points]): Command => new Replace(at, points, undefined)),
    fc.tuple(aim, idArbitrary).map((of): Command => new DeletePoint(...of)),
    fc.tuple(aim, idArbitrary, point).map((of): Command => new ChangePoint(...of)),
  );
}

const uploads = (own: ReturnType<typeof ownAim>, point: fc.Arbitrary<Fields>): fc.Arbitrary<Command> =>
  maybeCountry.chain((country) =>
    fc
      .tuple(
        own,
        portionsOf(point, country),
        fc.option(pointList(point, country, 1), { nil: undefined, freq: 3 }),
        fc.boolean(),
      )
      .map(
        ([aim, portions, abandoned, comparesState]): Command =>
          new Upload(aim, portions, { country, abandoned, comparesState }),
      ),
  );

export const checks: readonly Check[] = [
  check(
    'properties.delivery.model',
    'MUST behave like the model of Delivery in any sequence of calls',
    { ...OWN_METHODS, clauses: MODEL_CLAUSES, additional: true },
    (context) => {
      const twoStores = hasTwoStores(context);
      return forAllSequences(
        context,
        {
          requestsPerRun: REQUESTS_PER_RUN,
          maxCommands: MAX_COMMANDS,
          commands: commandsFor(context, twoStores),
          simpler: simplerCommands,
          format: commandFormat(websiteOf(context), twoStores),
          // With a look at everything after each call: which rule was it?
          explain: (again, play) =>
            clausesFound(async () => {
              const { model, system } = await begin(again, twoStores, { step: () => undefined, comparesState: true });
              await system.compareState(model);
              await play(model, system);
            }),
        },
        async (run, play) => {
          const { model, system } = await begin(run.context, twoStores, { step: run.step, comparesState: false });
          await play(model, system);
          // Points alone before lists: a list that is asked for may repair what was wrong with them.
          await system.compareReads(slotOf(model, 'A'), IDS);
          await system.compareWritten(model);
        },
      );
    },
  ),
];

/** Makes the methods, and the model of them. */
async function begin(
  context: Context,
  twoStores: boolean,
  how: SystemOptions,
): Promise<{ model: Model; system: SystemUnderTest }> {
  const stores = { own: context.delivery, other: twoStores ? context.otherDelivery : undefined };
  const system = new SystemUnderTest(context, stores, how);
  const slots: Slot[] = [];
  for (const name of twoStores ? (['A', 'B', 'C', 'X'] as const) : (['A', 'B', 'C'] as const))
    slots.push(newSlot(name, await system.make(name)));
  return { model: { slots }, system };
}
