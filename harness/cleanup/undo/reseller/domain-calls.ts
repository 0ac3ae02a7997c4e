/**
 * What a check has seen of the domains that it attached: one that was listed, and is not listed any more since the last change, needs
 * no further reading when it is cleaned up.
 */
import { isSameDomain } from '../../../../contracts/fields/domain-names.ts';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../../target/client/request.ts';
import type { LedgerEntry } from '../../ledger.ts';
import { parametersIn } from '../parameters.ts';

const LIST = /^website\/(\d+)\/domains\/$/;
const ADD = /^website\/(\d+)\/domain\/add\/$/;
const REMOVE = /^website\/(\d+)\/domain\/[^/]+\/remove\/$/;

interface Website {
  /** Names that a list has shown since they were added last. */
  readonly shown: Set<string>;
  /** The last list; undefined after a change. */
  listed: readonly string[] | undefined;
}

export class DomainCalls {
  readonly #websites = new Map<string, Website>();

  /** Notes a call that goes out. */
  sends(call: ServiceRequest): void {
    const added = ADD.exec(call.path)?.[1];
    const id = added ?? REMOVE.exec(call.path)?.[1];
    if (id === undefined) return;
    const website = this.#websiteOf(id);
    website.listed = undefined;
    const name = added === undefined ? undefined : parametersIn(call).find(([one]) => one === 'domain')?.[1];
    // A list may show what was just added later.
    for (const known of website.shown) if (name !== undefined && isSameDomain(known, name)) website.shown.delete(known);
  }

  /** Notes that a call was served. */
  served({ path }: ServiceRequest, json: unknown): void {
    const id = LIST.exec(path)?.[1];
    if (id === undefined) return;
    const list = isJsonObject(json) && Array.isArray(json.domains) ? json.domains.filter(isJsonObject) : [];
    const names = list.flatMap(({ domain }) => (typeof domain === 'string' ? [domain] : []));
    const website = this.#websiteOf(id);
    website.listed = names;
    for (const name of names) website.shown.add(name);
  }

  /** Whether a domain was seen to be attached, and to be gone after the last change. */
  isGone(entry: LedgerEntry): boolean {
    if (entry.kind !== 'domain') return false;
    const { shown, listed } = this.#websiteOf(String(entry.website));
    const isIt = (name: string): boolean => isSameDomain(name, entry.domain);
    return listed !== undefined && [...shown].some(isIt) && !listed.some(isIt);
  }

  #websiteOf(id: string): Website {
    const website = this.#websites.get(id) ?? { shown: new Set(), listed: undefined };
    this.#websites.set(id, website);
    return website;
  }
}
