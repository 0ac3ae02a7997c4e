/** An exchange as it was sent and received, before it is redacted. */
import type { Secret } from '../target/secrets/secret.ts';

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
