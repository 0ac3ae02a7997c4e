/** Faults of the list of websites, of switching them, and of their subscriptions. */

import type { Website } from '../../../state/state.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { intercepts, type Json, json, memory, remembering, success } from '../../interception.ts';
import { API, afterwards, bodies, readsIdIn32Bits } from '../interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

/** Changes a field of all records, or only of the last record in the list. */
const field =
  (
    name: string,
    change: (value: unknown) => unknown,
    isMeant: (website: Website) => boolean = () => true,
  ): MakesRules =>
  (correct) => ({
    websiteRecord: (row) => {
      const record = correct.websiteRecord(row);
      return isMeant(row) ? { ...record, [name]: change(record[name]) } : record;
    },
  });

const listed = (change: (all: Json[]) => unknown): MakesRules =>
  bodies(['listWebsites'], (body) => ({ ...body, websites: change(body.websites as Json[]) }));

/** Changes all other websites too after a call. */
const allOthers = (path: RegExp, changes: Partial<Website>): NonNullable<Deviation['http']> =>
  afterwards(path, ({ service, parts }) => {
    for (const { id } of service.state.websites.all()) {
      if (String(id) !== parts[0]) service.state.websites.patch(String(id), changes);
    }
  });

const RECORD: readonly Deviation[] = [
  {
    id: 'reseller.website-id-missing-in-last',
    clause: 'reseller.website.id',
    about: 'The last website of the list has no id.',
    rules: listed((all) => all.map((one, at) => (at === all.length - 1 ? { ...one, websiteID: null } : one))),
  },
  {
    id: 'reseller.user-name-as-object',
    clause: 'reseller.website.strings',
    about: 'The name of a user is an object of first and last name.',
    rules: field('userName', (value) => ({ full: value })),
  },
  {
    id: 'reseller.alias-as-list',
    clause: 'reseller.website.strings',
    about: 'A disabled website has a list of aliases; other websites have one alias.',
    rules: field(
      'websiteAlias',
      (value) => [value],
      ({ status }) => status !== 1,
    ),
  },
  {
    id: 'reseller.country-upper-case',
    clause: 'reseller.website.user-country',
    about: 'Countries of users are in upper case.',
    rules: field('userCountry', (value) => String(value).toUpperCase()),
  },
  {
    id: 'reseller.country-by-name',
    clause: 'reseller.website.user-country',
    about: 'Countries outside the Baltics are written as names.',
    rules: field('userCountry', (value) => (value === 'no' ? 'norway' : value)),
  },
  {
    id: 'reseller.created-impossible-date',
    clause: 'reseller.website.timestamps',
    about: 'The creation time of users is an impossible date.',
    rules: field('userCreated', () => '2025-02-30 10:00:00'),
  },
  {
    id: 'reseller.modified-as-iso-8601',
    clause: 'reseller.website.timestamps',
    about: 'Modification times contain a T and a Z.',
    rules: field('websiteModified', () => '2025-02-20T10:00:00Z'),
  },
  {
    id: 'reseller.created-as-number',
    clause: 'reseller.website.timestamps',
    about: 'The time of creation is a number of seconds.',
    rules: field('websiteCreated', () => 1_740_045_600),
  },
  {
    id: 'reseller.accessed-zero',
    clause: 'reseller.website.accessed',
    about: 'The time of the last visit is the number 0.',
    rules: field('websiteAccessed', () => 0),
  },
  {
    id: 'reseller.accessed-without-seconds',
    clause: 'reseller.website.accessed',
    about: 'The time of the last visit has no seconds; never opened is null.',
    rules: field('websiteAccessed', (value) => (typeof value === 'string' ? value.slice(0, -3) : value)),
  },
  {
    id: 'reseller.unsubscribed-as-string',
    clause: 'reseller.website.booleans',
    about: 'The flag for an unsubscribed user is Y or N.',
    rules: field('userIsUnsubscribed', (value) => (value === true ? 'Y' : 'N')),
  },
  {
    id: 'reseller.type-by-name',
    clause: 'reseller.website.type-and-status',
    about: 'The type of a website is a word.',
    rules: field('websiteType', () => 'shop'),
  },
];

export const websiteFaults: readonly Deviation[] = [
  {
    id: 'reseller.websites-keyed-by-id',
    clause: 'reseller.website.array',
    about: 'Websites are an object with ids as keys.',
    rules: listed((all) => Object.fromEntries(all.map((one) => [one.websiteID, one]))),
  },
  {
    id: 'reseller.websites-one-missing',
    clause: 'reseller.website.list-contains-own',
    about: 'One website is missing from the list; calls for it are served.',
    rules: listed((all) => all.filter(({ websiteID }) => websiteID !== 55003)),
  },
  {
    id: 'reseller.websites-twice',
    clause: 'reseller.website.list-contains-own',
    about: 'A website with a subscription is listed twice.',
    rules: listed((all) => [...all, ...all.filter(({ websiteIsPremium }) => websiteIsPremium === true)]),
  },
  {
    id: 'reseller.websites-joined-with-subscriptions',
    clause: 'reseller.website.list-contains-own',
    about: 'A website is listed once for each subscription that it ever had, and once if it had none.',
    rules: (correct) => {
      const started = new Map<unknown, number>();
      return {
        ...listed((all) => all.flatMap((one) => Array.from({ length: started.get(one.websiteID) ?? 1 }, () => one)))(
          correct,
        ),
        premiumAfter: (website, wanted) => {
          if (wanted !== null) started.set(website.id, (started.get(website.id) ?? 0) + 1);
          return correct.premiumAfter(website, wanted);
        },
      };
    },
  },
  ...RECORD,
  {
    id: 'reseller.foreign-website-served',
    clause: 'reseller.website.unknown-refused',
    about: 'The domains of another reseller’s website are listed.',
    rules: (correct) => ({
      resellerOwns: (reseller, website, operation) =>
        operation === 'listDomains' || correct.resellerOwns(reseller, website, operation),
    }),
  },
  {
    id: 'reseller.foreign-website-between-own-served',
    clause: 'reseller.website.unknown-refused',
    about: 'The domains of another reseller’s website are listed, whose id lies between those of own websites.',
    fixtures: (fixtures) => {
      // The last website, which is another reseller's, and the second one change their owners.
      const [own, foreign] = [fixtures.websites[1]!, fixtures.websites.at(-1)!];
      const owners = new Map([
        [own.id, foreign.resellerId],
        [foreign.id, own.resellerId],
      ]);
      return {
        ...fixtures,
        websites: fixtures.websites.map((one) => ({ ...one, resellerId: owners.get(one.id) ?? one.resellerId })),
      };
    },
    rules: (correct) => ({
      resellerOwns: (reseller, website, operation) =>
        operation === 'listDomains' || correct.resellerOwns(reseller, website, operation),
    }),
  },
  {
    id: 'reseller.unknown-website-has-no-domains',
    clause: 'reseller.website.unknown-refused',
    about: 'A website that does not exist has an empty list of domains.',
    http: intercepts('*', API.domains, async ({ pass }) => {
      const response = await pass();
      return response.status === 404 ? json({ error: false, domains: [] }) : response;
    }),
  },
  {
    id: 'reseller.unknown-website-served-once',
    clause: 'reseller.website.unknown-refused',
    about:
      'A website that does not exist has an empty list of domains when it is asked for the first time; later it is refused.',
    http: remembering(() => {
      const served = memory(() => new Set<string>());
      return intercepts('*', API.domains, async ({ parts, pass, service }) => {
        const response = await pass();
        const id = parts[0] ?? '';
        if (response.status !== 404 || served(service).has(id)) return response;
        served(service).add(id);
        return json({ error: false, domains: [] });
      });
    }),
  },
  {
    id: 'reseller.website-id-in-32-bits',
    clause: 'reseller.website.unknown-refused',
    about: 'The id of a website is read in 32 bits.',
    http: readsIdIn32Bits(/^\/api\/website\//, 'website'),
  },
  {
    id: 'reseller.disabled-not-visible',
    clause: 'reseller.website.disabled-is-visible',
    about: 'The record of a website does not show that it is disabled.',
    rules: field('websiteStatus', () => 1),
  },
  {
    id: 'reseller.enable-changes-status',
    clause: 'reseller.website.enable-restores',
    about: 'A website that is enabled again has a different status than before.',
    rules: (correct) => ({
      statusAfter: (website, wanted) => (wanted === 'enable' ? 7 : correct.statusAfter(website, wanted)),
    }),
  },
  {
    id: 'reseller.disable-disables-all',
    clause: 'reseller.website.only-named-website-changes',
    about: 'Disabling a website also disables all others.',
    http: allOthers(API.disable, { status: 0 }),
  },
  {
    id: 'reseller.enable-enables-all',
    clause: 'reseller.website.only-named-website-changes',
    about: 'Enabling a website also enables all others.',
    http: allOthers(API.enable, { status: 1 }),
  },
  {
    id: 'reseller.list-lacks-a-website-during-subscription',
    clause: 'reseller.website.only-named-website-changes',
    about: 'While the website of the run has a subscription, the list lacks another website.',
    rules: listed((all) => {
      const own = all.find(({ websiteID }) => websiteID === 55003);
      const other = all.findLast((record) => record !== own);
      return own?.websiteIsPremium === true ? all.filter((record) => record !== other) : all;
    }),
  },
  {
    id: 'reseller.upgrade-upgrades-all',
    clause: 'reseller.website.only-named-website-changes',
    about: 'Starting a subscription starts one for all websites.',
    http: allOthers(API.enablePremium, { premium: 'premium' }),
  },
  {
    id: 'reseller.downgrade-downgrades-all',
    clause: 'reseller.website.only-named-website-changes',
    about: 'Stopping a subscription stops those of all websites.',
    http: allOthers(API.disablePremium, { premium: null }),
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
    id: 'reseller.premium-levels-turned',
    clauses: ['reseller.premium.enable', 'reseller.premium.enable-plus'],
    about: 'Every level is taken but premium and premiumplus.',
    rules: (correct) => ({ acceptsSubscription: (level) => !correct.acceptsSubscription(level) }),
  },
  {
    id: 'reseller.premiumplus-ignored',
    clause: 'reseller.premium.enable-plus',
    about: 'The level premiumplus is accepted and not started.',
    http: intercepts('*', API.enablePremium, async ({ parts, pass }) =>
      parts[1] === 'premiumplus' ? success() : pass(),
    ),
  },
  {
    id: 'reseller.premiumplus-not-shown',
    clause: 'reseller.premium.enable-plus',
    about: 'Only websites with the level premium count as premium.',
    rules: field(
      'websiteIsPremium',
      () => false,
      ({ premium }) => premium === 'premiumplus',
    ),
  },
  {
    id: 'reseller.premium-stop-refused',
    clause: 'reseller.premium.disable-served',
    about: 'A subscription can’t be stopped.',
    http: intercepts('*', API.disablePremium, async ({ pass, service, parts }) => {
      const row = service.state.websites.get(parts[0] ?? '');
      const response = await pass();
      if (response.status !== 200 || row === undefined) return response;
      service.change(() => service.state.websites.set(String(row.id), row));
      return json({ error: true, errorCode: 409, errorMsg: 'The subscription is paid for.' }, 409);
    }),
  },
  {
    id: 'reseller.enable-changes-user',
    clause: 'reseller.account.nothing-else-changes',
    about: 'Enabling a website subscribes or unsubscribes its user.',
    http: intercepts('*', API.enable, async ({ parts, pass, service }) => {
      const response = await pass();
      const row = service.state.websites.get(parts[0] ?? '');
      if (response.status === 200 && row !== undefined) {
        const user = { ...row.user, unsubscribed: !row.user.unsubscribed };
        service.change(() => service.state.websites.patch(String(row.id), { user }));
      }
      return response;
    }),
  },
  {
    id: 'reseller.enable-toggles',
    clause: 'reseller.website.enable',
    about: 'Enabling a website that is enabled disables it.',
    rules: () => ({ statusAfter: ({ status }, wanted) => (wanted === 'enable' && status === 0 ? 1 : 0) }),
  },
  {
    id: 'reseller.disable-toggles',
    clause: 'reseller.website.disable',
    about: 'Disabling a website that is disabled enables it.',
    rules: () => ({ statusAfter: ({ status }, wanted) => (wanted === 'disable' && status === 1 ? 0 : 1) }),
  },
  {
    id: 'reseller.premium-plus-becomes-premium',
    clause: 'reseller.premium.disable',
    about: 'The subscription premiumplus becomes premium when it is stopped; premium ends.',
    rules: (correct) => ({
      premiumAfter: (website, wanted) =>
        wanted === null && website.premium === 'premiumplus' ? 'premium' : correct.premiumAfter(website, wanted),
    }),
  },
  {
    id: 'reseller.premium-stop-toggles',
    clause: 'reseller.premium.disable',
    about: 'Stopping a subscription that was stopped starts it again.',
    rules: (correct) => ({
      premiumAfter: (website, wanted) =>
        wanted === null && website.premium === null ? 'premium' : correct.premiumAfter(website, wanted),
    }),
  },
  {
    id: 'reseller.premium-plus-not-stopped',
    clause: 'reseller.premium.disable',
    about: 'The subscription premiumplus goes on after it was stopped; premium ends.',
    rules: () => ({
      premiumAfter: ({ premium }, wanted) => (wanted === null && premium === 'premiumplus' ? premium : wanted),
    }),
  },
];
