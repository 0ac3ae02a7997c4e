/**
 * Points in time with parts of a millisecond, which a date lacks: on a fast network a call ends and the next one begins within one
 * millisecond, and whether they overlapped decides what the second one shows.
 */

/** Digits of a second behind the milliseconds: `.123456Z`. */
const BEYOND_MILLISECONDS = /:\d\d\.\d{3}(\d{1,6})\d*(?:Z|[+-]\d\d:?\d\d)$/i;

/** Milliseconds since 1970, with their fraction; NaN for a text that is not a date. */
export function instantOf(text: string): number {
  const milliseconds = Date.parse(text);
  const [, digits] = BEYOND_MILLISECONDS.exec(text) ?? [];
  return digits === undefined ? milliseconds : milliseconds + Number(`0.${digits}`);
}

/** A date with time in UTC, with microseconds where there are any. Throws a RangeError for a number that no date can hold. */
export function instantText(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const text = new Date(whole).toISOString();
  const micros = Math.floor((milliseconds - whole) * 1_000);
  return micros === 0 ? text : text.replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
