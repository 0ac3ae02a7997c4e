/**
 * The one HTTP client of the harness: every request to a target goes through `send`. The policy is here: where secrets
 * may go, what is repeated, how a target's wish for a pause is obeyed. The wire is `network.ts`.
 */

import { performance } from 'node:perf_hooks';
import type { Recorder } from '../../evidence/recorder.ts';
import { PROOFMARK_VERSION } from '../../process/version.ts';
import { explainFailure, isLostConnection } from '../network/explain-failure.ts';
import { wireTo } from '../network/in-process.ts';
import { openWire, type Wire, type WireRequest, type WireResponse } from '../network/network.ts';
import type { RateGate } from '../network/rate.ts';
import { isLoopbackHost } from '../profile/index.ts';
import type { Profile } from '../profile/types.ts';
import { GATEWAY_STATUSES } from '../response/gateway.ts';
import { isRefused, isServed } from '../response/judge-response.ts';
import { nestingOf } from '../response/nesting.ts';
import { answerOf } from '../response/response.ts';
import { plain, Secret } from '../secrets/secret.ts';
import { Absence } from './absence.ts';
import { NoResponse } from './no-response.ts';
import { Outage } from './outage.ts';
import { Rests } from './rests.ts';
import type { Client, Clock, OutgoingRequest, SendOptions, ServiceResponse } from './types.ts';
import {
  lostAtGateway,
  MAX_RESPONSE_LEVELS,
  notRepeated,
  notSent,
  outOfReach,
  throttled,
  tooDeep,
} from './undecidable.ts';
import { Unsendable } from './unsendable.ts';

export { NoResponse, type NoResponseAttribution } from './no-response.ts';

export interface ClientOptions {
  readonly profile: Profile;
  readonly rate?: RateGate;
  readonly recorder?: Recorder;
  /** Instead of the sockets that are opened otherwise: one that records, answers from a recording, or leads to a target in this process. */
  readonly wire?: Wire;
  /** Replaces the network, for targets in this process. */
  readonly transport?: (request: Request) => Promise<Response>;
  readonly clock?: Clock;
  /** Reads that the target served before there was this client: they show whether it is away. */
  readonly served?: readonly OutgoingRequest[];
}

/** Servers take 8 to 16 KiB of address; a longer one comes of an endless id or link. */
const MAX_ADDRESS_CHARS = 32 * 1024;
/** Times one request is repeated because the target asked for a pause (429, or 503 with Retry-After). */
export const MAX_PAUSES = 5;
/** All pauses of one request together; a target that wants more is not able to be judged now. */
export const MAX_PAUSES_MS = 60_000;
/** Roles of calls that a target refuses for their credentials: ones that it has to refuse, and questions whether a token is good. */
const MAY_BE_REFUSED: ReadonlySet<string> = new Set(['probe', 'session']);
/** The first pause after a 429 that does not say how long; the next ones double. */
const FIRST_PAUSE_MS = 1_000;

const REALTIME: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Whether the target refused this only because of too many requests; nothing can be judged by such a response. */
export function isThrottled(response: Pick<ServiceResponse, 'status' | 'header'>): boolean {
  return response.status === 429 || (response.status === 503 && response.header('retry-after') !== undefined);
}

/** Makes a client for one target; close it, it holds connections open. */
export function createClient(options: ClientOptions): Client {
  const { profile, rate, recorder, transport } = options;
  const clock = options.clock ?? REALTIME;
  const secretValues = profile
    .secrets()
    .map((secret) => secret.reveal())
    .filter((value) => value.length >= 8);
  const pages = Object.values(profile.website?.pages ?? {});
  const pagesAt = (origin: string): string[] => pages.filter((page) => originOf(page) === origin);
  const homes = new Set([profile.v1, profile.api].filter((base) => base !== undefined).map(originOf));
  const count = { requests: 0, throttled: 0, waitedMs: 0, repeated: 0, away: 0, returned: 0 };
  /** A kept connection was lost once: the target closes them in its own time, so that writes no longer use any. */
  let keepsConnections = true;
  /** The target refuses with a status of gateways: that is how it answers, and nothing is repeated for it. */
  let refusesTwice = false;
  /** The target kept asking for pauses until we stopped waiting: for so long (by the clock) such calls are not sent. */
  const rests = new Rests(MAX_PAUSES_MS);
  const absence = new Absence(clock);
  const outages = new Map<string, Outage>();
  /** The interfaces may be on different hosts. */
  const outageOf = ({ url }: OutgoingRequest): Outage => {
    const origin = originOf(url);
    const known = outages.get(origin);
    if (known !== undefined) return known;
    const outage = new Outage(
      clock,
      options.served?.filter((served) => originOf(served.url) === origin),
    );
    outages.set(origin, outage);
    return outage;
  };
  /** The target answered a call that it has to refuse with 429 until we stopped waiting: that is how it refuses such calls. */
  let refusesByPause = false;
  let wire: Wire | undefined;
  const proxy = transport === undefined ? profile.proxy?.reveal() : undefined;

  const isHome = ({ url }: OutgoingRequest): boolean => homes.has(originOf(url));
  const isSafe = ({ method }: OutgoingRequest, how: SendOptions): boolean => how.safe ?? /^(GET|HEAD)$/.test(method);

  const exchange = (request: WireRequest): Promise<WireResponse> => {
    count.requests += 1;
    wire ??= options.wire ?? (transport === undefined ? openWire(profile) : wireTo(transport));
    return wire.exchange(request);
  };

  /** Sends it over the network, once. */
  const once = async (request: OutgoingRequest, how: SendOptions, isRepeated = false): Promise<ServiceResponse> => {
    const headers = completeHeaders(request, isHome(request) ? profile.headers : []);
    const wireRequest: WireRequest = {
      method: request.method,
      url: request.url,
      headers: headers.map(([name, value]) => [name, plain(value)]),
      body: typeof request.body === 'string' ? Buffer.from(request.body, 'utf8') : request.body,
      timeoutMs: how.timeoutMs ?? profile.limits.timeoutMs,
      // Another kept connection may be as dead as the one that was lost.
      fresh: isRepeated || (!isSafe(request, how) && !keepsConnections),
      ...(how.mayConnect === undefined ? {} : { mayConnect: how.mayConnect }),
    };
    await rate?.take();
    const at = clock.now();
    const started = performance.now();
    const record = (outcome: { response?: WireResponse; failure?: string }): number => {
      const { response, failure } = outcome;
      return (
        recorder?.record({
          ...(how.role === undefined ? {} : { role: how.role }),
          at,
          durationMs: performance.now() - started,
          request: { ...request, headers },
          ...(response === undefined ? {} : { response: { ...response, body: response.bytes } }),
          ...(failure === undefined ? {} : { failure }),
        }) ?? 0
      );
    };
    try {
      const response = await exchange(wireRequest);
      const durationMs = performance.now() - started;
      if (nestingOf(response.bytes) > MAX_RESPONSE_LEVELS) {
        const failure = tooDeep(request);
        failure.exchange = record({ response, failure: failure.message });
        throw failure;
      }
      return answerOf({
        ...response,
        durationMs,
        exchange: record({ response }),
        request,
        redact: recorder?.redact,
      });
    } catch (error) {
      if (error instanceof NoResponse) throw error;
      const failure = explainFailure(error, request.url, request.method, proxy);
      if (failure === undefined) throw error;
      failure.exchange = record({ failure: failure.message });
      throw failure;
    }
  };

  const retryLostConnection = async (request: OutgoingRequest, how: SendOptions): Promise<ServiceResponse> => {
    const origin = originOf(request.url);
    try {
      return await absence.waitOut(origin, () => once(request, how));
    } catch (error) {
      if (!(error instanceof NoResponse) || !isLostConnection(error)) throw error;
      keepsConnections = false;
      if (!isSafe(request, how)) throw notRepeated(error);
      count.repeated += 1;
      return absence.waitOut(origin, () => once(request, how, true));
    }
  };

  /** Whether a call that was served before gets no more than a gateway's status either. */
  const isAwayFor = async (served: OutgoingRequest): Promise<boolean> => {
    try {
      return GATEWAY_STATUSES.has((await once(served, { role: 'session', safe: true })).status);
    } catch (error) {
      if (error instanceof NoResponse) return true;
      throw error;
    }
  };

  /** A target that is away: once it is back, a reading request is repeated, and a call of clean-up. */
  const waitOutAbsence = async (request: OutgoingRequest, how: SendOptions): Promise<ServiceResponse> => {
    const mayRepeat = isSafe(request, how) || how.role === 'cleanup';
    for (let outages = 0; ; outages += 1) {
      const met = await retryLostConnection(request, how).catch(lostConnection);
      const isLost = met instanceof NoResponse;
      if (!isLost && isHome(request) && isSafe(request, how) && isServed(met)) outageOf(request).served(request);
      const mayBeAway = isLost ? mayRepeat : GATEWAY_STATUSES.has(met.status) && !isThrottled(met);
      if (!mayBeAway || !isHome(request) || outages >= MAX_PAUSES) return orThrow(met);
      const found = await outageOf(request).ask(request, isLost ? undefined : met, isAwayFor);
      if (found === 'present' && (outages > 0 || !(isLost || how.role === 'cleanup'))) return orThrow(met);
      // It may have come back while it was asked.
      if (found === 'present') await clock.sleep(FIRST_PAUSE_MS);
      if (found === 'away') throw isLost ? met : outOfReach(met);
      if (!mayRepeat) throw isLost ? met : lostAtGateway(met);
      if (found === 'back') count.returned += 1;
    }
  };

  const send = async (request: OutgoingRequest, how: SendOptions = {}): Promise<ServiceResponse> => {
    if (request.url.length > MAX_ADDRESS_CHARS)
      throw new Unsendable(`an address of ${request.url.length} characters can't be sent: servers accept about 8,000.`);
    const home = isHome(request);
    if (!home) refuseSecrets(request, secretValues, pagesAt(originOf(request.url)));
    const safe = isSafe(request, how);

    /** A gateway that has no service behind it for a moment: a reading request is repeated until one is refused twice. */
    const retryGateway = async (): Promise<ServiceResponse> => {
      const response = await waitOutAbsence(request, how);
      if (!safe || refusesTwice || isThrottled(response) || !GATEWAY_STATUSES.has(response.status)) return response;
      await clock.sleep(FIRST_PAUSE_MS);
      count.away += 1;
      const again = await waitOutAbsence(request, how);
      refusesTwice = again.status === response.status;
      return again;
    };

    // Clean-up may wait as long as it needs.
    const waitsLonger = how.role === 'cleanup';
    const resting = home && !waitsLonger ? rests.reason(request, clock.now()) : undefined;
    if (resting !== undefined) throw notSent(resting);
    let waited = 0;
    for (let pauses = 0; ; pauses += 1) {
      const response = await retryGateway();
      if (!isThrottled(response)) {
        if (home) rests.answered(request, response);
        if (how.role === 'probe' && isRefused(response) === 'refused') refusesByPause = false;
        return response;
      }
      // A service may slow down clients with wrong credentials. A limit on all such calls is another matter.
      const isRefusal =
        MAY_BE_REFUSED.has(how.role ?? '') && isRefused(response) === 'refused' && !rests.isLimited(request);
      if (isRefusal && refusesByPause) return response;
      count.throttled += 1;
      const pause = pauseOf(response, clock.now()) ?? FIRST_PAUSE_MS * 2 ** pauses;
      const canPause = pauses < MAX_PAUSES && waited + pause <= MAX_PAUSES_MS;
      if (!canPause && isRefusal) {
        refusesByPause = true;
        return response;
      }
      if (!canPause || (home && !waitsLonger && rests.isKnown(request))) {
        const because = throttled(response, request);
        const until = clock.now() + Math.min(Math.max(pause, FIRST_PAUSE_MS), MAX_PAUSES_MS);
        if (home) rests.begin(request, safe, { until, because });
        throw because;
      }
      waited += pause;
      count.waitedMs += pause;
      rate?.pause(pause);
      await clock.sleep(pause);
    }
  };

  return {
    send,
    untilBack: async () => {
      for (const { lastServed } of outages.values())
        if (lastServed !== undefined) await send(lastServed, { role: 'session', safe: true }).catch(noResponse);
    },
    grant: (url) => {
      const { protocol, hostname } = new URL(url);
      if (protocol !== 'https:' && !isLoopbackHost(hostname) && !profile.allow.has('plain-http')) {
        throw new Error(
          `Secrets must not travel unencrypted to ${hostname}, so nothing was sent to ${protocol}//${hostname}: use https, or put "plain-http" into "allow".`,
        );
      }
      homes.add(originOf(url));
    },
    get requests() {
      return count.requests;
    },
    get hindrances() {
      const { throttled, waitedMs, repeated, away, returned } = count;
      return { throttled, waitedMs, repeated, away, returned, absentMs: absence.waitedMs };
    },
    close: async () => {
      await wire?.close();
      wire = undefined;
    },
  };
}

/** The failure itself where it is a lost connection; anything else is thrown. */
function lostConnection(error: unknown): NoResponse {
  if (error instanceof NoResponse && isLostConnection(error)) return error;
  throw error;
}

function noResponse(error: unknown): void {
  if (!(error instanceof NoResponse)) throw error;
}

function orThrow(met: ServiceResponse | NoResponse): ServiceResponse {
  if (met instanceof NoResponse) throw met;
  return met;
}

const originOf = (url: string): string => new URL(url).origin;

/** What is sent: the request's own headers, then those of the profile and ours where the request has none of that name. */
function completeHeaders(
  request: OutgoingRequest,
  ofProfile: Profile['headers'],
): ReadonlyArray<readonly [string, string | Secret]> {
  const headers: (readonly [string, string | Secret])[] = [...(request.headers ?? [])];
  const has = (name: string): boolean => headers.some(([given]) => given.toLowerCase() === name.toLowerCase());
  for (const [name, value] of ofProfile) if (!has(name)) headers.push([name, value]);
  // A service that chooses its error pages by `Accept` must not be blamed for HTML.
  if (!has('accept')) headers.push(['Accept', 'application/json, */*;q=0.8']);
  if (!has('accept-encoding')) headers.push(['Accept-Encoding', 'gzip, deflate, br']);
  if (!has('user-agent')) headers.push(['User-Agent', `Proofmark/${PROOFMARK_VERSION}`]);
  return headers;
}

/**
 * A mistake of ours must not send a key to another host: neither in a header, nor by value in address or body. `own` are addresses
 * of the profile on that host: what the user has written into them is meant for it.
 */
function refuseSecrets(request: OutgoingRequest, values: readonly string[], own: readonly string[]): void {
  const { body = '' } = request;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  const places = [request.url, text, ...(request.headers ?? []).map(([, value]) => plain(value))];
  const carriesSecret = request.headers?.some(([, value]) => value instanceof Secret) === true;
  const spelled = (value: string): string[] => [
    value,
    encodeURIComponent(value.toWellFormed()),
    JSON.stringify(value).slice(1, -1),
  ];
  if (
    carriesSecret ||
    values
      .filter((value) => !own.some((address) => address.includes(value)))
      .some((value) => places.some((place) => spelled(value).some((form) => place.includes(form))))
  ) {
    throw new Error(
      `A secret was about to be sent to ${originOf(request.url)}, which is not an address of the profile: it was not sent.`,
    );
  }
}

/** How long the response asks to wait, in milliseconds: seconds or a date by the target's own clock (RFC 9110, Retry-After). */
function pauseOf(response: Pick<ServiceResponse, 'header'>, now: number): number | undefined {
  const text = response.header('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const date = Date.parse(text);
  const itsNow = Date.parse(response.header('date') ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(itsNow) ? now : itsNow));
}
