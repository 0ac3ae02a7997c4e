/** What reaches a browser only some time after a page was shown, and what only developer tools load. */
import type { Page } from '@playwright/test';
import { pause } from '../../process/until.ts';
import { isServiceAddress } from '../counterpart.ts';
import type { IntegratorSession } from '../session.ts';
import { mayNavigate } from './visit.ts';

/** A user reads a page for longer than a check inspects it: one with scripts is kept open for so long. */
export const READING_MS = 6_000;
const MAP_TIMEOUT_MS = 3_000;

/** Keeps a page of the integrator open for as long as its scripts may go on. */
export async function readPage({ counterpart }: IntegratorSession, page: Page): Promise<void> {
  if (!/^https?:/.test(page.url()) || isServiceAddress(counterpart, page.url())) return;
  if (await mayNavigate(page, { status: 200 })) await pause(READING_MS);
}

/** Searches the source maps that scripts name. One that can't be had reveals nothing. */
export async function searchSourceMaps({ watch, fetcher, counterpart }: IntegratorSession): Promise<void> {
  await watch.settle();
  const maps = [...watch.sourceMaps].filter((url) => !isServiceAddress(counterpart, url));
  await Promise.all(
    maps.map(async (url) => {
      const fetched = await fetcher.fetch(url, { timeoutMs: MAP_TIMEOUT_MS }).catch(() => undefined);
      if (fetched?.status === 200)
        watch.look('a source map', new TextDecoder().decode(fetched.bytes), url, fetched.exchange);
    }),
  );
}
