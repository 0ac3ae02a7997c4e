/** The installations of the profile that a property plays in turn: what holds for the first has to hold for each of them. */
import type { Context } from '../../../harness/check/context.ts';
import type { Installation } from '../../../harness/cleanup/ledger.ts';
import type { PropertyRun } from '../../../harness/property/index.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import { hasSecondInstallation } from '../../apps/steps/installations.ts';
import type { Slot } from '../../apps/steps/snippets.ts';

/** Runs a case as an installation. A refusal decides nothing for the second one; the checks of two installations judge it. */
export const asInstallation = (
  { unlessRefused }: PropertyRun,
  installation: Installation,
  body: () => Promise<void>,
): Promise<void> => (installation === 'own' ? body() : unlessRefused(body));

/**
 * The slot of the second installation that these values may be set in: none without such an installation, and none where what it
 * holds can't be read and so can't be put back. That is judged by the checks of two installations.
 */
export async function slotsOfSecond(context: Context, remember: (slot: Slot) => Promise<unknown>): Promise<Slot[]> {
  if (!hasSecondInstallation(context)) return [];
  const slot: Slot = { apps: context.otherApps, installation: 'other' };
  const isRemembered = await unlessUndecided(() => remember(slot).then(() => true));
  return isRemembered === true ? [slot] : [];
}
