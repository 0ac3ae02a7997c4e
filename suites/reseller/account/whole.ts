/** All that a Reseller account shows: what a call is not for must be there afterwards as it was. */
import { isMissing } from '../../../contracts/fields/forms.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { atOnce } from '../steps/at-once.ts';
import { domainsAt } from '../steps/domains.ts';
import { website } from '../steps/login/session.ts';
import { givenQuiet } from '../steps/quiet.ts';
import { idsIn, recordOf, settingsOf, websitesOf } from '../steps/records.ts';
import { differing } from '../steps/settings.ts';

/** Fields of the own website that no call of the interface is for; its dates change when a user works on it. */
const OF_OWN = [
  'websiteBrandname',
  'websiteAlias',
  'userName',
  'userEmail',
  'userCountry',
  'userCreated',
  'websiteCreated',
];

/** What calls for one website could change on another. Names of others change by the hand of their users at any time. */
const OF_OTHERS = ['websiteStatus', 'websiteIsPremium'];

/** More websites would cost calls and prove nothing more. */
const OTHERS = 2;

/** What a call may change of the own website. */
export type Purpose = 'status' | 'subscription' | 'domains';

/**
 * Fields that may move: what the numbers of websiteStatus mean is not shown, nor whether a domain counts in them; the alias may be a
 * name that a disabled website does not have, or that a subscription paid for.
 */
const MAY_CHANGE: Readonly<Record<Purpose, readonly string[]>> = {
  status: ['websiteStatus', 'websiteAlias'],
  subscription: ['websiteIsPremium', 'websiteStatus', 'websiteAlias'],
  domains: ['websiteStatus', 'websiteAlias'],
};

export interface WholeAccount {
  readonly own: Json;
  /** Some of the other websites, whose domains are read as well. */
  readonly others: ReadonlyMap<string, Json>;
  readonly everyOther: ReadonlyMap<string, Json>;
  readonly ownDomains: readonly string[];
  readonly otherDomains: readonly string[];
  readonly settings: Json;
}

const recordsOf = (records: readonly Json[], ids: readonly number[]): Map<string, Json> =>
  new Map(ids.map((id) => [String(id), recordOf(records, id) ?? {}]));

export interface Look {
  /** A domain name of the own website that calls are about. */
  readonly except?: string | undefined;
  /** An earlier reading: the domains of the same other websites are read again, wherever they are in the list by now. */
  readonly like?: WholeAccount;
}

/** Reads all of it. */
export async function wholeAccount(context: Context, { except, like }: Look = {}): Promise<WholeAccount> {
  const id = website(context);
  // The session, which all of these use.
  await context.reseller();
  const [{ records }, ownDomains, { settings }, known] = await atOnce([
    () => websitesOf(context),
    () => domainsAt(context, [id], except),
    () => settingsOf(context),
    () => Promise.allSettled([...(like?.others.keys() ?? [])].map((other) => domainsAt(context, [Number(other)]))),
  ]);
  const allOthers = idsIn(records).filter((other) => other !== id);
  const others =
    like === undefined ? allOthers.slice(0, OTHERS) : allOthers.filter((other) => like.others.has(String(other)));
  const otherDomains = like === undefined ? await domainsAt(context, others) : ofListed(others, like, known);
  return {
    own: recordOf(records, id) ?? {},
    others: recordsOf(records, others),
    everyOther: recordsOf(records, allOthers),
    ownDomains,
    otherDomains,
    settings,
  };
}

/** The domains of websites that are still in the list: those of one that its user has deleted meanwhile could not be read. */
function ofListed(
  listed: readonly number[],
  like: WholeAccount,
  read: readonly PromiseSettledResult<string[]>[],
): string[] {
  const ends = [...like.others.keys()].map((id, at) => ({ id: Number(id), end: read[at] }));
  const domains = ends.flatMap(({ id, end }) => {
    if (end === undefined || !listed.includes(id)) return [];
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  return domains.sort();
}

/**
 * What differs between two readings that no call with these purposes may change, in words. A subscription may end
 * with what it paid for, and a disabled website may show no domains.
 */
export function changesBeside(purposes: readonly Purpose[], before: WholeAccount, after: WholeAccount): string[] {
  const may = purposes.flatMap((purpose) => MAY_CHANGE[purpose]);
  const named = [...OF_OWN, 'websiteStatus', 'websiteIsPremium'].filter((field) => !may.includes(field));
  const ofOwn = differingFields(before.own, after.own, named).map((field) => `${field} of the website`);
  // What these calls do to the same of other websites, and to other domains, has checks of its own.
  const isSwitched = purposes.includes('status') || purposes.includes('subscription');
  const others = isSwitched ? [] : [...before.others];
  const ofOthers = others.flatMap(([id, record]) => {
    const now = after.others.get(id);
    // Deleted meanwhile by its user.
    return now === undefined ? [] : differingFields(record, now, OF_OTHERS).map((field) => `${field} of website ${id}`);
  });
  const isOfDomains = purposes.includes('domains');
  const lost = isOfDomains || isSwitched ? [] : missing(before.ownDomains, after.ownDomains);
  const lostByOthers = isOfDomains ? [] : missing(domainsOfOthers(before, after), after.otherDomains);
  return [
    ...ofOwn,
    ...ofOthers,
    ...[...lost, ...lostByOthers].map((domain) => `the domain (website, id, name) ${domain}`),
    ...differing(before.settings, after.settings).map((name) => `the setting ${name}`),
  ];
}

/** The domains of those other websites that are listed in another reading as well: what its user deleted has none. */
const domainsOfOthers = ({ otherDomains }: WholeAccount, { others }: WholeAccount): string[] =>
  otherDomains.filter((domain) => others.has(domain.slice(0, domain.indexOf(' '))));

/** All domains, but for those of websites that are not listed in the other reading. */
export const domainsIn = (account: WholeAccount, other: WholeAccount): string[] =>
  [...account.ownDomains, ...domainsOfOthers(account, other)].sort();

export const missing = (before: readonly string[], after: readonly string[]): string[] =>
  before.filter((one) => !after.includes(one));

/** A field that one of the readings leaves out is not judged. */
const differingFields = (before: Json, after: Json, fields: readonly string[]): string[] =>
  fields.filter(
    (field) => !isMissing(before[field]) && !isMissing(after[field]) && String(before[field]) !== String(after[field]),
  );

export interface Step {
  readonly what: string;
  readonly purposes: readonly Purpose[];
  readonly send: () => Promise<unknown>;
}

type Differences = (before: WholeAccount, after: WholeAccount) => string[];

/**
 * The differences between two readings, the first of which is `like`. Leaves the check undecided when there are any and the same
 * kind of them comes by itself: others use the account too.
 */
export async function differencesGivenQuiet(
  context: Context,
  { like, ...look }: Look & { readonly like: WholeAccount },
  after: WholeAccount,
  differences: Differences,
): Promise<string[]> {
  const found = differences(like, after);
  await givenQuiet(context, { differences, read: () => wholeAccount(context, { ...look, like }) }, found);
  return found;
}

/** Asserts that each step, one after the other, leaves the rest of the account alone. */
export async function leaveTheRest(context: Context, steps: readonly Step[]): Promise<void> {
  let before = await wholeAccount(context);
  for (const { what, purposes, send } of steps) {
    await send();
    const look = { like: before };
    const after = await wholeAccount(context, look);
    const changes = await differencesGivenQuiet(context, look, after, (one, other) =>
      changesBeside(purposes, one, other),
    );
    context.expect.equal(changes, [], `${what} must leave the rest of the account as it was (what differs is named)`);
    before = after;
  }
}
