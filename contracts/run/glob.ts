/** Globs over ids: `*` any run of characters, `?` one. */

/** Whether an id matches one of the globs. */
export function matchesAny(id: string, globs: readonly string[]): boolean {
  return globs.some((glob) => {
    const pattern = glob
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${pattern}$`).test(id);
  });
}
