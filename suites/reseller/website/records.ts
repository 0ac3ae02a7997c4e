/** The list of websites and its records (spec: Resources and their fields, Reseller website record (C)). */

import { WEBSITE_RECORD } from '../../../contracts/fields/catalogue/reseller.ts';
import { fieldsOfClause } from '../../../contracts/fields/catalogue/row.ts';
import { FORMS, fits } from '../../../contracts/fields/forms.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type RecordId, recordId } from '../../../contracts/json/record-ids.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { AssertionFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import type { Via } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { judgeFields } from '../steps/fields.ts';
import { ask, TOKEN_WORKS, website } from '../steps/login/session.ts';
import { OWN_WEBSITE, READING } from '../steps/options.ts';
import { idsIn, otherIds, ownRecord, recordOf, websitesOf } from '../steps/records.ts';

const RULES: readonly (readonly [id: string, title: CheckTitle, mayShow: boolean])[] = [
  ['reseller.website.strings', 'MUST return names, e-mail and alias of a website as strings', false],
  ['reseller.website.user-country', 'MUST return userCountry as two lower-case letters', true],
  ['reseller.website.timestamps', 'MUST return the dates of user and website as valid timestamps', true],
  ['reseller.website.booleans', 'MUST return boolean fields as booleans', true],
  ['reseller.website.type-and-status', 'MUST return websiteType and websiteStatus as integers', true],
];

const MAX_OTHERS = 5;
const MAX_BETWEEN = 2;

/** All records; an empty list decides nothing about them. */
async function records(context: Context) {
  const list = await websitesOf(context);
  if (list.records.length === 0) {
    throw new Inconclusive('the reseller has no website: an account with one is needed', 'configuration');
  }
  return list;
}

function expectEachOnce({ expect }: Context, all: readonly Json[], response: ServiceResponse): void {
  const ids = all.map((record) => recordId(record, 'websiteID')).filter((one) => one !== undefined);
  const twice = ids.find((one, at) => ids.indexOf(one) !== at);
  expect.that(twice === undefined, `website ${twice} must be in the list once`, {
    pointer: '/websites',
    response,
  });
}

/** The ids that the list has now. */
async function idsNow(context: Context): Promise<RecordId[]> {
  const reseller = await context.reseller();
  const { json } = await ask(context, (via) => reseller.listWebsites(via));
  const listed = isJsonObject(json) && Array.isArray(json.websites) ? json.websites : [];
  return idsIn(listed.filter(isJsonObject));
}

/** How often websites may be made while a check asks for ones that do not exist. */
const MAX_TRIES = 3;

/**
 * Asserts that the domains of websites are refused that are not among the listed ones. A user may have made one of them since the list
 * was read: then others are asked for.
 */
async function refusesOthers(context: Context, listed: readonly RecordId[], tries = MAX_TRIES): Promise<void> {
  // Neighbouring ids are likely to belong to other resellers. Reading their domains does no harm.
  const sorted = listed.map(BigInt).sort((a, b) => (a < b ? -1 : 1));
  const [first = 1n, last = 0n] = [sorted[0], sorted.at(-1)];
  const next = String(last + 1n);
  // Where websites of all resellers are numbered together, so are ids between the listed ones.
  const between = sorted.map((id) => id + 1n).filter((id, at) => id < last && id !== sorted[at + 1]);
  const own = website(context);
  // Read in 32 bits, the longer one would be the id of the own website.
  const alike = [own.slice(0, -1), String(BigInt(own) + 2n ** 32n)].filter((id) => id !== '' && !listed.includes(id));
  const strangers = [last + 1_000_003n, first - 1n].filter((id) => id > 0n);
  // The next id comes last: it is the only one that says nothing where websites are made.
  const ids = [...[...between.slice(0, MAX_BETWEEN), ...strangers].map(String), ...alike, next];
  const refused = async (): Promise<void> => {
    await refusesWebsites(context, 'POST', ids);
    // Services often read a query and a form with different code.
    await refusesWebsites(context, 'GET', ids.slice(0, 2));
  };
  try {
    await refused();
  } catch (thrown) {
    if (!(thrown instanceof AssertionFailure)) throw thrown;
    const now = await idsNow(context);
    if (!ids.some((id) => now.includes(id))) {
      // One with the next id may have been made and deleted by now: then the same calls are refused. No other is made by chance.
      if (websiteIn(thrown) === next) return refused();
      throw thrown;
    }
    if (tries === 0) throw new Inconclusive('websites are made all the time: run again when fewer are made', 'network');
    await refusesOthers(context, now, tries - 1);
  }
}

/** The id in the path of the call that a failure rests on. */
const websiteIn = ({ evidence }: AssertionFailure): string | undefined =>
  /\/website\/([^/]+)\//.exec(evidence.response?.request.url ?? '')?.[1];

/** Asserts it by one method. Whether there is a list by GET is open. */
async function refusesWebsites(context: Context, via: Via, ids: readonly string[]): Promise<void> {
  const id = website(context);
  const call = (await context.reseller()).listDomains(id, via);
  const byGet = via === 'GET' ? await context.send(call, 'control') : undefined;
  if (byGet !== undefined && !isServed(byGet)) return;
  const path = (other: string): string => call.path.replace(`/${id}/`, `/${other}/`);
  await context.expect.refusesEach(
    call,
    ids.map((other) => ({
      change: `website ${other}, which is not in the list${via === 'GET' ? ', by GET' : ''}`,
      mutate: (valid) => ({ ...valid, path: path(other) }),
    })),
    { clause: 'reseller.domain.array', ...(byGet === undefined ? {} : { control: byGet }) },
  );
}

export const checks: readonly Check[] = [
  check(
    'reseller.website.array',
    'MUST list the websites as an array of records named websites',
    { clauses: ['reseller.website.array'], ...READING },
    async (context) => {
      const reseller = await context.reseller();
      const response = await context.given.promised(
        ask(context, (via) => reseller.listWebsites(via)),
        TOKEN_WORKS,
      );
      const list = isJsonObject(response.json) ? response.json.websites : undefined;
      context.expect.that(
        Array.isArray(list) && list.every(isJsonObject),
        'the response must contain an array of records named websites',
        {
          expected: '{ "websites": [ { … } ] }',
          actual: isJsonObject(response.json)
            ? Object.keys(response.json)
            : `${response.status} ${response.contentType}`,
          pointer: '/websites',
          response,
        },
      );
    },
  ),
  check(
    'reseller.website.list-contains-own',
    'MUST list every website of the reseller exactly once',
    { clauses: ['reseller.website.list-contains-own'], ...OWN_WEBSITE },
    async (context) => {
      const { expect } = context;
      const { records: all, response } = await websitesOf(context);
      const id = website(context);
      if (recordOf(all, id) === undefined) {
        const reseller = await context.reseller();
        const served = isServed(await ask(context, (via) => reseller.listDomains(id, via)));
        if (!served) {
          throw new Inconclusive(
            `website ${id} does not belong to the reseller: set reseller.website to one that the run may use`,
            'configuration',
          );
        }
        expect.that(false, `website ${id} must be in the list, since it is the reseller's`, { response });
      }
      // A listed website whose calls are refused does not belong to the reseller. A few of many are enough.
      const reseller = await context.reseller();
      const lists = await atOnce(
        (await otherIds(context)).slice(-MAX_OTHERS).map((other) => async () => {
          return { other, list: await ask(context, (via) => reseller.listDomains(other, via)) };
        }),
      );
      const missing = lists.filter(({ list }) => list.status === 404);
      // A user may have deleted one since the list was read.
      const now = missing.length > 0 ? await idsNow(context) : [];
      const wrong = missing.find(({ other }) => now.includes(other));
      expect.that(wrong === undefined, `website ${wrong?.other} is listed, and must be the reseller's`, {
        expected: 'its domains',
        actual: wrong && summary(wrong.list),
        response: wrong?.list,
      });
      expectEachOnce(context, all, response);
      // A query is read by other code than a form; whether there is a list by GET is open.
      const byGet = await context.send(reseller.listWebsites('GET'), 'read');
      const listed = isServed(byGet) && isJsonObject(byGet.json) ? byGet.json.websites : undefined;
      if (Array.isArray(listed)) expectEachOnce(context, listed.filter(isJsonObject), byGet);
    },
  ),
  check(
    'reseller.website.id',
    'MUST return websiteID as an integer',
    { clauses: ['reseller.website.id'], ...READING },
    async (context) => {
      const { records: all, response } = await records(context);
      for (const [at, { websiteID }] of all.entries()) {
        context.expect.that(Number.isInteger(websiteID), 'websiteID must be an integer', {
          expected: 'an integer',
          actual: websiteID ?? 'missing',
          pointer: `/websites/${at}/websiteID`,
          response,
        });
      }
    },
  ),
  ...RULES.map(([id, title, mayShow]) =>
    check(id, title, { clauses: [id], ...READING }, async (context) => {
      const { records: all, response } = await records(context);
      judgeFields(context, all, { ...fieldsOfClause(WEBSITE_RECORD, id), mayShow }, response, ['websites']);
    }),
  ),
  check(
    'reseller.website.accessed',
    'MUST return websiteAccessed as a timestamp or omit it',
    { clauses: ['reseller.website.accessed'], ...READING },
    async (context) => {
      const { records: all, response } = await records(context);
      const { expected } = FORMS.timestamp;
      for (const [at, { websiteAccessed }] of all.entries()) {
        // "Never opened" is a valid value like a date, so a list without dates is judged too.
        context.expect.that(
          fits('timestamp', websiteAccessed),
          `websiteAccessed must be null, omitted, or ${expected}`,
          { expected, actual: websiteAccessed, pointer: `/websites/${at}/websiteAccessed`, response },
        );
      }
    },
  ),
  check(
    'reseller.website.unknown-refused',
    'MUST refuse a request for a website of another reseller',
    { clauses: ['reseller.website.unknown-refused'], ...OWN_WEBSITE },
    async (context) => {
      await ownRecord(context);
      const { records: all } = await websitesOf(context);
      const ids = idsIn(all);
      const haveIds = all.every((record) => recordId(record, 'websiteID') !== undefined);
      context.given.holds(haveIds, 'reseller.website.id', 'a website record has no websiteID');
      await refusesOthers(context, ids);
    },
  ),
  check(
    'reseller.website.number-values',
    'OBSERVES which numbers websiteType and websiteStatus take',
    { clauses: [], observations: ['reseller.website.type-values', 'reseller.website.status-values'], ...READING },
    async (context) => {
      const { records: all, response } = await websitesOf(context);
      const values = (field: string): unknown[] => [...new Set(all.map((record) => record[field] ?? null))].sort();
      context.observe('reseller.website.type-values', all.length === 0 ? summary(response) : values('websiteType'));
      context.observe('reseller.website.status-values', values('websiteStatus'));
    },
  ),
];
