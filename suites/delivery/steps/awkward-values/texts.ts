/** Texts of every kind that some service changes: alphabets, escapes, spaces, words and lengths. */
import { type ServiceRequest, withEscapes } from '../../../../harness/target/client/request.ts';
import { AWKWARD_TEXT, EMOJI_TEXT, NUMERIC_TEXT, UNTIDY_TEXT } from '../values.ts';

/** Just beyond the lengths at which columns usually end, with a character at the end that shows a cut. */
const LENGTHS: readonly number[] = [41, 64, 128, 255, 256, 1_024, 4_096, 65_535];
const longerThan = (length: number): string => `${'n'.repeat(length)}!`;

type Texts = Readonly<Record<string, string>>;

/** The name of the text that is sent with escapes in place of its letters (`writtenAs`). */
const ESCAPED = 'escapes';

/** What a service changes as a whole: a text that says something else to some language, or that is tidied. */
const WHOLE_TEXTS: Texts = {
  plain: 'Station Square',
  untidy: UNTIDY_TEXT,
  digits: NUMERIC_TEXT,
  number: '42',
  // Some languages take it for nothing.
  zero: '0',
  exponent: '1e5',
  'spaces-at-both-ends': ' both ends ',
  'lower-case': 'all lower',
  'upper-case': 'ALL UPPER',
  null: 'null',
  true: 'true',
  undefined: 'undefined',
  [ESCAPED]: 'Ķīpsala/東京 🚚',
};

const LETTERS: Texts = {
  awkward: AWKWARD_TEXT,
  emoji: EMOJI_TEXT,
  'composed-letter': 'caf\u00e9',
  'decomposed-letter': 'cafe\u0301',
  'compatibility-letters': '\ufb01rst \u2460 \uff21',
  'mixed-case': 'McDonald iPhone',
  'latin-letters': 'Žagarė Łódź',
  'other-letters': '東京 עברית',
};

const SIGNS: Texts = {
  'carriage-return-and-line-feed': 'one\r\ntwo',
  'carriage-return': 'one\rtwo',
  'line-feed': 'one\ntwo',
  tab: 'one\ttwo',
  entities: '&amp; &lt;b&gt; &quot;x&quot; &#039;',
  tags: 'a <b>bold</b> <br> c < d > e',
  quotes: `"double" 'single' \`back\``,
  backslashes: 'C:\\new\\table \\" \\\\',
  percent: '100%41 %20 %C3%A9',
  plus: 'a+b + c',
  dollar: '$1 $& $name \\1',
  // Signs without a shape, which tidying drops: a space that joins, one of no width, a soft hyphen, an end of line of JavaScript.
  'invisible-signs': 'a\u00a0b\u200bc\u00add\u2028e\u200df',
};

const LONG_TEXTS: Texts = Object.fromEntries(LENGTHS.map((length) => [`longer-than-${length}`, longerThan(length)]));

/** A text, and the texts that prove the same one by one. */
interface TextOfMany {
  readonly name: string;
  readonly text: string;
  readonly parts: readonly (readonly [name: string, text: string])[];
}

const joined = (name: string, parts: Texts): TextOfMany => ({
  name,
  text: Object.values(parts).join(' | '),
  parts: Object.entries(parts),
});

/** The plainest first. What a service keeps of the longest one it keeps of the shorter ones. */
const TEXTS: readonly TextOfMany[] = [
  ...Object.entries(WHOLE_TEXTS).map(([name, text]) => ({ name, text, parts: [] })),
  joined('letters', LETTERS),
  joined('signs', SIGNS),
  { name: 'longest', text: Object.values(LONG_TEXTS).at(-1) ?? '', parts: Object.entries(LONG_TEXTS).slice(0, -1) },
];

/** The call that sends the text of this name: one of them is written with escapes, which say the same in JSON. */
export const writtenAs = (name: string, call: ServiceRequest): ServiceRequest =>
  name === ESCAPED ? withEscapes(call) : call;

/**
 * Has every text tried, many of them in one where that is taken and each alone where it is not. `take` tries a text and returns
 * whether it was taken. Returns how many were.
 */
export async function eachText(take: (name: string, text: string) => Promise<boolean>): Promise<number> {
  let taken = 0;
  for (const { name, text, parts } of TEXTS) {
    if (await take(name, text)) taken += 1;
    else for (const [partName, part] of parts) if (await take(partName, part)) taken += 1;
  }
  return taken;
}
