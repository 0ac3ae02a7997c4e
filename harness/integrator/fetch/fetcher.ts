/**
 * Plain requests to addresses of an integrator (manifest, icon, label), without any credential: bounded in time and size,
 * recorded, redirects followed. Certificates are verified; a self-signed one is taken on loopback, unless a CA was named.
 */

import type { RecordedExchange } from '../../evidence/recorded-exchange.ts';
import type { Recorder } from '../../evidence/recorder.ts';
import { PROOFMARK_VERSION } from '../../process/version.ts';
import { wallClockMs } from '../../process/wall-clock.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import { explainFailure } from '../../target/network/explain-failure.ts';
import { openWire, type Wire, type WireResponse } from '../../target/network/network.ts';
import { type ConnectPolicy, createReach } from '../../target/network/reach.ts';
import { isLoopbackHost } from '../../target/profile/index.ts';

export interface Fetched extends WireResponse {
  readonly url: string;
  /** The first header of that name, whatever its case. */
  header(name: string): string | undefined;
  readonly durationMs: number;
  /** Number of the recorded exchange; 0 without a recorder. */
  readonly exchange: number;
}

export interface FetchOptions {
  readonly method?: string;
  readonly headers?: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
  readonly timeoutMs?: number;
  /** The request's part in its check, for the report. */
  readonly role?: string;
  /** Redirects that are followed; 5 by default. */
  readonly redirects?: number;
  /** Names a browser as its sender: some hosts refuse what they take for a program. */
  readonly asBrowser?: boolean;
  /** Receives each response, also the redirects on the way. */
  readonly seen?: (response: Fetched) => void;
}

export interface Fetcher {
  /** The response, after redirects. Throws `NoResponse` with a sentence when there was none. */
  fetch(url: string, options?: FetchOptions): Promise<Fetched>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;
/** As browsers name themselves. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export interface FetcherOptions {
  readonly ca?: string;
  readonly recorder?: Recorder;
  /**
   * Addresses that the user named: what an integrator hands out is followed into their networks only. The first address of
   * each fetch by default.
   */
  readonly own?: () => readonly string[];
}

/** Opens a client for the addresses of an integrator, which records what it sends and receives. */
export const openFetcher = (options: FetcherOptions): Fetcher => new IntegratorFetcher(options);

/** Limits as a profile has them, without one. */
const LIMITS = { limits: { timeoutMs: DEFAULT_TIMEOUT_MS } } as Parameters<typeof openWire>[0];

class IntegratorFetcher implements Fetcher {
  readonly #options: FetcherOptions;
  /** Verifies certificates. */
  readonly #strict: Wire;
  /** Takes any certificate: for loopback, where no authority was named. */
  #lenient: Wire | undefined;

  constructor(options: FetcherOptions) {
    const { ca } = options;
    this.#options = options;
    const tls = ca === undefined ? undefined : { ca, cert: undefined, key: undefined };
    this.#strict = openWire({ ...LIMITS, proxy: undefined, tls });
  }

  async fetch(address: string, how: FetchOptions = {}): Promise<Fetched> {
    let url = asBrowsersWrite(address);
    let step = how;
    const reach = createReach({ own: this.#options.own ?? (() => [address]) });
    for (let hops = 0; ; hops += 1) {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw new NoResponse(`"${url}" is not a web address.`, 'target');
      const refusal = await reach.refuse(url);
      if (refusal !== undefined) throw new NoResponse(`${refusal}.`, 'target');
      const response = await this.#once(url, step, await reach.guard(url));
      step.seen?.(response);
      const location = [301, 302, 303, 307, 308].includes(response.status) ? response.header('location') : undefined;
      if (location === undefined || !URL.canParse(location, url)) return response;
      if (hops >= (how.redirects ?? MAX_REDIRECTS))
        throw new NoResponse(`${address} redirects too often; ${hops} redirects were followed.`, 'target');
      url = new URL(location, url).href;
      // As browsers do: only 307 and 308 send the body on.
      if (response.status < 304) step = withoutBody(step);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#strict.close(), this.#lenient?.close()]);
  }

  #wireFor(url: string): Wire {
    if (this.#options.ca !== undefined || !isLoopbackHost(new URL(url).hostname)) return this.#strict;
    this.#lenient ??= openWire({ ...LIMITS, proxy: undefined, tls: undefined }, { anyCertificate: true });
    return this.#lenient;
  }

  /** One request without its redirects. */
  async #once(url: string, how: FetchOptions, mayConnect: ConnectPolicy | undefined): Promise<Fetched> {
    const method = how.method ?? 'GET';
    const headers: [string, string][] = [
      ['User-Agent', how.asBrowser === true ? BROWSER : `Proofmark/${PROOFMARK_VERSION}`],
      ['Accept', '*/*'],
      ...(how.headers ?? []).map(([name, value]): [string, string] => [name, value]),
    ];
    const sent = { role: how.role ?? 'fetch', at: wallClockMs(), started: performance.now() };
    const request = { method, url, headers, ...(how.body === undefined ? {} : { body: how.body }) };
    try {
      const response = await this.#wireFor(url).exchange({
        method,
        url,
        headers,
        body: how.body === undefined ? undefined : Buffer.from(how.body),
        timeoutMs: how.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        fresh: true,
        ...(mayConnect === undefined ? {} : { mayConnect }),
      });
      const { status, headers: received, bytes } = response;
      const exchange = this.#record(sent, request, { response: { status, headers: received, body: bytes } });
      return {
        ...response,
        url,
        header: (name) => received.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1],
        durationMs: performance.now() - sent.started,
        exchange,
      };
    } catch (error) {
      const explained = explainFailure(error, url, method);
      if (explained === undefined) throw error;
      const failure = sentenceOf(explained, url);
      this.#record(sent, request, { failure });
      throw new NoResponse(failure, explained.attribution, error);
    }
  }

  /** Returns the number of the exchange; 0 without a recorder. */
  #record(
    { role, at, started }: { readonly role: string; readonly at: number; readonly started: number },
    request: RecordedExchange['request'],
    outcome: Pick<RecordedExchange, 'response' | 'failure'>,
  ): number {
    const durationMs = performance.now() - started;
    return this.#options.recorder?.record({ role, at, durationMs, request, ...outcome }) ?? 0;
  }
}

/** An address with letters or spaces in it is sent encoded, as browsers do; any other one as it is, to the byte. */
const asBrowsersWrite = (address: string): string =>
  /[^!-~]/.test(address) ? (URL.parse(address)?.href ?? address) : address;

function withoutBody({ body: _body, method: _method, headers = [], ...rest }: FetchOptions): FetchOptions {
  return { ...rest, headers: headers.filter(([name]) => name.toLowerCase() !== 'content-type') };
}

/** The most common failures, worded for an integrator; the others as the client words them. */
const SENTENCES: readonly (readonly [RegExp, (host: string) => string])[] = [
  [
    /connection refused/,
    (host) => `Nothing listens at ${host} (connection refused): start it, or correct the address.`,
  ],
  [/is not known \(DNS\)/, (host) => `The host name of ${host} is not known (DNS): correct the address.`],
  [
    /did not accept a connection in time/,
    (host) => `${host} did not accept a connection in time: look for a firewall or a wrong port.`,
  ],
  [
    /no complete response came/,
    (host) => `${host} accepted the request but did not respond in time: check what delays it.`,
  ],
  [
    /self-signed or from an unknown/,
    (host) =>
      `The certificate of ${host} is self-signed or from an unknown authority: pass the authority's PEM file with --ca.`,
  ],
  [/issued for another name/, (host) => `The certificate of ${host} was issued for another name.`],
  [
    /does not speak TLS as expected/,
    (host) => `${host} does not speak TLS: should the address begin with http://, or have another port?`,
  ],
];

function sentenceOf(failure: NoResponse, url: string): string {
  const { host } = new URL(url);
  const row = SENTENCES.find(([pattern]) => pattern.test(failure.message));
  return row === undefined ? failure.message : row[1](host);
}
