/** Silences about the Reseller interface: records, domains, settings, subscriptions. */

import { meets } from '../../../../mock/faults/interception.ts';
import { afterwards, bodies, refused } from '../../../../mock/faults/reseller/interception.ts';
import type { Fixtures } from '../../../../mock/fixtures/fixtures.ts';
import { CHANGEABLE_SETTINGS } from '../../../../mock/rules/reseller.ts';
import type { Website } from '../../../../mock/state/state.ts';
import type { Reading, ServiceResponse } from '../../reading.ts';
import { API, ofReseller } from '../demands.ts';

const SETTINGS = 'Resources and their fields, Reseller account settings (C)';
const WEBSITE = 'Resources and their fields, Reseller website record (C)';
const ENDPOINTS = 'Endpoints, C. Reseller endpoints';
const STATES = 'States and transitions';

const fixedSettings = (
  id: string,
  about: string,
  fixed: readonly string[],
  undecides?: ServiceResponse['undecides'],
): ServiceResponse => ({
  id,
  about,
  ...(undecides === undefined ? {} : { undecides }),
  http: ofReseller(API.setSettings, (parameters) => {
    const found = [...parameters.keys()].find((name) => fixed.includes(name));
    return found === undefined ? undefined : `${found} can not be changed.`;
  }),
});

const settingValues = (
  id: string,
  about: string,
  isGood: (value: string, name: string) => boolean,
): ServiceResponse => ({
  id,
  about,
  http: ofReseller(API.setSettings, (parameters) => {
    const bad = [...parameters].find(([name, value]) => name !== 'apiToken' && !isGood(value, name));
    return bad === undefined ? undefined : `${bad[0]} can not have this value.`;
  }),
});

const allBut = (...names: readonly string[]): string[] => CHANGEABLE_SETTINGS.filter((name) => !names.includes(name));

const domains = (
  id: string,
  about: string,
  isGood: (name: string) => boolean,
  undecides?: ServiceResponse['undecides'],
): ServiceResponse => ({
  id,
  about,
  ...(undecides === undefined ? {} : { undecides }),
  http: ofReseller(API.addDomain, (parameters) =>
    isGood(parameters.get('domain') ?? '') ? undefined : 'This domain can not be attached.',
  ),
});

const statuses = (id: string, about: string, enabled: number, disabled: number): ServiceResponse => ({
  id,
  about,
  rules: (correct) => ({
    websiteRecord: (website) => ({
      ...correct.websiteRecord(website),
      websiteStatus: website.status === 1 ? enabled : disabled,
    }),
  }),
});

const websites =
  (change: (website: Website) => Partial<Website>): NonNullable<ServiceResponse['fixtures']> =>
  (fixtures: Fixtures) => ({
    ...fixtures,
    websites: fixtures.websites.map((website) => ({ ...website, ...change(website) })),
  });

/** Domain names as ASCII, which is how registries write them. */
const punycode = (name: string): string =>
  URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : name;

export const resellerReadings: readonly Reading[] = [
  {
    id: 'reseller.status-numbers',
    section: STATES,
    silence: 'Which numbers websiteStatus takes.',
    answers: [
      statuses('one-two', '1 is enabled, 2 is disabled.', 1, 2),
      statuses('zero-enabled', '0 is enabled, 1 is disabled.', 0, 1),
      statuses('negative', '100 is enabled, -1 is disabled.', 100, -1),
    ],
  },
  {
    id: 'reseller.repeated-switch',
    section: STATES,
    silence: 'How enabling an enabled website, or disabling a disabled one, is answered.',
    answers: [
      {
        id: 'refused',
        about: 'It is refused.',
        http: async (request, next, service) => {
          const [, id, wanted] =
            /\/api\/website\/([^/]+)\/(enable|disable)\/$/.exec(new URL(request.url).pathname) ?? [];
          const website = id === undefined ? undefined : service.state.websites.get(id);
          if (website === undefined || service.rules.isEnabled(website) !== (wanted === 'enable')) return next(request);
          const usual = await next(request);
          return usual.status === 200 ? refused(409, 'It is so already.') : usual;
        },
      },
    ],
  },
  {
    id: 'reseller.record-values',
    section: WEBSITE,
    silence: 'Which values the fields of a record take within their types.',
    answers: [
      {
        id: 'empty-texts',
        about: 'Names and aliases are empty.',
        fixtures: websites((website) => ({ brandname: '', user: { ...website.user, name: '' } })),
      },
      {
        id: 'leap-second',
        about: 'A website was made in a leap second.',
        fixtures: websites(() => ({ created: '2016-12-31 23:59:60', modified: '2016-12-31 23:59:60' })),
      },
      {
        id: 'never-accessed',
        about: 'No website was ever accessed.',
        rules: (correct) => ({
          websiteRecord: (website) => ({ ...correct.websiteRecord(website), websiteAccessed: null }),
        }),
      },
      {
        id: 'accessed-omitted',
        about: 'A website that was never accessed has no such field.',
        rules: (correct) => ({
          websiteRecord: (website) => {
            const { websiteAccessed, ...others } = correct.websiteRecord(website);
            return websiteAccessed === null ? others : { ...others, websiteAccessed };
          },
        }),
      },
      {
        id: 'further-fields',
        about: 'Records carry fields of the service.',
        rules: (correct) => ({
          websiteRecord: (website) => ({ ...correct.websiteRecord(website), websitePlan: null, websiteTags: [] }),
          domainRecord: (domain) => ({ ...correct.domainRecord(domain), isPrimary: false }),
        }),
      },
      {
        id: 'record-changes-with-calls',
        about: 'websiteModified and websiteAccessed change with every call for the website.',
        http: afterwards(/^\/api\/website\/([^/]+)\//, ({ parts, service }) => {
          const website = service.state.websites.get(parts[0] ?? '');
          if (website === undefined) return;
          const last = Date.parse(`${website.modified.replace(' ', 'T')}Z`);
          const modified = new Date(last + 60_000).toISOString().slice(0, 19).replace('T', ' ');
          service.state.websites.patch(String(website.id), { modified });
        }),
      },
    ],
  },
  {
    id: 'reseller.list-order',
    section: ENDPOINTS,
    silence: 'The order of websites and of domains.',
    answers: [
      {
        id: 'newest-first',
        about: 'The newest comes first.',
        rules: bodies(['listWebsites', 'listDomains'], (body) => ({
          ...body,
          ...(Array.isArray(body.websites) ? { websites: body.websites.toReversed() } : {}),
          ...(Array.isArray(body.domains) ? { domains: body.domains.toReversed() } : {}),
        })),
      },
    ],
  },
  {
    id: 'reseller.domain-form',
    section: 'Resources and their fields, Reseller domain record (C)',
    silence: 'How a domain name is written that was sent in another way.',
    answers: [
      {
        id: 'punycode',
        about: 'In ASCII.',
        rules: (correct) => ({
          domainRecord: (domain) => correct.domainRecord({ ...domain, domain: punycode(domain.domain) }),
        }),
      },
      {
        id: 'lower-case',
        about: 'In lower case.',
        rules: (correct) => ({
          domainRecord: (domain) => correct.domainRecord({ ...domain, domain: domain.domain.toLowerCase() }),
        }),
      },
    ],
  },
  {
    id: 'reseller.built-in-domains',
    section: ENDPOINTS,
    silence: 'Which domains are listed that nobody added, and whether they can be removed.',
    answers: [
      {
        id: 'alias',
        about: 'Each website has a domain of the service, which can not be removed.',
        rules: bodies(['listDomains'], (body, call) => ({
          ...body,
          domains: [
            { domainID: 7_000_000 + Number(call.segments.website), domain: `s${call.segments.website}.shops.example` },
            ...(body.domains as unknown[]),
          ],
        })),
      },
      {
        id: 'www-beside',
        about: 'Each domain is listed with its www name beside it, which comes and goes with it.',
        rules: bodies(['listDomains'], (body) => ({
          ...body,
          domains: (body.domains as { domainID: number; domain: string }[]).flatMap((one) => [
            one,
            { ...one, domainID: one.domainID + 9_000_000, domain: `www.${one.domain}` },
          ]),
        })),
      },
    ],
  },
  {
    id: 'reseller.domain-demands',
    section: ENDPOINTS,
    silence: 'Which domains can be attached.',
    answers: [
      domains('tlds-only', 'Only those below .com, .lv and .example.', (name) => /\.(com|lv|example)$/i.test(name)),
      domains('ascii-only', 'Only names in ASCII.', (name) => /^[\x21-\x7e]+$/.test(name)),
      domains('lower-case', 'Only names in lower case.', (name) => name === name.toLowerCase()),
      domains('two-labels', 'Only names of two labels.', (name) => name.split('.').length === 2),
      domains('short', 'Only names of at most 30 characters.', (name) => name.length <= 30),
      {
        id: 'one-each',
        about: 'A website can have two domains.',
        http: meets('*', API.addDomain, async ({ parts, pass, service }) => {
          const own = service.state.domains.filter((domain) => String(domain.websiteId) === parts[0]);
          return own.length >= 2 ? refused(403, 'There are too many domains.') : pass();
        }),
      },
    ],
  },
  {
    id: 'reseller.domain-add-answer',
    section: ENDPOINTS,
    silence: 'What the answer to adding a domain holds.',
    answers: [
      {
        id: 'record',
        about: 'The record.',
        rules: (correct) => ({ domainAdded: (domain) => correct.domainRecord(domain) }),
      },
      {
        id: 'wrapped',
        about: 'The record under a name.',
        rules: (correct) => ({ domainAdded: (domain) => ({ domain: correct.domainRecord(domain) }) }),
      },
      {
        id: 'list',
        about: 'A list.',
        rules: (correct) => ({ domainAdded: (domain) => ({ domains: [correct.domainRecord(domain)], ns: [] }) }),
      },
    ],
  },
  {
    id: 'reseller.settings-fixed',
    section: SETTINGS,
    silence: 'Which settings can be changed.',
    answers: [
      fixedSettings('contact-name', 'The contact name can not be changed.', ['contactName']),
      fixedSettings('city-only', 'Only the city can be changed.', allBut('addrCity')),
      fixedSettings('phone-only', 'Only the support phone can be changed.', allBut('supportPhone')),
      fixedSettings('link-only', 'Only the link to the terms can be changed.', allBut('termsLink')),
      fixedSettings('country-only', 'Only the country can be changed.', allBut('addrCountry')),
      fixedSettings('notify-only', 'Only the notify link can be changed.', allBut('notifyLink')),
      fixedSettings(
        'email-and-company',
        'Only e-mail addresses and the company can be changed.',
        allBut('supportEmail', 'contactEmail', 'company'),
      ),
      fixedSettings('none', 'No setting can be changed.', [...CHANGEABLE_SETTINGS]),
      {
        id: 'others-ignored',
        about: 'Settings that can not be changed are ignored; city and phone can.',
        rules: (correct) => ({
          maySet: () => true,
          settingsAfter: (reseller, changes) =>
            correct.settingsAfter(
              reseller,
              Object.fromEntries(Object.entries(changes).filter(([name]) => /^(addrCity|supportPhone)$/.test(name))),
            ),
        }),
      },
      {
        id: 'one-at-a-time',
        about: 'A call changes one setting.',
        http: ofReseller(API.setSettings, (parameters) =>
          [...parameters.keys()].filter((name) => name !== 'apiToken').length > 1 ? 'One setting a call.' : undefined,
        ),
      },
    ],
  },
  {
    id: 'reseller.settings-values',
    section: SETTINGS,
    silence: 'Which values a setting can have.',
    answers: [
      ...[20, 40, 50].map((count) =>
        settingValues(`at-most-${count}`, `At most ${count} characters.`, (value) => value.length <= count),
      ),
      settingValues('no-markup', 'No markup characters.', (value) => !/[<>&"']/.test(value)),
      settingValues('ascii', 'ASCII only.', (value) => /^[\x20-\x7e]*$/.test(value)),
      settingValues('not-empty', 'Not empty.', (value) => value !== ''),
      settingValues(
        'letters',
        'Names and cities of letters and spaces only.',
        (value, name) => !/^(contactName|addrCity|company)$/.test(name) || /^[\p{L} ]*$/u.test(value),
      ),
      settingValues(
        'checked-links',
        'Links on known names only.',
        (value, name) => !/Link$|Website$/.test(name) || value === '' || /\.(com|lv)\//.test(value),
      ),
      settingValues(
        'checked-mail',
        'Mail addresses on known names only.',
        (value, name) => !/Email$/.test(name) || /\.(com|lv)$/.test(value),
      ),
      {
        id: 'empty-ignored',
        about: 'An empty value is ignored.',
        rules: (correct) => ({
          settingsAfter: (reseller, changes) =>
            correct.settingsAfter(
              reseller,
              Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== '')),
            ),
        }),
      },
    ],
  },
  {
    id: 'reseller.settings-record',
    section: SETTINGS,
    silence: 'How settings are shown that were never set, and which further ones are.',
    answers: [
      {
        id: 'null',
        about: 'Empty ones are null.',
        rules: (correct) => ({
          settingsRecord: (reseller) =>
            Object.fromEntries(
              Object.entries(correct.settingsRecord(reseller)).map(([name, value]) => [
                name,
                value === '' ? null : value,
              ]),
            ),
        }),
      },
      {
        id: 'omitted',
        about: 'Empty ones are left out.',
        rules: (correct) => ({
          settingsRecord: (reseller) =>
            Object.fromEntries(Object.entries(correct.settingsRecord(reseller)).filter(([, value]) => value !== '')),
        }),
      },
      {
        id: 'further',
        about: 'There are further ones, one of which counts calls.',
        rules: (correct) => {
          let count = 0;
          return {
            settingsRecord: (reseller) => {
              count += 1;
              return {
                ...correct.settingsRecord(reseller),
                theme: 'dark',
                callsToday: count,
                lastCall: `2026-11-20 10:00:${count}`,
              };
            },
          };
        },
      },
      {
        id: 'numbers',
        about: 'The credit limit has a fraction, and tlds have spaces between them.',
        rules: (correct) => ({
          settingsRecord: (reseller) => ({
            ...correct.settingsRecord(reseller),
            creditLimit: -12.5,
            tlds: reseller.tlds.replaceAll(',', ', '),
          }),
        }),
      },
    ],
  },
  {
    id: 'reseller.balance-form',
    section: 'Resources and their fields, Reseller balance (C)',
    silence: 'How currency code and amount are written.',
    answers: ['EUR 1234.50', '1,234.50 EUR', 'EUR-12.5', 'EUR1234', '€ EUR 0'].slice(0, 4).map((text, at) => ({
      id: `form-${at + 1}`,
      about: `As "${text}".`,
      rules: (correct) => ({
        balanceRecord: (reseller, all) => ({
          ...correct.balanceRecord(reseller, all),
          currentBalance: text,
          billingThreshold: text,
        }),
      }),
    })),
  },
  {
    id: 'reseller.premium-rules',
    section: STATES,
    silence: 'When a subscription can be bought or stopped, and when the flag follows.',
    answers: [
      {
        id: 'until-period-ends',
        about: 'A stopped subscription runs to the end of its period: the flag stays true.',
        rules: (correct) => {
          const had = new Set<number>();
          return {
            premiumAfter: (website, wanted) => {
              const after = correct.premiumAfter(website, wanted);
              if (after === null && website.premium !== null) had.add(website.id);
              return after;
            },
            websiteRecord: (website) => ({
              ...correct.websiteRecord(website),
              websiteIsPremium: website.premium !== null || had.has(website.id),
            }),
          };
        },
      },
      {
        id: 'no-credit',
        about: 'The balance does not suffice: no subscription can be bought.',
        http: meets('*', API.enablePremium, async ({ pass, service }) => {
          const before = service.state.websites.all();
          const answer = await pass();
          if (answer.status !== 200) return answer;
          service.change(() => {
            for (const website of before)
              service.state.websites.patch(String(website.id), { premium: website.premium });
          });
          return refused(402, 'The balance does not suffice.');
        }),
      },
      {
        id: 'no-change-of-level',
        about: 'A website with a subscription gets no other.',
        http: meets('*', API.enablePremium, async ({ parts, pass, service }) =>
          service.state.websites.get(parts[0] ?? '')?.premium ? refused(409, 'Stop the subscription first.') : pass(),
        ),
      },
      {
        id: 'nothing-to-stop',
        about: 'Stopping a subscription that does not exist is refused.',
        http: meets('*', API.disablePremium, async ({ parts, pass, service }) =>
          service.state.websites.get(parts[0] ?? '')?.premium === null
            ? refused(409, 'There is nothing to stop.')
            : pass(),
        ),
      },
    ],
  },
  {
    id: 'reseller.methods',
    section: ENDPOINTS,
    silence: 'Whether each call takes both GET and POST, or one of them: "GET or POST".',
    answers: [
      {
        id: 'post-only',
        about: 'Calls that change something take POST only.',
        http: meets(
          'GET',
          /^\/api\/(website\/.*|settings\/set\/|password\/|authorize\/(logout\/)?)$/,
          async ({ request, pass }) =>
            /\/domains\/$/.test(new URL(request.url).pathname) ? pass() : refused(405, 'Use POST.'),
        ),
      },
      {
        id: 'get-only',
        about: 'Calls that read take GET only.',
        http: meets('POST', /^\/api\/(websites|settings|balance|website\/[^/]+\/domains)\/$/, async () =>
          refused(405, 'Use GET.'),
        ),
      },
      {
        id: 'all-post',
        about: 'Every call takes POST only.',
        http: meets('GET', API.any, async () => refused(405, 'Use POST.')),
      },
      {
        id: 'all-get',
        about: 'Every call takes GET only.',
        http: meets('POST', API.any, async () => refused(405, 'Use GET.')),
      },
    ],
  },
  {
    id: 'reseller.parameter-places',
    section: ENDPOINTS,
    silence: 'Whether parameters of a POST may stand in the query.',
    answers: [
      {
        id: 'form-only',
        about: 'They are not read there.',
        http: meets('POST', API.any, ({ pass }) => pass({ search: '' })),
      },
    ],
  },
];
