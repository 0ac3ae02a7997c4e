/**
 * Values that no client set on a new item, and that clients set on another one: on an item that had its id before, or on the one that
 * was created just before it. A default of the service may be equal by chance, so only values count that differ from
 * item to item.
 */
import type { Kind } from '../../../../fields/forms.ts';
import { isUnset } from '../../../../fields/unset.ts';
import { isJsonObject } from '../../../../json/object.ts';
import { pointerOf } from '../../../../json/pointer.ts';
import type { ClauseFinding } from '../../../tally.ts';
import { areWordsApart, holdsHidden, isEqual } from '../values/index.ts';
import { creationOf, type Item, type Json, sentIn } from './item.ts';

export interface InheritedFields {
  readonly what: string;
  readonly fields: Readonly<Record<string, Kind>>;
}

/** Country codes are few, and a service may know the city of a postal code and the reverse. */
const OWN_OF_AN_ITEM: ReadonlySet<string> = new Set(['title', 'address', 'reference', 'print_label_url', 'attributes']);

const NONE: readonly ClauseFinding[] = [];

/** Shorter texts may be equal by chance. */
const MIN_TEXT_CHARS = 4;

/** What a field of a record shows of another item. */
export function inheritedFindings(
  item: Item,
  record: Json,
  name: string,
  { what, fields }: InheritedFields,
): readonly ClauseFinding[] {
  if ((item.former === undefined && item.neighbour === undefined) || !OWN_OF_AN_ITEM.has(name)) return NONE;
  const made = creationOf(item);
  const clause = made?.cause.item;
  if (made === undefined || clause === undefined || item.mayBeOlder) return NONE;
  for (const [others, is] of [
    [item.former, `a former ${what} with the same id`],
    [item.neighbour, `another ${what}`],
  ] as const) {
    const found = others && inheritedOf(item, record, { name, others, isText: fields[name] === 'multilanguage' });
    if (found === undefined) continue;
    const { cause } = made;
    const message = `${name} of the ${what} ${JSON.stringify(item.id)}, which ${cause.name} (exchange ${cause.n}) made without it, is that of ${is}`;
    return [[clause, { message, pointer: pointerOf(name), expected: 'no value of another item', actual: found }]];
  }
  return NONE;
}

interface Sought {
  readonly name: string;
  /** What clients sent for the other item. */
  readonly others: Json;
  readonly isText: boolean;
}

/** The value that was inherited. */
function inheritedOf(item: Item, record: Json, { name, others, isText }: Sought): unknown {
  const [read, other] = [record[name], others[name]];
  const sent = sentIn(item, name)?.fields[name];
  if (isText && isJsonObject(sent) && isJsonObject(read) && isJsonObject(other)) {
    const inherited = Object.keys(read).find(
      (language) => !Object.hasOwn(sent, language) && isInherited(read[language], other[language], item),
    );
    return inherited === undefined ? undefined : read[inherited];
  }
  if (isText && typeof sent === 'string' && sent !== '' && isJsonObject(read) && isJsonObject(other))
    return Object.values(read).find((text) => Object.values(other).some((one) => isInherited(text, one, item)));
  const hasOwn = (item.sent ?? []).some(({ fields }) => !isUnset(fields[name]));
  if (hasOwn) return undefined;
  if (!isText || !isJsonObject(read)) return isInherited(read, other, item) ? read : undefined;
  const texts = isJsonObject(other) ? Object.values(other) : [other];
  return Object.values(read).find((text) => texts.some((one) => isInherited(text, one, item)));
}

/** Compared with all values that were sent for the item itself. */
function isInherited(read: unknown, other: unknown, { sent }: Item): boolean {
  if (isUnset(read) || !isEqual(read, other) || holdsHidden(read)) return false;
  if (isJsonObject(read)) return Object.keys(read).length > 0;
  const ownValues = (sent ?? []).flatMap(({ fields }) => Object.values(fields));
  return typeof read === 'string' && read.length >= MIN_TEXT_CHARS && areWordsApart(read, ownValues);
}
