/** The list of a website's domains and its records (spec: Resources and their fields, Reseller domain record (C)). */
import { comparedName } from '../../../contracts/fields/domain-names.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type RecordId, recordId } from '../../../contracts/json/record-ids.ts';
import { inWords } from '../../../contracts/json/words.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import { once } from '../../../harness/resources/once.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { add, attached, reserve, runDomain } from '../steps/domains.ts';
import { ask, website } from '../steps/login/session.ts';
import { DOMAINS, OWN_WEBSITE } from '../steps/options.ts';
import { domainsOf, givenOwnWebsite, idsIn, websitesOf } from '../steps/records.ts';

const LIST = 'a list of domains with a record';

/** The list of the own website. If it is empty, the run's domain is attached once, so that there is a record to judge. */
const listWithRecord = (context: Context) => once(context, LIST, () => newListWithRecord(context));

async function newListWithRecord(context: Context) {
  await givenOwnWebsite(context);
  const found = await domainsOf(context, website(context));
  if (found.records.length > 0) return found;
  await reserve(context);
  await context.given.accepted(add(context), 'reseller.domain.add-attaches');
  const list = await domainsOf(context, website(context));
  context.given.holds(
    list.records.length > 0,
    'reseller.domain.add-attaches',
    'the list is empty after a domain was added',
    {
      response: list.response,
    },
  );
  return list;
}

/** More lists would cost requests and prove nothing more. */
const MAX_WEBSITES = 6;

/** The records of several websites. */
async function manyRecords(context: Context): Promise<(readonly Json[])[]> {
  const { records } = await websitesOf(context);
  const some = [...new Set([website(context), ...idsIn(records).slice(0, MAX_WEBSITES)])];
  const lists = await atOnce(some.map((id) => () => recordsUnlessGone(context, id)));
  return lists.filter((list) => list !== undefined);
}

/** The records of a website; undefined for another one than the own whose list is refused: its user may have deleted it. */
async function recordsUnlessGone(context: Context, id: RecordId): Promise<readonly Json[] | undefined> {
  try {
    return (await domainsOf(context, id)).records;
  } catch (thrown) {
    if (thrown instanceof GivenFailure && thrown.shows === 'refusal' && id !== website(context)) return undefined;
    throw thrown;
  }
}

const hasSeveral = (lists: readonly (readonly Json[])[]): boolean => lists.some(({ length }) => length > 1);

export const checks: readonly Check[] = [
  check(
    'reseller.domain.array',
    'MUST list the domains of a website as an array of records named domains',
    { clauses: ['reseller.domain.array'], ...OWN_WEBSITE },
    async (context) => {
      await givenOwnWebsite(context);
      const reseller = await context.reseller();
      const response = await ask(context, (via) => reseller.listDomains(website(context), via));
      context.expect.served(response, "the domains of the reseller's website must be listed");
      const list = isJsonObject(response.json) ? response.json.domains : undefined;
      context.expect.that(
        Array.isArray(list) && list.every(isJsonObject),
        'the response must contain an array of records named domains',
        {
          expected: '{ "domains": [ { … } ] }',
          actual: isJsonObject(response.json) ? Object.keys(response.json) : inWords(response.json),
          pointer: '/domains',
          response,
        },
      );
    },
  ),
  check(
    'reseller.domain.id',
    'MUST return domainID as an integer',
    { clauses: ['reseller.domain.id'], ...DOMAINS, shares: LIST },
    async (context) => {
      const { records, response } = await listWithRecord(context);
      for (const [at, { domainID }] of records.entries()) {
        context.expect.that(Number.isInteger(domainID), 'domainID must be an integer', {
          expected: 'an integer',
          actual: domainID ?? 'missing',
          pointer: `/domains/${at}/domainID`,
          response,
        });
      }
    },
  ),
  check(
    'reseller.domain.name',
    'MUST return the name of a domain as a string',
    { clauses: ['reseller.domain.name'], ...DOMAINS, shares: LIST },
    async (context) => {
      const { records, response } = await listWithRecord(context);
      for (const [at, { domain }] of records.entries()) {
        context.expect.that(typeof domain === 'string' && domain !== '', 'domain must be a domain name', {
          expected: 'a non-empty string',
          actual: inWords(domain),
          pointer: `/domains/${at}/domain`,
          response,
        });
      }
    },
  ),
  check(
    'reseller.domain.id-unique',
    'MUST return a unique domainID per record of a website',
    { clauses: ['reseller.domain.id-unique'], ...DOMAINS },
    async (context) => {
      await attached(context, runDomain(context), () =>
        atOnce([() => websitesOf(context), () => domainsOf(context, website(context))]),
      );
      let lists = await manyRecords(context);
      if (!hasSeveral(lists)) {
        const below = `pm-${context.resources.newMark().split('-').at(-1)}.${runDomain(context)}`;
        await reserve(context, below);
        if (isServed(await add(context, below))) lists = await manyRecords(context);
      }
      if (!hasSeveral(lists)) {
        throw new Inconclusive('no website has two domains: add another domain to one', 'configuration');
      }
      for (const records of lists) idsDiffer(context, records);
    },
  ),
];

/** A domain is addressed by its id below its website, so domains of different websites may have the same id. */
function idsDiffer({ given, expect }: Context, records: readonly Json[]): void {
  const missing = records.some(({ domainID }) => domainID === undefined || domainID === null);
  given.holds(!missing, 'reseller.domain.id', 'a domain record has no domainID');
  const names = new Map<string, string>();
  for (const record of records) {
    const [id, name] = [String(recordId(record, 'domainID')), comparedName(String(record.domain))];
    const other = names.get(id) ?? name;
    expect.that(other === name, `the domainID ${id} must belong to one domain of the website only`, {
      expected: 'ids that are all different',
      actual: `${id} is the id of ${other} and of ${name}`,
    });
    names.set(id, name);
  }
}
