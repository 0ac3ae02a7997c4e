/**
 * The one HTTP client of the harness: every request to a target goes through `send`. Each layer sends through the one below it:
 * pauses that the target asks for, gateways that answer in its place, connections that are lost, and one request over the network.
 */
import type { Recorder } from '../../evidence/recorder.ts';
import { wallClockMs } from '../../process/wall-clock.ts';
import { wireTo } from '../network/in-process.ts';
import { openWire, type Wire } from '../network/network.ts';
import type { RateGate } from '../network/rate.ts';
import { isLoopbackHost } from '../profile/index.ts';
import type { Profile } from '../profile/types.ts';
import { refuseSecrets } from './foreign-hosts.ts';
import { Connections } from './layers/connections.ts';
import { Gateways } from './layers/gateways.ts';
import { Once } from './layers/once.ts';
import { Pauses } from './layers/pauses.ts';
import { originOf } from './layers/request-facts.ts';
import { NoResponse } from './no-response.ts';
import type { Client, Clock, OutgoingRequest, SendOptions, ServiceResponse } from './types.ts';
import { Unsendable } from './unsendable.ts';

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

const REALTIME: Clock = {
  now: wallClockMs,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Makes a client for one target; close it, it holds connections open. */
export function createClient(options: ClientOptions): Client {
  const { profile, rate, recorder, transport, served, clock = REALTIME } = options;
  const secrets = profile.secrets();
  const pages = Object.values(profile.website?.pages ?? {});
  const bases = [profile.v1, profile.api].filter((base) => base !== undefined);
  const homes = new Set(bases.map(originOf));
  // Most addresses begin with a base, and are then not parsed.
  const isHome = ({ url }: OutgoingRequest): boolean =>
    bases.some((base) => url.startsWith(base)) || homes.has(originOf(url));

  const once = new Once({
    profile,
    clock,
    rate,
    recorder,
    isHome,
    openWire: () => options.wire ?? (transport === undefined ? openWire(profile) : wireTo(transport)),
    proxy: transport === undefined ? profile.proxy?.reveal() : undefined,
  });
  const connections = new Connections(once, clock);
  const gateways = new Gateways({ once, connections, clock, served, isHome });
  const pauses = new Pauses({ gateways, clock, rate, isHome });

  const send = async (request: OutgoingRequest, how: SendOptions = {}): Promise<ServiceResponse> => {
    const { url } = request;
    if (url.length > MAX_ADDRESS_CHARS)
      throw new Unsendable(`an address of ${url.length} characters can't be sent: servers accept about 8,000.`);
    if (!isHome(request)) {
      const pagesThere = pages.filter((page) => originOf(page) === originOf(url));
      refuseSecrets(request, secrets, pagesThere);
    }
    return pauses.send(request, how);
  };

  return {
    send,
    untilBack: async () => {
      for (const request of gateways.lastServed) await send(request, { role: 'session', safe: true }).catch(noResponse);
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
      return once.requests;
    },
    get hindrances() {
      const { throttled, waitedMs } = pauses;
      const { repeated, absentMs } = connections;
      return { throttled, waitedMs, repeated, away: gateways.repeated, returned: gateways.returned, absentMs };
    },
    close: () => once.close(),
  };
}

function noResponse(error: unknown): void {
  if (!(error instanceof NoResponse)) throw error;
}
