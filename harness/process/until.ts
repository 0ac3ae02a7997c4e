/** Waiting for something to happen, always with an end. */

/** Traffic in this process is seen at once; looking more often would only take time from the browser. */
const POLL_MS = 10;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks until there is something, or until the time is over; hands on what was found last. `everyMs`: for looks that cost something. */
export async function until<T>(
  attempt: () => T | undefined | Promise<T | undefined>,
  timeoutMs: number,
  everyMs = POLL_MS,
): Promise<T | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await attempt();
    if (found !== undefined) return found;
    if (performance.now() >= end) return undefined;
    await pause(Math.min(everyMs, Math.max(1, end - performance.now())));
  }
}

/** The value of a promise, or a default when the time is over, as it is where none is left. The promise itself goes on. */
export async function within<T, O>(promise: Promise<T>, timeoutMs: number, otherwise: () => O): Promise<T | O> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<O>((resolve) => {
    // Node warns of a negative time on the terminal.
    timer = setTimeout(() => resolve(otherwise()), Math.max(0, timeoutMs));
  });
  try {
    // Once the time is over, its result is ignored, a failure too.
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
