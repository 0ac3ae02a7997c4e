/** Silences about websites of the Reseller interface: their records, lists and states. */

import { intercepts } from '../../../../mock/faults/interception.ts';
import { afterwards, bodies, refused } from '../../../../mock/faults/reseller/interception.ts';
import type { Fixtures } from '../../../../mock/fixtures/fixtures.ts';
import type { Website } from '../../../../mock/state/state.ts';
import type { MockService } from '../../../../mock/types/service.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { API, servedAtMost } from '../demands.ts';

const WEBSITE = 'Resources and their fields, Reseller website record (C)';
const ENDPOINTS = 'Endpoints, C. Reseller endpoints';
const STATES = 'States and transitions';

const statuses = (id: string, about: string, enabled: number, disabled: number): ReadingAnswer => ({
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
  (change: (website: Website) => Partial<Website>): NonNullable<ReadingAnswer['fixtures']> =>
  (fixtures: Fixtures) => ({
    ...fixtures,
    websites: fixtures.websites.map((website) => ({ ...website, ...change(website) })),
  });

/** The flag of a website stays when its subscription is stopped. */
const shownUntilPeriodEnds: NonNullable<ReadingAnswer['rules']> = (correct) => {
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
};

/** Refuses to stop a subscription that does not run. */
const stopsOnlyRunning: NonNullable<ReadingAnswer['http']> = intercepts(
  '*',
  API.disablePremium,
  async ({ parts, pass, service }) =>
    service.state.websites.get(parts[0] ?? '')?.premium === null ? refused(409, 'There is nothing to stop.') : pass(),
);

/** The status of each website after each of the last calls, by service. */
const pastStatuses = new WeakMap<MockService, ReadonlyMap<number, number>[]>();

/** Records show a status as it was so many calls, or so many readings, ago. */
const lateBy = (count: number, unit: 'calls' | 'readings'): ReadingAnswer => ({
  id: `${count}-${unit}`,
  about: `Records show a status ${count} ${unit} late.`,
  undecides: [
    {
      checks: ['reseller.website.enable-restores', 'reseller.token.premium-refuses'],
      because:
        'The record shows another status with each reading, as it would beside another client, or that of before for a disabled website.',
    },
  ],
  http: async (request, next, service) => {
    const response = await next(request);
    const isReading = API.websites.test(new URL(request.url).pathname) && response.ok;
    const former = pastStatuses.get(service) ?? [];
    const past = isReading || unit === 'calls' ? [...former, statusesIn(service)].slice(-count - 1) : former;
    pastStatuses.set(service, past);
    if (!isReading) return response;
    const { websites, ...rest } = (await response.json()) as { websites: { websiteID: number }[] };
    const shown = past[0]!;
    const late = websites.map((one) => ({ ...one, websiteStatus: shown.get(one.websiteID) }));
    return Response.json({ ...rest, websites: late });
  },
});

const statusesIn = ({ state }: MockService): ReadonlyMap<number, number> =>
  new Map(state.websites.all().map(({ id, status }) => [id, status]));

export const websiteReadings: readonly Reading[] = [
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
    id: 'reseller.late-status',
    section: STATES,
    silence: 'When a record follows a call that enables or disables its website.',
    answers: [lateBy(2, 'calls'), lateBy(5, 'calls'), lateBy(20, 'calls'), lateBy(2, 'readings')],
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
          return usual.status === 200 ? refused(409, 'The website is in this state already.') : usual;
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
        id: 'codes-beside-iso',
        about: 'Users are in Kosovo, whose code ISO leaves to its users; aliases and brand names hold signs of markup.',
        fixtures: websites((website) => ({
          alias: `My-Shop.2_${website.id}`,
          brandname: '“Žagars” <i>&amp;</i> 🛍️\n2',
          user: { ...website.user, country: 'XK' },
        })),
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
      {
        id: 'another-each-time',
        about: 'The database gives no order: each call has another one.',
        rules: (correct) => {
          let calls = 0;
          const turned = (list: unknown): unknown => {
            if (!Array.isArray(list) || list.length === 0) return list;
            const from = ++calls % list.length;
            return [...list.slice(from), ...list.slice(0, from)];
          };
          return bodies(['listWebsites', 'listDomains'], (body) => ({
            ...body,
            ...(body.websites === undefined ? {} : { websites: turned(body.websites) }),
            ...(body.domains === undefined ? {} : { domains: turned(body.domains) }),
          }))(correct);
        },
      },
    ],
  },
  {
    id: 'reseller.premium-rules',
    section: STATES,
    silence: 'When a subscription can be bought or stopped, and when the flag follows.',
    answers: [
      {
        id: 'until-period-ends',
        about: 'A stopped subscription runs to the end of its period: the flag stays true.',
        rules: shownUntilPeriodEnds,
      },
      {
        id: 'no-credit',
        about: 'The balance does not suffice: no subscription can be bought.',
        http: intercepts('*', API.enablePremium, async ({ pass, service }) => {
          const before = service.state.websites.all();
          const response = await pass();
          if (response.status !== 200) return response;
          service.change(() => {
            for (const website of before)
              service.state.websites.patch(String(website.id), { premium: website.premium });
          });
          return refused(402, 'The balance does not suffice.');
        }),
      },
      {
        id: 'credit-for-four',
        about: 'The balance suffices for four subscriptions.',
        http: servedAtMost(API.enablePremium, 4, 'The balance does not suffice.'),
      },
      {
        id: 'unpaid-invoice',
        about: 'An invoice is open: no subscription is started, whatever its level.',
        http: intercepts('*', API.enablePremium, async ({ pass, service }) => {
          const before = service.state.websites.all();
          const response = await pass();
          if (response.status === 401) return response;
          service.change(() => {
            for (const website of before)
              service.state.websites.patch(String(website.id), { premium: website.premium });
          });
          return refused(403, 'Please pay your invoices first.');
        }),
      },
      {
        id: 'plus-after-premium',
        about: 'Only a website with the level premium gets premiumplus.',
        http: intercepts('*', API.enablePremium, async ({ parts, pass, service }) =>
          parts[1] === 'premiumplus' && service.state.websites.get(parts[0] ?? '')?.premium === null
            ? refused(409, 'Start with premium.')
            : pass(),
        ),
      },
      {
        id: 'no-change-of-level',
        about: 'A website with a subscription gets no other.',
        http: intercepts('*', API.enablePremium, async ({ parts, pass, service }) =>
          service.state.websites.get(parts[0] ?? '')?.premium ? refused(409, 'Stop the subscription first.') : pass(),
        ),
      },
      ...(['disable', 'enable'] as const).map(
        (verb): ReadingAnswer => ({
          id: `ended-by-${verb}`,
          about: `A call that ${verb}s a website ends its subscription.`,
          http: intercepts('*', API[verb], async ({ parts, pass, service }) => {
            const response = await pass();
            if (response.status === 200)
              service.change(() => service.state.websites.patch(parts[0] ?? '', { premium: null }));
            return response;
          }),
        }),
      ),
      {
        id: 'nothing-to-stop',
        about: 'Stopping a subscription that does not exist is refused.',
        http: stopsOnlyRunning,
      },
      {
        id: 'stopped-once',
        about: 'A stopped subscription runs to the end of its period, and a second call that stops it is refused.',
        rules: shownUntilPeriodEnds,
        http: stopsOnlyRunning,
      },
    ],
  },
];
