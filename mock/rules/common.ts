/** Decisions that all interfaces share: keys, envelopes, pages, the final form of responses. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Interface, Pairs, ServiceRequest } from '../http/call.ts';
import { type RefusalKind, refuse } from '../http/refusal.ts';
import type { Listing } from '../storage/point-list.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The position of the next page, null on the last page. */
  readonly next: string | null;
}

export interface ServiceResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;
}

export interface CommonRules {
  /** The key in an Authorization header, null without one. */
  apiKeyOf(authorization: string | null): string | null;
  /** Whether a presented key, code or token is the stored one. In constant time. */
  secretMatches(presented: string, stored: string): boolean;
  /** Seconds to wait if this call exceeds the rate limit; null: it is served. */
  retryAfterSeconds(call: ServiceRequest): number | null;
  errorStatus(kind: RefusalKind): number;
  errorCode(kind: RefusalKind, status: number): number;
  errorEnvelope(iface: Interface, code: number, message: string): Record<string, unknown>;
  successEnvelope(iface: Interface): Record<string, unknown>;
  contentType(call: ServiceRequest): string;
  /** A resource by itself; `name` is what it would be wrapped under. */
  single(name: string, record: Record<string, unknown>): Record<string, unknown>;
  /** The final form of every response of an interface, successful or not. */
  finish(call: ServiceRequest, response: ServiceResponse): ServiceResponse;
  /** The size of a page, from the text of `page_size`. */
  pageSize(asked: string | null): number;
  descending(asked: string | null): boolean;
  /** Whether the service's own order is newest first. */
  newestFirst(): boolean;
  pageOf<Item>(list: Listing<Item>, after: string | null, size: number, backwards: boolean): Page<Item>;
  /** The name of the query parameter for the position in a link. */
  positionParameter(): string;
  /** What a list answers beside its items: the link, when there is a next page. */
  linkField(link: string | null): Record<string, unknown>;
  /** `base` ends with /v1, `path` begins with a slash, `query` is complete. */
  nextLink(base: string, path: string, query: Pairs): string;
}

const DEFAULT_PAGE_ITEMS = 20;
/** Larger page sizes are clamped: the contract leaves the maximum to the service. */
export const MAX_PAGE_ITEMS = 100;

const STATUS: Record<RefusalKind, number> = {
  malformed: 400,
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'wrong-method': 405,
  conflict: 409,
  gone: 410,
  'too-many': 400,
  'too-large': 413,
  coded: 415,
  'too-often': 429,
};

/** Calls repeat the same few keys and tokens, so their hashes are cached up to a limit. */
const MAX_DIGESTS = 1_000;
const digests = new Map<string, Buffer>();

function digest(text: string): Buffer {
  const known = digests.get(text);
  if (known !== undefined) return known;
  const made = createHash('sha256').update(text).digest();
  if (digests.size >= MAX_DIGESTS) digests.clear();
  digests.set(text, made);
  return made;
}

export function toQuery(pairs: Pairs): string {
  return new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
}

export const commonRules = (): CommonRules => ({
  apiKeyOf: (authorization) => /^ApiKey ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? null,
  secretMatches: (presented, stored) => timingSafeEqual(digest(presented), digest(stored)),
  retryAfterSeconds: () => null,
  errorStatus: (kind) => STATUS[kind],
  errorCode: (_kind, status) => status,
  errorEnvelope: (iface, code, message) =>
    iface === 'reseller'
      ? { error: true, errorCode: code, errorMsg: message }
      : { error: true, error_code: code, error_message: message },
  successEnvelope: () => ({ error: false }),
  contentType: () => 'application/json',
  single: (_name, record) => record,
  finish: (_call, response) => response,
  pageSize: (asked) => {
    if (asked === null || asked === '') return DEFAULT_PAGE_ITEMS;
    if (!/^\d+$/.test(asked) || Number(asked) === 0) {
      return refuse('invalid', 'page_size must be a whole number of 1 or more.');
    }
    return Math.min(Number(asked), MAX_PAGE_ITEMS);
  },
  descending: (asked) => asked === '1',
  newestFirst: () => false,
  pageOf: (list, after, size, backwards) => {
    const found = list.slice(after, size + 1, backwards);
    const shown = found.slice(0, size);
    return {
      items: shown.map(({ item }) => item),
      next: found.length > size ? (shown.at(-1)?.position ?? null) : null,
    };
  },
  positionParameter: () => 'page_start',
  linkField: (link) => (link === null ? {} : { next_page_uri: link }),
  nextLink: (base, path, query) => `${base}${path}?${toQuery(query)}`,
});
