/** For tests: exchanges in a few words. */
import type { Exchange } from '../run/events.ts';
import { instantText } from '../run/instants.ts';
import { formEncode } from '../signing/index.ts';
import { type ClauseTally, judgeTraffic, type TrafficOptions } from './index.ts';

export const V1 = 'https://service.test/v1/';
export const API = 'https://resellers.service.test/api/';
export const KEY = 'key-4f1a9c77e0b2';

export interface ExchangeDescription {
  readonly method?: string;
  /** Whole, or behind the base of Delivery and Apps. */
  readonly url: string;
  readonly headers?: ReadonlyArray<readonly [string, string]>;
  /** A JSON value, or a text as it is. */
  readonly body?: unknown;
  readonly status?: number;
  readonly response?: unknown;
  readonly responseHeaders?: ReadonlyArray<readonly [string, string]>;
  readonly role?: string;
  /** Bytes of the response that were not recorded. */
  readonly missing?: number;
  /** Milliseconds since 1970; by default one exchange a second. */
  readonly at?: number;
  readonly durationMs?: number;
}

const JSON_TYPE = ['content-type', 'application/json'] as const;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Numbered from 1. A call of an interface carries the key unless it has headers of its own. */
export function exchangesOf(described: readonly ExchangeDescription[]): Exchange[] {
  return described.map((one, index) => {
    const { method = 'GET', url, headers, body, status = 200, response, missing } = one;
    const type = body !== undefined && typeof body !== 'string' ? [JSON_TYPE] : [];
    const truncated = missing === undefined ? {} : { truncated: missing };
    return {
      type: 'exchange',
      n: index + 1,
      check: 'test',
      role: one.role ?? 'test',
      direction: 'sent',
      at: instantText(one.at ?? (index + 1) * 1_000),
      durationMs: one.durationMs ?? 5,
      request: {
        method,
        url: /^https?:/.test(url) ? url : V1 + url,
        headers: headers ?? [['Authorization', `ApiKey ${KEY}`], ...type],
        ...(body === undefined ? {} : { body: { text: textOf(body) } }),
      },
      response: {
        status,
        headers: one.responseHeaders ?? [JSON_TYPE],
        ...(response === undefined && missing === undefined
          ? {}
          : { body: { text: textOf(response ?? ''), ...truncated } }),
      },
    };
  });
}

/** How a clause came out; undefined when no exchange was about it. */
export type Outcomes = (clause: string) => ClauseTally | undefined;

export function judged(described: readonly ExchangeDescription[], options: Partial<TrafficOptions> = {}): Outcomes {
  const { clauses } = judgeTraffic(exchangesOf(described), { party: 'service', ...options });
  return (clause) => clauses.get(clause);
}

/** The clauses that came out broken: fail and warn, sorted. */
export function broken(described: readonly ExchangeDescription[], options: Partial<TrafficOptions> = {}): string[] {
  const { clauses } = judgeTraffic(exchangesOf(described), { party: 'service', ...options });
  return [...clauses.values()].flatMap(({ clause, counts }) => (counts.breaks > 0 ? [clause] : [])).sort();
}

/** The error envelope of Delivery and Apps. */
export const refusal = (code: number) => ({ error: true, error_code: code, error_message: 'No.' });

/** All calls of an integrator, and all their headers. */
export const WHOLE: Partial<TrafficOptions> = { party: 'integrator', headersComplete: true, complete: true };
/** The response to a call that was served. */
export const OK = { error: false };
export const point = (id: string, more: object = {}): object => ({ id, title: { en: id }, country: 'LV', ...more });

export const addPoint = (body: unknown, status = 200): ExchangeDescription => ({
  method: 'POST',
  url: 'store/delivery_method/m-1/pickup_point/',
  body,
  status,
  response: status === 200 ? OK : refusal(status),
});

/** Fields as a query or an urlencoded body. */
export const encoded = formEncode;
