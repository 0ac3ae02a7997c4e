/** Reseller accounts: tokens, passwords, domains, settings and subscriptions, as served calls left them. */
import { ACCOUNT_SETTINGS } from '../../../fields/catalogue/reseller.ts';
import { isJsonObject } from '../../../run/fault.ts';
import { responseKind, type ServiceRequest } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { parametersOf, tokenOf } from '../../reading/parameters.ts';
import { isRedacted } from '../../reading/redacted.ts';
import { named } from '../responses.ts';
import { isExpected } from './expected.ts';
import type { PendingFindings } from './pending.ts';
import { changedNothing } from './refusals.ts';
import { isEqual } from './values.ts';

type Json = Readonly<Record<string, unknown>>;

/** A call that changed something, and when that was certain. */
interface Step {
  readonly n: number;
  readonly name: string;
  readonly endMs: number;
}

interface Account {
  /** The password that was accepted last, and the one before it that a change made invalid. */
  password:
    | { readonly value: string; readonly old: string | undefined; readonly step: Step; readonly isSet: boolean }
    | undefined;
  settings: { readonly values: Json; readonly endMs: number } | undefined;
  /** Settings that were sent since they were read. */
  sent: Map<string, string> | undefined;
  settingStep: Step | undefined;
  /** A wrong password may have locked the account. */
  hasRefusal: boolean;
}

interface Website {
  domains: ReadonlyMap<string, number> | undefined;
  domainsMs: number;
  added: Map<string, Step>;
  removed: Map<string, Step>;
  premium: { readonly level: string; readonly step: Step } | undefined;
  isPremium: { readonly value: boolean; readonly endMs: number } | undefined;
  busyMs: number;
}

export const ACCOUNT_STATE_CLAUSES = [
  'reseller.logout.invalidates',
  'reseller.authorize.wrong-password-refused',
  'reseller.password.new-works',
  'reseller.password.old-refused',
  'reseller.settings.set-applies',
  'reseller.settings.set-keeps-others',
  'reseller.domain.add-attaches',
  'reseller.domain.add-leaves-others',
  'reseller.domain.remove-detaches',
  'reseller.domain.remove-leaves-others',
  'reseller.premium.enable',
  'reseller.premium.enable-plus',
  'reseller.website.only-named-website-changes',
];

const MAX_TOKENS = 500;
const MAX_ACCOUNTS = 200;
const MAX_WEBSITES = 1_000;
/** Domains of one website. */
const MAX_DOMAINS = 500;

/** A rule with memory: call it with every call of one base, in their order. */
export function accountState(pending: PendingFindings) {
  const endedTokens = new Memory<Step>({ entries: MAX_TOKENS });
  const emails = new Memory<string>({ entries: MAX_TOKENS });
  const accounts = new Memory<Account>({ entries: MAX_ACCOUNTS });
  const websites = new Memory<Website>({ entries: MAX_WEBSITES });
  /** The website whose subscription was changed last. */
  let lastPremium: { readonly id: string; readonly step: Step } | undefined;

  const accountOf = (key: string): Account =>
    accounts.get(key) ??
    accounts.set(key, {
      ...{ password: undefined, settings: undefined, sent: undefined, settingStep: undefined, hasRefusal: false },
    });
  const websiteOf = (id: string): Website =>
    websites.get(id) ??
    websites.set(id, {
      ...{ domains: undefined, domainsMs: 0, added: new Map<string, Step>(), removed: new Map<string, Step>() },
      ...{ premium: undefined, isPremium: undefined, busyMs: 0 },
    });

  return {
    call(call: ServiceRequest): void {
      const { operation } = call;
      if (operation === undefined || call.document !== 'api') return;
      const kind = responseKind(call);
      if (operation.id === 'authorize') {
        authorized(call, kind === 'served');
        return;
      }
      const token = tokenOf(call.seen);
      if (kind === 'served' && token !== undefined) judgeToken(call, token);
      const key = token === undefined || isRedacted(token) ? undefined : (emails.get(token) ?? `token ${token}`);
      if (operation.id === 'logOut' && kind === 'served' && token !== undefined && !isRedacted(token))
        endedTokens.set(token, stepOf(call));
      else if (operation.id === 'changePassword') passwordChanged(call, token, kind);
      else if (operation.id === 'changeSettings') settingsChanged(call, key, kind);
      else if (operation.id === 'readSettings' && kind === 'served' && key !== undefined) settingsRead(call, key);
      else if (operation.id === 'addDomain' || operation.id === 'removeDomain') domainChanged(call, kind);
      else if (operation.id === 'listDomains' && kind === 'served') domainsRead(call);
      else if (operation.id === 'enablePremium' || operation.id === 'disablePremium') premiumChanged(call, kind);
      else if (operation.id === 'listWebsites' && kind === 'served') websitesRead(call);
    },
    forget(): void {
      for (const account of accounts.values()) Object.assign(account, { password: undefined, settings: undefined });
      for (const website of websites.values()) forgetWebsite(website);
    },
  };

  function judgeToken(call: ServiceRequest, token: string): void {
    const ended = endedTokens.get(token);
    const { seen } = call;
    if (ended === undefined || seen.startMs < ended.endMs || call.operation?.id === 'logOut') return;
    pending.breaks(call, endedTokens, token, 'reseller.logout.invalidates', {
      message: `${named(call)} was served with a token that ${ended.name} (exchange ${ended.n}) ended`,
      pointer: 'query apiToken',
      expected: 'a refusal',
      actual: seen.status,
    });
  }

  function authorized(call: ServiceRequest, isServed: boolean): void {
    const { seen } = call;
    const parameters = parametersOf(seen);
    const [email, password] = ['email', 'password'].map(
      (name) => parameters.findLast(([other]) => other === name)?.[1],
    );
    const response = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    const token = isJsonObject(response) ? response.apiToken : undefined;
    if (isServed && typeof token === 'string') {
      // The service may give one token again.
      endedTokens.delete(token);
      pending.takeBack(endedTokens, token);
      if (email !== undefined && !isRedacted(email) && !isRedacted(token)) emails.set(token, accountKey(email));
    }
    if (email === undefined || password === undefined || isRedacted(email) || isRedacted(password) || password === '')
      return;
    const account = accountOf(accountKey(email));
    judgePassword(call, account, password, isServed);
    if (!isServed) {
      account.hasRefusal = true;
      return;
    }
    if (account.password === undefined || account.password.value !== password) {
      account.password = { value: password, old: undefined, step: stepOf(call), isSet: false };
    }
  }

  function judgePassword(call: ServiceRequest, account: Account, password: string, isServed: boolean): void {
    const known = account.password;
    const { seen } = call;
    if (known === undefined || !isExpected(known.step.endMs, seen.startMs)) return;
    const { step } = known;
    if (!isServed) {
      const isWrong = password !== known.value || !known.isSet || account.hasRefusal;
      if (isWrong || responseKind(call) !== 'refused' || seen.status >= 500 || LOCKED.has(seen.status)) return;
      pending.breaks(call, account, '', 'reseller.password.new-works', {
        message: `${named(call)} was refused with the password that ${step.name} (exchange ${step.n}) set`,
        pointer: 'status',
        expected: 'a token',
        actual: seen.status,
      });
      return;
    }
    if (password === known.value) return;
    const isOld = known.isSet && password === known.old;
    const clause = isOld ? 'reseller.password.old-refused' : 'reseller.authorize.wrong-password-refused';
    pending.breaks(call, account, '', clause, {
      message: isOld
        ? `${named(call)} was served with the password that ${step.name} (exchange ${step.n}) replaced`
        : `${named(call)} was served with another password than ${step.name} (exchange ${step.n}), and nothing changed it`,
      pointer: 'field password',
      expected: 'a refusal',
      actual: seen.status,
    });
  }

  function passwordChanged(call: ServiceRequest, token: string | undefined, kind: string): void {
    if (changedNothing(call)) return;
    const email = token === undefined ? undefined : emails.get(token);
    const value = parametersOf(call.seen).findLast(([name]) => name === 'password')?.[1];
    if (email === undefined) {
      for (const account of accounts.values()) {
        pending.takeBack(account);
        account.password = undefined;
      }
      return;
    }
    const account = accountOf(email);
    pending.takeBack(account);
    const old = account.password;
    const isKnown = kind === 'served' && value !== undefined && value !== '' && !isRedacted(value);
    const isApart = old === undefined || call.seen.startMs >= old.step.endMs;
    account.password = isKnown && isApart ? { value, old: old?.value, step: stepOf(call), isSet: true } : undefined;
  }

  function settingsChanged(call: ServiceRequest, key: string | undefined, kind: string): void {
    if (changedNothing(call)) return;
    if (key === undefined) {
      for (const account of accounts.values()) account.settings = undefined;
      return;
    }
    const account = accountOf(key);
    pending.takeBack(account, 'settings');
    const isOpen = kind !== 'served' || call.seen.startMs < (account.settingStep?.endMs ?? 0);
    if (isOpen) account.settings = undefined;
    account.settingStep = stepOf(call);
    account.sent = new Map([...(account.sent ?? []), ...parametersOf(call.seen)]);
  }

  function settingsRead(call: ServiceRequest, key: string): void {
    const { seen } = call;
    const body = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    const values = isJsonObject(body) ? (isJsonObject(body.settings) ? body.settings : body) : undefined;
    const account = accountOf(key);
    const { settings, sent, settingStep } = account;
    if (values === undefined || seen.startMs < (settingStep?.endMs ?? 0)) return;
    const isRecent = settings !== undefined && isExpected(settings.endMs, seen.startMs);
    if (isRecent && sent !== undefined && settingStep !== undefined)
      judgeSettings(call, account, settings.values, values);
    account.settings = { values, endMs: seen.endMs };
    account.sent = undefined;
  }

  function judgeSettings(call: ServiceRequest, account: Account, before: Json, after: Json): void {
    const { sent, settingStep } = account;
    for (const [name, old] of Object.entries(before)) {
      const value = after[name];
      if (!KEPT_SETTINGS.has(name) || isEqual(old, value) || isRedacted(old) || isRedacted(value)) continue;
      const wanted = sent?.get(name);
      if (wanted !== undefined && (wanted === '' || isRedacted(wanted) || isSame(wanted, value))) continue;
      const clause = wanted === undefined ? 'reseller.settings.set-keeps-others' : 'reseller.settings.set-applies';
      pending.breaks(call, account, 'settings', clause, {
        message: `${name} is ${wanted === undefined ? 'another one' : 'neither its old value nor the one that was sent'} after ${settingStep?.name} (exchange ${settingStep?.n})`,
        pointer: `/${name}`,
        expected: wanted ?? old,
        actual: value ?? null,
      });
    }
  }

  function domainChanged(call: ServiceRequest, kind: string): void {
    const { seen, operation, match } = call;
    if (changedNothing(call)) return;
    const site = match?.params.website ?? '';
    const website = websiteOf(site);
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
      website.removed.delete(domain.toLowerCase());
      website.added.set(domain.toLowerCase(), stepOf(call));
      return;
    }
    const id = match?.params.domain ?? '';
    const name = [...(website.domains ?? [])].find(([, number]) => String(number) === id)?.[0];
    if (name === undefined) {
      forgetWebsite(website);
      return;
    }
    website.added.delete(name);
    website.removed.set(name, stepOf(call));
  }

  function domainsRead(call: ServiceRequest): void {
    const { seen, match } = call;
    const body = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    const list = isJsonObject(body) ? body.domains : undefined;
    const website = websiteOf(match?.params.website ?? '');
    if (!Array.isArray(list) || seen.startMs < website.busyMs || list.length > MAX_DOMAINS) return;
    const names = list.map((one) =>
      isJsonObject(one) && typeof one.domain === 'string' ? one.domain.toLowerCase() : '',
    );
    if (names.some(isRedacted)) return;
    const listed = new Set(names);
    const isListed = (name: string): boolean => listed.has(name) || listed.has(`${name}.`) || listed.has(`www.${name}`);
    const breaks = (clause: string, name: string, step: Step, what: string): void =>
      pending.breaks(call, website, 'domains', clause, {
        message: `the domain ${JSON.stringify(name)} ${what} after ${step.name} (exchange ${step.n})`,
        pointer: '/domains',
        expected: 'the list as it was left',
        actual: names.slice(0, SHOWN),
      });
    const isRecent = ({ endMs }: { endMs: number }): boolean => isExpected(endMs, seen.startMs);
    for (const [name, step] of website.added)
      if (isRecent(step) && !isListed(name)) breaks('reseller.domain.add-attaches', name, step, 'is not listed');
    for (const [name, step] of website.added) {
      const isTwice = isRecent(step) && names.filter((one) => one === name).length > 1;
      if (isTwice) breaks('reseller.domain.add-attaches', name, step, 'is listed twice');
    }
    for (const [name, step] of website.removed)
      if (isRecent(step) && listed.has(name)) breaks('reseller.domain.remove-detaches', name, step, 'is still listed');
    const last = [...website.added, ...website.removed].at(-1);
    const isAdd = website.removed.size === 0;
    if (last !== undefined && isRecent({ endMs: website.domainsMs })) {
      for (const name of website.domains?.keys() ?? []) {
        if (website.removed.has(name) || website.added.has(name) || listed.has(name)) continue;
        // Names below a domain may come and go with it.
        if ([...website.removed.keys(), ...website.added.keys()].some((one) => name.endsWith(`.${one}`))) continue;
        const clause = isAdd ? 'reseller.domain.add-leaves-others' : 'reseller.domain.remove-leaves-others';
        breaks(clause, name, last[1], 'is not listed any more');
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
  }

  function premiumChanged(call: ServiceRequest, kind: string): void {
    const { match, operation } = call;
    if (changedNothing(call)) return;
    const id = match?.params.website ?? '';
    const website = websiteOf(id);
    for (const one of websites.values()) pending.takeBack(one, 'premium');
    const level = operation?.id === 'enablePremium' && kind === 'served' ? (match?.params.subscription ?? '') : '';
    const isKnown = level === 'premium' || level === 'premiumplus';
    website.premium = isKnown ? { level, step: stepOf(call) } : undefined;
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

  function judgePremium(call: ServiceRequest, id: string, website: Website, isPremium: boolean): void {
    const { seen } = call;
    const { premium, isPremium: before } = website;
    const step = premium?.step ?? lastPremium?.step;
    if (step !== undefined && seen.startMs < step.endMs) return;
    website.isPremium = { value: isPremium, endMs: seen.endMs };
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
    const isOther = lastPremium !== undefined && lastPremium.id !== id && premium === undefined;
    if (!isOther || before === undefined || before.value === isPremium || before.endMs > step.endMs) return;
    pending.breaks(call, website, 'premium', 'reseller.website.only-named-website-changes', {
      message: `websiteIsPremium of the website ${id} changed with ${step.name} (exchange ${step.n}), which was for another website`,
      pointer: '/websites',
      expected: before.value,
      actual: isPremium,
    });
  }
}

/** What the operator sets, or the service may write in its own way, is left out, and so is what the contract does not know. */
const KEPT_SETTINGS: ReadonlySet<string> = new Set(
  Object.keys(ACCOUNT_SETTINGS).filter((name) => !['resellerID', 'creditLimit', 'tlds'].includes(name)),
);
const LOCKED = new Set([403, 423, 429]);
const SHOWN = 20;
/** Names in other alphabets, and texts that are not names, may be written differently. */
const PLAIN_DOMAIN = /^(?!www\.)(?!xn--)[a-z\d-]+(?:\.[a-z\d-]+)+$/i;

const stepOf = (call: ServiceRequest): Step => ({ n: call.seen.n, name: named(call), endMs: call.seen.endMs });
const accountKey = (email: string): string => `email ${email.trim().toLowerCase()}`;

/** Mail addresses and the like may be written in lower case. */
const isSame = (sent: string, read: unknown): boolean =>
  (typeof read === 'string' || typeof read === 'number') && String(read).toLowerCase() === sent.toLowerCase();

function forgetWebsite(website: Website): void {
  Object.assign(website, { domains: undefined, added: new Map(), removed: new Map() });
}
