/** One request rate for all workers: a tiny server on loopback in the main process hands out turns. */

/** What a client asks before each request. */
export interface RateGate {
  /** Resolves when the next request may leave. */
  take(): Promise<void>;
  /** The target asked for a pause: nobody gets a turn for that long. */
  pause(ms: number): void;
}

export interface RateServer {
  /** `127.0.0.1:PORT`, for `rateClient`. */
  readonly address: string;
  /** Nobody gets a turn before this time (milliseconds since 1970). */
  pauseUntil(time: number): void;
  close(): Promise<void>;
}

export async function createRateServer(options: { readonly requestsPerSecond: number }): Promise<RateServer> {
  throw new Error(`not written yet: ${options.requestsPerSecond}`);
}

export function rateClient(address: string): RateGate & { close(): void } {
  throw new Error(`not written yet: ${address}`);
}
