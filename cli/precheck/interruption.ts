/** Ctrl-C during a precheck: ends the run with what is there, or the hold alone. */

export interface Interruption {
  readonly signal: AbortSignal;
  /** Resolves at the next Ctrl-C, which then ends the hold and not the precheck. */
  next(): Promise<void>;
  forget(): void;
}

export function interruption(): Interruption {
  const controller = new AbortController();
  let waiting: (() => void) | undefined;
  const onSignal = (): void => {
    const resolveNext = waiting;
    waiting = undefined;
    if (resolveNext === undefined) controller.abort();
    else resolveNext();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    next: () =>
      new Promise((done) => {
        waiting = done;
      }),
    forget: () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  };
}
