/**
 * Whether a value says that nothing is there: optional properties may be left out or null (spec: Resources and their fields,
 * "General"), and services write that as absent, null, "" or [].
 *
 * @example [undefined, null, '', []].every(isUnset) // true
 * @example [0, false, {}, ' ', [null]].some(isUnset) // false
 */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** What programs print for a missing value. */
const WORDS_FOR_NOTHING: ReadonlySet<unknown> = new Set(['null', 'undefined', 'NaN', '[object Object]']);

/**
 * Whether a value is what a program prints for a missing one.
 *
 * @example isWordForNothing('null') // true
 * @example isWordForNothing(null) // false
 */
export const isWordForNothing = (value: unknown): boolean => WORDS_FOR_NOTHING.has(value);
