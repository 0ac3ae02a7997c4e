/** Takes what a precheck records: held back until its record is open, with the check that it belongs to. */
import type { SpooledEvent } from '../../../harness/evidence/events/spool.ts';
import type { Redacted } from '../../../harness/evidence/redaction/redacted.ts';

export interface Sink {
  /** The check that exchanges belong to at this moment. */
  readonly check: string;
  readonly emit: (event: Redacted<SpooledEvent>) => void;
  begin(check: string): void;
  /** Passes on what came before the record was opened. */
  open(): void;
}

/** Holds back events until the record is open, and then passes them on in their order. */
export function createSink(emit: ((event: Redacted<SpooledEvent>) => void) | undefined): Sink {
  const held: Redacted<SpooledEvent>[] = [];
  const state = { isOpen: false, check: '' };
  return {
    get check() {
      return state.check;
    },
    emit: (event) => {
      if (state.isOpen) emit?.(event);
      else held.push(event);
    },
    begin: (check) => {
      state.check = check;
    },
    open: () => {
      state.isOpen = true;
      for (const event of held.splice(0)) emit?.(event);
    },
  };
}
