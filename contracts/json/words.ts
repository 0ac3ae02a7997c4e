/** JSON values in the words of messages. */

/** Enough to recognise a value in a report line, short enough not to flood it. */
const MAX_SHOWN_CHARACTERS = 80;

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
