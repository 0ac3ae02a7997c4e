/**
 * The search for a counterexample: how many runs and requests it has, the smallest case that failed so far, and its report with
 * steps, commands for a shell and the command line that repeats it.
 */
import fc from 'fast-check';
import type { PropertyCase } from '../../contracts/run/events.ts';
import type { Context } from '../check/context.ts';
import { summary } from '../check/expect.ts';
import { AssertionFailure, type Evidence, GivenFailure, Inconclusive, Skipped } from '../check/failures.ts';
import { quote, scriptOf } from '../evidence/curl.ts';
import { cutRedacted } from '../evidence/cut.ts';
import type { PropertyVector, RunInfo } from '../resources/run-info.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { inJson, vectorsOf } from './vectors.ts';

/** Requests that making one counterexample smaller may cost, beside those that found it. */
export const SHRINKING_REQUESTS = 1_500;
/** Requests that leaving out commands one by one, and trying simpler ones, may cost after that. */
const SHORTENING_REQUESTS = 3_000;
/** Requests after which a kept case takes no further step: where each item has a page of its own, long lists cost very many. */
const KEPT_CASE_REQUESTS = 3_000;
/** A case that a gateway responded in is tried so many times more; the third accident in a row is hardly one. */
const MAX_REPEATS = 2;
/** Longer accounts of a counterexample are cut in the reason; the steps are whole in `expected`. */
const SHOWN_CHARACTERS = 240;

/** How much more than its search a counterexample may cost to be made smaller, where requests are limited. */
const LIMITED_SHRINKING = 2;

/** Role of requests that only look at what came of the case: of these the commands for a shell have the last one. */
export const INSPECTION = 'look';

const OFF = 'properties are off: turn them on with --runs N';

/** One run of a property, with a context of its own: what it makes is gone when it ends. */
export interface PropertyRun {
  readonly context: Context;
  /** Says what the run is about to do, for the report; without it the generated values are shown. */
  step(words: string): void;
  /** Runs a case in which a refusal decides nothing, such as that of an owner whose limits are not known. */
  unlessRefused(body: () => Promise<void>): Promise<void>;
}

/** States that properties are on, before something is read or changed for them. */
export function givenProperties({ checkId, resources }: Context): void {
  const { run } = resources;
  if (runsOf(run) === 0 && vectorsOf(run, checkId).length === 0) throw new Skipped(OFF);
}

/** A counterexample that is repeated is run once, also where properties are off otherwise. */
const runsOf = ({ propertyRuns, replay }: RunInfo): number => (replay === undefined ? propertyRuns : 1);

interface Sent {
  readonly response: ServiceResponse;
  readonly role: string;
}

interface Found {
  readonly failure: AssertionFailure;
  readonly steps: readonly string[];
  readonly sent: readonly Sent[];
  /** Whether a gateway responded for the target within the case. */
  readonly wasAway: boolean;
}

interface Counterexample {
  /** The generated values. */
  readonly shown?: unknown;
  readonly replayPath?: string;
  /** What an explanation found, instead of the failure's own. */
  readonly clauses?: readonly string[];
  /** The case as `--promote` writes it down. */
  readonly kept?: PropertyCase;
  /** The vector that it was read from. */
  readonly vector?: PropertyVector;
}

/** The search for a counterexample of one property: its runs, its budget, and the smallest case so far. */
export class Search {
  readonly #context: Context;
  readonly #runs: number;
  readonly #most: number;
  /** Requests of the property where they are limited. */
  readonly #limit: number | undefined;
  /** Requests of the run at which the kept case that is being tried takes no further step. */
  #caseEnd = Number.POSITIVE_INFINITY;
  #startedAt: number;
  #path: string | undefined;
  /** The smallest case so far: fast-check only shrinks what fails, so that the last one that failed is it. */
  #found: Found | undefined;
  #foundAt = 0;
  #shrinking: number;
  #ran = 0;
  /** Cases that were kept from other runs. */
  readonly vectors: readonly PropertyVector[];
  /** The last refusal that ended a case and decided nothing. */
  #refusal: GivenFailure | undefined;
  /** What ended the property before its time, other than a counterexample. */
  #ended: { readonly thrown: unknown } | undefined;

  constructor(context: Context, requestsPerRun: number) {
    const { run, client } = context.resources;
    this.#context = context;
    givenProperties(context);
    this.#runs = runsOf(run);
    this.vectors = vectorsOf(run, context.checkId);
    this.#limit = run.propertyRequests;
    const most = Math.min(requestsPerRun * this.#runs, this.#limit ?? Number.POSITIVE_INFINITY);
    this.#most = run.replay === undefined ? most : Number.POSITIVE_INFINITY;
    this.#shrinking = this.#shrinkingOf(SHRINKING_REQUESTS);
    this.#startedAt = client.requests;
    context.seed = run.seed;
  }

  /** Whether the kept cases were all that was asked. Throws where none of them has a meaning on this target, or each was refused. */
  isDone(): boolean {
    if (this.#runs > 0) return false;
    if (this.#context.expect.asserted === 0) throw this.#refusal ?? new Skipped(OFF);
    return true;
  }

  /** Tries a case that was kept. `shorten` makes one that fails smaller: it may have been written down to cover much. */
  async vector(
    vector: PropertyVector,
    body: (run: PropertyRun) => Promise<void>,
    {
      explain = () => undefined,
      shorten,
    }: {
      readonly explain?: (own: Context) => Promise<readonly string[] | undefined> | undefined;
      readonly shorten?: () => Promise<PropertyCase>;
    } = {},
  ): Promise<void> {
    this.#caseEnd = this.#requests + KEPT_CASE_REQUESTS;
    const isBroken = await isFailing(() => this.#once(body));
    this.#caseEnd = Number.POSITIVE_INFINITY;
    if (isBroken) {
      const kept = (await shorten?.()) ?? vector.case;
      const clauses = await this.look(explain);
      this.end({ vector, kept, ...(clauses === undefined ? {} : { clauses }) });
    }
    this.#passOverRefused();
    if (this.#ended !== undefined) throw this.#ended.thrown;
  }

  /** A service may refuse what a kept case needs, such as six methods, and take what other cases need. */
  #passOverRefused(): void {
    const thrown = this.#ended?.thrown;
    if (!(thrown instanceof GivenFailure) || thrown.shows !== 'refusal') return;
    this.#refusal = thrown;
    this.#ended = undefined;
  }

  /** One run. Without a budget it passes at once, which ends both searching and shrinking. */
  async run(body: (run: PropertyRun) => Promise<void>, failed?: () => void): Promise<void> {
    if (this.#isOver()) return;
    await this.#once(body, failed);
  }

  /**
   * Tries a case, and again where it fails and a gateway responded within it: whether the target carried out such a call, and what
   * has to follow, is not known. A fault shows each time, also one of a service that refuses with the statuses of gateways.
   */
  async #once(body: (run: PropertyRun) => Promise<void>, failed?: () => void): Promise<void> {
    this.#ran += 1;
    let found = await this.#attempt(body);
    for (let repeat = 0; found?.wasAway === true && repeat < MAX_REPEATS; repeat += 1) {
      const again = await this.#attempt(body, true);
      if (again === undefined && this.#found === undefined) this.#ended ??= { thrown: awayWithin(found.failure) };
      found = again;
    }
    if (found === undefined) return;
    if (this.#found === undefined) this.#foundAt = this.#requests;
    this.#found = found;
    failed?.();
    throw found.failure;
  }

  /** One attempt at a case; returns how it failed. The budget ends no repeated one: cut short, it would count as one that holds. */
  async #attempt(body: (run: PropertyRun) => Promise<void>, isRepeated = false): Promise<Found | undefined> {
    const steps: string[] = [];
    const sent: Sent[] = [];
    const context = this.#context.fork((response, role) => sent.push({ response, role }));
    try {
      const step = (words: string): void => {
        if (!isRepeated && this.#isSpent(context)) throw new BudgetSpent();
        steps.push(words);
      };
      await body({ context, step, unlessRefused: (some) => this.#unlessRefused(some) });
    } catch (thrown) {
      if (thrown instanceof AssertionFailure) return { failure: thrown, steps, sent, wasAway: context.wasAway };
      // A smaller case that can't be decided is not a counterexample; anything but that ends the search.
      const isEnd = this.#found === undefined || !(thrown instanceof GivenFailure);
      if (isEnd && !(thrown instanceof BudgetSpent)) this.#ended = { thrown };
    } finally {
      await context.cleanUp();
      this.#context.adopt(context);
    }
    return undefined;
  }

  async #unlessRefused(body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (thrown) {
      if (!(thrown instanceof GivenFailure) || thrown.shows !== 'refusal') throw thrown;
      this.#refusal = thrown;
    }
  }

  async check<Values>(property: fc.IAsyncProperty<Values>): Promise<fc.RunDetails<Values>> {
    const { seed, replay } = this.#context.resources.run;
    // The vectors cost nothing of what may be searched with.
    this.#startedAt = this.#requests;
    try {
      const details = await fc.check(property, {
        seed,
        numRuns: this.#runs,
        ...(replay === undefined ? {} : { path: replay.path, endOnFailure: true }),
      });
      this.#path = details.counterexamplePath ?? undefined;
      return details;
    } catch (error) {
      if (replay === undefined) throw error;
      throw new Inconclusive(
        `--replay ${replay.path} is not a path of this property (${(error as Error).message}): give --seed and --only as they were printed with it`,
        'configuration',
      );
    }
  }

  /**
   * Leaves out whatever is not needed for a failure, from the end to the beginning, and puts simpler things in the place of
   * what is: fast-check never leaves out the last command, since it takes that for the one that failed.
   */
  async shortened<T>(
    all: readonly T[],
    simpler: ((one: T) => readonly T[]) | undefined,
    body: (some: readonly T[], run: PropertyRun) => Promise<void>,
  ): Promise<readonly T[]> {
    this.#foundAt = this.#requests;
    this.#shrinking = this.#shrinkingOf(SHORTENING_REQUESTS);
    let shortest = all;
    const take = async (candidate: readonly T[]): Promise<boolean> => {
      const fails = await isFailing(() => this.run((run) => body(candidate, run)));
      if (fails) shortest = candidate;
      return fails;
    };
    // Halves and quarters first: most steps of a long case are not needed, and each try costs a run.
    for (let size = Math.floor(all.length / 2); size > 1; size = Math.floor(size / 2))
      for (let at = shortest.length - size; at >= 0; at -= size) await take(shortest.toSpliced(at, size));
    for (let at = shortest.length - 1; at >= 0; at -= 1) {
      if (await take(shortest.toSpliced(at, 1))) continue;
      for (let candidates = simpler?.(shortest[at]!) ?? []; candidates.length > 0; ) {
        const [candidate, ...others] = candidates;
        const isTaken = await take(shortest.with(at, candidate!));
        candidates = isTaken ? (simpler?.(candidate!) ?? []) : others;
      }
    }
    return shortest;
  }

  /** A look at the counterexample that is not a run: what it sends is not shown with it. */
  async look<T>(body: (context: Context) => Promise<T> | undefined): Promise<T | undefined> {
    const context = this.#context.fork(() => undefined);
    try {
      return await body(context);
    } finally {
      await context.cleanUp();
      this.#context.adopt(context);
    }
  }

  /** Throws what was found, or what ended the search. */
  end(counterexample: Counterexample): void {
    if (this.#found !== undefined) {
      // Its case was repeated where that could make a difference: the check as a whole need not be.
      this.#context.wasAway = false;
      throw this.#report(this.#found, counterexample);
    }
    if (this.#ended !== undefined) throw this.#ended.thrown;
    const { expect, choices, clauses } = this.#context;
    const refusal = choices.proven();
    if (refusal !== undefined) {
      const { message, clause, response } = refusal;
      const why = 'it was refused, although each part of it was accepted in other calls, or the same call later';
      const evidence = {
        expected: 'a successful response',
        actual: summary(response),
        response,
        clauses: [clause],
      };
      throw new AssertionFailure(`${message}: ${why}`, evidence);
    }
    if (expect.asserted === 0 && choices.refusals > 0)
      throw new GivenFailure(
        'the target refuses every value that the property tried, so nothing can be judged',
        clauses[0] ?? this.#context.checkId,
        {},
        'refusal',
      );
    if (expect.asserted === 0 && this.#refusal !== undefined) throw this.#refusal;
    if (expect.asserted === 0 && this.#context.wasAway)
      throw new Inconclusive('a gateway answered in place of the target, so nothing was judged: run again', 'network');
  }

  get #requests(): number {
    return this.#context.resources.client.requests;
  }

  #shrinkingOf(usual: number): number {
    return Math.min(usual, (this.#limit ?? Number.POSITIVE_INFINITY) * LIMITED_SHRINKING);
  }

  /** Whether a sequence ends before its next step: where requests are limited, one that is begun can cost too many. */
  #isSpent({ expect }: Context): boolean {
    if (this.#found !== undefined || expect.asserted === 0) return false;
    if (this.#requests >= this.#caseEnd) return true;
    return this.#limit !== undefined && this.#requests - this.#startedAt >= this.#most;
  }

  #isOver(): boolean {
    if (this.#ended !== undefined) return true;
    // Where a counterexample that is repeated holds, fast-check would go on to its neighbours.
    if (this.#found === undefined && this.#context.resources.run.replay !== undefined && this.#ran > 0) return true;
    return this.#found === undefined
      ? this.#requests - this.#startedAt >= this.#most
      : this.#requests - this.#foundAt >= this.#shrinking;
  }

  #report(
    { failure, steps, sent }: Found,
    { shown, replayPath, clauses, kept, vector }: Counterexample,
  ): AssertionFailure {
    const context = this.#context;
    if (vector === undefined)
      context.replay = [this.#path ?? '', ...(replayPath === undefined ? [] : [replayPath])].join('@');
    context.counterexample = inJson(kept);
    // The report shows the one case that counts, not the hundreds that led to it.
    context.exchanges.splice(0, context.exchanges.length, ...sent.map(({ response }) => response.exchange));
    const found: unknown = steps.length > 0 ? steps : (shown ?? kept);
    const words = steps.length > 0 ? steps.join(', ') : shown === undefined ? '' : fc.stringify(shown);
    const { expected, actual } = failure.evidence;
    const evidence: Evidence = {
      ...failure.evidence,
      ...(clauses === undefined ? {} : { clauses }),
      // The same case on both sides, so that what differs is what was found.
      expected: { with: found, result: expected ?? null },
      actual: { with: found, result: actual ?? null },
      response: failure.evidence.response ?? sent.at(-1)?.response,
      curl: scriptOf(
        sent.filter(({ role }, at) => role !== INSPECTION || at === sent.length - 1).map(({ response }) => response),
        context.resources.redaction,
      ),
    };
    const message = `${failure.message}. To repeat it: ${command(context, vector)} (${cutRedacted(words || 'nothing more', SHOWN_CHARACTERS, context.resources.redaction.text)})`;
    return new AssertionFailure(message, evidence);
  }
}

/** Ends a sequence whose property has used its requests; what was compared so far counts. */
class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

const awayWithin = ({ message }: AssertionFailure): Inconclusive =>
  new Inconclusive(`the target was away in the middle of a sequence (${message}): run again`, 'network');

async function isFailing(body: () => Promise<void>): Promise<boolean> {
  try {
    await body();
    return false;
  } catch (thrown) {
    if (thrown instanceof AssertionFailure) return true;
    throw thrown;
  }
}

/** The command line that runs exactly the counterexample again. */
function command({ checkId, resources, seed, replay }: Context, vector?: PropertyVector): string {
  const { target } = resources.run;
  const words = ['run', ...(target === undefined ? [] : ['--target', target]), '--only', checkId];
  const once =
    vector === undefined
      ? ['--seed', String(seed), '--replay', String(replay)]
      : ['--vectors', vector.file, '--runs', '0'];
  const all = [...words, ...once];
  return `proofmark ${all.map((word) => (/^[\w.,:=@/-]+$/.test(word) ? word : quote(word))).join(' ')}`;
}
