/** Silences about concurrent changes: the websites of an account belong to users, and other people of the reseller use the account too. */
import { memory } from '../../../../mock/faults/interception.ts';
import { API } from '../../../../mock/faults/reseller/interception.ts';
import type { Website } from '../../../../mock/state/state.ts';
import type { MockService } from '../../../../mock/types/service.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';

/** The number of the website of the profile, which only the run changes. */
const OWN = 55003;

type Http = NonNullable<ReadingAnswer['http']>;

/** Something else happens after every few calls. */
const beside = (calls: number, happens: (service: MockService, count: number) => void): Http => {
  const counts = memory(() => ({ count: 0 }));
  return (request, next, service) => {
    if (!API.any.test(new URL(request.url).pathname)) return next(request);
    const state = counts(service);
    state.count += 1;
    if (state.count % calls === 0) service.change(() => happens(service, state.count));
    return next(request);
  };
};

const others = ({ state }: MockService): Website[] =>
  state.websites.filter(({ id, resellerId }) => resellerId !== null && id !== OWN);

/** Users make a new website and work on an old one, whose subscription, status and domains are others afterwards. */
const seldom = (service: MockService, count: number): void => {
  const [website] = others(service);
  if (website === undefined) return;
  const { websites, domains } = service.state;
  const { premium, status } = website;
  websites.patch(String(website.id), { premium: premium === null ? 'premium' : null, status: 1 - status });
  for (const { id, domain } of domains.all()) if (domain.startsWith('seldom-')) domains.delete(String(id));
  const id = 500_000 + count;
  domains.set(String(id), { id, websiteId: website.id, domain: `seldom-${count}.example` });
  websites.set(String(id), { ...website, id, alias: `new-${count}`, premium: null });
};

const ACTIVE = 'Others change the same fields during the check, so the cause of a change is unknown.';
/** Checks that compare what one call leaves alone. */
const BESIDE_A_CHANGE = [
  'reseller.account.*',
  'reseller.premium.other-websites-unchanged',
  'reseller.website.other-websites-unchanged',
  'reseller.domain.changes-leave-others',
];

export const busyReadings: readonly Reading[] = [
  {
    id: 'reseller.busy-account',
    section: 'Endpoints, C. Reseller endpoints',
    silence: 'What changes on an account beside the calls of a run.',
    answers: [
      {
        id: 'subscriptions',
        without: ['reseller.website-numbers'],
        about: 'Users of other websites start and stop subscriptions all the time.',
        undecides: [
          {
            checks: [
              'reseller.account.*',
              'reseller.premium.*',
              'reseller.website.other-websites-unchanged',
              'reseller.domain.changes-leave-others',
              'reseller.balance.*',
              'properties.reseller.*',
            ],
            because: ACTIVE,
          },
        ],
        http: beside(4, (service, count) => {
          const all = others(service);
          const website = all[count % all.length];
          if (website !== undefined)
            service.state.websites.patch(String(website.id), { premium: website.premium === null ? 'premium' : null });
        }),
      },
      {
        id: 'domains',
        without: ['reseller.website-numbers'],
        about: 'Users of other websites attach and remove domains all the time.',
        undecides: [
          {
            checks: [...BESIDE_A_CHANGE, 'properties.reseller.*'],
            because: ACTIVE,
          },
        ],
        http: beside(4, (service, count) => {
          const [website] = others(service);
          const { domains } = service.state;
          for (const { id, domain } of domains.all()) if (domain.startsWith('busy-')) domains.delete(String(id));
          const id = 500_000 + count;
          if (website !== undefined)
            domains.set(String(id), { id, websiteId: website.id, domain: `busy-${count}.example` });
        }),
      },
      {
        id: 'settings',
        without: ['reseller.website-numbers'],
        about: 'Another person of the reseller changes a setting all the time.',
        undecides: [
          {
            checks: [
              ...BESIDE_A_CHANGE,
              'reseller.settings.set-*',
              'reseller.settings.unchanged-refused',
              'reseller.token.settings-refuses',
              'reseller.calls.settings-*',
              'envelope.reseller.refused-settings-change-nothing',
              'properties.reseller.*',
            ],
            because: ACTIVE,
          },
        ],
        http: beside(3, ({ state }, count) => {
          const [reseller] = state.resellers.all();
          if (reseller === undefined) return;
          const settings = { ...reseller.settings, notifyLink: `https://notify.example/${count}` };
          state.resellers.patch(String(reseller.id), { settings });
        }),
      },
      ...[30, 50, 120].map((calls) => ({
        id: `every-${calls}-calls`,
        without: ['reseller.website-numbers'],
        about: `Users change another website after every ${calls} calls or so.`,
        undecides: [
          {
            checks: [...BESIDE_A_CHANGE, 'reseller.premium.*', 'reseller.balance.*', 'properties.reseller.*'],
            because: ACTIVE,
          },
        ],
        http: beside(calls, seldom),
      })),
      {
        id: 'new-websites',
        about: 'New websites are at the beginning of the list all the time.',
        http: beside(5, (service, count) => {
          const [website] = others(service);
          const id = 90_000 + count;
          if (website !== undefined)
            service.state.websites.set(String(id), { ...website, id, alias: `new-${count}`, premium: null });
        }),
      },
      {
        id: 'next-websites',
        about: 'A website with the next number is made all the time, and the one before it is deleted.',
        http: beside(3, (service, count) => {
          const [website] = others(service);
          const { websites } = service.state;
          for (const { id, alias } of websites.all()) if (alias.startsWith('next-')) websites.delete(String(id));
          const id = Math.max(...websites.all().map((one) => one.id)) + count / 3;
          if (website !== undefined)
            websites.set(String(id), { ...website, id, alias: `next-${count}`, premium: null });
        }),
      },
    ],
  },
];
