/**
 * Responses of a gateway (502, 503, 504) come from a server that has too much to do, which says nothing about what it was asked, or
 * from one whose program fails on one request: then others are served before and after it.
 */
import { isOverloaded, type PageSnapshot } from './page/inspection/page-inspection.ts';

/** So often a request fails between others that are served before it is the request. */
const MIN_FAILURES = 2;

export interface Attempts {
  /** Makes the request once more; what it shows, or undefined if it is served now. */
  readonly again: () => Promise<Pick<PageSnapshot, 'status'> | undefined>;
  /** Makes a request that was served before; whether it is served now. */
  readonly control: () => Promise<boolean>;
}

/** Whether a request fails whenever it is made, while another one is served. */
export async function failsForItself({ again, control }: Attempts): Promise<boolean> {
  for (let failures = 0; failures < MIN_FAILURES; failures += 1) {
    const seen = await again();
    if (seen === undefined || seen.status === 429 || !isOverloaded(seen)) return false;
    if (!(await control())) return false;
  }
  return true;
}
