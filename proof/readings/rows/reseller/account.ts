/** Silences about the values of a reseller account, and about what depends on the state of a website. */
import { intercepts } from '../../../../mock/faults/interception.ts';
import { bodies, refused } from '../../../../mock/faults/reseller/interception.ts';
import type { Fixtures } from '../../../../mock/fixtures/fixtures.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { API } from '../demands.ts';

const SETTINGS = 'Resources and their fields, Reseller account settings (C)';
const WEBSITE = 'Resources and their fields, Reseller website record (C)';
const ENDPOINTS = 'Endpoints, C. Reseller endpoints';
const STATES = 'States and transitions';

const settings =
  (change: (record: Record<string, unknown>) => Record<string, unknown>): NonNullable<ReadingAnswer['rules']> =>
  (correct) => ({ settingsRecord: (reseller) => change(correct.settingsRecord(reseller)) });

/** Settings as a service normalizes them. */
const tidied = (id: string, about: string, tidy: (value: string, name: string) => string): ReadingAnswer => ({
  id,
  about,
  rules: (correct) => ({
    settingsAfter: (reseller, changes) =>
      correct.settingsAfter(
        reseller,
        Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, tidy(value, name)])),
      ),
  }),
});

const balance = (id: string, text: string): ReadingAnswer => ({
  id,
  about: `As "${text}".`,
  rules: (correct) => ({
    balanceRecord: (reseller, websites) => ({
      ...correct.balanceRecord(reseller, websites),
      currentBalance: text,
      billingThreshold: text,
    }),
  }),
});

const ofUsers =
  (email: string): NonNullable<ReadingAnswer['fixtures']> =>
  (fixtures: Fixtures) => ({
    ...fixtures,
    websites: fixtures.websites.map((website) => ({ ...website, user: { ...website.user, email } })),
  });

const dates = (id: string, about: string, date: string): ReadingAnswer => ({
  id,
  about,
  rules: (correct) => ({ websiteRecord: (website) => ({ ...correct.websiteRecord(website), websiteAccessed: date }) }),
});

/** Refuses calls for a website that is disabled. */
const ofEnabledOnly = (id: string, about: string, path: RegExp): ReadingAnswer => ({
  id,
  about,
  http: intercepts('*', path, async ({ parts, pass, service }) => {
    const website = service.state.websites.get(parts[0] ?? '');
    return website !== undefined && !service.rules.isEnabled(website)
      ? refused(409, 'Enable the website first.')
      : pass();
  }),
});

const loginRedirects: NonNullable<ReadingAnswer['http']> = async (request, next, service) => {
  const url = new URL(request.url);
  const step = Number(url.searchParams.get('step') ?? 0);
  if (!API.loginPage.test(url.pathname) || step === 4)
    return next(step === 4 ? new Request(`${service.origin}${url.pathname}`, { headers: request.headers }) : request);
  return new Response(null, { status: [302, 307, 303, 301][step]!, headers: { location: `?step=${step + 1}` } });
};

const refreshHeader: NonNullable<ReadingAnswer['http']> = async (request, next, service) => {
  const url = new URL(request.url);
  if (!API.loginPage.test(url.pathname)) return next(request);
  if (url.searchParams.has('go'))
    return next(new Request(`${service.origin}${url.pathname}`, { headers: request.headers }));
  const headers = { refresh: `0; url=${url.pathname}?go=1`, 'content-type': 'text/html' };
  return new Response('<p>One moment.</p>', { headers });
};

const linkWritten = (id: string, about: string, write: (url: URL) => string): ReadingAnswer => ({
  id,
  about,
  rules: bodies(['createLoginLink'], (body) => ({ ...body, loginUrl: write(new URL(String(body.loginUrl))) })),
});

export const accountReadings: readonly Reading[] = [
  {
    id: 'reseller.settings-normalized',
    section: SETTINGS,
    silence: 'What a service makes of addresses, numbers and names of hosts that mean the same.',
    answers: [
      tidied('phones', 'Phone numbers lose their spaces, brackets and hyphens.', (value, name) =>
        /Phone$/.test(name) ? value.replaceAll(/[ ()-]/g, '') : value,
      ),
      tidied('mail', 'Mail addresses become lower case.', (value, name) =>
        /Email$/.test(name) ? value.toLowerCase() : value,
      ),
      tidied('links', 'Links are written as browsers write them.', (value, name) =>
        /Link$|Website$/.test(name) && URL.canParse(value) ? new URL(value).href : value,
      ),
    ],
  },
  {
    id: 'reseller.settings-extremes',
    section: SETTINGS,
    silence: 'Which values settings have that were not set.',
    answers: [
      {
        id: 'all-empty',
        about: 'Everything is empty but the number of the reseller; the credit limit is 0.',
        rules: settings((record) =>
          Object.fromEntries(
            Object.entries(record).map(([name, value]) => [
              name,
              name === 'resellerID' ? value : name === 'creditLimit' ? 0 : name === 'tlds' ? '' : value,
            ]),
          ),
        ),
        fixtures: (correct) => ({
          ...correct,
          resellers: correct.resellers.map((reseller) => ({ ...reseller, settings: {}, tlds: '', creditLimit: 0 })),
        }),
      },
      {
        id: 'tlds',
        about: 'Top-level domains have dots in front, two labels, capitals and other scripts.',
        rules: settings((record) => ({ ...record, tlds: '.LV,.co.uk,.рф, .xn--p1ai', creditLimit: 1e21 })),
      },
      {
        id: 'one-tld',
        about: 'There is one top-level domain.',
        rules: settings((record) => ({ ...record, tlds: 'lv' })),
      },
    ],
  },
  {
    id: 'reseller.balance-forms',
    section: 'Resources and their fields, Reseller balance (C)',
    silence: 'How amounts are grouped, signed and rounded.',
    answers: [
      balance('spaces', '1 234,50 EUR'),
      balance('points', 'EUR 1.234,50'),
      balance('whole', 'JPY 100000'),
      balance('minus-in-front', '-EUR 5.00'),
      balance('minus-sign', 'EUR −5.00'),
      balance('many-digits', 'KWD 0.001'),
      balance('parentheses', '(EUR 12.50)'),
      balance('amount-in-parentheses', 'EUR (1 234,50)'),
      balance('apostrophes', "CHF 1'234.50"),
    ],
  },
  {
    id: 'reseller.mail-form',
    section: WEBSITE,
    silence: 'Which mail addresses users have.',
    answers: [
      { id: 'signs', about: 'With signs in the local part.', fixtures: ofUsers("o'neil+x_y/z=1@mail.shop.example") },
      { id: 'letters', about: 'With letters of other scripts.', fixtures: ofUsers('jānis.ozols@veikals.example') },
      { id: 'quoted', about: 'With a local part in quotes.', fixtures: ofUsers('"jan ozols"@shop.example') },
      { id: 'short', about: 'At a host without a dot.', fixtures: ofUsers('a@intranet') },
    ],
  },
  {
    id: 'reseller.dates',
    section: WEBSITE,
    silence: 'Which dates there are.',
    answers: [
      dates('zero', 'A website that was never accessed shows zeros.', '0000-00-00 00:00:00'),
      dates('future', 'Dates may lie in the future.', '2099-12-31 23:59:59'),
      dates('leap-day', 'The last access was on a leap day.', '2024-02-29 00:00:00'),
    ],
  },
  {
    id: 'reseller.disabled-websites',
    section: STATES,
    silence: 'What is served for a website that is disabled.',
    answers: [
      ofEnabledOnly('no-login', 'No login link.', API.login),
      ofEnabledOnly('no-domains', 'No change of its domains.', /^\/api\/website\/([^/]+)\/domain\//),
      ofEnabledOnly(
        'nothing-of-domains',
        'Neither a list of its domains nor a change of them.',
        /^\/api\/website\/([^/]+)\/domains?\//,
      ),
      ofEnabledOnly('nothing-but-enabling', 'Nothing but being enabled.', /^\/api\/website\/([^/]+)\/(?!enable\/)/),
      ofEnabledOnly('no-premium', 'No subscription.', /^\/api\/website\/([^/]+)\/(?:enable|disable)_premium\//),
      {
        id: 'same-status',
        about: 'Its record shows nothing of it.',
        rules: (correct) => ({
          websiteRecord: (website) => ({ ...correct.websiteRecord(website), websiteStatus: 1 }),
        }),
      },
      {
        id: 'no-alias',
        about: 'Its record shows no alias.',
        rules: (correct) => ({
          websiteRecord: (website) => ({
            ...correct.websiteRecord(website),
            ...(website.status === correct.statusAfter(website, 'disable') ? { websiteAlias: null } : {}),
          }),
        }),
      },
    ],
  },
  {
    id: 'login.redirects',
    section: ENDPOINTS,
    silence: 'How many steps lead from the link to the page behind the login.',
    answers: [
      {
        id: 'four',
        about: 'Four redirects.',
        http: loginRedirects,
        without: ['login.intermediate-page', 'login.link-form'],
      },
      {
        id: 'refresh-header',
        about: 'A page with a Refresh header.',
        http: refreshHeader,
        without: ['login.intermediate-page', 'login.link-form'],
      },
    ],
  },
  {
    id: 'login.link-written',
    section: ENDPOINTS,
    silence: 'Whether the link is a full address.',
    answers: [
      linkWritten('host-rooted', 'It is a path from the root of the host.', (url) => url.pathname),
      linkWritten('no-scheme', 'It has no scheme.', (url) => `//${url.host}${url.pathname}`),
      {
        ...linkWritten('fragment', 'It has a fragment.', (url) => `${url.href}#dashboard`),
        // Those take what is behind the last slash for the token.
        without: ['login.link-form'],
      },
      linkWritten(
        'capitals',
        'Scheme and host are in capitals.',
        (url) => `HTTP://${url.host.toUpperCase()}${url.pathname}`,
      ),
    ],
  },
];
