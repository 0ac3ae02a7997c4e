/**
 * Account settings that neither the contract nor the service has, in calls that change settings (spec: Reseller account settings). A
 * service takes only what it allows, and may ignore the rest, so that a misspelt name loses its value without a sign.
 */
import { resourceOf } from '../../envelopes/index.ts';
import { ACCOUNT_SETTINGS } from '../../fields/catalogue/reseller.ts';
import { isJsonObject } from '../../json/object.ts';
import { shortened } from '../../json/words.ts';
import type { RuleContext, ServiceRequest } from '../call.ts';
import { parametersOf } from '../reading/parameters.ts';
import { isRedacted } from '../reading/redacted.ts';
import { named } from '../service/responses.ts';
import { UnknownNames } from './unknown-names.ts';

const CLAUSE = 'reseller.calls.parameters';
const SETTINGS: readonly string[] = Object.keys(ACCOUNT_SETTINGS);
/** What any call may have beside its own parameters: the token, and the language for messages. */
const OF_ANY_CALL = /^(?:apiToken|lang|language|locale)$/;
const SHOWN_CHARACTERS = 40;

/** A rule with memory: takes every call of one base, and `end` after the last one. */
export class UnknownSettingRule {
  readonly #notes: RuleContext['notes'];
  readonly #names = new UnknownNames<{ readonly n: number; readonly call: string }>();

  constructor({ notes }: RuleContext) {
    this.#notes = notes;
  }

  call(call: ServiceRequest): void {
    const { operation, seen } = call;
    if (operation?.id === 'readSettings') this.#remember(seen.responseBody);
    if (operation?.id !== 'changeSettings') return;
    const names = parametersOf(seen).map(([name]) => name);
    // Where none of them is a setting, the whole call is the mistake.
    if (!names.some((name) => SETTINGS.includes(name))) return;
    for (const name of names) {
      if (OF_ANY_CALL.test(name) || SETTINGS.includes(name) || isRedacted(name)) continue;
      this.#names.sent(name, { n: seen.n, call: named(call) });
    }
  }

  end(): void {
    for (const [name, { n, call }] of this.#names.left()) {
      this.#notes.advises(CLAUSE, n, {
        message: `${call} sends ${JSON.stringify(shortened(name, SHOWN_CHARACTERS))}, which is the name of no setting: its value may be lost`,
        pointer: `query ${name}`,
        expected: SETTINGS,
        actual: name,
      });
    }
  }

  #remember(body: ServiceRequest['seen']['responseBody']): void {
    const settings = body.kind === 'json' ? resourceOf(body.value, 'settings') : undefined;
    if (isJsonObject(settings)) this.#names.shown(settings);
  }
}
