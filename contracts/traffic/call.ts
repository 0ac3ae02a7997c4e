/** A call of one of the interfaces in recorded traffic, and what rules are given beside it. */
import type { InterfaceName } from '../envelopes/index.ts';
import { isErrorEnvelope } from '../envelopes/index.ts';
import { isJsonObject } from '../json/object.ts';
import type { Operation, PathMatch } from '../operations/match.ts';
import type { KnownValues } from './reading/redacted.ts';
import type { SeenExchange } from './reading/seen.ts';
import type { Notes } from './tally.ts';

/** An exchange that went to a base of the service. */
export interface ServiceRequest {
  readonly seen: SeenExchange;
  readonly document: InterfaceName;
  /** Ends with `/v1/` or `/api/`. */
  readonly base: string;
  /** What follows the base, as sent. */
  readonly behind: string;
  /** Undefined for a path that the interface does not have. */
  readonly match: PathMatch | undefined;
  /** Undefined for a path or a method that the interface does not have. */
  readonly operation: Operation | undefined;
  /** The call went to an address beside the base, without the version or with another one. */
  readonly lacksVersion?: true;
}

/** What is known of the traffic as a whole. */
export interface TrafficFacts {
  /** Keys and secrets by name; without them signatures can't be judged. */
  readonly keys: KnownValues;
  /** Every header was recorded: what is missing was never sent. Browsers leave `Authorization` and cookies out of HAR files. */
  readonly headersComplete: boolean;
  /** The recording begins before the first exchange of the integration and ends after its last one. */
  readonly complete: boolean;
  /** Languages of the website, where they are known. */
  readonly languages: readonly string[];
  /**
   * Only these calls write to the methods that they make, and to the points of methods that they name. Other clients may change
   * everything else.
   */
  readonly isAlone?: boolean;
}

/** What the rules of one party share while they look at one base. */
export interface RuleContext {
  readonly notes: Notes;
  readonly facts: TrafficFacts;
}

/** `skipped`: the response says nothing about the service. */
export type ResponseKind = 'served' | 'refused' | 'skipped';

/** Statuses that gateways, proxies and limits of size give on their own; without an envelope they are not the service's. */
const GATEWAY_STATUSES = new Set([407, 408, 413, 414, 421, 425, 429, 431, 494, 495, 496, 497, 499, 502, 503, 504]);
/** 520 to 530: a content network could not reach the service. */
const isNetworkStatus = (status: number): boolean => GATEWAY_STATUSES.has(status) || (status >= 520 && status <= 530);

/** Whether a call was served or refused, or its response is not the service's: none came, it was not requested, or it is a gateway's. */
export function responseKind(call: ServiceRequest): ResponseKind {
  const { seen, document } = call;
  const { status } = seen;
  if (status < 200 || status === 304 || seen.method === 'HEAD' || seen.method === 'OPTIONS') return 'skipped';
  // A client that continues a download requests a part, and HTTP has a status for it.
  if (status === 206 && seen.header('range') !== undefined) return 'skipped';
  if (status < 300) return saysError(seen) ? 'refused' : 'served';
  if (isHarmlessRedirect(seen)) return 'skipped';
  if (!isNetworkStatus(status)) return 'refused';
  const body = seen.responseBody;
  return body.kind === 'json' && (isErrorEnvelope(document, body.value) || saysError(seen)) ? 'refused' : 'skipped';
}

/** An error envelope, or something that means to be one (`error: "true"`, `error: 1`). */
function saysError({ responseBody }: SeenExchange): boolean {
  const error = responseBody.kind === 'json' && isJsonObject(responseBody.value) ? responseBody.value.error : undefined;
  return error === true || error === 'true' || error === 1;
}

/** From http to https, to the same address with its slash, or to another name of the same host: the call comes again. */
function isHarmlessRedirect(seen: SeenExchange): boolean {
  if (seen.status >= 400) return false;
  const location = seen.responseHeader('location');
  const here = seen.exchange.request.url;
  if (location === undefined || !URL.canParse(location, here)) return false;
  const [to, from] = [new URL(location, here), new URL(here)];
  const withSlash = (path: string): string => `${path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')}/`;
  return withSlash(to.pathname) === withSlash(from.pathname);
}

/** Rules of one party over the calls of one base. */
export interface CallRules {
  /** Returns true when the exchange is to be kept for a finding that is not certain yet. */
  call(call: ServiceRequest): boolean;
  /** A request of the same website that is not a call of an interface. */
  other(seen: SeenExchange): void;
  end(): void;
}
