/** Waiting until something answers at an address, whatever it answers. */
import { NoAnswer } from '../../target/client/no-response.ts';
import { pause } from '../until.ts';
import type { Fetcher } from './fetcher.ts';

const TRY_AGAIN_AFTER_MS = 500;
/** A page that takes longer to answer a first request does not come for a user either. */
const ANSWER_TIMEOUT_MS = 10_000;

/** `undefined` as soon as anything answers over HTTP; else, when the time is over or the wait is broken off, what happens there. */
export async function whyNotReachable(
  fetcher: Fetcher,
  url: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const end = performance.now() + waitMs;
  for (;;) {
    try {
      const timeoutMs = Math.max(1_000, Math.min(ANSWER_TIMEOUT_MS, end - performance.now()));
      await fetcher.fetch(url, { role: 'wait', timeoutMs, redirects: 0 });
      return undefined;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // A redirect, or more bytes than anybody reads, is an answer.
      if (/redirect|larger than/.test(error.message)) return undefined;
      if (signal?.aborted === true || performance.now() + TRY_AGAIN_AFTER_MS >= end) return error.message;
      await pause(TRY_AGAIN_AFTER_MS);
    }
  }
}
