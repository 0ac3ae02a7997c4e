/** Fields of the Reseller interface (spec: Resources and their fields, Reseller website record to Reseller balance (C)). */
import type { components } from '../../generated/api.generated.ts';
import type { Fields } from './row.ts';

type Schemas = components['schemas'];

export const AUTHORIZED = { apiToken: { kind: 'text', form: 'reseller.authorize.token' } } as const satisfies Fields;

export const WEBSITE_RECORD = {
  userName: { kind: 'text', form: 'reseller.website.strings' },
  userEmail: { kind: 'text', form: 'reseller.website.strings' },
  userCountry: { kind: 'lower-case country', form: 'reseller.website.user-country' },
  userCreated: { kind: 'timestamp', form: 'reseller.website.timestamps' },
  userIsConfirmed: { kind: 'boolean', form: 'reseller.website.booleans' },
  userIsUnsubscribed: { kind: 'boolean', form: 'reseller.website.booleans' },
  websiteID: { kind: 'integer', form: 'reseller.website.id' },
  websiteBrandname: { kind: 'text', form: 'reseller.website.strings' },
  websiteAlias: { kind: 'text', form: 'reseller.website.strings' },
  websiteType: { kind: 'integer', form: 'reseller.website.type-and-status' },
  websiteCreated: { kind: 'timestamp', form: 'reseller.website.timestamps' },
  websiteModified: { kind: 'timestamp', form: 'reseller.website.timestamps' },
  websiteAccessed: { kind: 'timestamp', form: 'reseller.website.accessed' },
  websiteStatus: { kind: 'integer', form: 'reseller.website.type-and-status' },
  websiteIsPremium: { kind: 'boolean', form: 'reseller.website.booleans' },
} as const satisfies Fields<keyof Schemas['WebsiteRecord']>;

export const DOMAIN_RECORD = {
  domainID: { kind: 'integer', form: 'reseller.domain.id' },
  domain: { kind: 'domain', form: 'reseller.domain.name' },
} as const satisfies Fields<keyof Schemas['DomainRecord']>;

export const LOGIN_LINK = { loginUrl: { kind: 'web link', form: 'reseller.login.link' } } as const satisfies Fields;

export const ACCOUNT_SETTINGS = {
  resellerID: { kind: 'integer', form: 'reseller.settings.reseller-id' },
  company: { kind: 'text', form: 'reseller.settings.strings' },
  contactName: { kind: 'text', form: 'reseller.settings.strings' },
  contactWebsite: { kind: 'text', form: 'reseller.settings.strings' },
  contactEmail: { kind: 'text', form: 'reseller.settings.strings' },
  contactPhone: { kind: 'text', form: 'reseller.settings.strings' },
  addrAddress: { kind: 'text', form: 'reseller.settings.strings' },
  addrCity: { kind: 'text', form: 'reseller.settings.strings' },
  addrRegion: { kind: 'text', form: 'reseller.settings.strings' },
  addrPostal: { kind: 'text', form: 'reseller.settings.strings' },
  addrCountry: { kind: 'lower-case country', form: 'reseller.settings.country' },
  supportEmail: { kind: 'text', form: 'reseller.settings.strings' },
  supportPhone: { kind: 'text', form: 'reseller.settings.strings' },
  buyLink: { kind: 'text', form: 'reseller.settings.strings' },
  logoLink: { kind: 'text', form: 'reseller.settings.strings' },
  faviconLink: { kind: 'text', form: 'reseller.settings.strings' },
  notifyLink: { kind: 'text', form: 'reseller.settings.strings' },
  termsLink: { kind: 'text', form: 'reseller.settings.strings' },
  privacyLink: { kind: 'text', form: 'reseller.settings.strings' },
  tlds: { kind: 'tlds', form: 'reseller.settings.tlds' },
  creditLimit: { kind: 'number', form: 'reseller.settings.credit-limit' },
} as const satisfies Fields<keyof Schemas['AccountSettings']>;

/** The settings that are texts. */
export const TEXT_SETTINGS: readonly string[] = Object.keys(ACCOUNT_SETTINGS).filter(
  (name) => name !== 'resellerID' && name !== 'creditLimit',
);

export const BALANCE = {
  premiumWebsites: { kind: 'integer', form: 'reseller.balance.premium-websites' },
  currentBalance: { kind: 'money', form: 'reseller.balance.current' },
  billingThreshold: { kind: 'money', form: 'reseller.balance.threshold' },
} as const satisfies Fields<keyof Schemas['Balance']>;
