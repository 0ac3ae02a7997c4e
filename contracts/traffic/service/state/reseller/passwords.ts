/** Tokens and passwords of a reseller's account, as served calls left them. */
import { isJsonObject } from '../../../../json/object.ts';
import { responseKind, type ServiceRequest } from '../../../call.ts';
import { Memory } from '../../../memory.ts';
import { parametersOf } from '../../../reading/parameters.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import { named } from '../../responses.ts';
import { changedNothing } from '../refusals/index.ts';
import { type Step, stepOf } from '../step.ts';
import { isExpected } from '../values/expected.ts';
import type { PendingFindings } from '../values/pending.ts';

const LOGOUT_INVALIDATES = 'reseller.logout.invalidates';
const WRONG_REFUSED = 'reseller.authorize.wrong-password-refused';
const NEW_WORKS = 'reseller.password.new-works';
const OLD_REFUSED = 'reseller.password.old-refused';

export const PASSWORD_STATE_CLAUSES = [LOGOUT_INVALIDATES, WRONG_REFUSED, NEW_WORKS, OLD_REFUSED];

interface Account {
  /** The password that was accepted last, and the one before it that a change made invalid. */
  password:
    | { readonly value: string; readonly old: string | undefined; readonly step: Step; readonly isSet: boolean }
    | undefined;
  /** A wrong password may have locked the account. */
  hasRefusal: boolean;
}

const MAX_TOKENS = 500;
export const MAX_ACCOUNTS = 200;

export class PasswordState {
  readonly #pending: PendingFindings;
  readonly #endedTokens = new Memory<Step>({ entries: MAX_TOKENS });
  readonly #emails = new Memory<string>({ entries: MAX_TOKENS });
  readonly #byKey = new Memory<Account>({ entries: MAX_ACCOUNTS });

  constructor(pending: PendingFindings) {
    this.#pending = pending;
  }

  forget(): void {
    for (const account of this.#byKey.values()) account.password = undefined;
  }

  /** What the account of a token is known by: its e-mail address, or the token. Undefined where that is masked. */
  keyOf(token: string | undefined): string | undefined {
    return token === undefined || isRedacted(token) ? undefined : (this.#emails.get(token) ?? `token ${token}`);
  }

  /** Takes a served logout. */
  loggedOut(call: ServiceRequest, token: string): void {
    if (!isRedacted(token)) this.#endedTokens.set(token, stepOf(call));
  }

  /** Judges the token of a served call. */
  judgeToken(call: ServiceRequest, token: string): void {
    const ended = this.#endedTokens.get(token);
    const { seen } = call;
    if (ended === undefined || seen.startMs < ended.endMs || call.operation?.id === 'logOut') return;
    this.#pending.breaks(call, this.#endedTokens, token, LOGOUT_INVALIDATES, {
      message: `${named(call)} was served with a token that ${ended.name} (exchange ${ended.n}) ended`,
      pointer: 'query apiToken',
      expected: 'a refusal',
      actual: seen.status,
    });
  }

  /** Takes a login. */
  authorized(call: ServiceRequest, isServed: boolean): void {
    const { seen } = call;
    const parameters = parametersOf(seen);
    const [email, password] = ['email', 'password'].map(
      (name) => parameters.findLast(([other]) => other === name)?.[1],
    );
    const response = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
    const token = isJsonObject(response) ? response.apiToken : undefined;
    if (isServed && typeof token === 'string') {
      // The service may give one token again.
      this.#endedTokens.delete(token);
      this.#pending.takeBack(this.#endedTokens, token);
      if (email !== undefined && !isRedacted(email) && !isRedacted(token)) this.#emails.set(token, accountKey(email));
    }
    if (email === undefined || password === undefined || isRedacted(email) || isRedacted(password) || password === '')
      return;
    const account = this.#ofKey(accountKey(email));
    this.#judge(call, account, password, isServed);
    if (!isServed) {
      account.hasRefusal = true;
      return;
    }
    if (account.password === undefined || account.password.value !== password) {
      account.password = { value: password, old: undefined, step: stepOf(call), isSet: false };
    }
  }

  #judge(call: ServiceRequest, account: Account, password: string, isServed: boolean): void {
    const known = account.password;
    const { seen } = call;
    if (known === undefined || !isExpected(known.step.endMs, seen.startMs)) return;
    const { step } = known;
    if (!isServed) {
      const isWrong = password !== known.value || !known.isSet || account.hasRefusal;
      if (isWrong || responseKind(call) !== 'refused' || !isAboutCredentials(call)) return;
      this.#pending.breaks(call, account, '', NEW_WORKS, {
        message: `${named(call)} was refused with the password that ${step.name} (exchange ${step.n}) set`,
        pointer: 'status',
        expected: 'a token',
        actual: seen.status,
      });
      return;
    }
    if (password === known.value) return;
    const isOld = known.isSet && password === known.old;
    const clause = isOld ? OLD_REFUSED : WRONG_REFUSED;
    this.#pending.breaks(call, account, '', clause, {
      message: isOld
        ? `${named(call)} was served with the password that ${step.name} (exchange ${step.n}) replaced`
        : `${named(call)} was served with another password than ${step.name} (exchange ${step.n}), and nothing changed it`,
      pointer: 'field password',
      expected: 'a refusal',
      actual: seen.status,
    });
  }

  /** Takes a call that changes the password. */
  changed(call: ServiceRequest, token: string | undefined, kind: string): void {
    if (changedNothing(call)) return;
    const email = token === undefined ? undefined : this.#emails.get(token);
    const value = parametersOf(call.seen).findLast(([name]) => name === 'password')?.[1];
    if (email === undefined) {
      for (const account of this.#byKey.values()) {
        this.#pending.takeBack(account);
        account.password = undefined;
      }
      return;
    }
    const account = this.#ofKey(email);
    this.#pending.takeBack(account);
    const old = account.password;
    const isKnown = kind === 'served' && value !== undefined && value !== '' && !isRedacted(value);
    const isApart = old === undefined || call.seen.startMs >= old.step.endMs;
    account.password = isKnown && isApart ? { value, old: old?.value, step: stepOf(call), isSet: true } : undefined;
  }

  #ofKey(key: string): Account {
    return this.#byKey.get(key) ?? this.#byKey.set(key, { password: undefined, hasRefusal: false });
  }
}

const UNAUTHORIZED = 401;

/** Whether a refusal is about credentials: any other one may be a lock, or a limit of logins. */
function isAboutCredentials({ seen }: ServiceRequest): boolean {
  const body = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
  return [seen.status, isJsonObject(body) ? body.errorCode : undefined].includes(UNAUTHORIZED);
}

const accountKey = (email: string): string => `email ${email.trim().toLowerCase()}`;
