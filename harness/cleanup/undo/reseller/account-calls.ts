/**
 * What a check has done to the password and the settings of an account, by its own calls: clean-up sends no call that the check
 * has sent already, and tries no password that it did not set.
 */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import { pathOf } from '../../../../contracts/operations/index.ts';
import type { ServiceRequest } from '../../../target/client/request.ts';
import type { Secret } from '../../../target/secrets/secret.ts';
import { parametersIn } from '../parameters.ts';

const LOGIN = pathOf('authorize', {});
const PASSWORD = pathOf('changePassword', {});
const SETTINGS = pathOf('changeSettings', {});

interface LastText {
  readonly text: string;
  isServed: boolean;
}

export class AccountCalls {
  readonly #settings = new Map<string, LastText>();
  readonly #passwords = new Set<string>();
  #lastPassword: LastText | undefined;
  /** The password that was set by the last change that was served. */
  #presentPassword: string | undefined;
  /** Whether a password has logged in, for those that were tried since the last change of it. */
  readonly #logsIn = new Map<string, boolean>();

  /** Notes a call that goes out. */
  sends(call: ServiceRequest): void {
    const password = passwordIn(call);
    if (call.path === PASSWORD && password !== undefined) {
      this.#passwords.add(password);
      this.#lastPassword = { text: password, isServed: false };
      this.#logsIn.clear();
    }
    if (call.path === SETTINGS)
      for (const [name, text] of parametersIn(call)) this.#settings.set(name, { text, isServed: false });
  }

  /** Notes that a call was served. */
  served(call: ServiceRequest, json: unknown): void {
    const password = passwordIn(call);
    const last = this.#lastPassword;
    if (call.path === PASSWORD && last?.text === password) last!.isServed = true;
    if (call.path === PASSWORD && password !== undefined) this.#presentPassword = password;
    if (call.path === LOGIN && password !== undefined)
      this.#logsIn.set(password, isJsonObject(json) && typeof json.apiToken === 'string');
    if (call.path !== SETTINGS) return;
    for (const [name, text] of parametersIn(call)) {
      const setting = this.#settings.get(name);
      if (setting?.text === text) setting.isServed = true;
    }
  }

  /** Notes that a call was refused. */
  refused(call: ServiceRequest): void {
    const password = passwordIn(call);
    if (call.path === LOGIN && password !== undefined) this.#logsIn.set(password, false);
  }

  /** The passwords that it tried to set. */
  get passwords(): ReadonlySet<string> {
    return this.#passwords;
  }

  /** Whether the last change that was served set another password than this one. */
  hasSetOther(old: Secret | undefined): boolean {
    return this.#presentPassword !== undefined && this.#presentPassword !== old?.reveal();
  }

  /** Whether this password was set last, and has logged in since as the only one that was set. */
  hasPasswordBack(old: Secret | undefined): boolean {
    const last = this.#lastPassword;
    if (last?.isServed !== true || last.text !== old?.reveal()) return false;
    return [...this.#passwords].every((password) => this.#logsIn.get(password) === (password === last.text));
  }

  /** Whether each of these settings was last set to this text, by a call that was served. */
  hasSetBack(old: Readonly<Record<string, unknown>>): boolean {
    return Object.entries(old).every(([name, text]) => {
      const last = this.#settings.get(name);
      return last?.isServed === true && last.text === String(text);
    });
  }
}

const passwordIn = (call: ServiceRequest): string | undefined =>
  parametersIn(call).find(([name]) => name === 'password')?.[1];
