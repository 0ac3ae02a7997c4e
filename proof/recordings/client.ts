/** A client of the service whose calls are recorded, as a proxy between the two would record them. */

import { isJsonObject } from '../../contracts/json/object.ts';
import type { Exchange } from '../../contracts/run/events.ts';
import type { MockService } from '../../mock/types/service.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  /** 0 without a response. */
  readonly status: number;
  /** Empty where the response is not a JSON object. */
  readonly body: Json;
}

interface CallOptions {
  readonly authorization?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>> | undefined;
}

export interface OutgoingCall extends CallOptions {
  readonly method: string;
  /** With its query, as `/v1/store/delivery_methods/`. */
  readonly path: string;
}

export interface ClientOptions {
  /** The members of a call that the client sends in place of the right ones, for a client that makes mistakes. */
  readonly change?: ((call: OutgoingCall) => Partial<OutgoingCall> | undefined) | undefined;
}

const BEGINS = Date.parse('2026-11-01T10:00:00Z');
/** Calls follow each other without overlap. */
const CALL_MS = 200;
const BETWEEN_CALLS_MS = 900;

export class RecordedClient {
  readonly exchanges: Exchange[] = [];
  readonly #service: MockService;
  readonly #change: ClientOptions['change'];

  constructor(service: MockService, { change }: ClientOptions = {}) {
    this.#service = service;
    this.#change = change;
  }

  /** `path`: with its query, as `/v1/store/delivery_methods/`. */
  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const call = { method, path, ...options };
    return this.#send({ ...call, ...this.#change?.(call) });
  }

  async #send({ method, path, authorization, body, form }: OutgoingCall): Promise<Answer> {
    const url = this.#service.origin + path;
    const text = form !== undefined ? String(new URLSearchParams(form)) : body && JSON.stringify(body);
    const type = form !== undefined ? 'application/x-www-form-urlencoded' : 'application/json';
    const headers: [string, string][] = [];
    if (authorization !== undefined) headers.push(['authorization', authorization]);
    if (typeof text === 'string') headers.push(['content-type', type]);
    const request = { method, url, headers, ...(typeof text === 'string' ? { body: { text } } : {}) };
    const sent = new Request(url, { method, headers, ...(typeof text === 'string' ? { body: text } : {}) });
    const response = await this.#service.fetch(sent).catch(() => undefined);
    const received = await response?.text();
    const n = this.exchanges.length + 1;
    this.exchanges.push({
      ...{ type: 'exchange', n, check: 'recording', role: 'recording', direction: 'sent' },
      ...{ at: new Date(BEGINS + n * BETWEEN_CALLS_MS).toISOString(), durationMs: CALL_MS, request },
      ...(response === undefined || received === undefined
        ? { failure: 'The connection was closed.' }
        : { response: { status: response.status, headers: [...response.headers], body: { text: received } } }),
    });
    return { status: response?.status ?? 0, body: objectIn(received ?? '') };
  }
}

function objectIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
