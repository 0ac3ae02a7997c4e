/** Fields that the service sets itself: what a client sends in them must not be read there afterwards. */
import { isUnset } from '../../../../fields/unset.ts';
import { pointerOf } from '../../../../json/pointer.ts';
import { inWords } from '../../../../json/words.ts';
import type { ClauseFinding } from '../../../tally.ts';
import { type Item, type Json, sentIn } from '../lists/item.ts';
import { isExpected } from './expected.ts';
import { areWordsApart, isEqual } from './index.ts';

export interface ReadOnlyFields {
  /** What the item is called in a message. */
  readonly what: string;
  /** The clause that a field's change breaks. */
  readonly readOnly: Readonly<Record<string, string>>;
}

/** The clauses that a read at `startMs` shows broken: `record` has a value that a write sent since the read before. */
export function readOnlyFindings(
  item: Item,
  record: Json,
  startMs: number,
  { readOnly, what }: ReadOnlyFields,
): ClauseFinding[] {
  const found: ClauseFinding[] = [];
  if (item.sent === undefined) return found;
  for (const [name, clause] of Object.entries(readOnly)) {
    const { fields, cause } = sentIn(item, name) ?? {};
    const before = item.record?.[name];
    if (fields === undefined || cause === undefined || cause.endMs < item.readMs) continue;
    // Before an update that was not read, the value may have been the same.
    if (item.record === undefined && (cause.creates !== true || item.mayBeOlder)) continue;
    if (!isExpected(cause.endMs, startMs) || record[name] !== fields[name] || isEqual(before, fields[name])) continue;
    if (!isUnrelated(name, fields)) continue;
    found.push([
      clause,
      {
        message: `the ${name} that ${cause.name} (exchange ${cause.n}) sent is now the ${name} of the ${what} ${JSON.stringify(item.id)}`,
        pointer: pointerOf(name),
        expected: before ?? inWords(before),
        actual: fields[name],
      },
    ]);
  }
  return found;
}

/** Whether a service that derives the value of a field from other fields could not have come to the value that was sent for it. */
function isUnrelated(field: string, sent: Json): boolean {
  const value = sent[field];
  if (typeof value !== 'string' || isUnset(value)) return false;
  return areWordsApart(
    value,
    Object.keys(sent).flatMap((name) => (name === field ? [] : [sent[name]])),
  );
}
