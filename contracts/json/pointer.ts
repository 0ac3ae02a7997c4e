/**
 * A JSON pointer (RFC 6901) from its steps.
 *
 * @example pointerOf('app_vendor', 'a/b') // '/app_vendor/a~1b'
 */
export function pointerOf(...steps: ReadonlyArray<string | number>): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value that a JSON pointer leads to; undefined where there is none. */
export function valueAt(json: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Readonly<Record<string, unknown>>)[name]
      : undefined;
  }, json);
}
