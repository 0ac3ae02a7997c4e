/** Faults of domains. */
import type { Deviation } from '../../../types/deviation.ts';
import { intercepts, type Json, success } from '../../interception.ts';
import { API, afterwards, bodies, parametersOf, readsIdIn32Bits } from '../interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

const listed = (change: (all: Json[], website: string) => unknown): MakesRules =>
  bodies(['listDomains'], (body, { segments }) => ({
    ...body,
    domains: change(body.domains as Json[], segments.website ?? ''),
  }));

const record =
  (change: (record: Json) => Json): MakesRules =>
  (correct) => ({ domainRecord: (domain) => change(correct.domainRecord(domain)) });

const ATTACHES = 'reseller.domain.add-attaches';
const EVERY_WRITE = 'reseller.token.every-write';

const COUNTED_FROM = 90_000;
const LAST_OF_FIXTURES = 8_100;
const RENUMBERED_BY = 1_000;

export const domainFaults: readonly Deviation[] = [
  {
    id: 'reseller.domains-as-names',
    clause: 'reseller.domain.array',
    about: 'The list of domains contains names instead of records, and is not a list when it is empty.',
    rules: listed((all) => (all.length === 0 ? null : all.map(({ domain }) => domain))),
  },
  {
    id: 'reseller.domain-without-id',
    clause: 'reseller.domain.id',
    about: 'Domains have no ids.',
    rules: record(({ domain }) => ({ domain })),
  },
  {
    id: 'reseller.domain-under-another-name',
    clause: 'reseller.domain.name',
    about: 'The name of a domain is returned in the field name.',
    rules: record(({ domainID, domain }) => ({ domainID, name: domain })),
  },
  {
    id: 'reseller.domain-ids-by-website',
    clause: 'reseller.domain.id-unique',
    about: 'The domains of every website except the run’s are listed with the same id.',
    rules: listed((all, website) => (website === '55003' ? all : all.map((one) => ({ ...one, domainID: 8001 })))),
  },
  {
    id: 'reseller.domain-id-in-32-bits',
    clause: 'reseller.domain.remove-leaves-others',
    about: 'The id of a domain that is to be removed is read in 32 bits.',
    http: readsIdIn32Bits(API.removeDomain, 'domain'),
  },
  {
    id: 'reseller.domain-second-not-attached',
    clause: ATTACHES,
    about: 'A second domain of a website is accepted and not attached; the first one is.',
    http: intercepts('*', API.addDomain, async (met) => {
      const { state } = met.service;
      const [website] = met.parts;
      const had = state.domains.all().filter(({ websiteId }) => String(websiteId) === website);
      const response = await met.pass();
      if (response.status !== 200 || had.length === 0) return response;
      const added = state.domains.find((one) => String(one.websiteId) === website && !had.includes(one));
      if (added) met.service.change(() => state.domains.delete(String(added.id)));
      return response;
    }),
  },
  {
    id: 'reseller.domain-add-does-nothing',
    clauses: [ATTACHES],
    about: 'A domain is accepted and not attached.',
    http: intercepts('*', API.addDomain, async (met) => {
      const response = await met.pass();
      const domain = (await parametersOf(met)).get('domain');
      const { state } = met.service;
      const row = state.domains.find((one) => one.domain === domain);
      if (response.status === 200 && row) met.service.change(() => state.domains.delete(String(row.id)));
      return response;
    }),
  },
  {
    id: 'reseller.domain-added-to-first-website',
    clause: 'reseller.domain.add-leaves-others',
    clauses: [ATTACHES],
    about: 'A domain is attached to the first website of the account, whichever was named.',
    http: afterwards(API.addDomain, ({ service, parts }) => {
      const row = service.state.domains.all().at(-1);
      const first = service.state.websites.all()[0]?.id;
      if (row !== undefined && first !== undefined && String(row.websiteId) === parts[0]) {
        service.state.domains.set(String(row.id), { ...row, websiteId: first });
      }
    }),
  },
  {
    id: 'reseller.domain-listed-twice',
    clause: ATTACHES,
    about: 'A domain that was just attached is listed twice, under two ids.',
    rules: listed((all) =>
      all.flatMap((one) =>
        Number(one.domainID) > 100_000 ? [one, { ...one, domainID: Number(one.domainID) + 500 }] : [one],
      ),
    ),
  },
  {
    id: 'reseller.domain-add-detaches-others',
    clause: 'reseller.domain.add-leaves-others',
    about: 'Attaching a domain detaches the oldest one of the next website.',
    http: afterwards(API.addDomain, ({ service }) => void service.state.domains.delete('8002')),
  },
  {
    id: 'reseller.domain-ids-counted',
    clause: 'reseller.domain.remove-leaves-others',
    about:
      'The id of a new domain is the number of domains of its website: after a removal it takes the place of another one.',
    http: afterwards(API.addDomain, ({ service }) => {
      const { domains } = service.state;
      const row = domains.all().at(-1);
      if (row === undefined) return;
      const id = COUNTED_FROM + domains.all().filter(({ websiteId }) => websiteId === row.websiteId).length;
      domains.delete(String(row.id));
      domains.set(String(id), { ...row, id });
    }),
  },
  {
    id: 'reseller.domain-removal-renumbers',
    clause: 'reseller.domain.remove-leaves-others',
    about: 'When a domain is removed, all domains that were attached by calls get new ids.',
    http: afterwards(API.removeDomain, ({ service }) => {
      const { domains } = service.state;
      for (const row of domains.all().filter(({ id }) => id > LAST_OF_FIXTURES)) {
        domains.delete(String(row.id));
        domains.set(String(row.id + RENUMBERED_BY), { ...row, id: row.id + RENUMBERED_BY });
      }
    }),
  },
  {
    id: 'reseller.domain-removal-does-nothing',
    clauses: ['reseller.domain.remove-detaches'],
    about: 'A removal is accepted, and the domain stays.',
    http: intercepts('*', API.removeDomain, async (met) => {
      const { state } = met.service;
      const row = state.domains.get(met.parts[1] ?? '');
      const response = await met.pass();
      if (response.status === 200 && row) met.service.change(() => state.domains.set(String(row.id), row));
      return response;
    }),
  },
  {
    id: 'reseller.domain-last-one-stays',
    clause: 'reseller.domain.remove-detaches',
    about: 'The removal of the only domain of a website is accepted, and the domain stays.',
    rules: (correct) => ({
      removeDomain: (domains, domain) => {
        if (domains.find(({ websiteId, id }) => websiteId === domain.websiteId && id !== domain.id) !== undefined)
          correct.removeDomain(domains, domain);
      },
    }),
  },
  {
    id: 'reseller.domain-oldest-removed-instead',
    clause: 'reseller.domain.remove-detaches',
    about: 'A removal detaches the oldest domain of the website, whichever it names.',
    rules: (correct) => ({
      removeDomain: (domains, domain) =>
        correct.removeDomain(domains, domains.find(({ websiteId }) => websiteId === domain.websiteId) ?? domain),
    }),
  },
  {
    id: 'reseller.domain-removal-detaches-subdomains',
    clause: 'reseller.domain.remove-leaves-others',
    about: 'A removal also detaches subdomains.',
    rules: (correct) => ({
      removeDomain: (domains, domain) => {
        correct.removeDomain(domains, domain);
        for (const row of domains.all()) {
          if (row.domain.endsWith(`.${domain.domain}`)) correct.removeDomain(domains, row);
        }
      },
    }),
  },
  {
    id: 'reseller.domain-removal-detaches-one-of-another-website',
    clause: 'reseller.domain.remove-leaves-others',
    about: 'A removal also detaches the newest domain of another website of the account, until that website has none.',
    rules: (correct) => ({
      removeDomain: (domains, domain) => {
        correct.removeDomain(domains, domain);
        const other = domains.all().findLast(({ websiteId }) => websiteId !== domain.websiteId);
        if (other !== undefined) correct.removeDomain(domains, other);
      },
    }),
  },
  {
    id: 'reseller.domain-removed-under-any-website',
    clause: 'reseller.domain.remove-own-website-only',
    about: 'A domain is removed by its id, whichever website is named.',
    http: intercepts('*', API.removeDomain, async ({ parts, pass, service }) => {
      const row = service.state.domains.get(parts[1] ?? '');
      return pass(row ? { path: `/api/website/${row.websiteId}/domain/${row.id}/remove/` } : {});
    }),
  },
  {
    id: 'reseller.domain-removal-without-effect-or-token',
    clauses: ['reseller.domain.remove-detaches', EVERY_WRITE],
    about: 'Every removal succeeds with any token, and nothing is removed.',
    http: intercepts('*', API.removeDomain, async () => success()),
  },
  {
    id: 'reseller.domain-removed-by-a-longer-id',
    clause: 'reseller.domain.remove-leaves-others',
    about: 'A domain is removed by a number that begins with its id.',
    http: intercepts('*', API.removeDomain, async ({ parts: [website = '', id = ''], pass, service }) => {
      const { domains } = service.state;
      const row = domains.get(id) ?? domains.find((one) => id.startsWith(String(one.id)));
      return pass(row ? { path: `/api/website/${website}/domain/${row.id}/remove/` } : {});
    }),
  },
];
