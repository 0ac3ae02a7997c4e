/** Waiting until something answers at an address, whatever it answers. */

import { pause } from '../../process/until.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import type { Fetcher } from './fetcher.ts';

const TRY_AGAIN_AFTER_MS = 500;
/** A page that takes longer to answer a first request does not come for a user either. */
const ANSWER_TIMEOUT_MS = 10_000;

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
  for (;;) {
    const error = await whyNoAnswer(fetcher, url, end);
    if (error === undefined) return undefined;
    const isClosed = /closed the connection/.test(error.message);
    if (isClosed && (await whyNoAnswer(fetcher, new URL('/', url).href, end)) === undefined) return undefined;
    if (signal?.aborted === true || performance.now() + TRY_AGAIN_AFTER_MS >= end) return error.message;
    await pause(TRY_AGAIN_AFTER_MS);
  }
}

/** Why one request is not answered. */
async function whyNoAnswer(fetcher: Fetcher, url: string, end: number): Promise<NoResponse | undefined> {
  try {
    const timeoutMs = Math.max(1_000, Math.min(ANSWER_TIMEOUT_MS, end - performance.now()));
    await fetcher.fetch(url, { role: 'wait', timeoutMs, redirects: 0 });
    return undefined;
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    // A redirect, or more bytes than a person reads, is a response.
    return /redirect|larger than/.test(error.message) ? undefined : error;
  }
}
