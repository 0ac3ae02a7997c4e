/** All that a Reseller account shows: what a call is not for must be there afterwards as it was. */
import { isMissing } from '../../../contracts/fields/forms.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
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

/** Fields that may move: what the numbers of websiteStatus mean is not shown, nor whether a domain counts in them. */
const MAY_CHANGE: Readonly<Record<Purpose, readonly string[]>> = {
  status: ['websiteStatus'],
  subscription: ['websiteIsPremium', 'websiteStatus'],
  domains: ['websiteStatus', 'websiteAlias'],
};

export interface WholeAccount {
  readonly own: Json;
  readonly others: ReadonlyMap<string, Json>;
  readonly ownDomains: readonly string[];
  readonly otherDomains: readonly string[];
  readonly settings: Json;
}

/** Reads all of it. `except`: a domain name that calls are about. */
export async function wholeAccount(context: Context, except?: string): Promise<WholeAccount> {
  const { records } = await websitesOf(context);
  const id = website(context);
  const others = idsIn(records)
    .filter((other) => other !== id)
    .slice(0, OTHERS);
  // One after another: a token may be good for a few calls only, and several at once would use up each other's.
  const ownDomains = await domainsAt(context, [id], except);
  const otherDomains = await domainsAt(context, others);
  const { settings } = await settingsOf(context);
  return {
    own: recordOf(records, id) ?? {},
    others: new Map(others.map((other) => [String(other), recordOf(records, other) ?? {}])),
    ownDomains,
    otherDomains,
    settings,
  };
}

/** What differs between two readings that no call with these purposes may change, in words. A subscription may end with what it paid for. */
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
  const isPaidFor = purposes.includes('subscription');
  const lost = isOfDomains || isPaidFor ? [] : missing(before.ownDomains, after.ownDomains);
  const lostByOthers = isOfDomains ? [] : missing(before.otherDomains, after.otherDomains);
  return [
    ...ofOwn,
    ...ofOthers,
    ...[...lost, ...lostByOthers].map((domain) => `the domain (website, id, name) ${domain}`),
    ...differing(before.settings, after.settings).map((name) => `the setting ${name}`),
  ];
}

const missing = (before: readonly string[], after: readonly string[]): string[] =>
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

/** Asserts that each step, one after the other, leaves the rest of the account alone. */
export async function leaveTheRest(context: Context, steps: readonly Step[], except?: string): Promise<void> {
  let before = await wholeAccount(context, except);
  for (const { what, purposes, send } of steps) {
    await send();
    const after = await wholeAccount(context, except);
    const changes = changesBeside(purposes, before, after);
    const differences = (one: WholeAccount, other: WholeAccount): string[] => changesBeside([], one, other);
    await givenQuiet({ differences, read: () => wholeAccount(context, except) }, changes);
    context.expect.equal(changes, [], `${what} must leave the rest of the account as it was (what differs is named)`);
    before = after;
  }
}
