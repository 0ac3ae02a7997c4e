/**
 * Portions of a batch replace (spec: Endpoints, "Batch replace rules"; Limits): at most 100 items a call, `is_initialization`
 * true on the first portion only, `is_finalization` true on the last only, ids unique within the delivery method.
 */

import { isJsonObject } from '../json/object.ts';
import { pointerOf } from '../json/pointer.ts';
import { inWords } from '../json/words.ts';
import type { Fault, FaultLevel } from '../run/fault.ts';

/** The limit of the contract, in items per call. */
export const MAX_PORTION_ITEMS = 100;

export interface Portion<T> {
  readonly items: readonly T[];
  readonly is_initialization: boolean;
  readonly is_finalization: boolean;
}

/**
 * Splits a list into portions with the correct flags. An empty list is one empty portion that starts and finishes the list.
 *
 * @param size items per portion, a positive integer
 * @throws RangeError for any other size
 * @example portionsOf(['a', 'b', 'c'], 2)
 * // [{ items: ['a', 'b'], is_initialization: true, is_finalization: false },
 * //  { items: ['c'], is_initialization: false, is_finalization: true }]
 */
export function portionsOf<T>(items: readonly T[], size: number = MAX_PORTION_ITEMS): Portion<T>[] {
  if (!Number.isInteger(size) || size < 1)
    throw new RangeError(`A portion contains a positive whole number of items, not ${size}.`);
  const count = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: count }, (_, i) => ({
    items: items.slice(i * size, (i + 1) * size),
    is_initialization: i === 0,
    is_finalization: i === count - 1,
  }));
}

/** A portion as received for one delivery method: omitted flags are true. */
export interface ReceivedPortion {
  readonly items: readonly unknown[];
  readonly is_initialization?: unknown;
  readonly is_finalization?: unknown;
}

/**
 * The faults of the portions that a client sent for one delivery method, in the order in which they arrived. Pointers lead
 * into the received array (`/2/items/7/id`). Several complete lists may follow one another.
 *
 * Whether the last list was finished is judged too, so call it when the client is done. Starting again before a list was
 * finished is a SHOULD: clients do it to recover from an error, and the unfinished list is lost.
 *
 * @example judgePortions([{ items: [{ id: 'a' }], is_finalization: false }])
 * // [{ rule: 'portions.finalization-missing', pointer: '/0/is_finalization', … }]
 */
export function judgePortions(received: readonly ReceivedPortion[]): Fault[] {
  const faults: Fault[] = [];
  const add = (rule: string, level: FaultLevel, message: string, pointer: string, expected: unknown, actual: unknown) =>
    faults.push({ rule: `portions.${rule}`, level, message, pointer, expected, actual });
  let open: Map<string, number> | undefined;
  for (const [n, portion] of received.entries()) {
    for (const flag of ['is_initialization', 'is_finalization'] as const) {
      const value = portion[flag];
      if (value === undefined || typeof value === 'boolean') continue;
      const message = `The flag \`${flag}\` of portion ${n + 1} is ${inWords(value)}; it must be true or false.`;
      add('flag-is-boolean', 'MUST', message, pointerOf(n, flag), 'boolean', value);
    }
    const initializes = portion.is_initialization !== false;
    const finalizes = portion.is_finalization !== false;
    if (initializes && open !== undefined) {
      const message = `Portion ${n + 1} starts a new list before the current one was finished; \`is_initialization\` is true on the first portion only.`;
      add('initialization-on-first-only', 'SHOULD', message, pointerOf(n, 'is_initialization'), false, true);
    }
    if (!initializes && open === undefined) {
      const message = `Portion ${n + 1} continues a list that was not started; \`is_initialization\` is true on the first portion.`;
      add('initialization-missing', 'MUST', message, pointerOf(n, 'is_initialization'), true, false);
    }
    if (portion.items.length > MAX_PORTION_ITEMS) {
      const message = `Portion ${n + 1} has ${portion.items.length} items; at most ${MAX_PORTION_ITEMS} are allowed in a call.`;
      add('at-most-100', 'MUST', message, pointerOf(n, 'items'), MAX_PORTION_ITEMS, portion.items.length);
    }
    if (initializes || open === undefined) open = new Map();
    for (const [i, item] of portion.items.entries()) {
      const id = isJsonObject(item) ? item.id : undefined;
      if (typeof id !== 'string') continue;
      const before = open.get(id);
      if (before !== undefined) {
        const message = `The id ${JSON.stringify(id)} in portion ${n + 1} was already in portion ${before + 1}; ids are unique within a delivery method.`;
        add('ids-unique', 'MUST', message, pointerOf(n, 'items', i, 'id'), 'a unique id', id);
      }
      open.set(id, before ?? n);
    }
    if (finalizes) open = undefined;
  }
  if (open !== undefined) {
    const message =
      'The last list was never finished: no portion with `is_finalization` true followed, so the list is not published.';
    add('finalization-missing', 'MUST', message, pointerOf(received.length - 1, 'is_finalization'), true, false);
  }
  return faults;
}
