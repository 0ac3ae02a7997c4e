/**
 * How long a token of Reseller is good is not stated, nor how one that ended is refused: a session that ends in mid-run is not a fault
 * of the call that meets it. The call is sent again with a new token, once, before its response is judged. Only the session that
 * all checks share is renewed: what a check does with a token of its own, or with a wrong one, is what it asks about.
 */

import type { Send } from '../../check/expect.ts';
import { type CallValue, type ServiceRequest, withPair } from '../client/request.ts';
import { isServed } from '../response/judge-response.ts';
import { Secret } from '../secrets/secret.ts';
import { Reseller } from './reseller.ts';

const PARAMETER = 'apiToken';
const PLACES = ['query', 'form'] as const;

/** Where a call of Reseller carries its token, and the token. */
function tokenOf(
  call: ServiceRequest,
): { readonly place: (typeof PLACES)[number]; readonly token: string } | undefined {
  if (call.api !== 'api') return undefined;
  const form = call.body !== undefined && 'form' in call.body ? call.body.form : [];
  for (const place of PLACES) {
    const [, value] = (place === 'query' ? call.query : form).find(([name]) => name === PARAMETER) ?? [];
    if (value !== undefined) return { place, token: plainOf(value) };
  }
  return undefined;
}

/** Whether a call carries this token. */
export const carriesToken = (call: ServiceRequest, token: Secret | undefined): boolean =>
  token !== undefined && tokenOf(call)?.token === token.reveal();

const plainOf = (value: CallValue): string => (value instanceof Secret ? value.reveal() : value);

/** Calls that need nothing but a token and change nothing: the smallest answer first. */
const READS = ['balance/', 'settings/', 'websites/'] as const;

export class SessionRenewal {
  /** Tokens that the shared session had before: calls that were made with one go out with the present one. */
  readonly #former = new Set<string>();
  /** Reads that the target has served, in the way in which it did, by their paths. */
  readonly #reads = new Map<string, ServiceRequest>();
  /** The read that last showed a token to be good. */
  #proved: { readonly token: string; readonly sentAt: number } | undefined;
  #moments = 0;

  /** The call with the present token, where it carries a former one. */
  current(call: ServiceRequest, present: Secret | undefined): ServiceRequest {
    const carried = tokenOf(call);
    if (carried === undefined || present === undefined || !this.#former.has(carried.token)) return call;
    return withPair(call, carried.place, PARAMETER, present);
  }

  /** Notes a call that was served with the token of the session. */
  served(call: ServiceRequest): void {
    if (READS.some((path) => path === call.path)) this.#reads.set(call.path, call);
  }

  /**
   * Whether a token is good. A refusal says nothing of its reason: any 4XX or 5XX may say that a token has ended, or that something
   * else in the call is not wanted. So the token is tried with a read that this target is known to serve. Where such a read was sent
   * after the moment `since`, the one at which the call was refused, and served, its response is the one to this question.
   */
  async isGood(token: Secret, send: Send, since?: number): Promise<boolean> {
    const proved = this.#proved;
    if (since !== undefined && proved?.token === token.reveal() && proved.sentAt > since) return true;
    const sentAt = this.moment();
    for (const proof of this.#proofsOf(token)) {
      if (!isServed(await send(proof, 'session'))) continue;
      this.#proved = { token: token.reveal(), sentAt };
      return true;
    }
    return false;
  }

  /** A number that is larger than all before it: what was sent later has a larger one. */
  moment(): number {
    this.#moments += 1;
    return this.#moments;
  }

  /** Calls of which one is served if a token is good. */
  #proofsOf(token: Secret): readonly ServiceRequest[] {
    const known = READS.map((path) => this.#reads.get(path)).find((call) => call !== undefined);
    const reseller = new Reseller(token);
    const place = known === undefined ? undefined : tokenOf(known)?.place;
    if (known === undefined || place === undefined) return [reseller.readBalance(), reseller.readBalance('GET')];
    return [withPair(known, place, PARAMETER, token)];
  }

  /** Notes that a token has ended. */
  ended(token: Secret): void {
    this.#former.add(token.reveal());
  }

  /** From now on nothing is known of former tokens: a check has logged out or in by itself. */
  forget(): void {
    this.#former.clear();
    this.#proved = undefined;
  }
}
