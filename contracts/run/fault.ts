/** How strictly a rule binds: `MUST` leads to `fail`, `SHOULD` to `warn`. */
export type FaultLevel = 'MUST' | 'SHOULD';

/** One broken rule, found in a value. No fault contains a key or a secret. */
export interface Fault {
  /** A path of meaning, stable: `error.code-is-integer`. */
  readonly rule: string;
  readonly level: FaultLevel;
  /** A sentence: what is wrong, where, what would be right. */
  readonly message: string;
  /** JSON pointer (RFC 6901) into the judged value; `''` is the value itself. `status` and `content-type` name parts outside the body. */
  readonly pointer: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * A JSON pointer (RFC 6901) from its steps.
 *
 * @example pointerOf('app_vendor', 'a/b') // '/app_vendor/a~1b'
 */
export function pointerOf(...steps: ReadonlyArray<string | number>): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** True for a JSON object: neither null nor a list. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON type of a value in a word, for messages: `a list`, `null`, `the text "x"`. */
export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const short = shortened(text, MAX_SHOWN_CHARACTERS);
  return typeof value === 'string' ? `the text ${short}` : `the ${typeof value} ${short}`;
}

/** A text in at most so many characters. The mark of the cut lets the redaction recognise a part of a secret beside it. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

/** Enough to recognise a value in a report line, short enough not to flood it. */
const MAX_SHOWN_CHARACTERS = 80;
