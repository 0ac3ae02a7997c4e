/** Requests of an integrator's own pages with one value replaced in them, as anyone can send them who has seen one. */
import type { BrowserContext } from '@playwright/test';
import { type Counterpart, isServiceAddress } from '../counterpart.ts';

/** Long enough to be base64 of something; in a form its signs may be encoded. */
const PACKED = /(?:[A-Za-z0-9+/_-]|%2B|%2F){24,}(?:=|%3D){0,2}/gi;

/** A text with a value replaced, in each of the ways in which forms and scripts write it: encoded for an address, in JSON, in base64. */
export function replacedIn(text: string, from: string, to: string): string {
  const inJson = (value: string): string => value.replaceAll('/', '\\/');
  const ways: ((value: string) => string)[] = [
    (value) => value,
    encodeURIComponent,
    inJson,
    (value) => encodeURIComponent(inJson(value)),
  ];
  const plain = ways.reduce((changed, write) => changed.replaceAll(write(from), write(to)), text);
  if (plain !== text) return plain;
  const isForm = !/^\s*[[{]/.test(text);
  return text.replace(PACKED, (one) => {
    const inside = Buffer.from(one.replace(/%\w\w/g, decodeURIComponent), 'base64').toString('utf8');
    if (inside.length >= text.length) return one;
    const changed = replacedIn(inside, from, to);
    if (changed === inside) return one;
    const packed = Buffer.from(changed, 'utf8').toString('base64');
    return isForm ? encodeURIComponent(packed) : packed;
  });
}

/** Replaces a value in all requests that the pages of a browser make to their own hosts from now on; returns how many had it. */
export async function alterRequests(
  browser: BrowserContext,
  counterpart: Counterpart,
  [from, to]: readonly [string, string],
): Promise<() => number> {
  let altered = 0;
  const isOwn = (url: URL): boolean => /^https?:$/.test(url.protocol) && !isServiceAddress(counterpart, url.href);
  await browser.route(isOwn, async (route) => {
    const request = route.request();
    const [url, body] = [request.url(), request.postData()];
    const changed = { url: replacedIn(url, from, to), postData: replacedIn(body ?? '', from, to) };
    const isChanged = changed.url !== url || changed.postData !== (body ?? '');
    if (isChanged) altered += 1;
    const sent = body === null ? { url: changed.url } : changed;
    await route.continue(isChanged ? sent : {}).catch(() => undefined);
  });
  return () => altered;
}
