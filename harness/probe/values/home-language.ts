/** The address of the website of an installation, and the language in which it greets its visitors. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { NoResponse } from '../../target/client/no-response.ts';
import { Apps } from '../../target/interfaces/apps.ts';
import { isServed } from '../../target/response/judge-response.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import type { Probing } from '../probing.ts';

/** Without region: `pt-BR` and `pt_PT` are one language. */
export const primary = (code: string): string => code.toLowerCase().split(/[-_]/, 1)[0] as string;

/** The language that a page says to be in, without region. */
export const languageIn = (html: string): string | undefined =>
  /<html\b[^<>]{0,2000}?\blang\s{0,16}=\s{0,16}["']?([A-Za-z]{1,16})/i.exec(html)?.[1]?.toLowerCase();

/** `website.url` as the service shows it for an installation. */
export async function addressOf({ send }: Probing, key: Secret, code: Secret): Promise<string | undefined> {
  const response = await send(new Apps(key, code).getWebsite());
  const website = isServed(response) && isJsonObject(response.json) ? response.json.website : undefined;
  const url = isJsonObject(website) ? website.url : undefined;
  return typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

/**
 * The language of the website's start page, as one of the configured codes. Nothing where the start page is not on a host of
 * the profile, or where all configured pages say the same language.
 */
export async function homeLanguage(probing: Probing): Promise<string | undefined> {
  const { apps, website, v1, api } = probing.profile;
  const pages = Object.entries(website?.pages ?? {});
  if (apps?.apiKey === undefined || apps.authCode === undefined || !probing.isUsable('apps.authCode')) return undefined;
  if (pages.length < 2) return undefined;
  const url = await addressOf(probing, apps.apiKey, apps.authCode);
  const known = [v1, api, ...pages.map(([, address]) => address)].flatMap((base) =>
    base === undefined ? [] : [new URL(base).origin],
  );
  if (url === undefined || !known.includes(new URL(url).origin)) return undefined;
  try {
    const said = new Set<string | undefined>();
    for (const [, address] of pages) said.add(languageIn((await probing.read(address)).text));
    if (said.size < 2) return undefined;
    const home = languageIn((await probing.read(url)).text);
    return website?.languages?.find((code) => home !== undefined && primary(code) === home);
  } catch (error) {
    if (error instanceof NoResponse) return undefined;
    throw error;
  }
}
