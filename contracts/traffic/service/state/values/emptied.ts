/** Fields that an update empties: what they held before must not be read there afterwards. */
import type { Kind } from '../../../../fields/forms.ts';
import { isUnset } from '../../../../fields/unset.ts';
import { pointerOf } from '../../../../run/fault.ts';
import type { ClauseFinding } from '../../../tally.ts';
import { type Item, type Json, sentIn } from '../lists/item.ts';
import { isExpected } from './expected.ts';
import { holdsHidden, isEqual } from './index.ts';

/** Empty values that the contract allows, by kind; of an empty title it does not say which languages it empties. */
const EMPTY: Partial<Readonly<Record<Kind, (value: unknown) => boolean>>> = {
  text: (value) => value === '',
  countries: (value) => Array.isArray(value) && value.length === 0,
  object: (value) => value === '',
};

export interface EmptiedField {
  readonly name: string;
  readonly kind: Kind;
  /** What the item is called in a message. */
  readonly what: string;
}

/**
 * The clause that a read at `startMs` shows broken: the field has its value from before a served update that emptied it. What an
 * empty value is read as, and what a default makes of it, is open.
 */
export function emptiedFinding(
  item: Item,
  record: Json,
  startMs: number,
  { name, kind, what }: EmptiedField,
): ClauseFinding | undefined {
  const { fields, cause } = sentIn(item, name) ?? {};
  const before = item.record?.[name];
  const clause = cause?.creates === true ? undefined : cause?.field?.(name);
  if (fields === undefined || cause === undefined || clause === undefined) return undefined;
  if (EMPTY[kind]?.(fields[name]) !== true || isUnset(before) || holdsHidden(before)) return undefined;
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
