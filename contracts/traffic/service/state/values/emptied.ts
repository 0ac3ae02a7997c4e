/** Fields that an update empties: what they held before must not be read there afterwards. */
import { isUnset } from '../../../../fields/unset.ts';
import { pointerOf } from '../../../../json/pointer.ts';
import type { ClauseFinding } from '../../../tally.ts';
import { type Item, type Json, sentIn } from '../lists/item.ts';
import { isExpected } from './expected.ts';
import { areWordsApart, holdsHidden, isEqual } from './index.ts';

/**
 * Fields in whose place no service puts a default that a client had happened to set: a city or countries may be those of the store. Of
 * an empty title the contract does not say which languages it empties.
 */
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(['address', 'attributes', 'reference']);

/** Shorter texts may be equal by chance. */
const MIN_TEXT_CHARS = 4;

export interface EmptiedField {
  readonly name: string;
  /** What the item is called in a message. */
  readonly what: string;
}

/**
 * The clause that a read at `startMs` shows broken: the field has the value that a client had set, from before a served update that
 * emptied it. What an empty value is read as, and what a default makes of it, is open.
 */
export function emptiedFinding(
  item: Item,
  record: Json,
  startMs: number,
  { name, what }: EmptiedField,
): ClauseFinding | undefined {
  const { fields, cause } = sentIn(item, name) ?? {};
  const before = item.record?.[name];
  const clause = cause?.creates === true ? undefined : cause?.field?.(name);
  if (fields === undefined || cause === undefined || clause === undefined) return undefined;
  if (!WITHOUT_DEFAULT.has(name) || fields[name] !== '' || !isOwn(item, name, before)) return undefined;
  if (cause.endMs < item.readMs || item.readStep >= item.writeStep) return undefined;
  if (!isEqual(record[name], before) || !isExpected(cause.endMs, startMs)) return undefined;
  return [
    clause,
    {
      message: `${name} of the ${what} ${JSON.stringify(item.id)} has its old value after ${cause.name} (exchange ${cause.n}) emptied it`,
      pointer: pointerOf(name),
      expected: fields[name],
      actual: before,
    },
  ];
}

/** Whether a client had set the value, and no service could have come to it by the other fields. */
function isOwn({ sent = [] }: Item, name: string, value: unknown): boolean {
  if (isUnset(value) || holdsHidden(value) || !sent.some(({ fields }) => isEqual(fields[name], value))) return false;
  const others = sent.flatMap(({ fields }) =>
    Object.keys(fields).flatMap((one) => (one === name ? [] : [fields[one]])),
  );
  return typeof value !== 'string' || (value.length >= MIN_TEXT_CHARS && areWordsApart(value, others));
}
