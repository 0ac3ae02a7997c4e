/**
 * Texts for properties. Plain ones every service takes; of the others it may refuse any, but what it takes it keeps as it
 * was sent (design: "What was sent comes back equal, as JSON values").
 */
import fc from 'fast-check';
import { LateArbitrary } from './late-arbitrary.ts';

/** Letters of several scripts, digits and signs that occur in names and addresses: nothing to trim, to escape or to refuse. */
const PLAIN_UNITS = [...'abzAZ059āķŽłßéЖיκ東'];

export const plainText: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...PLAIN_UNITS),
  minLength: 1,
  maxLength: 12,
});

/** What a careless path of storage changes: escapes, quotes, markup, line breaks, spaces at the ends, digits, format signs. */
const AWKWARD_PIECES = [
  '"',
  "'",
  '\\',
  '\\n',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '  ',
  '&amp;',
  '<b>',
  '</script>',
  '%',
  '%41',
  '+',
  '$1',
  '{0}',
  '007',
  'null',
  'é',
  'e\u0301',
  '🚚',
  '👩‍💻',
  '\u00a0',
  '\u202e',
];

const awkwardText: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(fc.constantFrom(...AWKWARD_PIECES), fc.constantFrom(...PLAIN_UNITS)),
  minLength: 1,
  maxLength: 12,
});

/** Texts that a careless reader takes for something else: for JSON, a number, a truth, nothing, or for white space around them. */
const likeSomethingElse: fc.Arbitrary<string> = fc.constantFrom(
  'true',
  'null',
  '0',
  '1.50',
  '007',
  '1e5',
  '12345678901234567890',
  '"quoted"',
  '[1,2]',
  '{"a":1}',
  ' before',
  'after ',
  '\nlines\n',
  'a\\"b\\\\c',
  'a&amp;b%20c+d',
  "it''s $& $1",
);

/** Any printable text of any script. Made late: the table of all characters costs each process of a run 80 ms and 16 MB. */
const anyScript: fc.Arbitrary<string> = new LateArbitrary(() =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
);
/** Up to a length that a column of 255 characters can't hold. */
const longText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('x', 'ž', '東', 'a b '), fc.integer({ min: 200, max: 600 }))
  .map(([piece, characters]) => `${piece.repeat(characters).slice(0, characters - 1)}.`);

/** Not empty, and more than white space: an empty text says nothing, and what a blank one says is open. */
export const anyText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 3, arbitrary: awkwardText },
    { weight: 2, arbitrary: plainText },
    { weight: 2, arbitrary: anyScript },
    { weight: 2, arbitrary: likeSomethingElse },
    { weight: 1, arbitrary: longText },
  )
  .filter((text) => text.trim() !== '');

/** Whether no service has a reason to refuse a text. */
export function isPlain(text: string): boolean {
  return text.length <= 12 && text !== '' && [...text].every((character) => PLAIN_UNITS.includes(character));
}
