/** That a call for one website leaves the others alone. */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { website } from './login/session.ts';
import { givenQuiet } from './quiet.ts';
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
  await givenQuiet({ differences, read: () => othersOf(context) }, differences(before, after));
  for (const [id, record] of before) {
    const now = after.get(id);
    if (now === undefined) continue;
    for (const field of SWITCHED) {
      context.expect.equal(now[field], record[field], `${what} must not change ${field} of website ${id}`);
    }
  }
}

/** Fields that differ between two readings of the same websites. */
const differences = (before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>): string[] =>
  [...before].flatMap(([id, record]) => {
    const now = after.get(id) ?? record;
    return SWITCHED.filter((field) => !isDeepStrictEqual(now[field], record[field])).map(
      (field) => `${field} of ${id}`,
    );
  });
