/**
 * A JSON pointer (RFC 6901) from its steps.
 *
 * @example pointerOf('app_vendor', 'a/b') // '/app_vendor/a~1b'
 */
export function pointerOf(...steps: ReadonlyArray<string | number>): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
