/** A call for one website changes nothing else: no other website, and not the rest of its own record, its domains or the settings. */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../../harness/check/context.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import {
  differencesGivenQuiet,
  missing,
  type Purpose,
  responseShowing,
  unexpectedChanges,
  type WholeAccount,
  wholeAccount,
} from '../../account/whole.ts';

/** Fields that calls for one website can change. Users may change names and dates of their websites at any time. */
const SWITCHED = ['websiteStatus', 'websiteType', 'websiteIsPremium'];

/** Clauses of a check that uses this. */
export const ONLY_NAMED = 'reseller.website.only-named-website-changes';
export const NOTHING_ELSE_CHANGES = 'reseller.account.nothing-else-changes';

export interface Change {
  readonly what: string;
  readonly purpose: Purpose;
  readonly send: () => Promise<unknown>;
  /** Takes what the account shows now, after it was read as a whole. */
  readonly shown?: () => Promise<unknown>;
  /** The website has the same domains as before this change, or before the first of these changes. */
  readonly domainsAsOf?: 'before' | 'first';
  /** The website is disabled afterwards. */
  readonly disables?: boolean;
}

/**
 * Asserts that each of these changes of the own website in sequence leaves everything else unchanged. They are the first of
 * their kind in a run, because a lost value cannot be observed to be lost again.
 */
export async function nothingElseChanges(context: Context, changes: readonly Change[]): Promise<void> {
  const first = await wholeAccount(context);
  let before = first;
  const missed = new Set<string>();
  let undecided: Inconclusive | undefined;
  // Where others use a part of the account, the other part can be decided, and the changes that follow.
  const unlessBusy = async (compared: Promise<string[]>): Promise<string[]> => {
    try {
      return await compared;
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      undecided ??= error;
      return [];
    }
  };
  for (const { what, purpose, send, shown, domainsAsOf, disables: isDisabled = false } of changes) {
    await send();
    const scope = { like: domainsAsOf === 'first' ? { ...before, ownDomains: first.ownDomains } : before, isDisabled };
    const after = await wholeAccount(context, scope);
    const ofOthers = await unlessBusy(differencesGivenQuiet(context, scope, after, switchedOnOthers));
    context.expect.equal(ofOthers, [], `${what} must not change other websites (only differences are shown)`, {
      clauses: [ONLY_NAMED],
      response: responseShowing(after, ofOthers[0]),
    });
    const rest = (one: WholeAccount, other: WholeAccount): string[] => [
      ...unexpectedChanges([purpose], one, other),
      ...(domainsAsOf === undefined ? [] : missing(one.ownDomains, other.ownDomains)),
    ];
    const changed = await unlessBusy(differencesGivenQuiet(context, scope, after, rest));
    const rule = `${what} must leave the rest of the account as it was (only differences are shown)`;
    context.expect.equal(changed, [], rule, {
      clauses: [NOTHING_ELSE_CHANGES],
      response: responseShowing(after, changed[0]),
    });
    await shown?.();
    for (const id of first.everyOther.keys()) if (!after.everyOther.has(id)) missed.add(id);
    before = after;
  }
  // One that its user has deleted does not come back.
  const back = [...missed].filter((id) => before.everyOther.has(id));
  context.expect.equal(
    back,
    [],
    'other websites must stay in the list (only those that were gone for a while are shown)',
    {
      clauses: [ONLY_NAMED],
    },
  );
  if (undecided !== undefined) throw undecided;
  if (first.everyOther.size === 0) {
    throw new Inconclusive(
      'the reseller has only one website: an account with two is needed to check that others are not changed',
      'configuration',
    );
  }
}

/** The differences on other websites in fields that calls for one website can change. */
const switchedOnOthers = (before: WholeAccount, after: WholeAccount): string[] =>
  [...before.everyOther].flatMap(([id, record]) => {
    // Deleted by its user in the meantime.
    const now = after.everyOther.get(id) ?? record;
    return SWITCHED.filter((field) => !isDeepStrictEqual(now[field], record[field])).map(
      (field) => `${field} of website ${id}`,
    );
  });
