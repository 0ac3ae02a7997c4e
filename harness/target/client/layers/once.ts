/** A request over the network, once: what is sent with it, how it is recorded, and why there is no response. */
import { performance } from 'node:perf_hooks';
import type { Recorder } from '../../../evidence/recorder.ts';
import { PROOFMARK_VERSION } from '../../../process/version.ts';
import { explainFailure } from '../../network/explain-failure.ts';
import type { Wire, WireRequest, WireResponse } from '../../network/network.ts';
import type { RateGate } from '../../network/rate.ts';
import type { Profile } from '../../profile/types.ts';
import { nestingOf } from '../../response/nesting.ts';
import { responseOf } from '../../response/response.ts';
import { plain, type Secret } from '../../secrets/secret.ts';
import { NoResponse } from '../no-response.ts';
import type { Clock, OutgoingRequest, SendOptions, ServiceResponse } from '../types.ts';
import { MAX_RESPONSE_LEVELS, tooDeep } from '../undecidable.ts';

export interface OnceOptions {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly rate: RateGate | undefined;
  readonly recorder: Recorder | undefined;
  /** Called before the first request, and again for one after `close`. */
  readonly openWire: () => Wire;
  /** Whether the headers of the profile go with it. */
  readonly isHome: (request: OutgoingRequest) => boolean;
  /** The proxy that requests go through, for messages. */
  readonly proxy: string | undefined;
}

type Headers = ReadonlyArray<readonly [string, string | Secret]>;

export class Once {
  /** Requests that left. */
  requests = 0;
  readonly #options: OnceOptions;
  #wire: Wire | undefined;

  constructor(options: OnceOptions) {
    this.#options = options;
  }

  /**
   * Sends it and records the exchange. `fresh`: over a new connection. Throws `NoResponse` if no whole response came, or one that is
   * nested too deep to be judged.
   */
  async send(request: OutgoingRequest, how: SendOptions, fresh = false): Promise<ServiceResponse> {
    const { profile, clock, rate, recorder, isHome, proxy } = this.#options;
    const headers = completeHeaders(request, isHome(request) ? profile.headers : []);
    const wireRequest: WireRequest = {
      method: request.method,
      url: request.url,
      headers: headers.map(([name, value]) => [name, plain(value)]),
      body: typeof request.body === 'string' ? Buffer.from(request.body, 'utf8') : request.body,
      timeoutMs: how.timeoutMs ?? profile.limits.timeoutMs,
      fresh,
      ...(how.mayConnect === undefined ? {} : { mayConnect: how.mayConnect }),
    };
    await rate?.take();
    const at = clock.now();
    const started = performance.now();
    const record = ({ response, failure }: { response?: WireResponse; failure?: string }): number =>
      recorder?.record({
        ...(how.role === undefined ? {} : { role: how.role }),
        at,
        durationMs: performance.now() - started,
        request: { ...request, headers },
        ...(response === undefined ? {} : { response: { ...response, body: response.bytes } }),
        ...(failure === undefined ? {} : { failure }),
      }) ?? 0;
    try {
      const response = await this.#exchange(wireRequest);
      const durationMs = performance.now() - started;
      if (nestingOf(response.bytes) > MAX_RESPONSE_LEVELS) {
        const failure = tooDeep(request);
        failure.exchange = record({ response, failure: failure.message });
        throw failure;
      }
      return responseOf({ ...response, durationMs, exchange: record({ response }), request, redact: recorder?.redact });
    } catch (error) {
      if (error instanceof NoResponse) throw error;
      const failure = explainFailure(error, request.url, request.method, proxy);
      if (failure === undefined) throw error;
      failure.exchange = record({ failure: failure.message });
      throw failure;
    }
  }

  #exchange(request: WireRequest): Promise<WireResponse> {
    this.requests += 1;
    this.#wire ??= this.#options.openWire();
    return this.#wire.exchange(request);
  }

  async close(): Promise<void> {
    await this.#wire?.close();
    this.#wire = undefined;
  }
}

/** What is sent: the request's own headers, then those of the profile and ours where the request has none of that name. */
function completeHeaders(request: OutgoingRequest, ofProfile: Profile['headers']): Headers {
  const headers = [...(request.headers ?? [])];
  const has = (name: string): boolean => headers.some(([given]) => given.toLowerCase() === name.toLowerCase());
  for (const [name, value] of ofProfile) if (!has(name)) headers.push([name, value]);
  // A service that chooses its error pages by `Accept` must not be blamed for HTML.
  if (!has('accept')) headers.push(['Accept', 'application/json, */*;q=0.8']);
  if (!has('accept-encoding')) headers.push(['Accept-Encoding', 'gzip, deflate, br']);
  if (!has('user-agent')) headers.push(['User-Agent', `Proofmark/${PROOFMARK_VERSION}`]);
  return headers;
}
