/** How a record shows that the website of the run is disabled. */
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../../harness/check/context.ts';
import { Skipped } from '../../../../harness/check/failures.ts';
import { sharedSwitch } from '../shared-changes.ts';
import { switching } from './switch-website.ts';

interface Statuses {
  /** The websiteStatus after the website was enabled, and after it was disabled. */
  readonly enabled: unknown;
  readonly disabled: unknown;
}

/** The two statuses of the website. Throws where they are the same: what a status says is not stated. */
export async function givenStatusShown(context: Context): Promise<Statuses> {
  const statuses = await switchedStatuses(context);
  if (isDeepStrictEqual(statuses.enabled, statuses.disabled))
    throw new Skipped('the record shows the same websiteStatus for an enabled and for a disabled website');
  return statuses;
}

/** Asserts that none of these statuses, each with what happened before it, is that of a disabled website. */
export function expectNotDisabled(
  { expect }: Context,
  { enabled, disabled }: Statuses,
  shown: readonly (readonly [after: string, status: unknown])[],
): void {
  for (const [after, status] of shown) {
    expect.that(!isDeepStrictEqual(status, disabled), `a website should not be shown as disabled after ${after}`, {
      expected: enabled,
      actual: status,
      pointer: '/websiteStatus',
    });
  }
}

async function switchedStatuses(context: Context): Promise<Statuses> {
  const shared = await sharedSwitch(context);
  if (shared !== undefined) return { enabled: shared.shownAfter.websiteStatus, disabled: shared.shown.websiteStatus };
  const { enable, disable, record } = await switching(context);
  await context.given.accepted(disable(), 'reseller.website.disable');
  const { websiteStatus: disabled } = await record();
  await context.given.accepted(enable(), 'reseller.website.enable');
  return { enabled: (await record()).websiteStatus, disabled };
}
