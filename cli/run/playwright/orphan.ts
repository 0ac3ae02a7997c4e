/** Notices in the runner that `proofmark run` was killed: nothing could stop the runner any more, and a sweep takes its run for dead. */

const POLL_MS = 250;

/**
 * Calls `gone` once when the process that started this one, `parent`, has ended: it may have ended before the watch began. Returns what
 * ends the watch.
 */
export function watchParent(parent: number, gone: () => void): () => void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
