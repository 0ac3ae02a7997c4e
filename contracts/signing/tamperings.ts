/**
 * Changes to a signed request: those that a receiver must notice, and the one that it can't.
 *
 * Only a change of the *signed bytes* is tampering. The message is a bare concatenation of values, so a renamed field, a field
 * added or removed with an empty value, equal values that changed places and bytes moved between neighbours leave it as it was.
 */
import { type Fields, SIGNATURE_FIELD, signedFields } from './message.ts';

/** One change to a field list; the fields keep the old signature, which is wrong then. */
export interface Tampering {
  /** Unique within a list; reads as the end of "a request with …". */
  readonly name: string;
  readonly fields: Fields;
}

/** A value that no field of a request has by chance. */
const ADDED_VALUE = 'tampered';

/**
 * Every single change of the signed bytes: each value changed in one character, in case, lengthened, emptied, removed; empty
 * values filled, also with a space; unequal neighbours exchanged; a field added at the front and at the end; all fields in reverse order.
 * Each differs from the original also after a browser has turned its line breaks into CR LF and after the receiver has joined
 * the values, so a receiver that accepts one did not verify what it received.
 *
 * @param fields the request as signed, `signature` included in its place
 * @example tamperings([['a', '1'], ['signature', '…']]).map(({ name }) => name)
 * // ['"a" changed in one character', '"a" lengthened by one character', '"a" emptied', '"a" removed', …]
 */
export function tamperings(fields: Fields): Tampering[] {
  const original = transmittedMessage(fields);
  const found = new Map<string, Tampering>();
  const add = (name: string, changed: Fields) => {
    if (transmittedMessage(changed) !== original) found.set(name, { name, fields: changed });
  };
  const signed = [...fields.keys()].filter((i) => fields[i]![0] !== SIGNATURE_FIELD);
  for (const i of signed) {
    const [name, value] = fields[i]!;
    const label = labelOf(fields, i);
    const replaced = (text: string): Fields => fields.map((field, k) => (k === i ? [name, text] : field));
    if (value === '') {
      add(`${label} filled`, replaced(ADDED_VALUE));
      add(`${label} filled with a space`, replaced(' '));
      continue;
    }
    add(`${label} changed in one character`, replaced(withLastCharacterChanged(value)));
    add(`${label} changed in the case of a letter`, replaced(withCaseChanged(value)));
    add(`${label} lengthened by one character`, replaced(`${value}0`));
    add(`${label} followed by a space`, replaced(`${value} `));
    add(`${label} emptied`, replaced(''));
    add(
      `${label} removed`,
      fields.filter((_, k) => k !== i),
    );
  }
  for (const [n, i] of signed.entries()) {
    const k = signed[n + 1];
    if (k === undefined) break;
    const swapped = fields.map((field, at) => (at === i ? fields[k]! : at === k ? fields[i]! : field));
    add(`${labelOf(fields, i)} and ${labelOf(fields, k)} in the other order`, swapped);
    const exchanged = fields.map(([name, value], at): readonly [string, string] =>
      at === i ? [name, fields[k]![1]] : at === k ? [name, fields[i]![1]] : [name, value],
    );
    add(`the values of ${labelOf(fields, i)} and ${labelOf(fields, k)} exchanged`, exchanged);
  }
  add('all fields in reverse order', fields.toReversed());
  add('a field added at the front', [['added', ADDED_VALUE], ...fields]);
  add('a field added at the end', [...fields, ['added', ADDED_VALUE]]);
  return [...found.values()];
}

/**
 * The known weakness of the scheme: another field list with the same message, made by moving the last character of one value
 * to the front of the next. It carries a right signature; a receiver can't notice, and must not be blamed.
 *
 * @returns undefined when there is nothing to move (fewer than two signed fields, or only the last one has a value)
 * @example boundaryShift([['id', '12'], ['url', '3']]) // [['id', '1'], ['url', '23']]
 */
export function boundaryShift(fields: Fields): Fields | undefined {
  const signed = [...fields.keys()].filter((i) => fields[i]![0] !== SIGNATURE_FIELD);
  for (const [n, i] of signed.entries()) {
    const k = signed[n + 1];
    if (k === undefined) return undefined;
    const value = fields[i]![1];
    const moved = lastCharacter(value);
    if (moved === '' || splitsLineBreak(moved, fields[k]![1])) continue;
    return fields.map(([name, text], at): readonly [string, string] => {
      if (at === i) return [name, value.slice(0, value.length - moved.length)];
      return at === k ? [name, moved + text] : [name, text];
    });
  }
  return undefined;
}

/** The message as it is after transport through a browser's form, which turns every line break into CR LF. */
function transmittedMessage(fields: Fields): string {
  return signedFields(fields)
    .map(([, value]) => value.replace(/\r\n|\r|\n/g, '\r\n'))
    .join('');
}

/** The last character of a text: a whole code point, CR LF as one, since half of either would not survive transport. */
function lastCharacter(text: string): string {
  if (text.endsWith('\r\n')) return '\r\n';
  return [...text].at(-1) ?? '';
}

function splitsLineBreak(moved: string, next: string): boolean {
  return /[\r\n]/.test(moved + next.charAt(0));
}

function withLastCharacterChanged(text: string): string {
  const last = lastCharacter(text);
  const changed = /[0-8]/.test(last) ? String(Number(last) + 1) : last === '9' ? '0' : last === 'x' ? 'y' : 'x';
  return text.slice(0, text.length - last.length) + changed;
}

function withCaseChanged(text: string): string {
  const at = text.search(/[A-Za-z]/);
  if (at < 0) return text;
  const letter = text.charAt(at);
  const changed = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return text.slice(0, at) + changed + text.slice(at + 1);
}

function labelOf(fields: Fields, index: number): string {
  const name = fields[index]![0];
  const before = fields.slice(0, index).filter(([other]) => other === name).length;
  return before === 0 ? `"${name}"` : `"${name}" (${before + 1})`;
}
