/**
 * An operation that refuses a credential as bad (401) which other operations accept just before and just after. Only reads without
 * a choice of the client, so that nothing but the credential can be meant; and only where the operation never serves anyone:
 * otherwise a lock or the end of a token explains it.
 */
import type { Fields } from '../../../../signing/index.ts';
import type { ServiceRequest } from '../../../call.ts';
import { responseKind } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { parametersOf } from '../../../reading/parameters.ts';
import { isHidden, isRedacted } from '../../../reading/redacted.ts';
import { named } from '../../responses.ts';
import type { PendingFindings } from '../values/pending.ts';
import { isUnauthorized } from './index.ts';

/** Reads of everything that a credential opens, and the clause that each breaks. */
const CLAUSE_OF: Readonly<Record<string, string>> = {
  getUser: 'apps.credentials.accepted',
  getWebsite: 'apps.credentials.accepted',
  getLanguages: 'apps.credentials.accepted',
  getData: 'apps.credentials.accepted',
  getSnippet: 'apps.credentials.accepted',
  listWebsites: 'reseller.authorize.token-works',
  readSettings: 'reseller.authorize.token-works',
  readBalance: 'reseller.authorize.token-works',
};
export const REFUSED_CREDENTIAL_CLAUSES = [...new Set(Object.values(CLAUSE_OF))];

const MAX_CREDENTIALS = 200;
/** A refusal may be chance: of a server that restarts, say. */
const REFUSALS = 2;

interface Credential {
  /** It was served last, with no refusal of it since but those of `refused`. */
  isGood: boolean;
  /** Operations that refused it since. */
  readonly refused: Map<string, ServiceRequest>;
}

export class RefusedCredentials {
  readonly #pending: PendingFindings;
  readonly #credentials = new Memory<Credential>({ entries: MAX_CREDENTIALS });
  readonly #serving = new Set<string>();
  /** How often an operation refused what the call before and the one after it accepted. */
  readonly #counts = new Map<string, number>();

  constructor(pending: PendingFindings) {
    this.#pending = pending;
  }

  call(call: ServiceRequest): void {
    const id = call.operation?.id;
    const kind = responseKind(call);
    if (id === undefined || kind === 'skipped') return;
    if (kind === 'served') this.#serving.add(id);
    const key = credentialOf(call);
    if (key === undefined) return;
    const credential = this.#credentials.get(key) ?? this.#credentials.set(key, { isGood: false, refused: new Map() });
    if (kind === 'served') {
      credential.isGood = true;
      for (const [operation, refusal] of credential.refused)
        if (call.seen.startMs >= refusal.seen.endMs) this.#confirm(operation, refusal);
      credential.refused.clear();
    } else if (isUnauthorized(call)) {
      if (CLAUSE_OF[id] !== undefined && credential.isGood) credential.refused.set(id, call);
      else {
        credential.isGood = false;
        credential.refused.clear();
      }
    }
  }

  #confirm(operation: string, refusal: ServiceRequest): void {
    const count = (this.#counts.get(operation) ?? 0) + 1;
    this.#counts.set(operation, count);
    if (count !== REFUSALS) return;
    const finding = {
      message: `${named(refusal)} refuses what other calls accept before and after it, and never served anyone`,
      pointer: 'status',
      expected: 200,
      actual: refusal.seen.status,
    };
    this.#pending.breaks(refusal, this, operation, CLAUSE_OF[operation] as string, finding, {
      unless: () => this.#serving.has(operation),
    });
  }
}

/**
 * What a call proves itself with, and how it sends that: a token, or a key and a code. Undefined where the recording does not hold it, and
 * for what a service may not read: a name in other letters, or one that is there twice.
 */
function credentialOf({ seen, document, operation }: ServiceRequest): string | undefined {
  if (document === 'api') {
    if (operation?.id === 'logOut') return undefined;
    // A service may read one of the two places, by one method.
    const place = onlyOne(seen.query, 'apiToken') === undefined ? 'form' : 'query';
    const token = onlyOne(parametersOf(seen), 'apiToken');
    if (token === undefined || token === '' || isRedacted(token)) return undefined;
    return `token ${seen.method} ${place} ${token}`;
  }
  const code = onlyOne(seen.query, 'authCode');
  const key = seen.header('authorization');
  if (operation?.template.startsWith('/apps/') !== true || code === undefined || key === undefined) return undefined;
  return isHidden(code) || isHidden(key) ? undefined : `code ${code} ${key}`;
}

/** The value of a parameter that is there once, in whatever letters, and has exactly this name. */
function onlyOne(pairs: Fields, name: string): string | undefined {
  const [first, ...more] = pairs.filter(([given]) => given.toLowerCase() === name.toLowerCase());
  return first?.[0] === name && more.length === 0 ? first[1] : undefined;
}
