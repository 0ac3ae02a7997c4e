/**
 * Calls that lack a credential altogether (spec: Authentication). Whether one that was sent is good is not in the traffic.
 * Only where every header was recorded, and only next to a call of the same operation that was served.
 */
import { ERROR_NAMES } from '../../envelopes/index.ts';
import { isJsonObject } from '../../json/object.ts';
import { type ResponseKind, type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { named } from './responses.ts';

export const CREDENTIAL_CLAUSES = [
  'delivery.credentials.missing-key-refused',
  'delivery.credentials.code-401',
  'apps.credentials.missing-key-refused',
  'apps.credentials.missing-auth-code-refused',
  'apps.credentials.code-401',
  'reseller.token.missing-refused',
  'reseller.token.code-401',
];

interface Lack {
  readonly clause: string;
  /** For sentences: `a key`. */
  readonly what: string;
}

interface Waiting {
  readonly call: { readonly n: number; readonly name: string; readonly is401: boolean };
  readonly lack: Lack;
}

/** Refusals that wait for their control, at most; more would say the same. */
const MAX_WAITING = 200;

/** Calls that wait for a sign that the recording holds their headers. */
const MAX_HELD = 50;

/** A rule with memory: takes every call of one base. Returns true when a call is to be kept for later. */
export class CredentialRule {
  readonly #notes: RuleContext['notes'];
  readonly #facts: RuleContext['facts'];
  readonly #served = new Set<string>();
  readonly #waiting = new Map<string, Waiting[]>();
  /** Served calls without a credential, until another call shows that the recorder keeps the header it belongs in. */
  readonly #held: { readonly call: ServiceRequest; readonly lack: Lack; readonly key: string }[] = [];
  #keepsHeaders: boolean;

  constructor(scene: RuleContext) {
    this.#notes = scene.notes;
    this.#facts = scene.facts;
    this.#keepsHeaders = scene.facts.headersComplete;
  }

  call(call: ServiceRequest): boolean {
    const { operation, document, match } = call;
    if (!this.#keepsHeaders && call.seen.header('authorization') !== undefined) {
      this.#keepsHeaders = true;
      for (const one of this.#held.splice(0)) this.#judge(one.call, 'served', one.lack, one.key);
    }
    if (operation === undefined || match?.exact !== true || operation.id === 'authorize') return false;
    const kind = responseKind(call);
    if (kind === 'skipped' || isSignedInBrowser(call)) return false;
    const key = `${document} ${operation.id}`;
    const lack = lackOf(call);
    if (!this.#facts.headersComplete)
      return lack !== undefined && kind === 'served' && this.#judgeIncomplete(call, lack, key);
    if (lack === undefined) {
      if (kind !== 'served' || this.#served.has(key)) return false;
      this.#served.add(key);
      for (const one of this.#waiting.get(key) ?? []) this.#proved(key, one);
      this.#waiting.delete(key);
      return false;
    }
    this.#judge(call, kind, lack, key);
    return false;
  }

  /** Browsers leave headers out, and entries without any say nothing. A token belongs in the parameters, which are recorded. */
  #judgeIncomplete(call: ServiceRequest, lack: Lack, key: string): boolean {
    const { seen, document } = call;
    const isBrowser = /^Mozilla\//.test(seen.header('user-agent') ?? '') || seen.header('sec-fetch-mode') !== undefined;
    if (isBrowser || seen.exchange.request.headers.length === 0) return false;
    if (this.#keepsHeaders || document === 'api') this.#judge(call, 'served', lack, key);
    else if (this.#held.length < MAX_HELD) return this.#held.push({ call, lack, key }) > 0;
    return false;
  }

  #judge(call: ServiceRequest, kind: ResponseKind, lack: Lack, key: string): void {
    if (kind === 'served') {
      this.#notes.breaks(lack.clause, call.seen.n, {
        message: `${named(call)} was served without ${lack.what}`,
        pointer: 'status',
        expected: 'a refusal: 4XX or 5XX with the error envelope',
        actual: call.seen.status,
      });
      return;
    }
    const one = { call: { n: call.seen.n, name: named(call), is401: is401(call) }, lack };
    if (this.#served.has(key)) this.#proved(key, one);
    else {
      const others = this.#waiting.get(key) ?? [];
      if (others.length < MAX_WAITING) others.push(one);
      this.#waiting.set(key, others);
    }
  }

  #proved(operation: string, { call, lack }: Waiting): void {
    this.#notes.keeps(lack.clause, call.n);
    const clause = `${operation.startsWith('api') ? 'reseller.token' : lack.clause.split('.', 2).join('.')}.code-401`;
    if (call.is401) this.#notes.keeps(clause, call.n);
    else {
      this.#notes.breaks(clause, call.n, {
        message: `${call.name} without ${lack.what} was refused with a code other than 401`,
        pointer: 'status',
        expected: 401,
      });
    }
  }
}

/** The service's own pages may call its interfaces with a session instead of a key. */
const isSignedInBrowser = ({ seen }: ServiceRequest): boolean => seen.header('cookie') !== undefined;

/** The one credential that a call lacks; undefined when it has all, or when more than one is missing. */
function lackOf(call: ServiceRequest): Lack | undefined {
  const { seen, document, behind } = call;
  // Without a session there is nothing to end: such a logout may be served.
  if (call.operation?.id === 'logOut') return undefined;
  if (document === 'api') return lackOfToken(call);
  const hasKey = seen.header('authorization') !== undefined;
  if (!/^\/*apps\//.test(behind))
    return hasKey ? undefined : { clause: 'delivery.credentials.missing-key-refused', what: 'a key' };
  const hasCode = seen.query.some(([name]) => name.toLowerCase() === 'authcode');
  if (hasKey && !hasCode) {
    // The contract does not forbid that the code comes in another way.
    const elsewhere =
      seen.requestBody.kind !== 'none' && JSON.stringify(seen.requestBody).toLowerCase().includes('authcode');
    return elsewhere ? undefined : { clause: 'apps.credentials.missing-auth-code-refused', what: 'an authCode' };
  }
  if (!hasKey && hasCode) return { clause: 'apps.credentials.missing-key-refused', what: 'a key' };
  return undefined;
}

function lackOfToken({ seen }: ServiceRequest): Lack | undefined {
  const names = [...seen.query, ...(seen.form ?? [])].map(([name]) => name);
  if (names.some((name) => name.toLowerCase().startsWith('apitoken'))) return undefined;
  const { requestBody } = seen;
  const isKnown = requestBody.kind === 'none' || seen.form !== undefined;
  const inHeader = seen.header('authorization') !== undefined || seen.header('apitoken') !== undefined;
  return isKnown && !inHeader ? { clause: 'reseller.token.missing-refused', what: 'a token' } : undefined;
}

function is401({ seen, document }: ServiceRequest): boolean {
  const body = seen.responseBody;
  const code = body.kind === 'json' && isJsonObject(body.value) ? body.value[ERROR_NAMES[document].code] : undefined;
  return seen.status === 401 || code === 401;
}
