/** Whether a check can run on this target at all: absent parts, permissions, keys of the profile, driver and browser. */
import type { Attribution, Verdict } from '../../../contracts/run/verdicts.ts';
import type { RunInfo } from '../../resources/run-info.ts';
import { singletonsOf } from '../../resources/singletons.ts';
import type { TargetDriver } from '../../target/driver/target-driver.ts';
import { isAbsent } from '../../target/profile/index.ts';
import type { Profile } from '../../target/profile/types.ts';
import type { Check } from '../check.ts';
import {
  actsForProvider,
  isProviderSecond,
  PROVIDER_KEY,
  SECOND_STORE_KEY,
  STORE_KEY,
  storeNeeded,
} from './provider.ts';

export interface MissingNeed {
  readonly verdict: Verdict;
  readonly attribution: Attribution;
  readonly reason: string;
}

/** What a run has on its target: all of it known before anything is run. */
export interface Situation {
  readonly profile: Profile;
  readonly run: Pick<RunInfo, 'unusable' | 'browser' | 'held'>;
  readonly driver: TargetDriver;
}

/** Whether pages take part in a check: a browser shows them, or the driver works on them. */
export const needsPages = ({ needs }: Pick<Check, 'needs'>): boolean =>
  needs.some((need) => need === 'browser' || need.startsWith('driver.'));

/** What keeps a check from running, as a verdict with the remedy; `undefined` when nothing does. */
export function missingFor(check: Check, situation: Situation): MissingNeed | undefined {
  const { profile, run } = situation;
  const absent = check.partList.find((part) => isAbsent(profile, part));
  if (absent !== undefined) {
    return {
      verdict: 'not-applicable',
      attribution: 'configuration',
      reason: `the profile declares "${absent}" absent`,
    };
  }
  for (const effect of check.effectList) {
    if (effect !== 'read' && !profile.allow.has(effect)) {
      return inconclusive(
        `"allow" in the profile does not contain "${effect}": add it if the run may do that to this target`,
      );
    }
  }
  const { usesAllowed } = check;
  if (usesAllowed !== undefined && !usesAllowed.some((effect) => profile.allow.has(effect))) {
    const names = usesAllowed.map((effect) => `"${effect}"`);
    return inconclusive(
      `"allow" in the profile contains none of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}: add what the run may do to this target`,
    );
  }
  for (const singleton of singletonsOf(check)) {
    const reason = run.held?.[singleton];
    if (reason !== undefined) return inconclusive(reason);
  }
  const store = storeNeeded(check);
  if (store !== undefined && isAbsent(profile, 'delivery.private')) {
    const reason = `${store}, but the profile declares "delivery.private" absent`;
    return { verdict: 'not-applicable', attribution: 'configuration', reason };
  }
  const replaced = new Set([
    ...(actsForProvider(check, profile) ? [STORE_KEY] : []),
    ...(isProviderSecond(check, profile) ? [SECOND_STORE_KEY] : []),
  ]);
  const needs = check.needs.map((need) => (replaced.has(need) ? PROVIDER_KEY : need));
  const interfaceOfPart = check.partList.includes('reseller') ? 'api' : 'v1';
  for (const need of [interfaceOfPart, ...needs, ...(check.prefers ?? [])]) {
    for (const [key, { reason, attribution }] of Object.entries(run.unusable)) {
      if (need === key || need.startsWith(`${key}.`)) return { verdict: 'inconclusive', attribution, reason };
    }
  }
  for (const need of [interfaceOfPart, ...needs]) {
    if (need === 'browser') {
      if (run.browser === undefined) {
        return inconclusive(
          'no browser is available: run `npx playwright install chromium`, or set PROOFMARK_BROWSER to a Chromium',
        );
      }
    } else if (need.startsWith('driver.')) {
      const member = need.slice('driver.'.length);
      if (profile.driver === undefined) return inconclusive(`the profile has no "driver": write one with ${member}()`);
      if (!(member in situation.driver))
        return inconclusive(`the driver has no ${member}(): add it (docs/operator.md)`);
    } else if (valueAt(profile, need) === undefined) {
      return inconclusive(`the profile has no "${need}": add it and run again`);
    }
  }
  return undefined;
}

const inconclusive = (reason: string): MissingNeed => ({
  verdict: 'inconclusive',
  attribution: 'configuration',
  reason,
});

function valueAt(profile: unknown, path: string): unknown {
  let value: unknown = profile;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
