/**
 * What is too dear to be made for each check (an order and its label request, an installation): made once in a process,
 * for whichever check asks first, so that each check runs alone and in any order.
 */
import type { Steps } from '../browser/steps/step-recorder.ts';
import type { Context } from '../check/context.ts';
import { AssertionFailure, GivenFailure, Inconclusive } from '../check/failures.ts';
import { NoResponse } from '../target/client/no-response.ts';
import { Unsendable } from '../target/client/unsendable.ts';
import type { Resources } from './resources.ts';

interface Made {
  readonly value: Promise<unknown>;
  /** The exchanges of its making; they belong to every check that rests on it. */
  exchanges: readonly number[];
  /** Whether a call of its making was refused that a plainer one can be sent for, one that asks for less, or one with codes. */
  sentOwnValues: boolean;
  sentMoreThanMinimum: boolean;
  sentCodes: boolean;
  /** The browser steps of the check that made it; they belong to every check that rests on it, too. */
  readonly steps: Steps | undefined;
  /** Whether its making may be tried again: a connection that was lost once is not lost for all checks. */
  isLost: boolean;
}

const made = new WeakMap<Resources, Map<string, Made>>();

/**
 * The value that `make` gave when it was first asked for under this key. What `make` threw then is thrown again for every
 * check: a precondition that failed has failed for all of them, and is not waited for twice, but for a connection that was lost
 * while it was made, or a target that was away, which is tried once more. A check that runs again in plain
 * values shares with others that do. Name the key in `shares` of the checks, so that they run in one worker. Use `givenForAll` for
 * what has to outlast the check.
 */
export async function once<T>(context: Context, name: string, make: () => Promise<T>): Promise<T> {
  const key = context.variation === undefined ? name : `${name}, ${context.variation}`;
  const of = made.get(context.resources) ?? new Map<string, Made>();
  made.set(context.resources, of);
  const known = of.get(key);
  if (known !== undefined && !known.isLost) {
    context.sentOwnValues ||= known.sentOwnValues;
    context.sentMoreThanMinimum ||= known.sentMoreThanMinimum;
    context.sentCodes ||= known.sentCodes;
    context.resources.steps?.restOn(known.steps);
    for (const exchange of known.exchanges) if (!context.exchanges.includes(exchange)) context.exchanges.push(exchange);
    return known.value as Promise<T>;
  }
  const before = context.exchanges.length;
  const { current: steps } = context.resources.steps ?? {};
  const entry: Made = {
    ...{ value: make(), exchanges: [], isLost: false, steps },
    ...{ sentOwnValues: false, sentMoreThanMinimum: false, sentCodes: false },
  };
  of.set(key, entry);
  try {
    const value = (await entry.value) as T;
    entry.isLost = known === undefined && context.wasAway;
    return value;
  } catch (error) {
    const isAway = context.wasAway || (error instanceof Inconclusive && error.attribution === 'network');
    entry.isLost = known === undefined && ((error instanceof NoResponse && error.isLost) || isAway);
    throw error;
  } finally {
    entry.exchanges = context.exchanges.slice(before);
    entry.sentOwnValues = context.sentOwnValues;
    entry.sentMoreThanMinimum = context.sentMoreThanMinimum;
    entry.sentCodes = context.sentCodes;
  }
}

/** What leaves a check undecided, or fails it, without being an error of the harness: also an id that no request can carry. */
const UNDECIDED = [GivenFailure, AssertionFailure, Inconclusive, Unsendable];

/** What is shared, or undefined if something stays undecided: a check then makes what it needs itself. */
export async function unlessUndecided<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (UNDECIDED.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
