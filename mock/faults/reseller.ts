/** Faults of the Reseller interface: one deviation each, all else as it should be. */
import type { Deviation } from '../deviation.ts';

type MakesRules = NonNullable<Deviation['rules']>;

const website =
  (name: string, change: (value: unknown) => unknown): MakesRules =>
  (correct) => ({
    websiteRecord: (row) => {
      const record = correct.websiteRecord(row);
      return { ...record, [name]: change(record[name]) };
    },
  });
const settings =
  (name: string, value: unknown): MakesRules =>
  (correct) => ({ settingsRecord: (reseller) => ({ ...correct.settingsRecord(reseller), [name]: value }) });
const balance =
  (name: string, value: unknown): MakesRules =>
  (correct) => ({ balanceRecord: (reseller, sites) => ({ ...correct.balanceRecord(reseller, sites), [name]: value }) });

export const resellerFaults: readonly Deviation[] = [
  {
    id: 'reseller.password-prefix',
    clause: 'reseller.authorize.wrong-password-refused',
    about: 'Only the first eight characters of a password are compared.',
    rules: () => ({ passwordMatches: (presented, { password }) => presented.slice(0, 8) === password.slice(0, 8) }),
  },
  {
    id: 'reseller.password-case',
    clause: 'reseller.authorize.wrong-password-refused',
    about: 'Passwords are compared without regard to case.',
    rules: () => ({
      passwordMatches: (presented, { password }) => presented.toLowerCase() === password.toLowerCase(),
    }),
  },
  {
    id: 'reseller.logout-does-nothing',
    clause: 'reseller.logout.invalidates',
    about: 'A token lives on after logout.',
    rules: () => ({ tokensEndedBySignOut: () => [] }),
  },
  {
    id: 'reseller.website-id-as-text',
    clause: 'reseller.website.id',
    about: 'Website ids are strings of digits.',
    rules: website('websiteID', String),
  },
  {
    id: 'reseller.country-upper-case',
    clause: 'reseller.website.user-country',
    about: 'Countries of users are in upper case.',
    rules: website('userCountry', (value) => String(value).toUpperCase()),
  },
  {
    id: 'reseller.created-on-no-day',
    clause: 'reseller.website.timestamps',
    about: 'Users were created on a day that there never was.',
    rules: website('userCreated', () => '2025-02-30 10:00:00'),
  },
  {
    id: 'reseller.modified-in-iso-form',
    clause: 'reseller.website.timestamps',
    about: 'Times of change have a T and a Z.',
    rules: website('websiteModified', () => '2025-02-20T10:00:00Z'),
  },
  {
    id: 'reseller.accessed-zero',
    clause: 'reseller.website.accessed',
    about: 'The time of the last visit is the number 0.',
    rules: website('websiteAccessed', () => 0),
  },
  {
    id: 'reseller.booleans-as-numbers',
    clause: 'reseller.website.booleans',
    about: 'Whether a user is confirmed is 0 or 1.',
    rules: website('userIsConfirmed', (value) => (value === true ? 1 : 0)),
  },
  {
    id: 'reseller.status-as-text',
    clause: 'reseller.website.type-and-status',
    about: 'The status of a website is a string.',
    rules: website('websiteStatus', String),
  },
  {
    id: 'reseller.premium-ignored',
    clause: 'reseller.premium.enable',
    about: 'The level premium is accepted and not started.',
    rules: (correct) => ({
      premiumAfter: (row, wanted) => (wanted === 'premium' ? row.premium : correct.premiumAfter(row, wanted)),
    }),
  },
  {
    id: 'reseller.premiumplus-refused',
    clause: 'reseller.premium.enable-plus',
    about: 'Only the level premium is known.',
    rules: () => ({ acceptsSubscription: (level) => level === 'premium' }),
  },
  {
    id: 'reseller.premium-never-ends',
    clause: 'reseller.premium.disable',
    about: 'Stopping a subscription does nothing.',
    rules: () => ({ premiumAfter: (row, wanted) => wanted ?? row.premium }),
  },
  {
    id: 'reseller.login-link-dead',
    clause: 'reseller.login.signs-in',
    about: 'No login link works.',
    rules: () => ({ loginLinkUsable: () => false }),
  },
  {
    id: 'reseller.login-link-for-ever',
    clause: 'reseller.login.once',
    about: 'A login link works as often as it is opened.',
    rules: () => ({ loginLinkAfterUse: (link) => link }),
  },
  {
    id: 'reseller.domain-id-as-text',
    clause: 'reseller.domain.id',
    about: 'Domain ids are strings of digits.',
    rules: (correct) => ({
      domainRecord: (domain) => ({ ...correct.domainRecord(domain), domainID: String(domain.id) }),
    }),
  },
  {
    id: 'reseller.settings-id-as-text',
    clause: 'reseller.settings.reseller-id',
    about: 'The id of the reseller is a string of digits.',
    rules: settings('resellerID', '9001'),
  },
  {
    id: 'reseller.settings-country-upper-case',
    clause: 'reseller.settings.country',
    about: 'The country of the reseller is in upper case.',
    rules: settings('addrCountry', 'LV'),
  },
  {
    id: 'reseller.tlds-as-list',
    clause: 'reseller.settings.tlds',
    about: 'Top-level domains come as a list.',
    rules: settings('tlds', ['lv', 'com']),
  },
  {
    id: 'reseller.credit-as-text',
    clause: 'reseller.settings.credit-limit',
    about: 'The credit limit is a string.',
    rules: settings('creditLimit', '500.00'),
  },
  {
    id: 'reseller.settings-not-applied',
    clause: 'reseller.settings.set-applies',
    about: 'Settings are accepted and stay as they were.',
    rules: () => ({ settingsAfter: ({ settings: before }) => ({ ...before }) }),
  },
  {
    id: 'reseller.balance-without-currency',
    clause: 'reseller.balance.current',
    about: 'The balance is an amount without its currency.',
    rules: balance('currentBalance', '120.50'),
  },
  {
    id: 'reseller.premium-count-as-text',
    clause: 'reseller.balance.premium-websites',
    about: 'The number of paid websites is a string.',
    rules: balance('premiumWebsites', '3'),
  },
  {
    id: 'reseller.password-not-changed',
    clause: 'reseller.password.new-works',
    about: 'A new password is accepted and not kept.',
    rules: () => ({ passwordAfter: ({ password }) => password }),
  },
];
