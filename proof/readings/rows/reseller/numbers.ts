/** Silences about the numbers that a service gives to websites and domains. */
import { intercepts, memory } from '../../../../mock/faults/interception.ts';
import type { Fixtures } from '../../../../mock/fixtures/fixtures.ts';
import type { MockService } from '../../../../mock/types/service.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { API } from '../demands.ts';

/** Numbers of domains as a website counts them. */
const domainNumbers = memory(() => new Map<string, number[]>());

function countedIn(service: MockService, website: string): number[] {
  const known = domainNumbers(service).get(website) ?? [];
  domainNumbers(service).set(website, known);
  return known;
}

const numbersPerWebsite: NonNullable<ReadingAnswer['http']> = async (request, next, service) => {
  const { pathname } = new URL(request.url);
  const removed = API.removeDomain.exec(pathname);
  if (removed !== null) {
    const [, website, number] = removed;
    const real = /^[1-9]\d*$/.test(number!) ? countedIn(service, website!)[Number(number) - 1] : undefined;
    const path = pathname.replace(`/domain/${number}/`, `/domain/${real ?? 'none'}/`);
    return intercepts('*', API.removeDomain, ({ pass }) => pass({ path }))(request, next, service);
  }
  const response = await next(request);
  const [, website] = API.domains.exec(pathname) ?? [];
  if (website === undefined || response.status !== 200) return response;
  const body = (await response.json()) as { domains: { domainID: number }[] };
  const known = countedIn(service, website);
  for (const { domainID } of body.domains) if (!known.includes(domainID)) known.push(domainID);
  const domains = body.domains.map((one) => ({ ...one, domainID: known.indexOf(one.domainID) + 1 }));
  return Response.json({ ...body, domains });
};

/** Rows of a service whose websites have other numbers. */
const websiteNumbers =
  (of: (at: number) => number): NonNullable<ReadingAnswer['fixtures']> =>
  (fixtures: Fixtures) => {
    const changed = new Map(fixtures.websites.map(({ id }, at) => [id, of(at)]));
    const number = <Id extends number | null>(id: Id): Id => (changed.get(id as number) ?? id) as Id;
    const owner = <Row extends { readonly owner: Fixtures['methods'][number]['owner'] }>(row: Row): Row => {
      const [kind, id] = row.owner.split(':') as ['website' | 'provider', string];
      return kind === 'provider' ? row : { ...row, owner: `website:${number(Number(id))}` };
    };
    return {
      ...fixtures,
      websites: fixtures.websites.map((website) => ({ ...website, id: number(website.id) })),
      methods: fixtures.methods.map(owner),
      orders: fixtures.orders.map((order) => ({
        ...owner(order),
        method: owner(order.method),
        websiteId: number(order.websiteId),
      })),
      installations: fixtures.installations.map((row) => ({ ...row, websiteId: number(row.websiteId) })),
      domains: fixtures.domains.map((row) => ({ ...row, websiteId: number(row.websiteId) })),
    };
  };

/** What the service adds to its own numbers. */
const FIRST = 2n ** 60n;

/** The number behind one of 64 bits; a text that no website and no domain has for another one. */
function behind(number: string): string {
  const own = /^\d+$/.test(number) ? BigInt(number) - FIRST : -1n;
  return own > 0n && own < 2n ** 53n ? String(own) : 'none';
}

const numbersOf64Bits: NonNullable<ReadingAnswer['http']> = intercepts(
  '*',
  /^\/api\/websites?\//,
  async ({ request, pass }) => {
    const { pathname } = new URL(request.url);
    const path = pathname.replaceAll(/(?<=^\/api\/website\/|\/domain\/)(?!add\/)[^/]+/g, (number) => behind(number));
    const response = await pass({ path });
    const text = (await response.text()).replaceAll(
      /"(websiteID|domainID)":(\d+)/g,
      (_all, name: string, number: string) => `"${name}":${FIRST + BigInt(number)}`,
    );
    return new Response(text, response);
  },
);

export const numberReadings: readonly Reading[] = [
  {
    id: 'reseller.domain-numbers',
    section: 'Resources and their fields, Reseller domain record (C)',
    silence: 'Whether domains of different websites may have one number.',
    answers: [{ id: 'per-website', about: 'They are counted for each website.', http: numbersPerWebsite }],
  },
  {
    id: 'reseller.website-numbers',
    section: 'Resources and their fields, Reseller website record (C)',
    silence: 'Which integers number the websites.',
    answers: [
      { id: 'from-one', about: '1, 2, 3 and so on.', fixtures: websiteNumbers((at) => at + 1) },
      { id: 'large', about: 'Beyond 32 bits.', fixtures: websiteNumbers((at) => 5_000_000_000 + at) },
      {
        id: '64-bits',
        about:
          'Of 64 bits, those of domains too, as databases on several machines give them: neighbours are one number in JavaScript.',
        http: numbersOf64Bits,
        website: (id) => String(FIRST + BigInt(id)),
      },
    ],
  },
];
