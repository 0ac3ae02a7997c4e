/** Attaching and removing domains affects only the named website (spec: Endpoints, C. Reseller endpoints). */

import { isJsonObject } from '../../../contracts/json/object.ts';
import type { RecordId } from '../../../contracts/json/record-ids.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { refusedDomains } from '../account/refused.ts';
import {
  type AccountScope,
  differencesGivenQuiet,
  domainsIn,
  missing,
  responseShowing,
  unexpectedChanges,
  type WholeAccount,
  wholeAccount,
} from '../account/whole.ts';
import {
  ATTACHES,
  add,
  attached,
  awkwardSubdomain,
  deepSubdomain,
  domainsAt,
  givenDomainAccepted,
  idOf,
  isNamed,
  newSubdomain,
  recordsNamed,
  remove,
  removeElsewhere,
  reserve,
  runDomain,
  trackStrays,
} from '../steps/domains.ts';
import { sendRefused } from '../steps/login/bad-tokens.ts';
import { website } from '../steps/login/session.ts';
import { DOMAINS } from '../steps/options.ts';
import { symmetricDifference } from '../steps/quiet.ts';
import { otherWebsites } from '../steps/records.ts';
import { keepDomain, sharedDomain, sharedKept } from '../steps/shared-changes.ts';
import { NOTHING_ELSE_CHANGES } from '../steps/website/other-websites.ts';
import { switching } from '../steps/website/switch-website.ts';

const DETACHES = 'reseller.domain.remove-detaches';
const ADD_LEAVES = 'reseller.domain.add-leaves-others';
const REMOVE_LEAVES = 'reseller.domain.remove-leaves-others';

const domainsDiffering = (before: WholeAccount, after: WholeAccount): string[] =>
  symmetricDifference(domainsIn(before, after), domainsIn(after, before));

const domainsLost = (before: WholeAccount, after: WholeAccount): string[] =>
  missing(domainsIn(before, after), domainsIn(after, before));

interface Change {
  readonly clause: string;
  /** The requirement of `clause`, as the message of a failure. */
  readonly message: string;
  readonly what: string;
}

/** Asserts that a change of the run's domain after the first reading leaves all other domains and the rest unchanged. */
async function expectAllElseStays(context: Context, change: Change, before: WholeAccount): Promise<void> {
  const scope = { except: runDomain(context), like: before };
  const after = await wholeAccount(context, scope);
  const domains = await differencesGivenQuiet(context, scope, after, domainsDiffering);
  context.expect.equal(domains, [], `${change.message} (website, id and name, for domains in only one of the lists)`, {
    clauses: [change.clause],
  });
  await expectRestStays(context, change.what, scope, after);
}

/** Asserts that a reading differs from the one that it is `like` in nothing but domains. */
async function expectRestStays(
  context: Context,
  what: string,
  scope: AccountScope & { readonly like: WholeAccount },
  after: WholeAccount,
): Promise<void> {
  const rest = await differencesGivenQuiet(context, scope, after, (one, other) =>
    unexpectedChanges(['domains'], one, other),
  );
  context.expect.equal(rest, [], `${what} must leave the rest of the account as it was (only differences are shown)`, {
    clauses: [NOTHING_ELSE_CHANGES],
    response: responseShowing(after, rest[0]),
  });
}

/** The largest id that every service can read. */
const MAX_ID = 2n ** 31n - 1n;
/** What an id loses that is read in 32 bits. */
const RANGE = 2n ** 32n;

/**
 * Ids of no domain that a service takes for a given one if it compares beginnings, or reads numbers in 32 bits. The first has one digit
 * more than that of the newest domain, so no other domain has it; a shorter one, or one nearby, could be the domain of another account.
 */
function alikeIds(id: RecordId, { ownDomains, otherDomains }: WholeAccount): RecordId[] {
  const known = [...ownDomains, ...otherDomains].map((text) => text.split(' ')[1]);
  return [BigInt(id) * 10n, BigInt(id) + RANGE]
    .filter((one) => one <= MAX_ID || one >= RANGE)
    .map(String)
    .filter((one) => !known.includes(one));
}

/** Asserts that the run's domain stays when an id is removed that is like its own. */
async function staysBesideAlikeIds(context: Context, name: string, id: RecordId, account: WholeAccount) {
  const removals = await atOnce(
    alikeIds(id, account).map((other) => async () => `${other} (${outcome(await remove(context, other))})`),
  );
  if (removals.length === 0) return;
  const { found, response } = await recordsNamed(context, name);
  context.expect.that(
    found.length > 0,
    `${name}, whose id is ${id}, must stay when none of these is its id: ${removals.join(', ')}`,
    { clauses: [REMOVE_LEAVES], expected: `a record of ${name}`, actual: 'none', response },
  );
}

/** Asserts that a name is not listed any more after its removal, and that an older one of the run stays. A website may have had no other domain. */
async function expectDetached(context: Context, name: string, older?: string): Promise<void> {
  await context.given.accepted(remove(context, await idOf(context, name)), DETACHES);
  const { found, records, response } = await recordsNamed(context, name);
  context.expect.that(found.length === 0, `${name} must not be listed after its removal`, {
    clauses: [DETACHES],
    expected: `no record of ${name}`,
    pointer: '/domains',
    response,
  });
  if (older === undefined) return;
  const stays = records.some((record) => isNamed(record, older));
  context.expect.that(stays, `${older} must stay when ${name} is removed`, { clauses: [REMOVE_LEAVES], response });
}

const outcome = (response: ServiceResponse): string =>
  isServed(response) ? 'served' : `refused with ${response.status}`;

/** Removes a domain under the first of these websites where that can be tried. */
async function firstRemoval(context: Context, id: RecordId, others: readonly RecordId[]) {
  for (const other of others) {
    const under = await removeElsewhere(context, id, other);
    if (under !== undefined) return { other, under };
  }
  return undefined;
}

export const checks: readonly Check[] = [
  // First, and in one check: a value that is already lost cannot be observed to be lost again, and clean-up would remove a domain before.
  check(
    'reseller.domain.changes-leave-others',
    'MUST keep all other domains, and the rest of the account, when one is added or removed',
    { clauses: [ADD_LEAVES, REMOVE_LEAVES, NOTHING_ELSE_CHANGES, DETACHES], ...DOMAINS },
    async (context) => {
      const name = runDomain(context);
      // First: its parts are read at once, and what follows needs no further reading.
      const before = await wholeAccount(context, { except: name, readsTwo: true });
      await otherWebsites(context);
      await reserve(context);
      const done = await context.given.accepted(add(context), ATTACHES);
      const added = 'adding one domain must leave all others as they were';
      await expectAllElseStays(context, { clause: ADD_LEAVES, message: added, what: 'adding a domain' }, before);
      const id = await idOf(context);
      const shown = (await recordsNamed(context)).found.length;
      // The domain that was just added is one of the others for the next, if the service accepts a subdomain of it.
      let below = newSubdomain(context);
      await reserve(context, below);
      let hasBelow = isServed(await add(context, below));
      if (hasBelow) {
        const { found, records, response } = await recordsNamed(context);
        context.expect.that(found.length > 0, `${name} must stay when ${below} is added beside it`, {
          clauses: [ADD_LEAVES],
          response,
        });
        const isThere = records.some((record) => isNamed(record, below));
        context.given.holds(isThere, ATTACHES, `${below} was added beside ${name} and is not listed`, { response });
        // First the newer one of two is removed, then the older one.
        await expectDetached(context, below, name);
        below = newSubdomain(context);
        await reserve(context, below);
        hasBelow = isServed(await add(context, below));
      }
      const removed = 'removing one domain must leave all others in place';
      const scope = { except: name, like: before };
      const beside = await wholeAccount(context, scope);
      const lost = await differencesGivenQuiet(context, scope, beside, domainsLost);
      // A service that removes one of another website each time may have none left for the removal below.
      context.expect.equal(lost, [], `${removed} (website, id and name of those that are lost)`, {
        clauses: [REMOVE_LEAVES],
      });
      // What only the first removal changes shows here, and not after a later one.
      await expectRestStays(context, 'adding and removing domains', scope, beside);
      await staysBesideAlikeIds(context, name, id, beside);
      const undone = await remove(context, id);
      if (!isServed(undone)) {
        const kept = `${name} must keep its domainID when another domain is removed`;
        context.expect.equal(await idOf(context), id, kept, { clauses: [REMOVE_LEAVES], response: undone });
      }
      await context.given.accepted(undone, DETACHES);
      await expectAllElseStays(context, { clause: REMOVE_LEAVES, message: removed, what: 'removing a domain' }, beside);
      keepDomain(context, { done, shown, undone, shownAfter: (await recordsNamed(context, name)).found.length });
      if (!hasBelow) return;
      // Ids that count the domains which are left repeat that of a newer one here.
      const last = newSubdomain(context);
      await reserve(context, last);
      if (isServed(await add(context, last))) await expectDetached(context, last, below);
      await expectDetached(context, below);
    },
  ),
  refusedDomains,
  check(
    'reseller.domain.add-attaches',
    'MUST list an added domain exactly once',
    { clauses: [ATTACHES], observations: ['reseller.domain.add-response'], ...DOMAINS },
    async (context) => {
      const { expect } = context;
      const name = runDomain(context);
      const shared = await sharedDomain(context);
      const listedOnce = `${name} must be in the list of the website once after it was added`;
      if (shared === undefined) await reserve(context);
      const added = shared?.done ?? (await add(context));
      givenDomainAccepted(context, added, name);
      expect.accepted(added, `${name} must be attached`);
      if (shared !== undefined) expect.that(shared.shown === 1, listedOnce);
      else {
        const { found, records, response } = await recordsNamed(context);
        expect.that(found.length === 1, listedOnce, {
          expected: `one record of ${name}`,
          actual: `${found.length} among ${records.length} records`,
          pointer: '/domains',
          response,
        });
      }
      const beyond = isJsonObject(added.json)
        ? Object.keys(added.json).filter((field) => field !== 'error')
        : summary(added);
      context.observe('reseller.domain.add-response', beyond.length === 0 ? 'nothing' : beyond);
      // A name with four labels and with hyphens, or with three, if the service accepts one.
      for (const below of [deepSubdomain(context), awkwardSubdomain(context), newSubdomain(context)]) {
        const before = await reserve(context, below);
        if (!isServed(await add(context, below))) continue;
        await sendRefused(context);
        const list = await recordsNamed(context, below);
        if (list.found.length === 0) trackStrays(context, below, before, list.records);
        expect.that(list.found.length === 1, `${below} must be in the list of the website once after it was added`, {
          expected: `one record of ${below}`,
          actual: `${list.found.length} among ${list.records.length} records`,
          pointer: '/domains',
          response: list.response,
        });
        return;
      }
    },
  ),
  check(
    'reseller.domain.remove-detaches',
    'MUST NOT list a removed domain',
    { clauses: [DETACHES], ...DOMAINS },
    async (context) => {
      const { expect } = context;
      const name = runDomain(context);
      const shared = await sharedDomain(context);
      if (shared !== undefined) {
        expect.served(shared.undone, `${name} must be removed by its id in the list`);
        return expect.that(shared.shownAfter === 0, `${name} must not be listed after its removal`);
      }
      const id = await attached(context);
      expect.served(await remove(context, id), `${name} must be removed by its id in the list`);
      const { found, response } = await recordsNamed(context);
      expect.that(found.length === 0, `${name} must not be listed after its removal`, {
        expected: `no record of ${name}`,
        pointer: '/domains',
        response,
      });
    },
  ),
  check(
    'reseller.domain.remove-own-website-only',
    'MUST NOT remove a domain through another website',
    { clauses: ['reseller.domain.remove-own-website-only'], ...DOMAINS },
    async (context) => {
      const { given, expect } = context;
      const name = runDomain(context);
      const others = await otherWebsites(context);
      const id = await attached(context, name, () => domainsAt(context, [website(context), ...others.slice(0, 1)]));
      const removed = await firstRemoval(context, id, others);
      if (removed === undefined) {
        throw new Inconclusive(
          `websites ${others.join(', ')} have a domain with the id of ${name}, or do not list their domains: an account is needed with a website that lists other ids`,
          'configuration',
        );
      }
      const { other, under } = removed;
      const { found, response } = await recordsNamed(context);
      expect.that(
        found.length > 0,
        `${name} must stay with website ${website(context)} when it is removed under website ${other}`,
        {
          expected: `a record of ${name}`,
          actual: `none, after the removal was ${outcome(under)}`,
          response,
        },
      );
      // The id is valid: it works for its own website.
      await given.accepted(remove(context, id), DETACHES);
    },
  ),
  check(
    'reseller.domain.kept-by-switch',
    'MUST list the domains of a website again after it was disabled and enabled',
    { clauses: [NOTHING_ELSE_CHANGES], ...DOMAINS, effects: ['domains', 'site-status'] },
    async (context) => {
      const { given, expect } = context;
      const name = runDomain(context);
      const kept = await sharedKept(context);
      if (kept !== undefined)
        return expect.that(kept.domainAfterSwitch, `${name} must stay with the website when it is switched`);
      const { enable, disable } = await switching(context);
      await attached(context);
      await given.accepted(disable(), 'reseller.website.disable');
      await given.accepted(enable(), 'reseller.website.enable');
      const { found, response } = await recordsNamed(context);
      // Whether a disabled website shows domains is not stated.
      expect.that(found.length > 0, `${name} must stay with the website when it is disabled and enabled`, {
        expected: `a record of ${name}`,
        pointer: '/domains',
        response,
      });
    },
  ),
  check(
    'reseller.domain.repeated-add-handling',
    'OBSERVES how adding an attached domain again, or with www, is handled',
    { clauses: [], observations: ['reseller.domain.repeated-add'], ...DOMAINS },
    async (context) => {
      const name = runDomain(context);
      await attached(context);
      const www = `www.${name}`;
      const hasWww = (await recordsNamed(context, www)).found.length > 0;
      if (!hasWww) await reserve(context, www);
      const [again, addedWww] = await atOnce([
        () => add(context),
        async () => (hasWww ? undefined : add(context, www)),
      ]);
      const times = (await recordsNamed(context)).found.length;
      context.observe('reseller.domain.repeated-add', {
        'attached already': `${outcome(again)}, then listed ${times === 1 ? 'once' : `${times} times`}`,
        'with www': addedWww === undefined ? 'listed already, beside the domain' : outcome(addedWww),
      });
      if (times > 1) context.warn('A domain added twice is listed twice: one removal removes it once.');
    },
  ),
];
