/** Operators on one value: how a service might change a value that it receives or returns. */
import type { Field, Kind } from '../locations/fields.ts';
import { isObject, type Json } from '../message.ts';

/** The context of a value for its operator. */
export interface ValueContext {
  readonly field: Field;
  readonly record: Readonly<Json>;
  /** The value of this field in the previously seen object, if any. */
  readonly other: unknown;
  /** The value of the field that follows in the contract's table. */
  readonly next: unknown;
}

export interface ValueOperator {
  readonly id: string;
  /** The kind of operator, for the figures. */
  readonly group: string;
  readonly kinds: readonly Kind[];
  /** The value in its place; `DROPPED` leaves the field out. */
  readonly change: (value: unknown, around: ValueContext) => unknown;
}

export const DROPPED = Symbol('dropped');

const TEXTS: readonly Kind[] = ['text', 'multilanguage', 'object', 'any'];
const ALL: readonly Kind[] = ['text', 'code', 'multilanguage', 'object', 'any', 'list', 'number', 'boolean'];

/** Applies a change to a text, or to every text inside an object or a list. */
function deep(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => deep(item, change));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deep(one, change)]));
  return value;
}

const text = (
  id: string,
  group: string,
  change: (text: string) => unknown,
  kinds: readonly Kind[] = TEXTS,
): ValueOperator => ({
  id,
  group,
  kinds,
  change: (value) => deep(value, change),
});

const value = (id: string, group: string, kinds: readonly Kind[], change: ValueOperator['change']): ValueOperator => ({
  id,
  group,
  kinds,
  change,
});

const cut = (length: number): ValueOperator =>
  text(`truncate-${length}`, 'truncate', (one) => [...one].slice(0, length).join(''));

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#039;'],
];
const WORDS: Readonly<Record<string, unknown>> = { null: null, true: true, false: false, undefined: '' };

/** Like decoders that skip a percent sign without an escape. */
const percentDecoded = (one: string): string =>
  one.replaceAll(/(%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'));

const EMPTY: Readonly<Record<Kind, unknown>> = {
  text: '',
  code: '',
  multilanguage: '',
  object: {},
  any: '',
  list: [],
  number: 0,
  boolean: false,
};

/** Larger numbers change in a service that stores 32 bits. */
const wrapped = (number: number): number => (Number.isInteger(number) ? number | 0 : Math.fround(number));

const numbersIn = (one: unknown, change: (number: number) => unknown): unknown => {
  if (typeof one === 'number') return change(one);
  if (Array.isArray(one)) return one.map((item) => numbersIn(item, change));
  if (isObject(one))
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, numbersIn(inner, change)]));
  return one;
};

const inside = (one: unknown, change: (container: unknown) => unknown): unknown => {
  if (Array.isArray(one)) return change(one.map((item) => inside(item, change)));
  if (isObject(one))
    return change(Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, inside(inner, change)])));
  return one;
};

const isEmptyObject = (one: unknown): boolean => isObject(one) && Object.keys(one).length === 0;
const entriesOf = (one: unknown): [string, unknown][] => (isObject(one) ? Object.entries(one) : []);
const rotated = (one: unknown): unknown => {
  const entries = entriesOf(one);
  return Object.fromEntries(entries.map(([name], at) => [name, entries[(at + 1) % entries.length]![1]]));
};

export const VALUE_OPERATORS: readonly ValueOperator[] = [
  value('drop', 'drop', ALL, () => DROPPED),
  value('null', 'null', ALL, () => null),
  value('default', 'default', ALL, (_one, { field }) => EMPTY[field.kind]),
  ...[41, 64, 128, 255, 256, 1_024, 4_096, 65_535].map(cut),
  text('truncate-255-bytes', 'truncate', (one) =>
    Buffer.from(one)
      .subarray(0, 255)
      .toString('utf8')
      .replace(/\uFFFD+$/, ''),
  ),
  text('trim', 'trim', (one) => one.trim()),
  text('trim-end', 'trim', (one) => one.trimEnd()),
  text('collapse-spaces', 'trim', (one) => one.replaceAll(/ {2,}/g, ' ')),
  text('nfc', 'normalise', (one) => one.normalize('NFC')),
  text('nfd', 'normalise', (one) => one.normalize('NFD')),
  text('nfkc', 'normalise', (one) => one.normalize('NFKC')),
  text('crlf-to-lf', 'normalise', (one) => one.replaceAll('\r\n', '\n')),
  text('cr-to-lf', 'normalise', (one) => one.replaceAll(/\r(?!\n)/g, '\n')),
  text('lf-to-crlf', 'normalise', (one) => one.replaceAll(/\r?\n/g, '\r\n')),
  text('tab-to-space', 'normalise', (one) => one.replaceAll('\t', ' ')),
  text('no-control-characters', 'normalise', (one) => one.replaceAll(/[\r\n\t]/g, '')),
  text('no-4-byte-characters', 'normalise', (one) => one.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
  text('question-marks', 'normalise', (one) => one.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '????')),
  text('latin-1', 'normalise', (one) => one.replaceAll(/[^\x00-\xff]/gu, '?')),
  text('ascii', 'normalise', (one) => one.replaceAll(/[^\x00-\x7f]/gu, '?')),
  text('lower-case', 'fold case', (one) => one.toLowerCase()),
  text('upper-case', 'fold case', (one) => one.toUpperCase()),
  text('first-upper-case', 'fold case', (one) => one.slice(0, 1).toUpperCase() + one.slice(1)),
  text('escape-entities', 'escape or unescape', (one) =>
    ENTITIES.reduce((done, [plain, entity]) => done.replaceAll(plain, entity), one),
  ),
  text('unescape-entities', 'escape or unescape', (one) =>
    [...ENTITIES].reverse().reduce((done, [plain, entity]) => done.replaceAll(entity, plain), one),
  ),
  text('escape-quotes', 'escape or unescape', (one) => one.replaceAll(/['"\\]/g, '\\$&')),
  text('unescape-backslashes', 'escape or unescape', (one) => one.replaceAll(/\\(.)/gs, '$1')),
  text('decode-percent', 'escape or unescape', percentDecoded),
  text('encode-percent', 'escape or unescape', (one) => encodeURIComponent(one)),
  text('plus-to-space', 'escape or unescape', (one) => one.replaceAll('+', ' ')),
  text('strip-tags', 'escape or unescape', (one) => one.replaceAll(/<[^>]*>/g, '')),
  text('expand-dollar', 'escape or unescape', (one) => one.replaceAll(/\$[\w&]+/g, '')),
  text('strip-leading-zeros', 'change the type', (one) => one.replace(/^0+(?=\d)/, '')),
  text('digits-to-number', 'change the type', (one) => (/^\d{1,15}$/.test(one) ? Number(one) : one)),
  text('exponent-to-digits', 'change the type', (one) => (/^\d+e\d+$/i.test(one) ? String(Number(one)) : one)),
  text('words-to-values', 'change the type', (one) => (Object.hasOwn(WORDS, one) ? WORDS[one] : one)),
  value('number-to-text', 'change the type', ['number', 'object', 'any'], (one) => numbersIn(one, String)),
  value('number-to-float', 'change the type', ['number'], (one) => (typeof one === 'number' ? one + 0.5 : one)),
  value('32-bits', 'change the type', ['number', 'object', 'any'], (one) => numbersIn(one, wrapped)),
  value('whole-numbers', 'change the type', ['object', 'any'], (one) => numbersIn(one, Math.trunc)),
  value('float-digits', 'change the type', ['object', 'any'], (one) =>
    numbersIn(one, (number) => Number(number.toPrecision(6))),
  ),
  value('boolean-to-number', 'change the type', ['boolean'], Number),
  value('boolean-to-text', 'change the type', ['boolean'], String),
  value('flip', 'change the value', ['boolean'], (one) => one !== true),
  value('one-more', 'change the value', ['number'], (one) => Number(one) + 1),
  value('empty-object-to-list', 'change the type', ['object', 'any'], (one) =>
    inside(one, (inner) => (isEmptyObject(inner) ? [] : inner)),
  ),
  value('empty-list-to-object', 'change the type', ['object', 'any', 'list'], (one) =>
    inside(one, (inner) => (Array.isArray(inner) && inner.length === 0 ? {} : inner)),
  ),
  value('list-to-object', 'change the type', ['list', 'object', 'any'], (one) =>
    inside(one, (inner) => (Array.isArray(inner) ? { ...inner } : inner)),
  ),
  value('list-to-text', 'change the type', ['list'], (one) => (Array.isArray(one) ? one.join(',') : one)),
  value('object-to-text', 'change the type', ['object', 'any', 'multilanguage'], (one) =>
    isObject(one) ? JSON.stringify(one) : one,
  ),
  value('text-to-object', 'change the type', ['any'], (one) => (typeof one === 'string' ? parsedOr(one) : one)),
  value('sorted-names', 'change the type', ['object', 'any'], (one) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  ),
  value('from-next-field', 'copy from a neighbour', ALL, (one, { next }) => (next === undefined ? one : next)),
  value('from-other-object', 'copy from a neighbour', ALL, (one, { other }) => (other === undefined ? one : other)),
  value('languages-rotated', 'copy from a neighbour', ['multilanguage'], (one) => (isObject(one) ? rotated(one) : one)),
  value('one-text-for-all-languages', 'copy from a neighbour', ['multilanguage'], (one) =>
    isObject(one) ? Object.fromEntries(Object.keys(one).map((name) => [name, Object.values(one)[0]])) : one,
  ),
  value('last-language-lost', 'apply to one fewer', ['multilanguage', 'object'], (one) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).slice(0, -1)) : one,
  ),
  value('only-first-language', 'apply to one fewer', ['multilanguage'], (one) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).slice(0, 1)) : one,
  ),
  value('last-element-lost', 'apply to one fewer', ['list'], (one) => (Array.isArray(one) ? one.slice(0, -1) : one)),
  value('only-first-element', 'apply to one fewer', ['list'], (one) => (Array.isArray(one) ? one.slice(0, 1) : one)),
  value('last-element-twice', 'apply to one more', ['list'], (one) =>
    Array.isArray(one) ? [...one, ...one.slice(-1)] : one,
  ),
  value('another-element', 'apply to one more', ['list'], (one) => (Array.isArray(one) ? [...one, 'LT'] : one)),
  value('reversed', 'change the value', ['list'], (one) => (Array.isArray(one) ? [...one].reverse() : one)),
  value('another-value', 'change the value', ['text', 'code', 'any'], (one) =>
    typeof one === 'string' ? `${one}x` : one,
  ),
];

function parsedOr(one: string): unknown {
  try {
    return JSON.parse(one);
  } catch {
    return one;
  }
}
