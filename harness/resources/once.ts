/**
 * What is too expensive to create for each check (an order and its label request, an installation): created once in a process, by the
 * first check that needs it, so that each check can run alone and in any order.
 */
import type { Steps } from '../browser/steps/step-recorder.ts';
import type { Context } from '../check/context.ts';
import { AssertionFailure, GivenFailure, Inconclusive } from '../check/failures.ts';
import type { RefusedCallsSummary } from '../plain/refused-calls.ts';
import { NoResponse } from '../target/client/no-response.ts';
import { Unsendable } from '../target/client/unsendable.ts';
import type { Resources } from './resources.ts';

interface Made {
  readonly value: Promise<unknown>;
  /** The exchanges that created it; they belong to every check that uses it. */
  exchanges: readonly number[];
  /** The refused calls of its creation. */
  refused: RefusedCallsSummary | undefined;
  /** The browser steps of the check that created it; they belong to every check that uses it, too. */
  readonly steps: Steps | undefined;
  /** Whether its creation may be tried again, because the connection was lost or the target was away. */
  isLost: boolean;
}

const made = new WeakMap<Resources, Map<string, Made>>();

/**
 * The value that `make` returned when it was first called under this name. An error that it threw is thrown again for every check,
 * except after a lost connection or while the target was away: then it is tried once more. Checks that run again in plain values
 * share among themselves. Name the key in `shares` of the checks, so that they run in one worker. Use `givenForAll` for what has to
 * outlast the check.
 */
export async function once<T>(context: Context, name: string, make: () => Promise<T>): Promise<T> {
  const key = context.variation === undefined ? name : `${name}, ${context.variation}`;
  const of = made.get(context.resources) ?? new Map<string, Made>();
  made.set(context.resources, of);
  const known = of.get(key);
  if (known !== undefined && !known.isLost) {
    if (known.refused !== undefined) context.refused.adopt(known.refused);
    context.resources.steps?.restOn(known.steps);
    for (const exchange of known.exchanges) if (!context.exchanges.includes(exchange)) context.exchanges.push(exchange);
    return known.value as Promise<T>;
  }
  const before = context.exchanges.length;
  const { current: steps } = context.resources.steps ?? {};
  const entry: Made = {
    ...{ value: make(), exchanges: [], isLost: false, steps, refused: undefined },
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
    entry.refused = context.refused.summary();
  }
}

/**
 * Keeps a value under this name as if the check had asked for it by `once`: it came by it while it did something else. Not if the target
 * was away meanwhile.
 */
export function keepForAll(context: Context, name: string, value: unknown): void {
  if (!context.mayShare || context.wasAway) return;
  const of = made.get(context.resources) ?? new Map<string, Made>();
  made.set(context.resources, of);
  if (of.has(name)) return;
  const { current: steps } = context.resources.steps ?? {};
  const refused = context.refused.summary();
  of.set(name, { value: Promise.resolve(value), exchanges: [...context.exchanges], steps, refused, isLost: false });
}

/** What another check of this process has kept under this name, with its exchanges; undefined where a check has to find it out itself. */
export async function keptForAll<T>(context: Context, name: string): Promise<T | undefined> {
  const known = made.get(context.resources)?.get(name);
  if (known === undefined || context.explains) return undefined;
  return once(context, name, () => known.value as Promise<T>);
}

/** Errors that leave a check undecided or fail it, and are not errors of the harness; `Unsendable`: an id that no request can contain. */
const UNDECIDED = [GivenFailure, AssertionFailure, Inconclusive, Unsendable];

/** What is shared; undefined if it could not be created or read: the check then creates what it needs itself. */
export async function unlessUndecided<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (UNDECIDED.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
