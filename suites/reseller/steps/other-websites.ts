/** That a call for one website leaves the others alone. */
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { website } from './login/session.ts';
import { websitesOf } from './records.ts';

/** What the calls for one website can change. Names and dates of others change by the hand of their users at any time. */
const SWITCHED = ['websiteStatus', 'websiteType', 'websiteIsPremium'];

async function othersOf(context: Context): Promise<Map<string, Json>> {
  const { records } = await websitesOf(context);
  const own = String(website(context));
  return new Map(
    records.filter(({ websiteID }) => String(websiteID) !== own).map((one) => [String(one.websiteID), one]),
  );
}

/** Asserts that a change of the own website leaves status, type and subscription of all others as they were. */
export async function othersUnchanged(context: Context, what: string, change: () => Promise<unknown>): Promise<void> {
  const before = await othersOf(context);
  if (before.size === 0) {
    throw new Inconclusive(
      'the reseller has one website only: an account with two is needed to see that others are left alone',
      'configuration',
    );
  }
  await change();
  const after = await othersOf(context);
  for (const [id, record] of before) {
    const now = after.get(id);
    if (now === undefined) continue;
    for (const field of SWITCHED) {
      context.expect.equal(now[field], record[field], `${what} must not change ${field} of website ${id}`);
    }
  }
}
