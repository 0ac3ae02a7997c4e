/** Sends calls in parallel if their order does not matter: a distant target answers several in the time of one. */

/** Calls of one check that are under way together: more gain little, and some services count connections. */
const MAX_AT_ONCE = 6;

/** The results of reads in the order of their items, a few at a time. */
export async function eachAtOnce<T, R>(items: readonly T[], each: (item: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += MAX_AT_ONCE) {
    const some = items.slice(start, start + MAX_AT_ONCE);
    results.push(...(await atOnce(some.map((item, at) => () => each(item, start + at)))));
  }
  return results;
}

/**
 * The results of all tasks, started at the same time. Throws the first error in their order after all have ended: no task
 * sends requests after its check has ended.
 */
export async function atOnce<T extends readonly unknown[]>(
  tasks: readonly [...{ [at in keyof T]: () => Promise<T[at]> }],
): Promise<T> {
  const ends = await Promise.allSettled(tasks.map((task) => task()));
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  }) as unknown as T;
}
