/** Waiting until something answers at an address: anything but a proxy that says that its server is not there yet. */

import { pause } from '../../process/until.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import { GATEWAY_STATUSES } from '../../target/response/gateway.ts';
import type { Fetcher } from './fetcher.ts';

const TRY_AGAIN_AFTER_MS = 500;
/** A page that takes longer to answer a first request does not come for a user either. */
const RESPONSE_TIMEOUT_MS = 10_000;
/** An app that responds as a gateway for longer does so for reasons of its own. */
const MAX_STARTING_MS = 60_000;

/**
 * `undefined` as soon as anything answers over HTTP; else, when the time is over or the wait is broken off, what happens there.
 * A website may close the connection of a request that is not authentic, as this one is not: then it answers at its root.
 */
export async function whyNotReachable(
  fetcher: Fetcher,
  url: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const end = performance.now() + waitMs;
  const ready = Math.min(end, performance.now() + MAX_STARTING_MS);
  for (;;) {
    const error = await whyNoResponse(fetcher, url, end);
    if (error === 'starting') {
      if (signal?.aborted === true || performance.now() + TRY_AGAIN_AFTER_MS >= ready) return undefined;
      await pause(TRY_AGAIN_AFTER_MS);
      continue;
    }
    if (error === undefined) return undefined;
    const isClosed = /closed the connection/.test(error.message);
    if (isClosed && !((await whyNoResponse(fetcher, new URL('/', url).href, end)) instanceof NoResponse))
      return undefined;
    if (signal?.aborted === true || performance.now() + TRY_AGAIN_AFTER_MS >= end) return error.message;
    await pause(TRY_AGAIN_AFTER_MS);
  }
}

/** Why one request is not answered, or not by the server itself. */
async function whyNoResponse(fetcher: Fetcher, url: string, end: number): Promise<NoResponse | 'starting' | undefined> {
  try {
    const timeoutMs = Math.max(1_000, Math.min(RESPONSE_TIMEOUT_MS, end - performance.now()));
    const { status } = await fetcher.fetch(url, { role: 'wait', timeoutMs, redirects: 0 });
    return GATEWAY_STATUSES.has(status) ? 'starting' : undefined;
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    // A redirect, or more bytes than a person reads, is a response.
    return /redirect|larger than/.test(error.message) ? undefined : error;
  }
}
