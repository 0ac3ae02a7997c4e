/**
 * A model of the Delivery interface: random sequences of calls on two methods of a store, and on one of a second store
 * where the profile has its key, against the target and against a plain reading of the contract. What no check lists is
 * found here: what several calls do to each other.
 */
import fc from 'fast-check';
import { type Check, check } from '../../harness/check.ts';
import type { Context } from '../../harness/context.ts';
import { forAllSequences } from '../../harness/property.ts';
import { websiteOf } from '../delivery/kit/fields.ts';
import { OWN_METHODS } from '../delivery/kit/options.ts';
import { Replace, Upload, UploadBoth } from './model/batch-commands.ts';
import { MODEL_CLAUSES } from './model/clauses.ts';
import { ChangeMethod, DeleteMethod, MakeMethod, METHOD_BASE, ReadMethod } from './model/method-commands.ts';
import { AddPoint, ChangePoint, type Command, DeletePoint, ListPoints, ReadPoint } from './model/point-commands.ts';
import { Stage } from './model/stage.ts';
import { type Model, newSlot, type Slot } from './model/state.ts';
import {
  aCountry,
  anAim,
  anId,
  aPoint,
  maybeCountry,
  methodChanges,
  oneAim,
  ownAim,
  type Points,
  pointChanges,
  pointList,
} from './model/values.ts';

/** Methods made, listed and taken away, and a dozen calls between. */
const REQUESTS_PER_RUN = 45;
const MOST_COMMANDS = 12;

/** Whether there is a second store to tell apart from the first. */
function hasTwoStores({ profile, resources, delivery }: Context): boolean {
  const other = profile.delivery?.private?.otherApiKey;
  const unusable = Object.keys(resources.run.unusable).some((key) => 'delivery.private.otherApiKey'.startsWith(key));
  return other !== undefined && !unusable && other.reveal() !== delivery.key.reveal();
}

/** Every command, the ones that meet each other most often several times. */
function commandsFor(context: Context, twoStores: boolean): fc.Arbitrary<Command>[] {
  const site = websiteOf(context);
  const isDefaultKnown = site.defaultLanguage !== undefined || site.languages.length === 1;
  const point = aPoint(site);
  const changes = pointChanges(site, isDefaultKnown);
  const [aim, one, own] = [anAim(twoStores), oneAim(twoStores), ownAim(twoStores)];
  const pageSize = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
  const add = fc.tuple(aim, anId, point).map((of): Command => new AddPoint(...of));
  const remove = fc.tuple(aim, anId).map((of): Command => new DeletePoint(...of));
  const change = fc.tuple(aim, anId, changes).map((of): Command => new ChangePoint(...of));
  const replace = maybeCountry.chain((country) =>
    fc.tuple(aim, pointList(point, country)).map(([at, points]): Command => new Replace(at, points, country)),
  );
  return [
    add,
    add,
    add,
    remove,
    remove,
    change,
    change,
    replace,
    replace,
    uploads(own, point),
    fc.tuple(portionsOf(point), portionsOf(point)).map((of): Command => new UploadBoth(...of)),
    fc.tuple(one, pageSize).map((of): Command => new ListPoints(...of)),
    fc.tuple(one, anId).map((of): Command => new ReadPoint(...of)),
    fc.tuple(one, methodChanges(site, isDefaultKnown)).map((of): Command => new ChangeMethod(...of)),
    one.map((of): Command => new ReadMethod(of)),
    one.filter(({ slots }) => slots[0] !== 'C').map((of): Command => new DeleteMethod(of)),
    fc.constantFrom('A' as const, 'B' as const).map((name): Command => new MakeMethod(name)),
  ];
}

/** A list cut in two or three, each id once. */
const portionsOf = (point: Parameters<typeof pointList>[0], country?: string): fc.Arbitrary<readonly Points[]> =>
  pointList(point, country, 2).chain((points) =>
    fc.integer({ min: 1, max: points.size - 1 }).map((at) => {
      const pairs = [...points];
      return [new Map(pairs.slice(0, at)), new Map(pairs.slice(at))];
    }),
  );

const uploads = (own: ReturnType<typeof ownAim>, point: Parameters<typeof pointList>[0]): fc.Arbitrary<Command> =>
  fc
    .option(aCountry, { nil: undefined, freq: 2 })
    .chain((country) =>
      fc
        .tuple(
          own,
          portionsOf(point, country),
          fc.option(pointList(point, country, 1), { nil: undefined, freq: 3 }),
          fc.boolean(),
        )
        .map(([aim, portions, abandoned, looks]): Command => new Upload(aim, portions, { country, abandoned, looks })),
    );

export const checks: readonly Check[] = [
  check(
    'properties.delivery-model',
    'MUST behave like the model of Delivery in any sequence of calls',
    { ...OWN_METHODS, clauses: MODEL_CLAUSES },
    (context) => {
      const twoStores = hasTwoStores(context);
      const options = { requestsPerRun: REQUESTS_PER_RUN, maxCommands: MOST_COMMANDS };
      return forAllSequences(context, options, commandsFor(context, twoStores), async (run, play) => {
        const stage = new Stage(run, {
          own: run.context.delivery,
          other: twoStores ? run.context.otherDelivery : undefined,
        });
        const slots: Slot[] = [];
        for (const name of ['A', 'B'] as const)
          slots.push(newSlot(name, 'own', await stage.make({ name, owner: 'own' }, METHOD_BASE)));
        if (twoStores) {
          // The languages of the second store are not known: a plain string is the one text that it must take.
          const title = `Proofmark courier ${run.context.resources.newMark()}`;
          const fields = await stage.make({ name: 'C', owner: 'other' }, { ...METHOD_BASE, title });
          const { title: _, ...known } = fields;
          slots.push(newSlot('C', 'other', known));
        }
        const model: Model = { slots };
        await play(model, stage);
        for (const slot of slots.filter(({ alive }) => alive)) {
          if (slot.methodWrite !== undefined) await stage.compareMethod(slot);
          if (slot.writes.length > 0) await stage.compareList(slot);
        }
      });
    },
  ),
];
