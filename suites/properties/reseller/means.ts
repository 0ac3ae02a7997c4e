/** What sequences of Reseller can be made of on a target. */
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { otherIds } from '../../reseller/steps/records.ts';
import { changed } from '../../reseller/steps/settings.ts';
import { type Capabilities, groupsOf, namesFor } from './system-under-test.ts';

/** Settings that are changed: two that meet, and one beside them. */
export const MAX_SETTINGS = 3;

/** What sequences may change, where the profile allows it. */
export const ALLOWED_EFFECTS = ['settings', 'domains', 'site-status', 'billing'] as const;

/** What sequences can be made of here; found out once, since it costs calls that change settings. */
export async function capabilitiesOf(context: Context): Promise<Capabilities> {
  const groups = groupsOf(context);
  if (groups.size === 1) {
    throw new Inconclusive(
      'what "allow" in the profile permits can\'t be tried without "reseller.website" (and "reseller.domain"): add them and run again',
      'configuration',
    );
  }
  const settings = groups.has('settings') ? await changeable(context) : [];
  if (settings.length === 0) groups.delete('settings');
  const others = context.profile.reseller?.website === undefined ? [] : await otherIds(context);
  return { groups, names: groups.has('domains') ? namesFor(context) : [], settings, others };
}

/**
 * Settings that take another text; where none does there is nothing to play with, which is not a fault. They are put back at
 * once: each sequence has to begin with the same texts, the first one and one that is repeated included.
 */
async function changeable(context: Context): Promise<Capabilities['settings']> {
  const trial = context.fork(() => undefined);
  try {
    return await changed(trial, MAX_SETTINGS);
  } catch (thrown) {
    if (thrown instanceof Inconclusive) return [];
    throw thrown;
  } finally {
    await trial.cleanUp();
    context.adopt(trial);
  }
}
