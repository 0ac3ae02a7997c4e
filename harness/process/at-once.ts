/** Sends calls in parallel if their order does not matter: a distant target answers several in the time of one. */

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
