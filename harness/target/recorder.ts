/** Turns requests and answers into `Exchange` events: redacted, capped, numbered. */
import type { Exchange } from '../../contracts/events.ts';
import type { Redaction } from '../redaction.ts';
import type { Secret } from './secret.ts';

export interface RecorderOptions {
  /** The check that the exchanges belong to; a function when one recorder serves several. */
  readonly check: string | (() => string);
  /** Takes each exchange as soon as it is complete. */
  readonly spool: (exchange: Exchange) => void;
  readonly redaction: Redaction;
  /** Leaves names, e-mails and phones as they are. */
  readonly showPersonalData?: boolean;
  /** Gives the numbers; one count for the whole process unless told. */
  readonly next?: () => number;
}

export interface RecordedMessage {
  readonly headers: ReadonlyArray<readonly [string, string | Secret]>;
  /** Decoded from its content encoding. */
  readonly body?: string | Uint8Array;
}

export interface RecordedExchange {
  readonly role?: string;
  readonly direction?: 'sent' | 'received';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly request: RecordedMessage & { readonly method: string; readonly url: string };
  readonly response?: RecordedMessage & { readonly status: number };
  readonly failure?: string;
}

export interface Recorder {
  /** Records one exchange and returns its number. */
  record(exchange: RecordedExchange): number;
}

export function createRecorder(options: RecorderOptions): Recorder {
  throw new Error(`not written yet: ${String(options.check)}`);
}
