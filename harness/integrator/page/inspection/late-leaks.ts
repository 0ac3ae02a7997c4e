/** What reaches a browser only some time after a page was shown, what its scripts make of it, and what only developer tools load. */
import type { Page } from '@playwright/test';
import { pause, within } from '../../../process/until.ts';
import { isServiceAddress } from '../../counterpart.ts';
import type { IntegratorSession } from '../../session.ts';
import { mayNavigate } from '../visit.ts';

/** A user reads a page for longer than a check inspects it: one with scripts is kept open for so long. */
export const READING_MS = 6_000;
const MAP_TIMEOUT_MS = 3_000;
const STATE_TIMEOUT_MS = 2_000;

/** Keeps a page of the integrator open for as long as its scripts may go on, and searches what they have made of it. */
export async function readPage(session: IntegratorSession, page: Page): Promise<void> {
  if (!isOfIntegrator(session, page) || !(await mayNavigate(page, { status: 200 }))) return;
  await pause(READING_MS);
  await searchMadeByScripts(session, page);
}

const isOfIntegrator = ({ counterpart }: IntegratorSession, page: Page): boolean =>
  /^https?:/.test(page.url()) && !isServiceAddress(counterpart, page.url());

/** Searches what the scripts of a page show and keep: a key in pieces is in no response, and nothing may be sent. */
export async function searchMadeByScripts(session: IntegratorSession, page: Page): Promise<void> {
  if (!isOfIntegrator(session, page)) return;
  const streams = await readStreams(session, page);
  const found = await within(
    page.evaluate(madeByScripts, MAX_CACHED).catch(() => undefined),
    STATE_TIMEOUT_MS,
    () => undefined,
  );
  const kept = await within(
    page
      .context()
      .storageState({ indexedDB: true })
      .catch(() => undefined),
    STATE_TIMEOUT_MS,
    () => undefined,
  );
  const { watch, counterpart } = session;
  const origins = kept?.origins.filter(({ origin }) => !isServiceAddress(counterpart, `${origin}/`)) ?? [];
  watch.snapshot('the storage of a page', JSON.stringify([origins, found?.storage]), page.url());
  for (const { url, text } of streams) watch.snapshot('a response to a script', text, url);
  watch.snapshot('the cache of a page', (found?.cached ?? []).join('\n'), page.url());
  watch.snapshot('a page after its scripts have run', found?.shown ?? '', page.url());
  watch.snapshot('the address of a page', page.url(), page.url());
}

/** A stream never ends: its beginning shows what it brings. */
const STREAM_MS = 1_000;
const MAX_STREAMS = 3;

/** What the open event streams and other responses send to a page, read once more by a script of our own. */
async function readStreams({ watch }: IntegratorSession, page: Page): Promise<{ url: string; text: string }[]> {
  const urls = [...new Set(watch.openStreamsOf(page))].slice(0, MAX_STREAMS);
  const read = async (url: string): Promise<{ url: string; text: string }> => {
    const text = page.evaluate(beginningOf, { url, maxMs: STREAM_MS }).catch(() => '');
    return { url, text: await within(text, STATE_TIMEOUT_MS, () => '') };
  };
  return Promise.all(urls.map(read));
}

/** In the page: what a response consists of so far. No function in it may have a name. */
async function beginningOf({ url, maxMs }: { url: string; maxMs: number }): Promise<string> {
  const stop = new AbortController();
  const decoder = new TextDecoder();
  let text = '';
  setTimeout(() => stop.abort(), maxMs);
  try {
    const { body } = await fetch(url, {
      headers: { accept: 'text/event-stream' },
      credentials: 'include',
      signal: stop.signal,
    });
    const reader = body?.getReader();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read())
      text += decoder.decode(part.value, { stream: true });
  } catch {
    // It was open until the end.
  }
  return text;
}

/** Responses that a page has put into its caches, so many of each. */
const MAX_CACHED = 50;

/** In the page: no function in it may have a name. */
async function madeByScripts(maxCached: number): Promise<{ shown: string; storage: string[]; cached: string[] }> {
  const roots: (Document | ShadowRoot)[] = [document];
  // Roots that are found are looked through too.
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) roots.push(shadowRoot);
  const fields = roots.flatMap((root) =>
    [...root.querySelectorAll<HTMLInputElement>('input,textarea')].map(({ value }) => value),
  );
  const written = roots.map((root) => (root instanceof Document ? root.documentElement.outerHTML : root.innerHTML));
  const cached: string[] = [];
  // Pages that are not secure have no caches.
  for (const name of 'caches' in window ? await caches.keys() : []) {
    const cache = await caches.open(name);
    for (const request of (await cache.keys()).slice(0, maxCached))
      cached.push(request.url, (await (await cache.match(request))?.text()) ?? '');
  }
  return {
    cached,
    shown: [...written, ...fields].join('\n'),
    storage: [window.name, ...Object.entries(sessionStorage).flat()],
  };
}

/** Searches the source maps that scripts name. One that can't be had reveals nothing. */
export async function searchSourceMaps({ watch, fetcher, counterpart }: IntegratorSession): Promise<void> {
  await watch.settle();
  const maps = [...watch.sourceMaps].filter((url) => !isServiceAddress(counterpart, url));
  await Promise.all(
    maps.map(async (url) => {
      const fetched = await fetcher.fetch(url, { timeoutMs: MAP_TIMEOUT_MS }).catch(() => undefined);
      if (fetched?.status === 200)
        watch.snapshot('a source map', new TextDecoder().decode(fetched.bytes), url, fetched.exchange);
    }),
  );
}
