/** The domains of a reseller's websites, as served calls left them. */
import { comparedName } from '../../../../fields/domain-names.ts';
import { isJsonObject } from '../../../../json/object.ts';
import { type RecordId, recordId } from '../../../../json/record-ids.ts';
import type { ServiceRequest } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { parametersOf } from '../../../reading/parameters.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import { changedNothing, isGone, REFUSED_CHANGES_NOTHING } from '../refusals/index.ts';
import { type Step, stepOf } from '../step.ts';
import { isExpected } from '../values/expected.ts';
import type { PendingFindings } from '../values/pending.ts';
import { MAX_WEBSITES } from './subscriptions.ts';

const ATTACHES = 'reseller.domain.add-attaches';
const DETACHES = 'reseller.domain.remove-detaches';
const ADD_LEAVES = 'reseller.domain.add-leaves-others';
const REMOVE_LEAVES = 'reseller.domain.remove-leaves-others';

export const DOMAIN_STATE_CLAUSES = [ATTACHES, ADD_LEAVES, DETACHES, REMOVE_LEAVES, REFUSED_CHANGES_NOTHING];

/** A website with its domains as they were last listed, and what was changed since. */
interface Website {
  /** The ids by name. */
  domains: ReadonlyMap<string, RecordId> | undefined;
  domainsMs: number;
  added: Map<string, Step>;
  removed: Map<string, Step>;
  /** Domains that a call was refused to add or to remove since they were read, and no other call was served to. */
  refused: Map<string, { readonly isAdd: boolean; readonly step: Step }>;
  /** The end of the last change. */
  busyMs: number;
}

/** A list of domains that a call returned. */
interface Listing {
  readonly call: ServiceRequest;
  readonly website: Website;
  readonly names: readonly string[];
  readonly listed: ReadonlySet<string>;
  /** With or without `www`. */
  isListed(name: string): boolean;
}

/** Domains of one website. */
const MAX_DOMAINS = 500;
const SHOWN = 20;
/** Names in other alphabets, and texts that are not names, may be written differently. */
const PLAIN_DOMAIN = /^(?!www\.)(?!xn--)[a-z\d-]+(?:\.[a-z\d-]+)+$/i;

export class DomainState {
  readonly #pending: PendingFindings;
  readonly #websites = new Memory<Website>({ entries: MAX_WEBSITES });

  constructor(pending: PendingFindings) {
    this.#pending = pending;
  }

  forget(): void {
    for (const website of this.#websites.values()) forgetDomains(website);
  }

  /** Takes a call that adds or removes a domain. */
  changed(call: ServiceRequest, kind: string): void {
    const { seen, operation, match } = call;
    const website = this.#websiteOf(call);
    if (changedNothing(call)) {
      noteRefused(call, website);
      return;
    }
    this.#pending.takeBack(website, 'domains');
    const isOpen = kind !== 'served' || seen.startMs < website.busyMs;
    website.busyMs = Math.max(website.busyMs, seen.endMs);
    const name = operation?.id === 'addDomain' ? addedName(call) : nameOfId(website, match?.params.domain);
    if (isOpen || name === undefined || website.added.size + website.removed.size > MAX_DOMAINS) {
      forgetDomains(website);
      return;
    }
    for (const names of [website.added, website.removed, website.refused]) names.delete(name);
    const changed = operation?.id === 'addDomain' ? website.added : website.removed;
    changed.set(name, stepOf(call));
  }

  /** Takes a list of domains, and judges it by the changes since the last one. */
  read(call: ServiceRequest): void {
    const { seen } = call;
    const body = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    const list = isJsonObject(body) ? body.domains : undefined;
    const website = this.#websiteOf(call);
    if (!Array.isArray(list) || seen.startMs < website.busyMs || list.length > MAX_DOMAINS) return;
    const names = list.map((one) =>
      isJsonObject(one) && typeof one.domain === 'string' ? comparedName(one.domain) : '',
    );
    if (names.some(isRedacted)) return;
    const listed = new Set(names);
    const isListed = (name: string): boolean => listed.has(name) || listed.has(`www.${name}`);
    const listing: Listing = { call, website, names, listed, isListed };
    this.#judgeChanged(listing);
    this.#judgeRefused(listing);
    this.#judgeOthers(listing);
    const ids = list.flatMap((one, at) => {
      const id = isJsonObject(one) ? recordId(one, 'domainID') : undefined;
      return id === undefined ? [] : [[names[at] ?? '', id] as const];
    });
    const unchanged = { added: new Map(), removed: new Map(), refused: new Map() };
    Object.assign(website, { domains: new Map(ids), domainsMs: seen.endMs, ...unchanged });
  }

  #judgeChanged(listing: Listing): void {
    const { call, website, names, listed, isListed } = listing;
    const isRecent = ({ endMs }: Step): boolean => isExpected(endMs, call.seen.startMs);
    for (const [name, step] of website.added) {
      if (!isRecent(step)) continue;
      if (!isListed(name)) this.#breaks(listing, ATTACHES, name, step, 'is not listed');
      else if (names.filter((one) => one === name).length > 1)
        this.#breaks(listing, ATTACHES, name, step, 'is listed twice');
    }
    for (const [name, step] of website.removed)
      if (isRecent(step) && listed.has(name)) this.#breaks(listing, DETACHES, name, step, 'is still listed');
  }

  #judgeRefused(listing: Listing): void {
    const { call, website, isListed } = listing;
    if (!isExpected(website.domainsMs, call.seen.startMs)) return;
    for (const [name, { isAdd, step }] of website.refused) {
      if (call.seen.startMs < step.endMs || isListed(name) !== isAdd) continue;
      this.#breaks(listing, REFUSED_CHANGES_NOTHING, name, step, isAdd ? 'is listed' : 'is not listed any more');
    }
  }

  /** Judges the domains that no call named. */
  #judgeOthers(listing: Listing): void {
    const { call, website, listed } = listing;
    const { added, removed, refused } = website;
    const served = [...added, ...removed].at(-1)?.[1];
    const last = served ?? [...refused.values()].at(-1)?.step;
    if (last === undefined || !isExpected(website.domainsMs, call.seen.startMs)) return;
    const leaves = removed.size === 0 ? ADD_LEAVES : REMOVE_LEAVES;
    const clause = served === undefined ? REFUSED_CHANGES_NOTHING : leaves;
    // Names below a domain may come and go with it.
    const isBelow = (name: string): boolean =>
      [...removed.keys(), ...added.keys()].some((one) => name.endsWith(`.${one}`));
    const isNamed = (name: string): boolean => [removed, added, refused].some((changed) => changed.has(name));
    for (const name of website.domains?.keys() ?? [])
      if (!isNamed(name) && !listed.has(name) && !isBelow(name))
        this.#breaks(listing, clause, name, last, 'is not listed any more');
  }

  #breaks({ call, website, names }: Listing, clause: string, name: string, step: Step, what: string): void {
    const how = clause === REFUSED_CHANGES_NOTHING ? ' was refused' : '';
    this.#pending.breaks(call, website, 'domains', clause, {
      message: `the domain ${JSON.stringify(name)} ${what} after ${step.name} (exchange ${step.n})${how}`,
      pointer: '/domains',
      expected: 'the list as it was left',
      actual: names.slice(0, SHOWN),
    });
  }

  #websiteOf({ match }: ServiceRequest): Website {
    const id = match?.params.website ?? '';
    const unknown: Website = {
      domains: undefined,
      domainsMs: 0,
      added: new Map(),
      removed: new Map(),
      refused: new Map(),
      busyMs: 0,
    };
    return this.#websites.get(id) ?? this.#websites.set(id, unknown);
  }
}

/** Notes a refused change. One that is there already, or is not there any more, may have been changed by another client. */
function noteRefused(call: ServiceRequest, website: Website): void {
  const { seen, operation, match } = call;
  if (website.domains === undefined || isGone(call) || seen.status === 409 || seen.startMs < website.busyMs) return;
  const isAdd = operation?.id === 'addDomain';
  const name = isAdd ? comparedName(sentDomain(call) ?? '') : nameOfId(website, match?.params.domain);
  if (name === undefined || !PLAIN_DOMAIN.test(name) || website.refused.size >= MAX_DOMAINS) return;
  const isThere = website.domains.has(name) || website.domains.has(`www.${name}`);
  if (isThere === isAdd || website.added.has(name) || website.removed.has(name)) return;
  website.refused.set(name, { isAdd, step: stepOf(call) });
}

const sentDomain = ({ seen }: ServiceRequest): string | undefined =>
  parametersOf(seen).findLast(([name]) => name === 'domain')?.[1];

/** The name that a call adds, where it can be compared. */
function addedName(call: ServiceRequest): string | undefined {
  const sent = sentDomain(call);
  return sent === undefined || !PLAIN_DOMAIN.test(sent) || isRedacted(sent) ? undefined : comparedName(sent);
}

const nameOfId = ({ domains }: Website, id = ''): string | undefined =>
  [...(domains ?? [])].find(([, one]) => one === id)?.[0];

function forgetDomains(website: Website): void {
  Object.assign(website, { domains: undefined, added: new Map(), removed: new Map(), refused: new Map() });
}
