/** Attaches the domain that a run may use, and reads other domains. */
import { comparedName, isSameDomain } from '../../../contracts/fields/domain-names.ts';
import { type RecordId, recordId } from '../../../contracts/json/record-ids.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { Resources } from '../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import {
  isRefusalOfPromise,
  isRefused,
  isServed,
  NOT_OFFERED,
} from '../../../harness/target/response/judge-response.ts';
import { noteAttached } from './domains-with-subscription.ts';
import { ask, website } from './login/session.ts';
import { domainsOf, givenOwnWebsite } from './records.ts';

export const ATTACHES = 'reseller.domain.add-attaches';

/** Services that do not attach a name again after it was removed: there, each try of a check has a name of its own. */
const takingNamesOnce = new WeakSet<Resources>();
const ownNames = new WeakMap<Context, string>();

/** The domain name that the run may attach and remove, or a name below it. */
export function runDomain(context: Context): string {
  const { given, profile, resources } = context;
  const configured = given.configured(profile.reseller?.domain, 'reseller.domain');
  if (!takingNamesOnce.has(resources)) return configured;
  const name = ownNames.get(context) ?? below(context, configured);
  ownNames.set(context, name);
  return name;
}

/** A new subdomain for the run, which a service may refuse. */
export const newSubdomain = (context: Context): string => below(context, runDomain(context));

const below = (context: Context, name: string): string => `${newLabel(context)}.${name}`;

const newLabel = ({ resources }: Context): string => `pm-${resources.newMark().split('-').at(-1)}`;

const MAX_LABEL = 63;
const MAX_NAME = 253;

/**
 * A new subdomain that some services store shortened: it begins with a letter of `www.` and contains that in its middle, and is as long
 * as DNS allows a label to be.
 */
export function awkwardSubdomain(context: Context, name = runDomain(context)): string {
  const [beginning, end] = [`web-${newLabel(context)}`, '-www'];
  const length = Math.min(MAX_LABEL, MAX_NAME - 1 - name.length) - end.length;
  return `${beginning.padEnd(length, '-long')}${end}.${name}`;
}

/** Another one with a label more, which begins with a digit. */
export const deepSubdomain = (context: Context): string => awkwardSubdomain(context, `24h.${runDomain(context)}`);

/** By name, the context that attached it last. */
const attachedIn = new WeakMap<Resources, Map<string, Context>>();

/**
 * Notes how adding a name was answered. One that was attached for another check was removed since: if it is refused now, the service may
 * not take names again, and the check is run once more with another one.
 */
function noteAdded(context: Context, name: string, response: ServiceResponse): void {
  const known = attachedIn.get(context.resources) ?? new Map<string, Context>();
  attachedIn.set(context.resources, known);
  const former = known.get(name);
  if (isServed(response)) known.set(name, context);
  else if (isRefused(response) === 'refused' && former !== undefined && former !== context) {
    takingNamesOnce.add(context.resources);
    context.isBrief = true;
  }
}

/** Whether a record is about a domain, however the service writes its name. */
export const isNamed = (record: Json, name: string): boolean =>
  typeof record.domain === 'string' && isSameDomain(record.domain, name);

/** Names that were not attached before: if one is attached later, the run attached it and could not remove it. */
const seenFree = new WeakMap<Resources, Set<string>>();

/** Whether this run has seen a name free, so that it was the run that attached it. */
export function isLeftoverDomain(context: Context, name: string): boolean {
  return seenFree.get(context.resources)?.has(name) ?? false;
}

/**
 * States that the name was not refused for itself: which ones can be attached is not stated, nor what a website needs for it (DNS, a
 * subscription, one of the account's top-level domains).
 */
export function givenDomainAccepted({ profile }: Context, added: ServiceResponse, name: string): void {
  if (isRefused(added) !== 'refused' || NOT_OFFERED.has(added.status)) return;
  const further = profile.allow.has('billing') ? '' : ', or allow "billing" if it needs a subscription';
  throw new Inconclusive(
    `the target does not attach ${name} (${summary(added)}), perhaps because of a condition that the name or the website does not meet: meet it, or set another reseller.domain${further}`,
    'configuration',
  );
}

/** Makes sure that the name is not attached to the own website, and removes it when the check ends. Returns what is attached. */
export async function reserve(context: Context, name = runDomain(context)): Promise<readonly Json[]> {
  await givenOwnWebsite(context);
  const id = website(context);
  const { found, records } = await recordsNamed(context, name);
  if (found.length > 0) {
    const message = `${name} is still attached, though it was removed before`;
    context.given.granted(!isLeftoverDomain(context, name), 'reseller.domain.remove-detaches', message);
    throw new Inconclusive(
      `${name} is already attached to website ${id}: set reseller.domain to a domain that is not attached`,
      'configuration',
    );
  }
  const free = seenFree.get(context.resources) ?? new Set();
  seenFree.set(context.resources, free.add(name));
  context.given.track({ kind: 'domain', website: id, domain: name });
  return records;
}

/** Has what an add of `sent` attached under another name removed when the check ends: at or below the domain of the run, or cut. */
export function trackStrays(context: Context, sent: string, before: readonly Json[], after: readonly Json[]): void {
  const own = comparedName(runDomain(context));
  for (const { domain } of after) {
    const name = comparedName(String(domain));
    const isOwn = name === own || name.endsWith(`.${own}`) || sent.startsWith(name);
    if (!isOwn || before.some((record) => isNamed(record, name))) continue;
    context.given.track({ kind: 'domain', website: website(context), domain: String(domain) });
  }
}

/** Attaches a domain to the website of the run, by default the domain of the run. */
export async function add(context: Context, name = runDomain(context)): Promise<ServiceResponse> {
  const reseller = await context.reseller();
  const response = await ask(context, (via) => reseller.addDomain(website(context), name, via), 'add');
  noteAdded(context, name, response);
  noteAttached(context, response);
  return response;
}

/** Removes a domain by its `domainID`, by default from the website of the run. */
export async function remove(context: Context, id: RecordId, from = website(context)): Promise<ServiceResponse> {
  const reseller = await context.reseller();
  const response = await ask(context, (via) => reseller.removeDomain(from, id, via), 'remove');
  if (isServed(response)) ownNames.delete(context);
  return response;
}

/**
 * Removes a domain under another website, which must leave it; undefined where that website has a domain with this id: whether ids are
 * unique among websites is not stated, and that domain is not the run's. Also where its domains are not listed, as it may be disabled.
 */
export async function removeElsewhere(
  context: Context,
  id: RecordId,
  from: RecordId,
): Promise<ServiceResponse | undefined> {
  const read = await unlessRefused(true, () => domainsOf(context, from));
  const isFree = read?.records.every((record) => recordId(record, 'domainID') !== id) === true;
  return isFree ? remove(context, id, from) : undefined;
}

/**
 * Reserves and attaches a name, unless the run has left it attached; returns its id. `readAhead`: reads what the check reads next together
 * with the list of domains; what fails there fails again in the check.
 */
export async function attached(
  context: Context,
  name = runDomain(context),
  readAhead?: () => Promise<unknown>,
): Promise<RecordId> {
  const isThere = isLeftoverDomain(context, name) && (await recordsNamed(context, name)).found.length > 0;
  if (!isThere) {
    await reserve(context, name);
    await context.given.accepted(add(context, name), ATTACHES);
  }
  await readAhead?.().catch(() => undefined);
  return idOf(context, name);
}

function allNamed({ given }: Context, records: readonly Json[], response: ServiceResponse): void {
  const nameless = records.some(({ domain }) => typeof domain !== 'string' || domain === '');
  given.holds(!nameless, 'reseller.domain.name', 'a domain record has no name', { response });
}

/** The records of the own website that carry a name. */
export async function recordsNamed(context: Context, name = runDomain(context)) {
  const { records, response } = await domainsOf(context, website(context));
  allNamed(context, records, response);
  return { found: records.filter((record) => isNamed(record, name)), records, response };
}

/** The id of an attached name, from the list of the own website. */
export async function idOf(context: Context, name = runDomain(context)): Promise<RecordId> {
  const { found, response } = await recordsNamed(context, name);
  const [record] = found;
  if (record === undefined) {
    throw new GivenFailure(`${name} is not in the list of the website after it was added`, ATTACHES, {
      response,
    });
  }
  const id = recordId(record, 'domainID');
  if (id === undefined) throw new GivenFailure(`${name} has no domainID`, 'reseller.domain.id', { response });
  return id;
}

/**
 * The domains of several websites as sorted texts `website id name`, without those of `except` and its `www` name,
 * which a service may add.
 */
export async function domainsAt(context: Context, websites: readonly RecordId[], except?: string): Promise<string[]> {
  const lists = await atOnce(websites.map((id) => async () => ({ id, ...(await domainsOf(context, id)) })));
  const all: string[] = [];
  for (const { id, records, response } of lists) {
    allNamed(context, records, response);
    const others = records.filter(
      (record) => except === undefined || !(isNamed(record, except) || isNamed(record, `www.${except}`)),
    );
    all.push(...others.map((record) => `${id} ${recordId(record, 'domainID')} ${comparedName(String(record.domain))}`));
  }
  return all.sort();
}

/**
 * What a reading of the own website's domains returns, or `undefined` where it is refused while the website is disabled: whether a
 * service lists domains of a disabled website is not stated.
 */
export async function unlessRefused<T>(isDisabled: boolean, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (thrown) {
    if (isDisabled && isRefusedReading(thrown)) return undefined;
    throw thrown;
  }
}

/** Whether a reading ended because the target refused it. */
export function isRefusedReading(thrown: unknown): boolean {
  const response = thrown instanceof GivenFailure ? thrown.evidence.response : undefined;
  return response !== undefined && isRefusalOfPromise(response);
}
