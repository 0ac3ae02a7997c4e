/** Reseller accounts: tokens, passwords, settings, domains and subscriptions, as served calls left them. */
import { responseKind, type ServiceRequest } from '../../../call.ts';
import { tokenOf } from '../../../reading/parameters.ts';
import type { PendingFindings } from '../values/pending.ts';
import { PASSWORD_STATE_CLAUSES, PasswordState } from './passwords.ts';
import { SETTING_STATE_CLAUSES, SettingState } from './settings.ts';
import { WEBSITE_STATE_CLAUSES, WebsiteState } from './websites.ts';

export const ACCOUNT_STATE_CLAUSES = [...WEBSITE_STATE_CLAUSES, ...PASSWORD_STATE_CLAUSES, ...SETTING_STATE_CLAUSES];

/** A rule with memory: takes every call of one base, in their order. */
export class AccountState {
  readonly #passwords: PasswordState;
  readonly #settings: SettingState;
  readonly #websites: WebsiteState;

  constructor(pending: PendingFindings) {
    this.#passwords = new PasswordState(pending);
    this.#settings = new SettingState(pending);
    this.#websites = new WebsiteState(pending);
  }

  call(call: ServiceRequest): void {
    const { operation } = call;
    if (operation === undefined || call.document !== 'api') return;
    const kind = responseKind(call);
    const isServed = kind === 'served';
    if (operation.id === 'authorize') {
      this.#passwords.authorized(call, isServed);
      return;
    }
    const token = tokenOf(call.seen);
    if (isServed && token !== undefined) this.#passwords.judgeToken(call, token);
    const key = this.#passwords.keyOf(token);
    if (operation.id === 'logOut' && isServed && token !== undefined) this.#passwords.loggedOut(call, token);
    else if (operation.id === 'changePassword') this.#passwords.changed(call, token, kind);
    else if (operation.id === 'changeSettings') this.#settings.changed(call, key, kind);
    else if (operation.id === 'readSettings' && isServed && key !== undefined) this.#settings.read(call, key);
    else this.#websites.call(call, key);
  }

  /** Forgets what calls outside the recording may have changed. */
  forget(): void {
    this.#passwords.forget();
    this.#settings.forget();
    this.#websites.forget();
  }
}
