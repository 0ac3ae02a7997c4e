/** Websites, domains, settings and balance as preconditions: their own checks fail if something is wrong with them. */

import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type RecordId, recordId } from '../../../contracts/json/record-ids.ts';
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import type { AS_SET } from '../../../harness/check/sending/call-sender.ts';
import { once } from '../../../harness/resources/once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { ask, type Build, isGetFirst, TOKEN_WORKS, website } from './login/session.ts';
import { isRereading } from './quiet.ts';

/** The response to a reading call: the last one, if this process has sent nothing since that may have changed it. */
export async function readRecord(context: Context, build: Build): Promise<ServiceResponse> {
  const { resources } = context;
  if (!context.mayShare || isGetFirst(context) || isRereading()) return ask(context, build);
  const { path } = build('POST');
  const last = resources.readingOf(path);
  if (last !== undefined) {
    if (!context.exchanges.includes(last.exchange)) context.exchanges.push(last.exchange);
    return last;
  }
  const { changesSent } = resources;
  const response = await ask(context, build);
  if (isServed(response)) resources.keepReading(path, response, changesSent);
  return response;
}

/** A list of records under a name of a response. */
function listIn(
  response: ServiceResponse,
  name: string,
  clause: string,
): { records: Json[]; response: ServiceResponse } {
  const list = isJsonObject(response.json) ? response.json[name] : undefined;
  if (!Array.isArray(list) || !list.every(isJsonObject)) {
    throw new GivenFailure(`the response contains no array of records named ${name}`, clause, { response });
  }
  return { records: list, response };
}

/** The website records of the account. Fails under `reseller.website.array` where they are no list. */
export async function websitesOf(context: Context): Promise<{ records: Json[]; response: ServiceResponse }> {
  const reseller = await context.resellerUnchecked();
  const read = readRecord(context, (via) => reseller.listWebsites(via));
  return listIn(await context.given.promised(read, TOKEN_WORKS), 'websites', 'reseller.website.array');
}

/** The record of one website; an id as a string is found as well. */
export function recordOf(records: readonly Json[], id: RecordId): Json | undefined {
  return records.find(isOf(id));
}

const isOf =
  (id: RecordId) =>
  (record: Json): boolean =>
    recordId(record, 'websiteID') === id;

/** The record of the website that the run may use. After a change it may be listed twice, each time with other values. */
export async function ownRecord(context: Context): Promise<Json> {
  const { records, response } = await websitesOf(context);
  const [record, ...repeated] = records.filter(isOf(website(context)));
  context.given.holds(
    repeated.length === 0,
    'reseller.website.list-contains-own',
    `the list contains the website ${website(context)} ${repeated.length + 1} times`,
    { response },
  );
  if (record === undefined) {
    throw new GivenFailure(
      `the list of websites does not contain reseller.website ${website(context)} of the profile`,
      'reseller.website.list-contains-own',
      { response },
    );
  }
  return record;
}

/** States that the website of the run exists; it cannot disappear later. */
export const givenOwnWebsite = (context: Context): Promise<unknown> =>
  once(context, 'its own website', () => ownRecord(context));

/** The ids of the reseller's other websites; a record without one has a check of its own. */
export async function otherIds(context: Context): Promise<RecordId[]> {
  const { records } = await websitesOf(context);
  return idsIn(records).filter((id) => id !== website(context));
}

/** The ids in records of websites, each once. */
export function idsIn(records: readonly Json[]): RecordId[] {
  const ids = records.map((record) => recordId(record, 'websiteID')).filter((id) => id !== undefined);
  return [...new Set(ids)];
}

/** Other websites of the reseller; more would cost calls and prove nothing more. */
export async function otherWebsites(context: Context, most = 3): Promise<RecordId[]> {
  const others = await otherIds(context);
  if (others.length === 0) {
    throw new Inconclusive(
      'the reseller has only one website: an account with two is needed to check that others are not changed',
      'configuration',
    );
  }
  return others.slice(0, most);
}

/**
 * The domain records of a website. Fails under `reseller.domain.array` where they are no list. A refusal is not evidence: whether a service
 * lists the domains of a disabled website is not stated.
 */
export async function domainsOf(
  context: Context,
  id: RecordId,
): Promise<{ records: Json[]; response: ServiceResponse }> {
  const reseller = await context.resellerUnchecked();
  const clause = 'reseller.domain.array';
  const read = readRecord(context, (via) => reseller.listDomains(id, via));
  return listIn(await context.given.accepted(read, clause), 'domains', clause);
}

/** The settings, bare or under their name; `role` for a check that has set one of them against the contract. */
export async function settingsOf(
  context: Context,
  role?: typeof AS_SET,
): Promise<{ settings: Json; response: ServiceResponse }> {
  const reseller = await context.resellerUnchecked();
  const build: Build = (via) => reseller.readSettings(via);
  const read = role === undefined ? readRecord(context, build) : ask(context, build, role);
  const response = await context.given.promised(read, TOKEN_WORKS);
  const settings = resourceOf(response.json, 'settings');
  if (!isJsonObject(settings))
    throw new GivenFailure('the response contains no settings', 'reseller.settings.reseller-id', {
      response,
    });
  return { settings, response };
}
