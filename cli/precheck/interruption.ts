/** Ctrl-C during a precheck, or another signal to stop: ends the run with what is there, or the hold alone. */

export interface Interruption {
  readonly signal: AbortSignal;
  /** Resolves at the next Ctrl-C, which then ends the hold and not the precheck. */
  next(): Promise<void>;
  forget(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens for these signals until `forget`. */
export function interruption(): Interruption {
  const controller = new AbortController();
  let waiting: (() => void) | undefined;
  const onSignal = (): void => {
    const resolveNext = waiting;
    waiting = undefined;
    if (resolveNext === undefined) controller.abort();
    else resolveNext();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    next: () =>
      new Promise((done) => {
        waiting = done;
      }),
    forget: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
