/**
 * Ids of records as texts of digits. The contract says integer and names no size: one of 64 bits loses its last digits as a
 * number of JavaScript, is another id when it is sent back, and can't be told from its neighbours.
 */

/** The digits of an integer, as JSON writes it. */
export type RecordId = string;

/** An integer of so many digits may be too large; looked for where a value can begin. */
const MAY_LOSE_DIGITS = /[\s[:,]-?\d{16}/;
const INTEGER = /^-?\d+$/;

/** By object of a parsed text: the digits of the integers that JavaScript can't hold, by name. */
const digitsOf = new WeakMap<object, Map<string, RecordId>>();

interface Source {
  readonly source?: string;
}

/** The value of a JSON text, as `JSON.parse` returns it; `recordId` finds all digits of its integers. Throws a SyntaxError. */
export function parseRecords(text: string): unknown {
  if (!MAY_LOSE_DIGITS.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown);
  } catch {
    // The depth at which calling a function for each value exhausts the stack is less than that of a text without one.
    return JSON.parse(text);
  }
}

function keepDigits(this: object, name: string, value: unknown, { source = '' }: Source = {}): unknown {
  if (typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(source)) {
    const digits = digitsOf.get(this) ?? new Map<string, RecordId>();
    digitsOf.set(this, digits.set(name, source));
  }
  return value;
}

/**
 * The id in a member of a record; `undefined` where it is not an integer. Digits in a text are an id as well: whether they may be a
 * text is another question.
 *
 * @example recordId({ domainID: 7 }, 'domainID') // '7'
 */
export function recordId(record: Readonly<Record<string, unknown>>, name: string): RecordId | undefined {
  const value = record[name];
  const text = digitsOf.get(record)?.get(name) ?? (isNumberOrText(value) ? String(value) : '');
  return INTEGER.test(text) ? text : undefined;
}

const isNumberOrText = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string';

/** An id for a JSON text that `JSON.stringify` writes: a number, or the text where a number would lose digits. */
export const storableId = (id: RecordId): number | RecordId => (Number.isSafeInteger(Number(id)) ? Number(id) : id);
