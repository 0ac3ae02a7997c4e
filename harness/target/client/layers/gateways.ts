/**
 * A response with the status of a gateway: whether the target is away or refuses in this way is asked with reads that it served before.
 * Reading requests are repeated when it is back; a write that may have been executed is not.
 */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import { operationAt } from '../../../../contracts/operations/match.ts';
import { isLostConnection } from '../../network/explain-failure.ts';
import { GATEWAY_STATUSES } from '../../response/gateway.ts';
import { isRefused, isServed } from '../../response/judge-response.ts';
import { NoResponse } from '../no-response.ts';
import type { Clock, OutgoingRequest, SendOptions, ServiceResponse } from '../types.ts';
import { lostAtGateway, outOfReach, unanswered } from '../undecidable.ts';
import type { Connections } from './connections.ts';
import type { Once } from './once.ts';
import { Outage } from './outage.ts';
import { isThrottled } from './pause.ts';
import { isSafe, originOf } from './request-facts.ts';

/** Different refusals with a status of gateways; a target that has more writes something of the call into each. */
const MAX_REFUSALS = 40;
const MAX_TEXT_CHARS = 500;
/** Outages that one request waits out. */
const MAX_OUTAGES = 5;
const PAUSE_MS = 1_000;

export interface GatewaysOptions {
  readonly once: Once;
  readonly connections: Connections;
  readonly clock: Clock;
  /** Reads that the target served before there was this client. */
  readonly served: readonly OutgoingRequest[] | undefined;
  readonly isHome: (request: OutgoingRequest) => boolean;
}

export class Gateways {
  /** Reading requests that a gateway answered and that were repeated. */
  repeated = 0;
  /** Requests that were sent again when the target was back. */
  returned = 0;
  readonly #options: GatewaysOptions;
  /** By origin: the interfaces may be on different hosts. */
  readonly #outages = new Map<string, Outage>();
  /** Operations that were served. */
  readonly #servedOperations = new Set<string>();
  /** Responses with a status of gateways that a request got twice: the target refuses so, and they are not repeated. */
  readonly #refusals = new Set<string>();

  constructor(options: GatewaysOptions) {
    this.#options = options;
  }

  /** The latest read of each host that was served. */
  get lastServed(): OutgoingRequest[] {
    return [...this.#outages.values()].map(({ lastServed }) => lastServed).filter((request) => request !== undefined);
  }

  /** A reading request is repeated, because the gateway may have had no service behind it for a moment; not for a known refusal. */
  async send(request: OutgoingRequest, how: SendOptions): Promise<ServiceResponse> {
    const response = await this.#waitOutAbsence(request, how);
    if (isThrottled(response) || !GATEWAY_STATUSES.has(response.status) || this.#isKnownRefusal(response))
      return response;
    if (!isSafe(request, how)) return response;
    await this.#options.clock.sleep(PAUSE_MS);
    this.repeated += 1;
    const again = await this.#waitOutAbsence(request, how);
    if (again.status === response.status) this.#refusals.add(textOf(again));
    again.isRepeated = true;
    return again;
  }

  /** A gateway that is away for a moment says something else than a target that refuses with the same status. */
  #isKnownRefusal(response: ServiceResponse): boolean {
    return this.#refusals.size >= MAX_REFUSALS || this.#refusals.has(textOf(response));
  }

  /** A target that is away: once it is back, a reading request is repeated, and a call of clean-up. */
  async #waitOutAbsence(request: OutgoingRequest, how: SendOptions): Promise<ServiceResponse> {
    const { connections, clock, isHome } = this.#options;
    const safe = isSafe(request, how);
    const mayRepeat = safe || how.role === 'cleanup';
    for (let outages = 0; ; outages += 1) {
      const met = await connections.send(request, how).catch(lostConnection);
      const isLost = met instanceof NoResponse;
      if (!isLost && isHome(request) && isServed(met)) {
        const operation = operationOf(request);
        if (operation !== undefined) this.#servedOperations.add(operation);
        if (safe) this.#outageOf(request).served(request);
      }
      const mayBeAway = isLost ? mayRepeat : GATEWAY_STATUSES.has(met.status) && !isThrottled(met);
      if (!mayBeAway || !isHome(request) || outages >= MAX_OUTAGES) return orThrow(met);
      const found = await this.#outageOf(request).ask(request, isLost ? undefined : met, this.#isAwayFor);
      if (found === 'present' && !isLost && !mayRepeat && this.#isUnanswered(request, met)) throw unanswered(met);
      if (found === 'present' && (outages > 0 || !(isLost || how.role === 'cleanup'))) return orThrow(met);
      // It may have come back while it was asked.
      if (found === 'present') await clock.sleep(PAUSE_MS);
      if (found === 'away') throw isLost ? met : outOfReach(met);
      if (!mayRepeat) throw isLost ? met : lostAtGateway(met);
      if (found === 'back') this.returned += 1;
    }
  }

  /** Whether the gateway gave up waiting for a call that the service serves otherwise: whether it was carried out is not known. */
  #isUnanswered(request: OutgoingRequest, met: ServiceResponse): boolean {
    return isRefused(met) === 'unavailable' && this.#servedOperations.has(operationOf(request) ?? '');
  }

  #outageOf({ url }: OutgoingRequest): Outage {
    const origin = originOf(url);
    const known = this.#outages.get(origin);
    if (known !== undefined) return known;
    const { clock, served } = this.#options;
    const outage = new Outage(
      clock,
      served?.filter((request) => originOf(request.url) === origin),
    );
    this.#outages.set(origin, outage);
    return outage;
  }

  /** Whether a call that was served before gets no more than a gateway's status either. */
  readonly #isAwayFor = async (served: OutgoingRequest): Promise<boolean> => {
    try {
      return GATEWAY_STATUSES.has((await this.#options.once.send(served, { role: 'session', safe: true })).status);
    } catch (error) {
      if (error instanceof NoResponse) return true;
      throw error;
    }
  };
}

/** The failure itself where it is a lost connection; anything else is thrown. */
function lostConnection(error: unknown): NoResponse {
  if (error instanceof NoResponse && isLostConnection(error)) return error;
  throw error;
}

function orThrow(met: ServiceResponse | NoResponse): ServiceResponse {
  if (met instanceof NoResponse) throw met;
  return met;
}

/** What a refusal says, without the names and numbers of the call that it may repeat. */
function textOf({ status, json, text }: ServiceResponse): string {
  const { error_message: message, errorMsg = message } = isJsonObject(json) ? json : {};
  const words = (typeof errorMsg === 'string' ? errorMsg : text).slice(0, MAX_TEXT_CHARS).split(/\s+/);
  return [status, ...words.filter((word) => !/[\d"']/.test(word))].join(' ');
}

const operationOf = ({ method, url }: OutgoingRequest): string | undefined => operationAt(method, url)?.id;
