/** Decisions of the reseller interface. */
import type { CallName } from '../http/call.ts';
import type { Domain, LoginLink, Reseller, Subscription, Token, Website } from '../state/state.ts';
import type { Table } from '../storage/table.ts';
import type { CommonRules } from './common.ts';

export interface ResellerRules {
  /** Whether a reseller may use the interface: only approved ones. */
  resellerIsServed(reseller: Reseller): boolean;
  tokenMatches(presented: string, token: Token): boolean;
  passwordMatches(presented: string, reseller: Reseller): boolean;
  newToken(random: (bytes: number) => Buffer): string;
  /** The tokens of a reseller that end after a new login, a logout, or a change of the password. */
  tokensEndedBySignIn(tokens: readonly Token[]): readonly Token[];
  tokensEndedBySignOut(tokens: readonly Token[], presented: Token): readonly Token[];
  tokensEndedByPassword(tokens: readonly Token[], presented: Token): readonly Token[];
  /** Whether a website is the reseller's; `operation` is that of the call: `listWebsites`, `disableWebsite`, … */
  resellerOwns(reseller: Reseller, website: Website, operation: CallName): boolean;
  websiteRecord(website: Website): Record<string, unknown>;
  statusAfter(website: Website, wanted: 'enable' | 'disable'): number;
  isEnabled(website: Website): boolean;
  acceptsSubscription(level: string): boolean;
  /** The subscription after a call; null without one. */
  premiumAfter(website: Website, wanted: Subscription | null): Subscription | null;
  newLoginToken(random: (bytes: number) => Buffer): string;
  /** Whether a one-time link is still valid at a time in milliseconds. */
  loginLinkUsable(link: LoginLink, nowMs: number): boolean;
  loginLinkAfterUse(link: LoginLink): LoginLink;
  domainRecord(domain: Domain): Record<string, unknown>;
  domainAdded(domain: Domain): Record<string, unknown>;
  /** Whether a text is a domain name that may be attached: without www. */
  acceptsDomain(domain: string): boolean;
  sameDomain(a: string, b: string): boolean;
  domainOnWebsite(domain: Domain, website: Website): boolean;
  removeDomain(domains: Table<Domain>, domain: Domain): void;
  settingsRecord(reseller: Reseller): Record<string, unknown>;
  maySet(name: string): boolean;
  acceptsSetting(name: string, value: string): boolean;
  settingsAfter(reseller: Reseller, changes: Readonly<Record<string, string>>): Record<string, string>;
  balanceRecord(reseller: Reseller, websites: readonly Website[]): Record<string, unknown>;
  acceptsPassword(password: string): boolean;
  passwordAfter(reseller: Reseller, password: string): string;
}

/** A login link is meant for immediate use. */
const LOGIN_LINK_LIFE_MS = 15 * 60 * 1000;
const MIN_PASSWORD_CHARACTERS = 8;

/** The settings that the set operation accepts; the others (resellerID, tlds, creditLimit) belong to the operator. Our choice. */
export const CHANGEABLE_SETTINGS = [
  'company',
  'contactName',
  'contactWebsite',
  'contactEmail',
  'contactPhone',
  'addrAddress',
  'addrCity',
  'addrRegion',
  'addrPostal',
  'addrCountry',
  'supportEmail',
  'supportPhone',
  'buyLink',
  'logoLink',
  'faviconLink',
  'notifyLink',
  'termsLink',
  'privacyLink',
] as const;

/** Labels of letters, digits and inner hyphens in any script, at least two of them. */
const DOMAIN = /^(?=.{4,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}-]{2,63}$/u;

export const resellerRules = (self: () => ResellerRules & CommonRules): ResellerRules => ({
  resellerIsServed: (reseller) => reseller.approved,
  tokenMatches: (presented, token) => self().secretMatches(presented, token.token),
  passwordMatches: (presented, reseller) => self().secretMatches(presented, reseller.password),
  newToken: (random) => random(24).toString('hex'),
  tokensEndedBySignIn: () => [],
  tokensEndedBySignOut: (_tokens, presented) => [presented],
  tokensEndedByPassword: () => [],
  resellerOwns: (reseller, website) => website.resellerId === reseller.id,
  websiteRecord: (website) => ({
    userName: website.user.name,
    userEmail: website.user.email,
    userCountry: website.user.country.toLowerCase(),
    userCreated: website.user.created,
    userIsConfirmed: website.user.confirmed,
    userIsUnsubscribed: website.user.unsubscribed,
    websiteID: website.id,
    websiteBrandname: website.brandname,
    websiteAlias: website.alias,
    websiteType: website.type,
    websiteCreated: website.created,
    websiteModified: website.modified,
    websiteAccessed: website.accessed,
    websiteStatus: website.status,
    websiteIsPremium: website.premium !== null,
  }),
  statusAfter: (_website, wanted) => (wanted === 'enable' ? 1 : 0),
  isEnabled: (website) => website.status === 1,
  acceptsSubscription: (level) => level === 'premium' || level === 'premiumplus',
  premiumAfter: (_website, wanted) => wanted,
  newLoginToken: (random) => random(24).toString('hex'),
  loginLinkUsable: (link, nowMs) => !link.used && nowMs - link.createdMs < LOGIN_LINK_LIFE_MS,
  loginLinkAfterUse: (link) => ({ ...link, used: true }),
  domainRecord: (domain) => ({ domainID: domain.id, domain: domain.domain }),
  domainAdded: () => ({}),
  acceptsDomain: (domain) => DOMAIN.test(domain) && !/^www\./i.test(domain),
  sameDomain: (a, b) => a.toLowerCase() === b.toLowerCase(),
  domainOnWebsite: (domain, website) => domain.websiteId === website.id,
  removeDomain: (domains, domain) => void domains.delete(String(domain.id)),
  settingsRecord: (reseller) => ({
    resellerID: reseller.id,
    ...Object.fromEntries(CHANGEABLE_SETTINGS.map((name) => [name, reseller.settings[name] ?? ''])),
    tlds: reseller.tlds,
    creditLimit: reseller.creditLimit,
  }),
  maySet: (name) => (CHANGEABLE_SETTINGS as readonly string[]).includes(name),
  acceptsSetting: (name, value) => name !== 'addrCountry' || value === '' || /^[A-Za-z]{2}$/.test(value),
  settingsAfter: (reseller, changes) => ({
    ...reseller.settings,
    ...changes,
    // The contract fixes the case of this one.
    ...(changes.addrCountry === undefined ? {} : { addrCountry: changes.addrCountry.toLowerCase() }),
  }),
  balanceRecord: (reseller, websites) => ({
    premiumWebsites: websites.filter((website) => website.premium !== null).length,
    currentBalance: reseller.currentBalance,
    billingThreshold: reseller.billingThreshold,
  }),
  acceptsPassword: (password) => password.length >= MIN_PASSWORD_CHARACTERS,
  passwordAfter: (_reseller, password) => password,
});
