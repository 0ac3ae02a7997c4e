/**
 * What is too dear to be made for each check (an order and its label request, an installation): made once in a process,
 * for whichever check asks first, so that each check runs alone and in any order.
 */
import type { Context } from '../check/context.ts';
import type { Resources } from './resources.ts';

interface Made {
  readonly value: Promise<unknown>;
  /** The exchanges of its making; they belong to every check that rests on it. */
  exchanges: readonly number[];
}

const made = new WeakMap<Resources, Map<string, Made>>();

/**
 * The value that `make` gave when it was first asked for under this key. What `make` threw then is thrown again for every
 * check: a precondition that failed has failed for all of them, and is not waited for twice.
 */
export async function once<T>(context: Context, key: string, make: () => Promise<T>): Promise<T> {
  const of = made.get(context.resources) ?? new Map<string, Made>();
  made.set(context.resources, of);
  const known = of.get(key);
  if (known !== undefined) {
    for (const exchange of known.exchanges) if (!context.exchanges.includes(exchange)) context.exchanges.push(exchange);
    return known.value as Promise<T>;
  }
  const before = context.exchanges.length;
  const entry: Made = { value: make(), exchanges: [] };
  of.set(key, entry);
  try {
    return (await entry.value) as T;
  } finally {
    entry.exchanges = context.exchanges.slice(before);
  }
}
