/** Decisions of the apps interface and of installations. */
import type { Pairs } from '../http/call.ts';
import type { App, Installation, Visit, Website } from '../state/state.ts';
import type { Table } from '../storage/table.ts';
import type { Languages } from '../types/text.ts';
import type { CommonRules } from './common.ts';

export interface AppRules {
  /** The installation code in a query, in both spellings that clients use. */
  authCodeOf(query: Pairs): string | null;
  /** Whether a key and a code are valid for an installation; `app` is the app of the installation. */
  mayServeInstallation(app: App, installation: Installation, key: string, code: string): boolean;
  /** Deletes an installation with its snippets and data. */
  uninstall(installations: Table<Installation>, installation: Installation): void;
  /** A snippet as it is stored. */
  snippetKept(sent: string): string;
  /** Where a snippet is kept: `*` for every page, else the language. */
  snippetSlot(language: string | null): string;
  /** The snippet of a slot, or what a read returns if none was set. */
  snippetRead(installation: Installation, language: string | null): unknown;
  /** Whether a language may be used to set or read a snippet. */
  knowsLanguage(site: Languages, language: string): boolean;
  /** The snippets in the body of a page in a language, in order. */
  snippetsFor(installation: Installation, language: string): string[];
  /** Data as it is stored, and as it is returned. */
  dataKept(before: unknown, sent: unknown): unknown;
  dataRead(installation: Installation): unknown;
  finishInstallation(installation: Installation): Installation;
  userRecord(website: Website): Record<string, unknown>;
  websiteRecordForApps(website: Website, url: string): Record<string, unknown>;
  languagesRecord(site: Languages): string[];

  /** The installation that an acceptance opens instead of beginning one. */
  openedInstallation(installations: Table<Installation>, visit: Visit): Installation | undefined;
  newAuthCode(random: (bytes: number) => Buffer): string;
  /** Ends the callback of a visit. */
  newVisitToken(random: (bytes: number) => Buffer): string;
  /** Whether the catalog offers an app, and whether it may be opened by its developer for a test. */
  appIsListed(app: App): boolean;
  /** Whether an app opens in a new tab or in the same one. */
  tabModeOf(app: App): 'blank' | 'self';
  /** Parameters sent to the app, in order, without those of its own address and without `hash`. */
  installQuery(visit: Omit<Visit, 'sent'>, callback: string): Pairs;
  /** What the hash is computed over, from the own parameters of the app's address and the service's. */
  hashedPairs(own: Pairs, added: Pairs): Pairs;
  installHash(query: string, secret: string): string;
  /** The whole query that is sent, from the parameters and their hash. */
  withHash(sent: Pairs, hash: string): Pairs;
  /** Whether the return redirect to the callback belongs to the visit. */
  callbackFits(visit: Visit, received: Pairs): boolean;
  /** What the user sees after coming back from an app. */
  asksPermission(visit: Visit): boolean;
  platformVersion(): string;
}

/** Our frontend version number, as sent to apps. */
const PLATFORM_VERSION = '2.14.0';

export const appRules = (
  self: () => AppRules & CommonRules,
  hash: (query: string, secret: string) => string,
): AppRules => ({
  authCodeOf: (query) => query.findLast(([name]) => name === 'authCode' || name === 'authcode')?.[1] ?? null,
  mayServeInstallation: (app, installation, key, code) =>
    self().secretMatches(key, app.apiKey) && self().secretMatches(code, installation.authCode),
  uninstall: (installations, installation) => void installations.delete(installation.authCode),
  snippetKept: (sent) => sent,
  snippetSlot: (language) => language ?? '*',
  snippetRead: (installation, language) => installation.snippets[self().snippetSlot(language)] ?? '',
  knowsLanguage: (site, language) => site.languages.includes(language),
  snippetsFor: (installation, language) =>
    ['*', language].flatMap((slot) => (installation.snippets[slot] ? [installation.snippets[slot]] : [])),
  dataKept: (_before, sent) => sent,
  dataRead: (installation) => installation.data ?? null,
  finishInstallation: (installation) => ({ ...installation, installed: true }),
  userRecord: (website) => ({ email: website.user.email, email_confirmed: website.user.confirmed }),
  websiteRecordForApps: (website, url) => ({ url, brandname: website.brandname }),
  languagesRecord: (site) => [...site.languages],

  openedInstallation: () => undefined,
  newAuthCode: (random) => random(20).toString('hex'),
  newVisitToken: (random) => random(16).toString('hex'),
  appIsListed: (app) => app.status === 'approved',
  tabModeOf: (app) => app.manifest.app_tab_mode,
  installQuery: (visit, callback) => [
    ...(visit.authCode === null ? [] : ([['authCode', visit.authCode]] as const)),
    ['appId', visit.appId],
    ['language', visit.language],
    ['callback', callback],
    ['platformVersion', self().platformVersion()],
  ],
  hashedPairs: (own, added) => [...own, ...added],
  installHash: (query, secret) => hash(query, secret),
  withHash: (sent, hash) => [...sent, ['hash', hash]],
  callbackFits: (visit, received) =>
    visit.sent
      .filter(([name]) => name !== 'callback' && name !== 'hash')
      .every(([name, value]) => received.some(([key, sent]) => key === name && sent === value)),
  asksPermission: (visit) => visit.kind === 'install' && visit.authCode === null,
  platformVersion: () => PLATFORM_VERSION,
});
