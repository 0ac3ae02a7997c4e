/**
 * The bridge to fast-check: a check's body over many generated values, or over sequences of commands against a model.
 * What fails is shrunk to the shortest case that still fails, and reported with its steps, with commands for a shell and
 * with the command line that repeats it. Budgets are counted in requests, never in seconds: a slow target is not judged
 * by less than a fast one.
 */
import fc from 'fast-check';
import type { PropertyCase } from '../../contracts/run/events.ts';
import type { Context } from '../check/context.ts';
import { type PropertyRun, Search } from './search.ts';
import { type CommandFormat, commandsIn, invalidVector } from './vectors.ts';

export { givenProperties, INSPECTION, type PropertyRun, SHRINKING_REQUESTS } from './search.ts';
export type { CommandFormat } from './vectors.ts';

export interface PropertyOptions {
  /** Requests that a run costs on average; all runs of a property share `requestsPerRun * runs`, and stop when that is spent. */
  readonly requestsPerRun: number;
}

export interface ValueOptions<Values> extends PropertyOptions {
  /** Whether values that were found on another target can be tried on this one; without it all can. */
  readonly fits?: (values: Values) => boolean;
  /** The place among the values of a list of steps, of which a kept case that fails is left with those that it needs. */
  readonly stepsAt?: number;
}

export type Play<Model, Real> = (model: Model, real: Real) => Promise<void>;

export interface Sequences<Model extends object, Real> extends PropertyOptions {
  readonly maxCommands: number;
  readonly commands: readonly fc.Arbitrary<fc.AsyncCommand<Model, Real>>[];
  /** Commands to try in the place of one, simplest first: what fast-check can't know of them. */
  readonly simpler?: (command: fc.AsyncCommand<Model, Real>) => readonly fc.AsyncCommand<Model, Real>[];
  /** Lets a counterexample be kept and tried first by every later run. */
  readonly format?: CommandFormat<fc.AsyncCommand<Model, Real>>;
  /** Plays the shortest sequence that failed once more, to say more exactly which clauses it breaks. */
  readonly explain?: (context: Context, play: Play<Model, Real>) => Promise<readonly string[] | undefined>;
}

type Arbitraries = readonly [fc.Arbitrary<unknown>, ...fc.Arbitrary<unknown>[]];
type ValuesOf<A extends Arbitraries> = { [K in keyof A]: A[K] extends fc.Arbitrary<infer Value> ? Value : never };

/**
 * Runs `body` with generated values: the number of runs and the seed are those of the run. An assertion that fails is the
 * counterexample and is thrown, shrunk. A failed precondition, a missing response or an error of ours ends the property as
 * it would end any check. Throws `Skipped` when properties are off.
 */
export async function forAll<const A extends Arbitraries>(
  context: Context,
  options: ValueOptions<ValuesOf<A>>,
  arbitraries: A,
  body: (run: PropertyRun, ...values: ValuesOf<A>) => Promise<void>,
): Promise<void> {
  const search = new Search(context, options.requestsPerRun);
  for (const vector of search.vectors) {
    if (!('values' in vector.case))
      throw invalidVector(vector, 'it contains commands, but the property is about values');
    const values = vector.case.values as ValuesOf<A>;
    if (options.fits?.(values) === false) continue;
    const { stepsAt } = options;
    const shorten = async (at: number): Promise<PropertyCase> => {
      const withSteps = (some: unknown): ValuesOf<A> => values.with(at, some) as unknown as ValuesOf<A>;
      const some = await search.shortened(values[at] as readonly unknown[], undefined, (steps, run) =>
        body(run, ...withSteps(steps)),
      );
      return { values: withSteps(some) };
    };
    await search.vector(
      vector,
      (run) => body(run, ...values),
      stepsAt === undefined ? {} : { shorten: () => shorten(stepsAt) },
    );
  }
  if (search.isDone()) return;
  const all = fc.tuple(...arbitraries) as unknown as fc.Arbitrary<ValuesOf<A>>;
  const property = fc.asyncProperty(all, (values) =>
    search.run(async (run) => {
      await body(run, ...values);
    }),
  );
  const { counterexample } = await search.check(property);
  const shown = counterexample?.[0];
  search.end({ shown, ...(shown === undefined ? {} : { kept: { values: shown } }) });
}

/**
 * Runs sequences of commands. `body` sets the stage, calls `play` with the model and the real thing, and looks at what came
 * of it. Otherwise as `forAll`.
 */
export async function forAllSequences<Model extends object, Real>(
  context: Context,
  options: Sequences<Model, Real>,
  body: (run: PropertyRun, play: Play<Model, Real>) => Promise<void>,
): Promise<void> {
  type Command = fc.AsyncCommand<Model, Real>;
  const search = new Search(context, options.requestsPerRun);
  const replayed = context.resources.run.replay?.replayPath;
  let executed: Command[] = [];
  const noted = (command: Command): Command => ({
    check: (model) => command.check(model),
    run: (model, real) => {
      executed.push(command);
      return command.run(model, real);
    },
    toString: () => command.toString(),
  });
  const playOf = (sequence: Iterable<Command>): Play<Model, Real> => {
    return (model, real) => fc.asyncModelRun(() => ({ model, real }), sequence);
  };
  for (const vector of search.vectors) {
    const commands = commandsIn(vector, options.format);
    if (commands === undefined) continue;
    const play = playOf(commands);
    await search.vector(vector, (run) => body(run, play), { explain: (own) => options.explain?.(own, play) });
  }
  if (search.isDone()) return;
  const sequences = fc.commands(
    options.commands.map((command) => command.map(noted)),
    {
      maxCommands: options.maxCommands,
      // Faults show in what several calls do to each other: short sequences are what shrinking is for.
      size: 'max',
      ...(replayed === undefined ? {} : { replayPath: replayed }),
    },
  );
  let failed: readonly Command[] = [];
  const property = fc.asyncProperty(sequences, async (sequence) => {
    await search.run(
      (run) => {
        executed = [];
        return body(run, playOf(sequence));
      },
      () => {
        failed = executed;
      },
    );
  });
  const { counterexample } = await search.check(property);
  if (counterexample === null) return search.end({});
  const replayPath = /replayPath="([^"]*)"/.exec(String(counterexample[0]))?.[1];
  const shortest = await search.shortened(failed, options.simpler, (commands, run) => body(run, playOf(commands)));
  const clauses = await search.look((own) => options.explain?.(own, playOf(shortest)));
  const { format } = options;
  search.end({
    ...(replayPath === undefined ? {} : { replayPath }),
    ...(clauses === undefined ? {} : { clauses }),
    ...(format === undefined ? {} : { kept: { commands: shortest.map((command) => format.write(command)) } }),
  });
}
