/** A client of the service whose calls are recorded, as a proxy between the two would record them. */
import type { Exchange } from '../../contracts/run/events.ts';
import { isJsonObject } from '../../contracts/run/fault.ts';
import type { MockService } from '../../mock/types/service.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  /** 0 without a response. */
  readonly status: number;
  /** Empty where the response is not a JSON object. */
  readonly body: Json;
}

interface CallOptions {
  readonly authorization?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
}

const BEGINS = Date.parse('2026-11-01T10:00:00Z');
/** Calls follow each other without overlap. */
const CALL_MS = 200;
const BETWEEN_CALLS_MS = 900;

export class RecordedClient {
  readonly exchanges: Exchange[] = [];
  readonly #service: MockService;

  constructor(service: MockService) {
    this.#service = service;
  }

  /** `path`: with its query, as `/v1/store/delivery_methods/`. */
  async call(method: string, path: string, { authorization, body, form }: CallOptions = {}): Promise<Answer> {
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
