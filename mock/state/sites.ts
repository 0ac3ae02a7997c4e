/** Public websites: their addresses, and the snippets on their pages. */
import type { MockService } from '../types/service.ts';
import type { Website } from './state.ts';

/** Address of a website's page in a language: the default language is at the root. */
export function siteUrl(service: MockService, website: Website, language = website.defaultLanguage): string {
  const root = `${service.origin}/site/${website.alias}/`;
  return language === website.defaultLanguage ? root : `${root}${language}/`;
}

/** The website under an alias, unless the reseller disabled it. */
export function websiteByAlias(service: MockService, alias: string): Website | undefined {
  return service.state.websites.find((website) => website.alias === alias);
}

/** HTML snippets for the body of a page in a language, in order of installation. Insert them verbatim. */
export function snippetsForPage(service: MockService, website: Website, language: string): string[] {
  return service.state.installations
    .filter((installation) => installation.websiteId === website.id)
    .flatMap((installation) => service.rules.snippetsFor(installation, language));
}

/** The domain name of a shop: the first attached one, or else its host on this service. */
export function domainOf(service: MockService, website: Website): string {
  const own = service.state.domains.find((domain) => domain.websiteId === website.id);
  return own?.domain ?? `${website.alias}.${new URL(service.origin).hostname}`;
}
