/** Headers of recorded messages. */

/**
 * The value of the first header of a name, which is given in lower case.
 *
 * @example headerOf([['Content-Type', 'text/html']], 'content-type') // 'text/html'
 */
export function headerOf(headers: ReadonlyArray<readonly [string, string]>, name: string): string | undefined {
  for (const [other, value] of headers) {
    // Lengths differ nearly always, and are compared faster than names are put in lower case.
    if (other.length === name.length && other.toLowerCase() === name) return value;
  }
  return undefined;
}
