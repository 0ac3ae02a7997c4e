/** Reseller accounts: tokens, passwords, domains, settings and subscriptions, as served calls left them. */
import { ACCOUNT_SETTINGS } from '../../../../fields/catalogue/reseller.ts';
import { isUnset } from '../../../../fields/unset.ts';
import { isJsonObject } from '../../../../run/fault.ts';
import { responseKind, type ServiceRequest } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { parametersOf, tokenOf } from '../../../reading/parameters.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import { named } from '../../responses.ts';
import { changedNothing } from '../refusals/index.ts';
import { type Step, stepOf } from '../step.ts';
import { isExpected } from '../values/expected.ts';
import { isEqual } from '../values/index.ts';
import type { PendingFindings } from '../values/pending.ts';
import { WEBSITE_STATE_CLAUSES, websiteState } from './websites.ts';

type Json = Readonly<Record<string, unknown>>;

interface Account {
  /** The password that was accepted last, and the one before it that a change made invalid. */
  password:
    | { readonly value: string; readonly old: string | undefined; readonly step: Step; readonly isSet: boolean }
    | undefined;
  settings: { readonly values: Json; readonly endMs: number } | undefined;
  /** Settings that were sent since they were read. */
  sent: Map<string, string> | undefined;
  /** Each value that a served call sent since they were read, also those that a later call replaced. */
  servedValues: Set<string>;
  settingStep: Step | undefined;
  /** Settings that were refused since they were read, and that no served call has sent since. */
  refused: Map<string, { readonly value: string; readonly step: Step }>;
  /** Values, in lower case, that were read after a call had set them. */
  readonly applied: Map<string, Set<string>>;
  /** How often a setting that no call named was another one, and not empty, after a call had set others. */
  changedBeside: number;
  /** Its settings changed between two reads with no call between them: another client uses the account. */
  isBusy: boolean;
  /** A wrong password may have locked the account. */
  hasRefusal: boolean;
}

export const ACCOUNT_STATE_CLAUSES = [
  ...WEBSITE_STATE_CLAUSES,
  'reseller.logout.invalidates',
  'reseller.authorize.wrong-password-refused',
  'reseller.password.new-works',
  'reseller.password.old-refused',
  'reseller.settings.set-applies',
  'reseller.settings.set-keeps-others',
  'envelope.reseller.refusal-changes-nothing',
];

const MAX_TOKENS = 500;
const MAX_ACCOUNTS = 200;

/** A rule with memory: call it with every call of one base, in their order. */
export function accountState(pending: PendingFindings) {
  const endedTokens = new Memory<Step>({ entries: MAX_TOKENS });
  const emails = new Memory<string>({ entries: MAX_TOKENS });
  const accounts = new Memory<Account>({ entries: MAX_ACCOUNTS });
  const websites = websiteState(pending);

  const accountOf = (key: string): Account =>
    accounts.get(key) ??
    accounts.set(key, {
      ...{ password: undefined, settings: undefined, sent: undefined, settingStep: undefined, hasRefusal: false },
      ...{ isBusy: false, servedValues: new Set(), refused: new Map(), applied: new Map(), changedBeside: 0 },
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
      else websites.call(call, key);
    },
    forget(): void {
      for (const account of accounts.values()) Object.assign(account, { password: undefined, settings: undefined });
      websites.forget();
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
      if (isWrong || responseKind(call) !== 'refused' || !isAboutCredentials(call)) return;
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
    if (changedNothing(call)) {
      if (key === undefined) return;
      const { refused, servedValues } = accountOf(key);
      for (const [name, value] of parametersOf(call.seen)) {
        // A call that was served may have set it before.
        if (KEPT_SETTINGS.has(name) && !servedValues.has(valueKey(name, value)))
          refused.set(name, { value, step: stepOf(call) });
      }
      return;
    }
    if (key === undefined) {
      for (const account of accounts.values()) account.settings = undefined;
      return;
    }
    const account = accountOf(key);
    for (const [name, value] of parametersOf(call.seen)) {
      account.refused.delete(name);
      account.servedValues.add(valueKey(name, value));
    }
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
    else if (settings !== undefined && sent === undefined && differs(settings.values, values, account.refused))
      account.isBusy = true;
    if (isRecent) judgeRefused(call, account, settings.values, values);
    account.settings = { values, endMs: seen.endMs };
    account.sent = undefined;
    account.servedValues = new Set();
    account.refused = new Map();
  }

  /** Settings that have the value that was refused. */
  function judgeRefused(call: ServiceRequest, account: Account, before: Json, after: Json): void {
    for (const [name, { value, step }] of account.refused) {
      const isThere = value !== '' && !isRedacted(value) && isSame(value, after[name]);
      if (!isThere || !Object.hasOwn(before, name) || isSame(value, before[name])) continue;
      if (call.seen.startMs < step.endMs) continue;
      const finding = {
        message: `${name} is what ${step.name} (exchange ${step.n}) was refused`,
        pointer: `/${name}`,
        expected: before[name],
        actual: after[name],
      };
      pending.breaks(call, account, 'settings', REFUSED, finding, { unless: () => account.isBusy });
    }
  }

  function judgeSettings(call: ServiceRequest, account: Account, before: Json, after: Json): void {
    const { sent, settingStep } = account;
    noteChangedBeside(account, before, after);
    for (const [name, old] of Object.entries(before)) {
      const value = after[name];
      if (!KEPT_SETTINGS.has(name) || isRedacted(old) || isRedacted(value)) continue;
      const wanted = sent?.get(name);
      if (wanted !== undefined && (wanted === '' || isRedacted(wanted))) continue;
      if (wanted !== undefined && isSame(wanted, value)) {
        if (!isSame(wanted, old)) noteApplied(account, name, wanted);
        continue;
      }
      const isUnchanged = isEqual(old, value);
      // Which settings can be changed, and to what, is open until the recording shows it; so is what is left out of several.
      if (isUnchanged && !(wanted !== undefined && isOnly(sent, name) && wasApplied(account, name, wanted))) continue;
      const clause = wanted === undefined ? 'reseller.settings.set-keeps-others' : 'reseller.settings.set-applies';
      const what = isUnchanged
        ? 'its old value, although the value that was sent could be set before,'
        : wanted === undefined
          ? 'another one'
          : 'neither its old value nor the one that was sent';
      const finding = {
        message: `${name} is ${what} after ${settingStep?.name} (exchange ${settingStep?.n})`,
        pointer: `/${name}`,
        expected: wanted ?? old,
        actual: value ?? null,
      };
      pending.breaks(call, account, 'settings', clause, finding, { unless: () => account.isBusy });
    }
  }
}

const REFUSED = 'envelope.reseller.refusal-changes-nothing';

/** Values of one setting. */
const MAX_APPLIED = 20;

function noteApplied({ applied }: Account, name: string, value: string): void {
  const values = applied.get(name) ?? new Set();
  applied.set(name, values);
  if (values.size < MAX_APPLIED) values.add(value.toLowerCase());
}

/** What keeps changing to new values beside what is set is changed by another client. */
function noteChangedBeside(account: Account, before: Json, after: Json): void {
  const isBeside = (name: string): boolean =>
    account.sent?.has(name) === false && !isUnset(after[name]) && !isEqual(before[name], after[name]);
  if ([...KEPT_SETTINGS].some(isBeside)) account.changedBeside += 1;
  if (account.changedBeside >= MAX_CHANGED_BESIDE) account.isBusy = true;
}

const MAX_CHANGED_BESIDE = 2;

const wasApplied = ({ applied }: Account, name: string, value: string): boolean =>
  applied.get(name)?.has(value.toLowerCase()) === true;

/** Whether one setting alone was sent. */
const isOnly = (sent: ReadonlyMap<string, string> | undefined, name: string): boolean =>
  [...(sent?.keys() ?? [])].every((other) => other === name || !KEPT_SETTINGS.has(other));

/** What the operator sets, or the service may write in its own way, is left out, and so is what the contract does not know. */
const KEPT_SETTINGS: ReadonlySet<string> = new Set(
  Object.keys(ACCOUNT_SETTINGS).filter((name) => !['resellerID', 'creditLimit', 'tlds'].includes(name)),
);

const UNAUTHORIZED = 401;

/** Whether a refusal is about credentials: any other one may be a lock, or a limit of logins. */
function isAboutCredentials({ seen }: ServiceRequest): boolean {
  const body = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
  return [seen.status, isJsonObject(body) ? body.errorCode : undefined].includes(UNAUTHORIZED);
}

const accountKey = (email: string): string => `email ${email.trim().toLowerCase()}`;

/** Mail addresses and the like may be written in lower case, and phone numbers without what separates their digits. */
const isSame = (sent: string, read: unknown): boolean =>
  (typeof read === 'string' || typeof read === 'number') && comparedSetting(String(read)) === comparedSetting(sent);

const PHONE = /^[+\d\s()./-]+$/;
const comparedSetting = (text: string): string =>
  PHONE.test(text) && /\d/.test(text) ? text.replace(/\D/g, '') : text.toLowerCase();

const valueKey = (name: string, value: string): string => `${name} ${comparedSetting(value)}`;

/** Whether settings that clients may set differ, beside those that a call was refused to set. */
const differs = (before: Json, after: Json, refused: ReadonlyMap<string, unknown>): boolean =>
  [...KEPT_SETTINGS].some(
    (name) => !refused.has(name) && Object.hasOwn(before, name) && !isEqual(before[name], after[name]),
  );
