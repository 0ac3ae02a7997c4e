/** Calls whose order makes no difference: a distant target answers several in the time of one. */

/**
 * What all of these come to, started at the same time. Throws what the first of them threw, in their order, when all have ended: none
 * goes on sending behind the back of its check.
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
