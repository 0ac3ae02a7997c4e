/**
 * Plain requests as a filter: what is not answered like a refusal may be served, and is worth a page of a browser. Hundreds of them cost
 * less than some pages.
 */
import pMap from 'p-map';
import type { Fetched } from './fetcher.ts';

const AT_A_TIME = 6;
/** More than these are not answered differently for what they are. */
const MAX_UNLIKE = 6;

/** Those that are not answered as `refused` is; none where that is not answered twice in the same way. */
export async function unlikeRefusal<T>(
  send: (one: T) => Promise<Fetched | undefined>,
  refused: T,
  tried: readonly T[],
): Promise<readonly T[]> {
  const gistFor = async (one: T): Promise<string> => gistOf(await send(one));
  const [one, other] = [await gistFor(refused), await gistFor(refused)];
  if (one !== other || tried.length === 0) return [];
  const gists = await pMap(tried, gistFor, { concurrency: AT_A_TIME });
  const unlike = tried.filter((_, at) => gists[at] !== one);
  return unlike.length > MAX_UNLIKE ? [] : unlike;
}

/** A response without what differs from request to request: numbers, codes and hashes. */
export function gistOf(response: Pick<Fetched, 'status' | 'header' | 'bytes'> | undefined): string {
  if (response === undefined) return 'no response';
  const text = Buffer.from(response.bytes).toString('utf8');
  return [response.status, response.header('location') ?? '', text]
    .join('\n')
    .replace(/[A-Za-z0-9+/_%-]+=*/g, (word) => (/[0-9]/.test(word) ? '#' : word));
}
