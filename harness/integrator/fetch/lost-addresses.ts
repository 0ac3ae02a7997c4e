/** Addresses of a manifest that people open in a browser: which of them lead nowhere. */
import pMap from 'p-map';
import { NoResponse } from '../../target/client/no-response.ts';
import type { Fetcher } from './fetcher.ts';

export interface VisitOptions {
  /** Part of the requests in their check, for the report. */
  readonly role: string;
  /** For a response while others are asked for beside it. */
  readonly timeoutMs?: number;
  /** For a response of a host that was slow, asked for alone. */
  readonly aloneMs?: number;
}

const AT_A_TIME = 6;
const TIMEOUT_MS = 4_000;
const ALONE_MS = 10_000;

/**
 * Why addresses can't be reached, by the address; those that can are left out. A server that does one thing at a time, or takes
 * seconds for each page, is asked again alone for what it did not answer in time: that several came at once was the precheck's doing.
 */
export async function lostAddresses(
  fetcher: Pick<Fetcher, 'fetch'>,
  urls: readonly string[],
  { role, timeoutMs = TIMEOUT_MS, aloneMs = ALONE_MS }: VisitOptions,
): Promise<ReadonlyMap<string, string>> {
  const lost = new Map<string, string>();
  const visit = async (url: string, limitMs: number): Promise<void> => {
    const why = await whyLost(fetcher, url, role, limitMs);
    if (why === undefined) lost.delete(url);
    else lost.set(url, why);
  };
  await pMap(urls, (url) => visit(url, timeoutMs), { concurrency: AT_A_TIME });
  const silent = new Set<string>();
  for (const [url, why] of [...lost]) {
    const { host } = new URL(url);
    // One that does not answer at all is not waited for again and again.
    if (!IS_SLOW.test(why) || silent.has(host)) continue;
    await visit(url, aloneMs);
    if (lost.has(url)) silent.add(host);
  }
  return lost;
}

const IS_SLOW = /did not respond in time/;

/** A page that is not for programs (401, 403), or is larger than a person reads, is there. */
async function whyLost(
  fetcher: Pick<Fetcher, 'fetch'>,
  url: string,
  role: string,
  timeoutMs: number,
): Promise<string | undefined> {
  try {
    const { status } = await fetcher.fetch(url, { role, timeoutMs });
    return status === 404 || status === 410 || status >= 500 ? `it returns status ${status}` : undefined;
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    return /larger than/.test(error.message) ? undefined : error.message;
  }
}
