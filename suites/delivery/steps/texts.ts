/** Texts of every kind that some service changes: alphabets, escapes, spaces, words and lengths. */
import { AWKWARD_TEXT, EMOJI_TEXT, NUMERIC_TEXT, UNTIDY_TEXT } from './values.ts';

/** Just beyond the lengths at which columns usually end, with a character at the end that shows a cut. */
const LENGTHS: readonly number[] = [41, 64, 128, 255, 256, 1_024, 4_096, 65_535];
const longerThan = (length: number): string => `${'n'.repeat(length)}!`;

/** Texts by name, the plainest first; each is one that some service changes. */
export const TEXTS: Readonly<Record<string, string>> = {
  plain: 'Station Square',
  awkward: AWKWARD_TEXT,
  emoji: EMOJI_TEXT,
  untidy: UNTIDY_TEXT,
  digits: NUMERIC_TEXT,
  number: '42',
  exponent: '1e5',
  'spaces-at-both-ends': ' both ends ',
  'composed-letter': 'caf\u00e9',
  'decomposed-letter': 'cafe\u0301',
  'compatibility-letters': '\ufb01rst \u2460 \uff21',
  'carriage-return-and-line-feed': 'one\r\ntwo',
  'carriage-return': 'one\rtwo',
  'line-feed': 'one\ntwo',
  tab: 'one\ttwo',
  'mixed-case': 'McDonald iPhone',
  'lower-case': 'all lower',
  'upper-case': 'ALL UPPER',
  entities: '&amp; &lt;b&gt; &quot;x&quot; &#039;',
  tags: 'a <b>bold</b> <br> c < d > e',
  quotes: `"double" 'single' \`back\``,
  backslashes: 'C:\\new\\table \\" \\\\',
  percent: '100%41 %20 %C3%A9',
  plus: 'a+b + c',
  dollar: '$1 $& $name \\1',
  null: 'null',
  true: 'true',
  undefined: 'undefined',
  'latin-letters': 'Žagarė Łódź',
  'other-letters': '東京 עברית',
  ...Object.fromEntries(LENGTHS.map((length) => [`longer-than-${length}`, longerThan(length)])),
};
