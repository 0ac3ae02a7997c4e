/** Websites of a reseller: their domains and subscriptions, as served calls left them. */
import { comparedName } from '../../../../fields/domain-names.ts';
import { isJsonObject } from '../../../../run/fault.ts';
import { responseKind, type ServiceRequest } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { parametersOf } from '../../../reading/parameters.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import { changedNothing, isGone } from '../refusals/index.ts';
import { type Step, stepOf } from '../step.ts';
import { isExpected } from '../values/expected.ts';
import type { PendingFindings } from '../values/pending.ts';
import { STRANGER_CLAUSES, Strangers } from './strangers.ts';

interface Website {
  domains: ReadonlyMap<string, number> | undefined;
  domainsMs: number;
  added: Map<string, Step>;
  removed: Map<string, Step>;
  /** Domains that a call was refused to add or to remove since they were read, and no other call was served to. */
  refused: Map<string, { readonly isAdd: boolean; readonly step: Step }>;
  premium: { readonly level: string; readonly step: Step } | undefined;
  /** The call that stopped its subscription. */
  stopped: Step | undefined;
  isPremium: { readonly value: boolean; readonly endMs: number } | undefined;
  /** A subscription that a call was refused to start or to stop. */
  refusedPremium: { readonly isPremium: boolean; readonly step: Step } | undefined;
  busyMs: number;
}

export const WEBSITE_STATE_CLAUSES = [
  'reseller.domain.add-attaches',
  'reseller.domain.add-leaves-others',
  'reseller.domain.remove-detaches',
  'reseller.domain.remove-leaves-others',
  'reseller.premium.enable',
  'reseller.premium.enable-plus',
  'reseller.premium.disable',
  ...STRANGER_CLAUSES,
  'reseller.website.only-named-website-changes',
  'envelope.reseller.refusal-changes-nothing',
];

const MAX_WEBSITES = 1_000;
/** Domains of one website. */
const MAX_DOMAINS = 500;
const SHOWN = 20;
/** Names in other alphabets, and texts that are not names, may be written differently. */
const PLAIN_DOMAIN = /^(?!www\.)(?!xn--)[a-z\d-]+(?:\.[a-z\d-]+)+$/i;

/** A rule with memory: call it with every call of one base, in their order. */
export function websiteState(pending: PendingFindings) {
  const websites = new Memory<Website>({ entries: MAX_WEBSITES });
  const strangers = new Strangers(pending);
  /** A subscription changed with no call between two reads: another client uses the account. */
  let isBusy = false;
  /** The website whose subscription was changed last. */
  let lastPremium: { readonly id: string; readonly step: Step } | undefined;

  const websiteOf = (id: string): Website =>
    websites.get(id) ??
    websites.set(id, {
      domains: undefined,
      domainsMs: 0,
      added: new Map(),
      removed: new Map(),
      refused: new Map(),
      premium: undefined,
      stopped: undefined,
      isPremium: undefined,
      refusedPremium: undefined,
      busyMs: 0,
    });

  return {
    /** `account`: what the caller is known by, where it is known. */
    call(call: ServiceRequest, account: string | undefined): void {
      const { operation } = call;
      const kind = responseKind(call);
      if (kind === 'served' && account !== undefined) strangers.call(call, account);
      if (operation?.id === 'addDomain' || operation?.id === 'removeDomain') domainChanged(call, kind);
      else if (operation?.id === 'listDomains' && kind === 'served') domainsRead(call);
      else if (operation?.id === 'enablePremium' || operation?.id === 'disablePremium') premiumChanged(call, kind);
      else if (operation?.id === 'listWebsites' && kind === 'served') websitesRead(call);
    },
    forget(): void {
      for (const website of websites.values()) forgetWebsite(website);
    },
  };

  function domainChanged(call: ServiceRequest, kind: string): void {
    const { seen, operation, match } = call;
    const site = match?.params.website ?? '';
    const website = websiteOf(site);
    if (changedNothing(call)) {
      domainRefused(call, website);
      return;
    }
    pending.takeBack(website, 'domains');
    const isOpen = kind !== 'served' || seen.startMs < website.busyMs;
    website.busyMs = Math.max(website.busyMs, seen.endMs);
    if (isOpen || website.added.size + website.removed.size > MAX_DOMAINS) {
      forgetWebsite(website);
      return;
    }
    if (operation?.id === 'addDomain') {
      const domain = parametersOf(seen).findLast(([name]) => name === 'domain')?.[1];
      if (domain === undefined || !PLAIN_DOMAIN.test(domain) || isRedacted(domain)) {
        forgetWebsite(website);
        return;
      }
      website.removed.delete(comparedName(domain));
      website.refused.delete(comparedName(domain));
      website.added.set(comparedName(domain), stepOf(call));
      return;
    }
    const id = match?.params.domain ?? '';
    const name = [...(website.domains ?? [])].find(([, number]) => String(number) === id)?.[0];
    if (name === undefined) {
      forgetWebsite(website);
      return;
    }
    website.added.delete(name);
    website.refused.delete(name);
    website.removed.set(name, stepOf(call));
  }

  /** One that is there already, or is not there any more, may have been changed by another client. */
  function domainRefused(call: ServiceRequest, website: Website): void {
    const { seen, operation, match } = call;
    const isAdd = operation?.id === 'addDomain';
    if (website.domains === undefined || isGone(call) || seen.status === 409 || seen.startMs < website.busyMs) return;
    const sent = parametersOf(seen).findLast(([name]) => name === 'domain')?.[1] ?? '';
    const isOfId = ([, number]: readonly [string, number]): boolean => String(number) === match?.params.domain;
    const name = isAdd ? comparedName(sent) : [...website.domains].find(isOfId)?.[0];
    if (name === undefined || !PLAIN_DOMAIN.test(name) || website.refused.size >= MAX_DOMAINS) return;
    const isThere = website.domains.has(name) || website.domains.has(`www.${name}`);
    if (isThere === isAdd || website.added.has(name) || website.removed.has(name)) return;
    website.refused.set(name, { isAdd, step: stepOf(call) });
  }

  function domainsRead(call: ServiceRequest): void {
    const { seen, match } = call;
    const body = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    const list = isJsonObject(body) ? body.domains : undefined;
    const website = websiteOf(match?.params.website ?? '');
    if (!Array.isArray(list) || seen.startMs < website.busyMs || list.length > MAX_DOMAINS) return;
    const names = list.map((one) =>
      isJsonObject(one) && typeof one.domain === 'string' ? comparedName(one.domain) : '',
    );
    if (names.some(isRedacted)) return;
    const listed = new Set(names);
    const isListed = (name: string): boolean => listed.has(name) || listed.has(`www.${name}`);
    const breaks = (clause: string, name: string, step: Step, what: string): void =>
      pending.breaks(call, website, 'domains', clause, {
        message: `the domain ${JSON.stringify(name)} ${what} after ${step.name} (exchange ${step.n})${clause === REFUSED ? ' was refused' : ''}`,
        pointer: '/domains',
        expected: 'the list as it was left',
        actual: names.slice(0, SHOWN),
      });
    const isRecent = ({ endMs }: { endMs: number }): boolean => isExpected(endMs, seen.startMs);
    for (const [name, step] of website.added) {
      if (!isRecent(step)) continue;
      if (!isListed(name)) breaks('reseller.domain.add-attaches', name, step, 'is not listed');
      else if (names.filter((one) => one === name).length > 1)
        breaks('reseller.domain.add-attaches', name, step, 'is listed twice');
    }
    for (const [name, step] of website.removed)
      if (isRecent(step) && listed.has(name)) breaks('reseller.domain.remove-detaches', name, step, 'is still listed');
    for (const [name, { isAdd, step }] of website.refused) {
      if (seen.startMs < step.endMs || !isRecent({ endMs: website.domainsMs }) || isListed(name) !== isAdd) continue;
      breaks(REFUSED, name, step, isAdd ? 'is listed' : 'is not listed any more');
    }
    const served = [...website.added, ...website.removed].at(-1)?.[1];
    const last = served ?? [...website.refused.values()].at(-1)?.step;
    const clause =
      served === undefined
        ? REFUSED
        : website.removed.size === 0
          ? 'reseller.domain.add-leaves-others'
          : 'reseller.domain.remove-leaves-others';
    if (last !== undefined && isRecent({ endMs: website.domainsMs })) {
      for (const name of website.domains?.keys() ?? []) {
        const isNamed = [website.removed, website.added, website.refused].some((names) => names.has(name));
        if (isNamed || listed.has(name)) continue;
        // Names below a domain may come and go with it.
        if ([...website.removed.keys(), ...website.added.keys()].some((one) => name.endsWith(`.${one}`))) continue;
        breaks(clause, name, last, 'is not listed any more');
      }
    }
    website.domains = new Map(
      list.flatMap((one, index) =>
        isJsonObject(one) && typeof one.domainID === 'number' ? [[names[index] ?? '', one.domainID] as const] : [],
      ),
    );
    website.domainsMs = seen.endMs;
    website.added = new Map();
    website.removed = new Map();
    website.refused = new Map();
  }

  function premiumChanged(call: ServiceRequest, kind: string): void {
    const { match, operation } = call;
    const id = match?.params.website ?? '';
    const website = websiteOf(id);
    if (changedNothing(call)) {
      if (!isGone(call) && call.seen.status !== 409)
        website.refusedPremium = { isPremium: operation?.id === 'enablePremium', step: stepOf(call) };
      return;
    }
    website.refusedPremium = undefined;
    // A read that overlaps with this call shows neither the old state for certain nor the new one.
    website.isPremium = undefined;
    for (const one of websites.values()) pending.takeBack(one, 'premium');
    const level = operation?.id === 'enablePremium' && kind === 'served' ? (match?.params.subscription ?? '') : '';
    const isKnown = level === 'premium' || level === 'premiumplus';
    website.premium = isKnown ? { level, step: stepOf(call) } : undefined;
    website.stopped = operation?.id === 'disablePremium' && kind === 'served' ? stepOf(call) : undefined;
    lastPremium = { id, step: stepOf(call) };
  }

  function websitesRead(call: ServiceRequest): void {
    const { seen } = call;
    const body = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    const list = isJsonObject(body) ? body.websites : undefined;
    if (!Array.isArray(list) || list.length > MAX_WEBSITES) return;
    for (const record of list) {
      if (!isJsonObject(record) || typeof record.websiteIsPremium !== 'boolean') continue;
      const id = String(record.websiteID);
      // Websites are many and subscriptions few: only what was changed is remembered.
      if (lastPremium === undefined && websites.get(id) === undefined && websites.size >= MAX_WEBSITES) continue;
      judgePremium(call, id, websiteOf(id), record.websiteIsPremium);
    }
  }

  /** A subscription that changed as a refused call would have changed it. Returns true if it did. */
  function judgeRefusedPremium(call: ServiceRequest, id: string, website: Website, isPremium: boolean): boolean {
    const { refusedPremium: refused, isPremium: before } = website;
    if (refused === undefined || call.seen.startMs < refused.step.endMs) return false;
    website.refusedPremium = undefined;
    const isChanged = before !== undefined && before.value !== isPremium && isPremium === refused.isPremium;
    if (!isChanged || before.endMs > refused.step.endMs || !isExpected(before.endMs, call.seen.startMs)) return false;
    const { name, n } = refused.step;
    const finding = {
      message: `websiteIsPremium of the website ${id} is ${isPremium} after ${name} (exchange ${n}) was refused`,
      pointer: '/websites',
      expected: before.value,
      actual: isPremium,
    };
    pending.breaks(call, website, 'premium', REFUSED, finding, { unless: () => isBusy });
    return true;
  }

  function judgePremium(call: ServiceRequest, id: string, website: Website, isPremium: boolean): void {
    const { seen } = call;
    const { premium, isPremium: before } = website;
    const step = premium?.step ?? lastPremium?.step;
    if (step !== undefined && seen.startMs < step.endMs) return;
    const isByRefused = judgeRefusedPremium(call, id, website, isPremium);
    website.isPremium = { value: isPremium, endMs: seen.endMs };
    const wasWritten = lastPremium !== undefined && (before === undefined || lastPremium.step.endMs >= before.endMs);
    if (!wasWritten && !isByRefused && before !== undefined && before.value !== isPremium) isBusy = true;
    if (step === undefined || !isExpected(step.endMs, seen.startMs)) return;
    if (premium !== undefined && !isPremium) {
      website.premium = undefined;
      const clause = premium.level === 'premium' ? 'reseller.premium.enable' : 'reseller.premium.enable-plus';
      pending.breaks(call, website, 'premium', clause, {
        message: `websiteIsPremium of the website ${id} is false after ${step.name} (exchange ${step.n})`,
        pointer: '/websites',
        expected: true,
        actual: false,
      });
    }
    const { stopped } = website;
    if (stopped !== undefined && isPremium) {
      website.stopped = undefined;
      pending.breaks(call, website, 'premium', 'reseller.premium.disable', {
        message: `websiteIsPremium of the website ${id} is still true after ${stopped.name} (exchange ${stopped.n})`,
        pointer: '/websites',
        expected: false,
        actual: true,
      });
    }
    const isOther = lastPremium !== undefined && lastPremium.id !== id && premium === undefined;
    if (!isOther || before === undefined || before.value === isPremium || before.endMs > step.endMs) return;
    const finding = {
      message: `websiteIsPremium of the website ${id} changed with ${step.name} (exchange ${step.n}), which was for another website`,
      pointer: '/websites',
      expected: before.value,
      actual: isPremium,
    };
    pending.breaks(call, website, 'premium', 'reseller.website.only-named-website-changes', finding, {
      unless: () => isBusy,
    });
  }
}

const REFUSED = 'envelope.reseller.refusal-changes-nothing';

function forgetWebsite(website: Website): void {
  Object.assign(website, { domains: undefined, added: new Map(), removed: new Map(), refused: new Map() });
}
