/**
 * Which calls are not sent for a while, because the target kept asking for fewer of them until we stopped waiting. Services limit
 * single operations (logins, switching a website) or single callers (those with wrong keys), so that one limit says nothing about
 * other calls. When a plain read of a caller that was served before meets one too, and nothing was answered in between, the whole
 * target is left alone.
 */
import { operationAt } from '../../../../contracts/operations/match.ts';
import { plain } from '../../secrets/secret.ts';
import type { NoResponse } from '../no-response.ts';
import type { OutgoingRequest } from '../types.ts';

interface Rest {
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly because: NoResponse;
}

/** The key of a rest from all calls. */
const ALL = '';
const CREDENTIAL = /(?:^|[?&])(?:apiToken|authCode)=([^&#]*)/i;

export class Rests {
  readonly #longestMs: number;
  readonly #rests = new Map<string, Rest>();
  /** Callers that were served. */
  readonly #served = new Set<string>();
  #isAnswered = true;

  /** A rest that seems longer than `longestMs` is a clock that was put back. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** Why a request must not be sent now. */
  reason(request: OutgoingRequest, now: number): NoResponse | undefined {
    for (const key of [ALL, kindOf(request)]) {
      const rest = this.#rests.get(key);
      const left = (rest?.until ?? 0) - now;
      if (left > 0 && left <= this.#longestMs) return rest?.because;
    }
    return undefined;
  }

  /** Whether such requests were given up before, and none was answered since. */
  isKnown(request: OutgoingRequest): boolean {
    return this.#rests.has(ALL) || this.#rests.has(kindOf(request));
  }

  /** Whether calls of this operation were given up that came from a caller who was served before: a limit for everybody. */
  isLimited(request: OutgoingRequest): boolean {
    const operation = operationOf(request);
    const callers = [...this.#served].map((caller) => `${operation} ${caller}`);
    return this.#rests.has(ALL) || callers.some((kind) => this.#rests.has(kind));
  }

  /** `isRead`: the request changes nothing. */
  begin(request: OutgoingRequest, isRead: boolean, rest: Rest): void {
    const kind = kindOf(request);
    const isSecond = !this.#isAnswered && [...this.#rests.keys()].some((key) => key !== kind);
    if (isSecond && isRead && this.#served.has(callerOf(request))) this.#rests.set(ALL, rest);
    this.#rests.set(kind, rest);
    this.#isAnswered = false;
  }

  /** Notes that a request was answered by more than a wish for a pause. */
  answered(request: OutgoingRequest, { status }: { readonly status: number }): void {
    this.#isAnswered = true;
    if (status < 300) this.#served.add(callerOf(request));
    if (this.#rests.size === 0) return;
    this.#rests.delete(ALL);
    this.#rests.delete(kindOf(request));
  }
}

/** The operation and the caller of a request. */
const kindOf = (request: OutgoingRequest): string => `${operationOf(request)} ${callerOf(request)}`;

const operationOf = ({ method, url }: OutgoingRequest): string =>
  `${method} ${operationAt(method, url)?.id ?? url.replace(/[?#].*/s, '')}`;

/** The key, code or token of a request. */
function callerOf({ url, headers = [], body }: OutgoingRequest): string {
  const key = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const code = CREDENTIAL.exec(url)?.[1] ?? (typeof body === 'string' ? CREDENTIAL.exec(body)?.[1] : undefined);
  return `${key === undefined ? '' : plain(key)} ${code ?? ''}`;
}
