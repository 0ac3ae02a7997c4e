/** Texts that faulty services change: alphabets, escapes, spaces, keywords and lengths. */
import type { Context } from '../../../../harness/check/context.ts';
import { type ServiceRequest, withEscapes } from '../../../../harness/target/client/request.ts';
import { AWKWARD_TEXT, EMOJI_TEXT, LONG_SYMBOLS_TEXT, NUMERIC_TEXT, UNTIDY_TEXT } from '../values.ts';

/** Just beyond common lengths of columns, with a final character that shows truncation. */
const LENGTHS: readonly number[] = [41, 64, 128, 255, 256, 1_024, 4_096, 65_535];
const longerThan = (length: number): string => `${'n'.repeat(length)}!`;

type Texts = Readonly<Record<string, string>>;

/** The name of the text that is sent with escapes in place of its letters (`withEscapedText`). */
const ESCAPED = 'escapes';

/** Texts that are changed as a whole: keywords of some language, or texts that are normalized. */
const WHOLE_TEXTS: Texts = {
  plain: 'Station Square',
  untidy: UNTIDY_TEXT,
  digits: NUMERIC_TEXT,
  // A float loses its last digits.
  number: '90071992547409931',
  // Some languages treat it as empty.
  zero: '0',
  exponent: '1e5',
  'spaces-at-both-ends': ' both ends ',
  // In lower case as well; a reference may hold JSON of the provider's own. Its escape is one that no malformed one protects.
  json: '{"all": ["lower%21", 1]}',
  'upper-case': 'ALL UPPER',
  null: 'null',
  true: 'true',
  false: 'false',
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
  // Most of the Cyrillic and Greek letters look like Latin ones.
  'other-letters': '東京 עברית Рига Москва Αθήνα',
  'folded-letters': 'Straße/İnce/ılık',
  // With a hyphen that does not break.
  'typographic-signs': '“curly” ‘it’ – — … € ™ A\u20111',
  // A tone of skin, and a selector of the picture.
  'emoji-with-selectors': '👍🏽 ❤\ufe0f 1\ufe0f\u20e3',
  'rare-ideographs': '𠮷野家',
  // At the end of them all.
  'last-period': 'Central Station, Rīga Str.',
};

const SIGNS: Texts = {
  // At the start of them all, where it begins a formula: some services put an apostrophe in front of it.
  formula: '=1+1',
  'carriage-return-and-line-feed': 'one\r\ntwo',
  'carriage-return': 'one\rtwo',
  'line-feed': 'one\n\ntwo \nthree',
  tab: 'one\ttwo',
  entities: '&amp; &lt;b&gt; &quot;x&quot;',
  'entities-of-characters': '&#039; &#x41; &nbsp; &euro;',
  tags: 'a <b>bold</b> <br> c < d > e',
  quotes: `"double" 'single' \`back\` it''s ""`,
  backslashes: 'C:\\new\\table \\" \\\\ \\u0041 \\x41 \\0',
  percent: '100%41 %20 %C3%A9 %% %s %d',
  plus: 'a+b + c',
  dollar: '$1 $& $$ $name \\1',
  placeholders: '{0} {{x}} #{x} ${x}',
  separators: 'a, b,c; d;e: f/g//h',
  punctuation: '!?*x*^~_=(c)[y]{z}@#1 -- ... :)',
  address: 'http://proofmark.example//a/?q=1&r=2#f',
  // Of ASCII; the one with the code 0 is among the texts that a service may well refuse.
  'control-characters': 'a\u0001b\u0008c\u000bd\u000ce\u001bf\u007fg',
  // Invisible characters, which normalization drops: no-break and wide spaces, zero-width signs, a soft hyphen, a
  // mark of direction, a byte order mark, a JavaScript line separator, an embedding, an override and an isolate of direction.
  'invisible-signs':
    'a\u00a0b\u200bc\u00add\u2028e\u200df\u202fg\u3000h\u200ci\u200ej\ufeffk\u202al\u202em\u202c\u202cn\u2067o\u2069',
};

const LONG_TEXTS: Texts = Object.fromEntries(LENGTHS.map((length) => [`longer-than-${length}`, longerThan(length)]));

/** A text, and the shorter texts that prove the same one by one. */
interface TextOfMany {
  readonly name: string;
  /** For each field in turn; a single text is for all of them. */
  readonly texts: readonly string[];
  readonly parts: readonly (readonly [name: string, text: string])[];
}

const joined = (name: string, parts: Texts): TextOfMany => ({
  name,
  texts: [Object.values(parts).join(' | ')],
  parts: Object.entries(parts),
});

/**
 * What filters against scripts and statements of SQL remove, and the character that ends a text in some languages; a service may refuse
 * it as well.
 */
const FILTERED: Texts = {
  scripts: 'a <script>b()</script> <!-- c -->',
  handlers: '<i onclick="d()" style="e">f</i>',
  'addresses-of-scripts': 'g javascript:h()',
  statements: '1; drop table a; select b union c -- d',
  'null-character': 'before\u0000after',
};

/**
 * Texts that readers of spreadsheets, YAML, JSON and lists take for something else: for each field in turn, since what does this does it
 * to all fields, and a service may refuse some of them for a few.
 */
const WORDS: readonly (readonly [name: string, texts: readonly string[]])[] = [
  ['words', ['No', '2026-03-01', '"both ends"', '1.50']],
  ['other-words', ['"both ends"', 'a, b,,', '2026-03-01', '1.50']],
  ['written-values', ['24.12.2026', 'C0FFEE00-1DEA-4B1D-9C0D-A1B2C3D4E5F6', '12:30', 'NaN']],
  ['signed-words', ['http://proofmark.example/a', '+1050', '-12', '+1050']],
];

/** A text of one field for all of them, where a service refuses another one. */
const apart =
  (name: string) =>
  (text: string, at: number): readonly [name: string, text: string] => [`${name}-${at + 1}`, text];

/** The plainest first. A service that keeps the longest one keeps the shorter ones too. */
const TEXTS: readonly TextOfMany[] = [
  ...Object.entries(WHOLE_TEXTS).map(([name, text]) => ({ name, texts: [text], parts: [] })),
  ...WORDS.map(([name, texts]) => ({ name, texts, parts: [...new Set(texts)].map(apart(name)) })),
  joined('letters', LETTERS),
  joined('signs', SIGNS),
  joined('filtered', FILTERED),
  { name: 'symbols', texts: [LONG_SYMBOLS_TEXT], parts: [] },
  { name: 'longest', texts: Object.values(LONG_TEXTS).slice(-1), parts: Object.entries(LONG_TEXTS).slice(0, -1) },
];

/** The call that sends the text with this name: one of them is written with equivalent JSON escapes. */
export const withEscapedText = (name: string, call: ServiceRequest): ServiceRequest =>
  name === ESCAPED ? withEscapes(call) : call;

/** The text of a field, by the field's position. */
export type TextOfField = (field: number) => string;

const inTurn =
  (texts: readonly string[]): TextOfField =>
  (field) =>
    texts[field % texts.length] ?? '';

/** Where a text belongs. */
export interface PartOfTexts {
  /** Whether each part of it is tested alone if it is not accepted. */
  readonly hasParts: boolean;
  /** Whether it is such a part of the text before it. */
  readonly isPart: boolean;
}

/**
 * Tests every text, many of them in one if that is accepted and each alone if not. `take` tests a text and returns
 * whether it was accepted. Returns the number of accepted ones.
 */
export async function eachText(
  context: Context,
  take: (name: string, textOf: TextOfField, part: PartOfTexts) => Promise<boolean>,
): Promise<number> {
  // A stand-in for the whole would be accepted, and show nothing of parts that go out as they are.
  const isHidden = ({ texts, parts }: TextOfMany): boolean =>
    !texts.every((text) => context.sendsAsIs(text)) && parts.some(([, part]) => context.sendsAsIs(part));
  let taken = 0;
  for (const one of TEXTS) {
    const { name, texts, parts } = one;
    const isSent = !isHidden(one);
    if (isSent && (await take(name, inTurn(texts), { hasParts: parts.length > 0, isPart: false }))) taken += 1;
    else
      for (const [partName, part] of parts)
        if (await take(partName, () => part, { hasParts: false, isPart: isSent })) taken += 1;
  }
  return taken;
}

/** Services refuse longer texts for good reasons. */
export const MAX_USUAL_CHARACTERS = 200;

/** The texts for a call that takes them all, many of them in one. */
export async function wholeTexts(
  context: Context,
): Promise<readonly { readonly name: string; readonly textOf: TextOfField }[]> {
  const texts: { name: string; textOf: TextOfField }[] = [];
  await eachText(context, async (name, textOf) => {
    texts.push({ name, textOf });
    return true;
  });
  return texts;
}

/**
 * The fields in which the next text is tested, where a text with parts goes into several: those that took it as a whole need none of its
 * parts.
 */
export class FieldsOfTexts<F extends string> {
  readonly #all: readonly F[];
  #refused: readonly F[];

  constructor(all: readonly F[]) {
    this.#all = all;
    this.#refused = all;
  }

  fieldsFor({ isPart }: PartOfTexts): readonly F[] {
    return isPart && this.#refused.length > 0 ? this.#refused : this.#all;
  }

  /** Notes which fields took a text; returns whether it counts as accepted. */
  note({ hasParts, isPart }: PartOfTexts, taken: readonly F[]): boolean {
    if (!isPart) this.#refused = this.#all.filter((field) => !taken.includes(field));
    return hasParts ? this.#refused.length === 0 : taken.length > 0;
  }
}
