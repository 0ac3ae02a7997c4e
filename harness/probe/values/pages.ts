/** Whether the public pages of a profile are pages of its website, each in its language. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import type { Probing } from '../probing.ts';
import { addressOf, languageIn, primary } from './home-language.ts';

const PAGES = 'website.pages';

interface Page {
  readonly language: string;
  readonly address: string;
  /** What `<html lang>` says, without region. */
  readonly lang: string | undefined;
  readonly html: string;
}

/** Reports `website.pages` where an address gives no page, or one of another language or website. */
export async function probePages(probing: Probing): Promise<void> {
  const { pages } = probing.profile.website ?? {};
  if (pages === undefined) return;
  const read: Page[] = [];
  for (const [language, address] of Object.entries(pages)) {
    const response = await readPage(probing, language, address);
    if (response === undefined) return;
    if (response.status !== 200 || isJsonObject(response.json)) {
      const found = response.status === 200 ? 'JSON' : `status ${response.status}`;
      probing.unfit(
        PAGES,
        `The address of "${PAGES}.${language}" answers with ${found} where a page is expected: write the address of a public page of the website in that language`,
      );
      return;
    }
    const html = response.text;
    read.push({ language, address, html, lang: languageIn(html) });
  }
  probePageLanguages(probing, read);
  await probeOwner(probing, read);
}

/** The page, or nothing (and a value that does not fit) where its host gives no response. */
async function readPage(probing: Probing, language: string, address: string): Promise<ServiceResponse | undefined> {
  try {
    return await probing.read(address);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    probing.unfit(
      PAGES,
      `The address of "${PAGES}.${language}" returns no response (${error.message}): check it in the profile`,
    );
    return undefined;
  }
}

/** A website that writes one language into all pages says nothing by it. */
function probePageLanguages(probing: Probing, pages: readonly Page[]): void {
  if (new Set(pages.map(({ lang }) => lang)).size < 2) return;
  const codes = new Set(pages.map(({ language }) => primary(language)));
  const wrong = pages.find(
    ({ language, lang }) => lang !== undefined && primary(lang) !== primary(language) && codes.has(primary(lang)),
  );
  if (wrong === undefined) return;
  probing.unfit(
    PAGES,
    `The page of "${PAGES}.${wrong.language}" declares the language "${wrong.lang}": write for each language the address of a page in it. If the page is right, run with --trust ${PAGES}`,
  );
}

/** Whether the pages are below the address of another website than that of the installation. */
async function probeOwner(probing: Probing, pages: readonly Page[]): Promise<void> {
  const { apiKey, authCode, otherAuthCode } = probing.profile.apps ?? {};
  const [first] = pages;
  if (first === undefined || apiKey === undefined || authCode === undefined) return;
  if (!probing.isUsable('apps.authCode')) return;
  const own = await addressOf(probing, apiKey, authCode);
  if (own === undefined || pages.some(({ address }) => isBelow(address, own))) return;
  const other = otherAuthCode === undefined ? undefined : await addressOf(probing, apiKey, otherAuthCode);
  if (other !== undefined && other !== own && pages.every(({ address }) => isBelow(address, other))) {
    const reason = `The pages of "${PAGES}" belong to the website of "apps.otherAuthCode" (${other}), not to that of "apps.authCode" (${own}): swap the two codes, or write pages of the first website`;
    for (const key of ['apps.authCode', 'apps.otherAuthCode', PAGES]) probing.unfit(key, reason);
    return;
  }
  const host = new URL(own).host;
  // A website may be reached by several names; its pages then link to the one that the service shows.
  if (pages.some((page) => new URL(page.address).host !== host && page.html.includes(host))) return;
  probing.unclear(
    PAGES,
    `No address of "${PAGES}" is below ${own}, which the service shows as the address of the website`,
    'write addresses of public pages of that website',
  );
}

/** `www.` and the scheme make no difference. */
function isBelow(address: string, base: string): boolean {
  const [a, b] = [new URL(address), new URL(base)];
  const host = (url: URL): string => url.host.replace(/^www\./, '');
  const folder = b.pathname.slice(0, b.pathname.lastIndexOf('/') + 1);
  return host(a) === host(b) && `${a.pathname}/`.startsWith(folder);
}
