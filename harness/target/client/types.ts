/** The client as its callers see it: requests, responses, and what sends them. */
import type { Secret } from '../secrets/secret.ts';
import type { Hindrances } from './notices.ts';

/** A request as data. The address is sent exactly as written: escapes stay, nothing is normalised. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: ReadonlyArray<readonly [string, string | Secret]>;
  readonly body?: string | Uint8Array;
}

export interface SendOptions {
  /** The request's part in its check, for the report: `given`, `control`, `probe`, `cleanup`. */
  readonly role?: string;
  /** For the whole answer; the profile's `limits.timeoutMs` by default. */
  readonly timeoutMs?: number;
  /** Sending it twice does no harm, so that a connection lost before the first byte may be tried again. True for GET and HEAD by default. */
  readonly safe?: boolean;
  /** For addresses that a target handed out: whether a connection may be made to an IP address. */
  readonly mayConnect?: ((address: string) => boolean) | undefined;
}

export interface ServiceResponse {
  readonly status: number;
  /** In received order, names as received. */
  readonly headers: ReadonlyArray<readonly [string, string]>;
  /** The first header of that name, whatever its case. */
  header(name: string): string | undefined;
  /** The body, decoded from its content encoding. */
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The body as JSON; `undefined` when it is not JSON (`jsonFault` says why). */
  readonly json: unknown;
  /** Why the body is not good JSON, as the end of a sentence: `has the key "id" twice`. Set beside `json` when it parses with a defect. */
  readonly jsonFault?: string | undefined;
  /** Media type in lower case without parameters; empty if the header is missing. */
  readonly contentType: string;
  readonly durationMs: number;
  /** Number of the recorded exchange; 0 without a recorder. */
  readonly exchange: number;
  readonly request: OutgoingRequest;
  /** Set where a gateway had answered the request before: what the target does once only, it may have done by then. */
  isRepeated?: boolean;
  /** Takes secrets out of a text of this response: before it is cut, since what is cut is not recognised any more. */
  readonly redact?: (text: string) => string;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export interface Client {
  /**
   * Sends one request. Throws `NoResponse` when no whole answer came, and when the target only asks for fewer requests, however
   * long it is given; any other 3xx, 4xx or 5xx is a response. Throws `Unsendable` for an address without end.
   */
  send(request: OutgoingRequest, options?: SendOptions): Promise<ServiceResponse>;
  /** Waits for a target that was there and is away, as calls do; returns also where it stays away. */
  untilBack(): Promise<void>;
  /** Allows secrets to travel to the origin of this address as well. */
  grant(url: string): void;
  /** Requests that left, repetitions included. */
  readonly requests: number;
  /** Rate limits met, requests repeated, time without the target: for the end of the run. */
  readonly hindrances: Hindrances;
  close(): Promise<void>;
}
