/** The settings of a reseller's account, as served calls left them. */
import { ACCOUNT_SETTINGS } from '../../../../fields/catalogue/reseller.ts';
import { isUnset } from '../../../../fields/unset.ts';
import { isJsonObject } from '../../../../json/object.ts';
import type { ServiceRequest } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { parametersOf } from '../../../reading/parameters.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import { changedNothing, REFUSED_CHANGES_NOTHING } from '../refusals/index.ts';
import { type Step, stepOf } from '../step.ts';
import { isExpected } from '../values/expected.ts';
import { isEqual } from '../values/index.ts';
import type { PendingFindings } from '../values/pending.ts';
import { MAX_ACCOUNTS } from './passwords.ts';

type Json = Readonly<Record<string, unknown>>;

const APPLIES = 'reseller.settings.set-applies';
const KEEPS_OTHERS = 'reseller.settings.set-keeps-others';

export const SETTING_STATE_CLAUSES = [APPLIES, KEEPS_OTHERS, REFUSED_CHANGES_NOTHING];

interface Account {
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
}

export class SettingState {
  readonly #pending: PendingFindings;
  readonly #byKey = new Memory<Account>({ entries: MAX_ACCOUNTS });

  constructor(pending: PendingFindings) {
    this.#pending = pending;
  }

  forget(): void {
    for (const account of this.#byKey.values()) account.settings = undefined;
  }

  /** Takes a call that sets some. `key`: what the account is known by, where it is known. */
  changed(call: ServiceRequest, key: string | undefined, kind: string): void {
    if (changedNothing(call)) {
      if (key === undefined) return;
      const { refused, servedValues } = this.#ofKey(key);
      for (const [name, value] of parametersOf(call.seen)) {
        // A call that was served may have set it before.
        if (KEPT_SETTINGS.has(name) && !servedValues.has(valueKey(name, value)))
          refused.set(name, { value, step: stepOf(call) });
      }
      return;
    }
    if (key === undefined) {
      this.forget();
      return;
    }
    const account = this.#ofKey(key);
    for (const [name, value] of parametersOf(call.seen)) {
      account.refused.delete(name);
      account.servedValues.add(valueKey(name, value));
    }
    this.#pending.takeBack(account, 'settings');
    const isOpen = kind !== 'served' || call.seen.startMs < (account.settingStep?.endMs ?? 0);
    if (isOpen) account.settings = undefined;
    account.settingStep = stepOf(call);
    account.sent = new Map([...(account.sent ?? []), ...parametersOf(call.seen)]);
  }

  /** Takes the settings that a call returned, and judges them by the changes since they were read last. */
  read(call: ServiceRequest, key: string): void {
    const { seen } = call;
    const body = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    const values = isJsonObject(body) ? (isJsonObject(body.settings) ? body.settings : body) : undefined;
    const account = this.#ofKey(key);
    const { settings, sent, settingStep } = account;
    if (values === undefined || seen.startMs < (settingStep?.endMs ?? 0)) return;
    const isRecent = settings !== undefined && isExpected(settings.endMs, seen.startMs);
    if (isRecent && sent !== undefined && settingStep !== undefined)
      this.#judgeChanged(call, account, settings.values, values);
    else if (settings !== undefined && sent === undefined && differs(settings.values, values, account.refused))
      account.isBusy = true;
    if (isRecent) this.#judgeRefused(call, account, settings.values, values);
    account.settings = { values, endMs: seen.endMs };
    account.sent = undefined;
    account.servedValues = new Set();
    account.refused = new Map();
  }

  /** Settings that have the value that was refused. */
  #judgeRefused(call: ServiceRequest, account: Account, before: Json, after: Json): void {
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
      this.#pending.breaks(call, account, 'settings', REFUSED_CHANGES_NOTHING, finding, {
        unless: () => account.isBusy,
      });
    }
  }

  #judgeChanged(call: ServiceRequest, account: Account, before: Json, after: Json): void {
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
      const clause = wanted === undefined ? KEEPS_OTHERS : APPLIES;
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
      this.#pending.breaks(call, account, 'settings', clause, finding, { unless: () => account.isBusy });
    }
  }

  #ofKey(key: string): Account {
    const unknown: Account = {
      ...{ settings: undefined, sent: undefined, settingStep: undefined, isBusy: false, changedBeside: 0 },
      ...{ servedValues: new Set(), refused: new Map(), applied: new Map() },
    };
    return this.#byKey.get(key) ?? this.#byKey.set(key, unknown);
  }
}

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
