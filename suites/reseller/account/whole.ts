/** Everything that a Reseller account shows, to compare it before and after a call. */

import { isMissing } from '../../../contracts/fields/forms.ts';
import type { RecordId } from '../../../contracts/json/record-ids.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { Resources } from '../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { domainsAt, isRefusedReading, unlessRefused } from '../steps/domains.ts';
import { setFirstMethod, website } from '../steps/login/session.ts';
import { givenStable } from '../steps/quiet.ts';
import { idsIn, recordOf, settingsOf, websitesOf } from '../steps/records.ts';
import { differing } from '../steps/settings.ts';
import { isLateSwitch, isStillLate } from '../steps/website/switch-website.ts';

/** Fields of a website that no call of the interface changes. Its dates change when a user works on it. */
export const FIXED_FIELDS: readonly string[] = [
  'websiteBrandname',
  'userName',
  'userEmail',
  'userCountry',
  'userCreated',
  'userIsConfirmed',
  'userIsUnsubscribed',
  'websiteCreated',
];

/** Fields of the own website that only its switches, subscriptions and domains may change. */
const OF_OWN = [...FIXED_FIELDS, 'websiteAlias', 'websiteType'];

const ofTheWebsite = (field: string): string => `${field} of the website`;
const STATUS_OF_OWN = ofTheWebsite('websiteStatus');

/** Fields that a call for one website might change on another. Users may change the names of other websites at any time. */
const OF_OTHERS = ['websiteStatus', 'websiteIsPremium'];

/** More websites would cost calls and prove nothing more. */
const OTHERS = 2;

/** What a call may change: of the own website, or the settings of the account. */
export type Purpose = 'status' | 'subscription' | 'domains' | 'settings';

/**
 * Fields that may change: the meaning of websiteStatus and websiteType is not stated, nor whether they depend on domains; the alias may
 * be a name that a disabled website lacks or that a subscription includes.
 */
const MAY_CHANGE: Readonly<Record<Purpose, readonly string[]>> = {
  status: ['websiteStatus', 'websiteType', 'websiteAlias'],
  subscription: ['websiteIsPremium', 'websiteStatus', 'websiteType', 'websiteAlias'],
  domains: ['websiteStatus', 'websiteType', 'websiteAlias'],
  settings: [],
};

export interface WholeAccount {
  readonly own: Json;
  /** Some of the other websites, whose domains are read as well. */
  readonly others: ReadonlyMap<string, Json>;
  readonly everyOther: ReadonlyMap<string, Json>;
  readonly ownDomains: readonly string[];
  readonly otherDomains: readonly string[];
  readonly settings: Json;
  /** The responses that show the records, and the settings. */
  readonly responses: { readonly records: ServiceResponse; readonly settings: ServiceResponse };
}

/** The response that shows a difference in words; undefined for one of domains, whose lists are read one by one. */
export function responseShowing(
  { responses: { records, settings } }: WholeAccount,
  difference = '',
): ServiceResponse | undefined {
  if (difference.startsWith('the setting ')) return settings;
  return / of (?:the )?website/.test(difference) ? records : undefined;
}

const recordsOf = (records: readonly Json[], ids: readonly RecordId[]): Map<RecordId, Json> =>
  new Map(ids.map((id) => [id, recordOf(records, id) ?? {}]));

export interface AccountScope {
  /** A domain name of the own website that the calls change. */
  readonly except?: string | undefined;
  /** An earlier reading: the domains of the same other websites are read again, wherever they are in the list now. */
  readonly like?: WholeAccount;
  /** Reads the domains of two other websites, for calls that may detach those of any. */
  readonly readsTwo?: boolean;
  /** The own website is disabled. A service may refuse to list its domains then, and they count as those of `like`. */
  readonly isDisabled?: boolean;
}

/** Of the other websites that this run read first, one with domains: it has what calls may lose. Else all of them. */
const firstOthers = new WeakMap<Resources, readonly RecordId[]>();

/** Reads the whole account. */
export async function wholeAccount(
  context: Context,
  { except, like, readsTwo = false, isDisabled = false }: AccountScope = {},
): Promise<WholeAccount> {
  const id = website(context);
  const { resources } = context;
  // The session of all these calls.
  await context.reseller();
  const expected = like === undefined ? (firstOthers.get(resources) ?? []) : [...like.others.keys()];
  const [{ records, response }, ownDomains, { settings, response: ofSettings }, read] = await atOnce([
    () => websitesOf(context),
    async () => (await unlessRefused(isDisabled, () => domainsAt(context, [id], except))) ?? like?.ownDomains ?? [],
    () => settingsOf(context),
    () => Promise.allSettled(expected.map((other) => domainsAt(context, [other]))),
  ]);
  const allOthers = idsIn(records).filter((other) => other !== id);
  const asBefore = allOthers.filter((other) => expected.includes(other));
  const choosesAgain = like === undefined && (readsTwo || asBefore.length === 0);
  const chosen = choosesAgain ? [...new Set([...asBefore, ...allOthers])].slice(0, OTHERS) : asBefore;
  const missed = chosen.filter((other) => !expected.includes(other));
  const ends = [...read, ...(await Promise.allSettled(missed.map((other) => domainsAt(context, [other]))))];
  const lists = new Map<RecordId, string[]>();
  for (const [at, other] of [...expected, ...missed].entries()) {
    const end = ends[at];
    if (end === undefined || !chosen.includes(other)) continue;
    if (end.status === 'fulfilled') lists.set(other, end.value);
    else if (!(await mayRefuse(context, other, like, end.reason))) throw end.reason;
  }
  const others = [...lists.keys()];
  const otherDomains = [...lists.values()].flat().sort();
  const one = others.find((other) => otherDomains.some((text) => text.startsWith(`${other} `)));
  firstOthers.set(resources, one === undefined ? others : [one]);
  return {
    own: recordOf(records, id) ?? {},
    others: recordsOf(records, others),
    everyOther: recordsOf(records, allOthers),
    ownDomains,
    otherDomains,
    settings,
    responses: { records: response, settings: ofSettings },
  };
}

/**
 * Whether the domains of another website may be refused: before anything was changed, where it may be disabled, and later where its
 * user has deleted it in the meantime.
 */
async function mayRefuse(
  context: Context,
  id: RecordId,
  like: WholeAccount | undefined,
  thrown: unknown,
): Promise<boolean> {
  if (!isRefusedReading(thrown)) return false;
  return like === undefined || !idsIn((await websitesOf(context)).records).includes(id);
}

/**
 * The differences between two readings that calls with these purposes must not cause, in words. A subscription may end
 * together with its features, and a disabled website may show no domains.
 */
export function unexpectedChanges(purposes: readonly Purpose[], before: WholeAccount, after: WholeAccount): string[] {
  const may = purposes.flatMap((purpose) => MAY_CHANGE[purpose]);
  const named = [...OF_OWN, 'websiteStatus', 'websiteIsPremium'].filter((field) => !may.includes(field));
  const ofOwn = differingFields(before.own, after.own, named).map(ofTheWebsite);
  // The effects of these calls on other websites and other domains have checks of their own.
  const isSwitched = purposes.includes('status') || purposes.includes('subscription');
  const others = isSwitched ? [] : [...before.others];
  const ofOthers = others.flatMap(([id, record]) => {
    const now = after.others.get(id);
    // Deleted by its user in the meantime.
    return now === undefined ? [] : differingFields(record, now, OF_OTHERS).map((field) => `${field} of website ${id}`);
  });
  const isOfDomains = purposes.includes('domains');
  const lost = isOfDomains || isSwitched ? [] : missing(before.ownDomains, after.ownDomains);
  const changedSettings = purposes.includes('settings') ? [] : differing(before.settings, after.settings);
  const lostByOthers = isOfDomains ? [] : missing(domainsOfOthers(before, after), after.otherDomains);
  return [
    ...ofOwn,
    ...ofOthers,
    ...[...lost, ...lostByOthers].map((domain) => `the domain (website, id, name) ${domain}`),
    ...changedSettings.map((name) => `the setting ${name}`),
  ];
}

/** The domains of other websites that both readings list; a deleted website has none. */
const domainsOfOthers = ({ otherDomains }: WholeAccount, { others }: WholeAccount): string[] =>
  otherDomains.filter((domain) => others.has(domain.slice(0, domain.indexOf(' '))));

/** All domains, except those of websites that the other reading does not list. */
export const domainsIn = (account: WholeAccount, other: WholeAccount): string[] =>
  [...account.ownDomains, ...domainsOfOthers(account, other)].sort();

export const missing = (before: readonly string[], after: readonly string[]): string[] =>
  before.filter((one) => !after.includes(one));

/** A field that one of the readings lacks is not judged. */
const differingFields = (before: Json, after: Json, fields: readonly string[]): string[] =>
  fields.filter(
    (field) => !isMissing(before[field]) && !isMissing(after[field]) && String(before[field]) !== String(after[field]),
  );

export interface Step {
  readonly what: string;
  readonly purposes: readonly Purpose[];
  readonly send: () => Promise<unknown>;
  /** The clause that a change breaks, where the check has several. */
  readonly clause?: string;
}

type Differences = (before: WholeAccount, after: WholeAccount) => string[];

/**
 * The differences between two readings, the first of which is `like`. Leaves the check undecided if there are any and the same
 * kind of difference also occurs without a call, because others use the account too.
 */
export async function differencesGivenQuiet(
  context: Context,
  { like, ...scope }: AccountScope & { readonly like: WholeAccount },
  after: WholeAccount,
  differences: Differences,
): Promise<string[]> {
  const changes = differences(like, after);
  const isLate =
    changes.includes(STATUS_OF_OWN) &&
    (isLateSwitch(context, like.own.websiteStatus, after.own.websiteStatus) || (await isStillLate(context)));
  const found = changes.filter((change) => !(isLate && change === STATUS_OF_OWN));
  await givenStable(context, { differences, read: () => wholeAccount(context, { ...scope, like }) }, found);
  return found;
}

/** A switch of one website must not show on any other. */
const changesOfOthers = (before: WholeAccount, after: WholeAccount): string[] =>
  [...before.everyOther].flatMap(([id, record]) => {
    const now = after.everyOther.get(id);
    return now === undefined ? [] : differingFields(record, now, OF_OTHERS).map((field) => `${field} of website ${id}`);
  });

/**
 * Runs calls with these purposes and states as a precondition that they leave the rest of the account unchanged, the other websites
 * included. `except`: a domain name of the own website that they change.
 */
export async function leavingTheRest<T>(
  context: Context,
  purposes: readonly Purpose[],
  run: () => Promise<T>,
  except?: string,
): Promise<T> {
  const before = await wholeAccount(context, { except });
  const result = await run();
  // By the method of the first reading: that both return the same has a check of its own.
  setFirstMethod(context, 'POST');
  await givenRestUnchanged(context, purposes, { like: before, except });
  return result;
}

/** States as a precondition that calls with these purposes since the reading `like` have left the rest of the account unchanged. */
export async function givenRestUnchanged(
  context: Context,
  purposes: readonly Purpose[],
  scope: AccountScope & { readonly like: WholeAccount },
): Promise<void> {
  const after = await wholeAccount(context, scope);
  const changes = await differencesGivenQuiet(context, scope, after, (one, other) => [
    ...new Set([...unexpectedChanges(purposes, one, other), ...changesOfOthers(one, other)]),
  ]).catch((error: unknown) => {
    // Other clients use the account: what the calls themselves do can be decided all the same.
    if (error instanceof Inconclusive) return [];
    throw error;
  });
  const what = `${changes.join(', ')} changed with calls that are for something else`;
  context.given.holds(changes.length === 0, 'reseller.account.nothing-else-changes', what, {
    response: responseShowing(after, changes[0]),
  });
}

/** Asserts that each step in sequence leaves the rest of the account unchanged. */
export async function expectNothingElseChanges(context: Context, steps: readonly Step[]): Promise<void> {
  let before = await wholeAccount(context);
  for (const { what, purposes, send, clause } of steps) {
    await send();
    const scope = { like: before };
    const after = await wholeAccount(context, scope);
    const changes = await differencesGivenQuiet(context, scope, after, (one, other) =>
      unexpectedChanges(purposes, one, other),
    );
    context.expect.equal(
      changes,
      [],
      `${what} must leave the rest of the account as it was (only differences are shown)`,
      { response: responseShowing(after, changes[0]), ...(clause === undefined ? {} : { clauses: [clause] }) },
    );
    before = after;
  }
}
