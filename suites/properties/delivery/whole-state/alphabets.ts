/**
 * Values of which every service takes the plain ones, and may refuse any other: what it takes it keeps as it was sent. None of them
 * carries the run's mark, so that nothing in front or behind shields a value; only a long reference has it in front.
 */
import fc from 'fast-check';

/** Texts used alone: what a careless path of storage folds, trims, escapes, unescapes or takes for something else. */
const ALONE = [
  ...['Straße', 'STRASSE', 'i', 'I', 'İ', 'ǅ'],
  ...['Rīga', 'Ri\u0304ga', '\u212b', '\ufb01n'],
  ...['🚚', '𠮷野家', '👩‍💻'],
  ...['line\nline', 'line\r\nline', '\tTab', ' before', 'after ', 'nul\u0000x', 'two  spaces', '\u00a0x', 'x\u200by'],
  ...['&amp;', '&#39;', '<b>x</b>', '</script>', '"', "it's", '\\', '\\n', '\\u0041', 'a\\"b'],
  ...['$1', '$&', '%41', '%', '+', 'a+b', '{0}', '{{x}}', '#{x}', "';--"],
  ...['007', '0', '-1', '1.50', '1e3', '12345678901234567890', '0x1F', '²'],
  ...['null', 'true', 'false', 'undefined', 'NaN', 'None', '[]', '{}', 'a,b', 'a;b', 'a|b', '=1+1'],
] as const;

/** Texts with much of it at once, in capitals as well: what changes a part of a text changes these. */
const MIXED = [
  'Ķīp "Ri\u0304ga" & \'Co\' &amp; <b>x</b> \\n $1 100% %41 a+b {0}',
  'Łódź & Centrs; \u212b 東京 🚚 \\u0041 <1> 007 #{x}',
] as const;

/** Lengths just beyond those that columns and fields of forms usually hold. */
const LENGTHS = [41, 51, 65, 101, 129, 256, 257, 1_025, 4_097, 65_535] as const;
const PIECES = ['x', 'ž', '東', 'a b'] as const;

/** A text of a length that no piece of it betrays: its last character is another one. */
const long = fc
  .tuple(fc.constantFrom(...PIECES), fc.constantFrom(...LENGTHS))
  .map(([piece, length]) => `${piece.repeat(length).slice(0, length - 1)}.`);

const PLAIN = ['Centrs', 'Tallinn', 'Street 1', 'LV-1050', '01015'] as const;

/** Whether no service has a reason to refuse a text, or an id. */
export const isPlainText = (text: string | undefined): boolean => PLAIN.some((plain) => plain === text);
export const isPlainId = (id: string): boolean => PLAIN_IDS.some((plain) => plain === id || id.endsWith(` ${plain}`));

/** A text, the plain ones often enough that something is always taken. */
export const textArbitrary: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 4, arbitrary: fc.constantFrom(...ALONE) },
  { weight: 2, arbitrary: fc.constantFrom(...MIXED) },
  { weight: 1, arbitrary: long },
);

/** Ids that are each other's neighbours: a beginning, another letter case, another form of the same letter, a number. */
const PLAIN_IDS = ['a1', 'a10', '1', '01'] as const;
export const IDS = [
  'a1',
  'A1',
  'a10',
  '1',
  '01',
  '001',
  'null',
  'true',
  'é',
  'e\u0301',
  '🚚1',
  "o'b",
  'x y',
  'R&D <1>',
  `${'locker-of-the-warehouse-'.repeat(5)}7`,
] as const;
export const idArbitrary: fc.Arbitrary<string> = fc.oneof(fc.constantFrom(...PLAIN_IDS), fc.constantFrom(...IDS));

/** What a service that compares without letter case, or in one form of Unicode, takes for one id. */
export const foldedId = (id: string): string => id.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Attributes with values of every kind, and keys that a careless reader takes for its own. */
export const attributes: fc.Arbitrary<Record<string, unknown>> = fc.constantFrom<Record<string, unknown>>(
  { terminal: '0017' },
  { size: { cm: [40, 60.5] }, cold: false },
  { count: 0, empty: '', none: null, list: [] },
  { '0': 'zero', '1': 'one' },
  { id: 'other', country: 'XX', 'a.b': 1, 'a b': 2 },
  { deep: { deep: { deep: ['<b>', '&amp;', 1e21, 4_294_967_297] } } },
  Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`key${at}`, `${at}`])),
);
