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
