/** What the probes of a profile share: how they ask the target, and where they write what does not fit. */

import { isJsonObject } from '../../contracts/json/object.ts';
import type { RunInfo } from '../resources/run-info.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import type { Profile } from '../target/profile/types.ts';
import { isServed } from '../target/response/judge-response.ts';
import { unclearValueSentence } from './unclear-value.ts';

export type Unusable = RunInfo['unusable'];

/** One attempt to find values of a profile that do not fit the target. */
export class Probing {
  readonly profile: Profile;
  /** Sends a call to its interface. */
  readonly send: (call: ServiceRequest) => Promise<ServiceResponse>;
  /** Reads a public page, without credentials. */
  readonly read: (url: string) => Promise<ServiceResponse>;
  readonly #unusable: Record<string, Unusable[string]>;
  readonly #trusted: ReadonlySet<string>;

  /** `trusted` names the keys of the profile that the user vouches for. */
  constructor(
    profile: Profile,
    unusable: Record<string, Unusable[string]>,
    trusted: ReadonlySet<string>,
    ways: Pick<Probing, 'send' | 'read'>,
  ) {
    this.profile = profile;
    this.#unusable = unusable;
    this.#trusted = trusted;
    this.send = ways.send;
    this.read = ways.read;
  }

  /** Whether a key, or the whole of which it is a part, can be used as far as is known. */
  isUsable(key: string): boolean {
    return !Object.keys(this.#unusable).some((bad) => key === bad || key.startsWith(`${bad}.`));
  }

  /** Records that a value does not fit. The first reason counts; a key that the user vouches for is left alone. */
  unfit(key: string, reason: string): void {
    if (this.#trusted.has(key) || !this.isUsable(key)) return;
    this.#unusable[key] = { attribution: 'configuration', reason };
  }

  /**
   * Records a value that differs from what the target shows while no other response supports either of them. Only the
   * user can decide that: by correcting the value, or by vouching for it.
   */
  unclear(key: string, difference: string, remedy: string): void {
    this.unfit(key, unclearValueSentence(key, difference, remedy));
  }
}

/** What a refusal says, without the ids that differ by request: two refusals for one reason are alike. */
export function refusalOf(response: ServiceResponse, ...ids: readonly string[]): string | undefined {
  if (isServed(response)) return undefined;
  const json = isJsonObject(response.json) ? response.json : {};
  const message = json.error_message ?? json.errorMsg ?? (isJsonObject(response.json) ? '' : response.text);
  const text = ids.reduce((rest, id) => rest.replaceAll(id, '…'), String(message));
  return JSON.stringify([response.status, json.error_code ?? json.errorCode ?? null, text]);
}

/** At most some values of a list, for a sentence. */
export function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => JSON.stringify(value));
  return `${shown.join(', ')}${values.length > SHOWN_VALUES ? ', …' : ''}`;
}
const SHOWN_VALUES = 8;
