/** `proofmark run --dry-run`: check by check what a run would send and change. Nothing is sent. */

import { missingFor, type Situation } from '../../harness/check/needs/index.ts';
import { DRIVER_MEMBERS } from '../../harness/target/driver/index.ts';
import type { TargetDriver } from '../../harness/target/driver/target-driver.ts';
import type { Profile } from '../../harness/target/profile/types.ts';
import { CHECKS } from '../../suites/index.ts';
import type { PropertySearch } from '../common/property-search.ts';
import { estimateOf, estimateText, propertyRequests, SHARED, sentBy, tooShort } from './estimate.ts';

/** What each effect changes, for people. */
const CHANGES: Readonly<Record<string, string>> = {
  read: 'nothing',
  write: 'objects of its own, which it removes',
  drive: 'orders and installations through the driver (orders stay)',
  settings: 'settings of the reseller account, put back',
  'site-status': 'the status of the website, put back',
  billing: 'the subscription of the website, put back',
  domains: 'domains of the website, removed again',
  password: 'the password of the reseller, put back',
  uninstall: 'an installation that the run made',
};

/** Whether a check could run, as far as the profile says. A driver is taken to have every function. */
function situationOf(profile: Profile, unusable: Situation['run']['unusable'] = {}): Situation {
  const names = profile.driver === undefined ? [] : DRIVER_MEMBERS;
  const driver = Object.fromEntries(names.map((name) => [name, notHere])) as TargetDriver;
  return { profile, run: { unusable, browser: 'any' }, driver };
}

/** What is known of a target before the checks start. */
interface Found {
  readonly unusable: Situation['run']['unusable'];
  /** How long a response takes at least, in milliseconds. */
  readonly responseMs: number | undefined;
  /** How many workers the run has. */
  readonly workers: number;
}

/** One sentence at the start of a run: how many requests it will send, and how long that takes. */
export function announcement(
  profile: Profile,
  selected: readonly string[],
  search: PropertySearch,
  found: Found,
): string {
  const { unusable, responseMs, workers } = found;
  const pace = responseMs === undefined ? undefined : { responseMs, workers };
  const chosen = new Set(selected);
  const situation = situationOf(profile, unusable);
  const runnable = CHECKS.filter((check) => chosen.has(check.id) && missingFor(check, situation) === undefined);
  const estimate = estimateOf(
    runnable.map(({ id }) => id),
    search,
  );
  return `The run sends ${estimateText(estimate, profile.limits.requestsPerSecond)} (an estimate, counted on the embedded mock).${tooShort(estimate, profile.limits, pace)}`;
}

/** The lines of a dry run. */
export function dryRunLines(profile: Profile, selected: readonly string[], search: PropertySearch): string[] {
  const chosen = new Set(selected);
  const situation = situationOf(profile);
  const lines: string[] = [];
  const sending: string[] = [];
  for (const check of CHECKS.filter(({ id }) => chosen.has(id))) {
    const missing = missingFor(check, situation);
    lines.push(`${check.id}: ${check.title}`);
    if (missing !== undefined) {
      lines.push(`  not run, ${missing.verdict}: ${missing.reason}`);
      continue;
    }
    sending.push(check.id);
    lines.push(`  sends: ${sends(check.id, search)}`);
    const allowed = (check.usesAllowed ?? []).filter((effect) => profile.allow.has(effect));
    const effects = allowed.length === 0 ? check.effectList : allowed;
    lines.push(`  changes: ${effects.map((effect) => CHANGES[effect] ?? effect).join('; ')}`);
  }
  const estimate = estimateOf(sending, search);
  return [
    ...lines,
    '',
    `${sending.length} of ${chosen.size} checks would run: ${estimateText(estimate, profile.limits.requestsPerSecond)}.${tooShort(estimate, profile.limits)}`,
    'Numbers are estimates: they were counted in a run on the embedded mock, with some 25 requests that probe the profile. Nothing was sent, so wrong values of the profile are not detected: `proofmark doctor` probes them.',
    ...(estimate.unmeasured.length === 0
      ? []
      : [`Not measured, and not in the sum: ${estimate.unmeasured.join(', ')}.`]),
  ];
}

function sends(id: string, search: PropertySearch): string {
  const isProperty = id.startsWith('properties.');
  if (isProperty && search.runs === 0) return 'nothing, since --runs 0 turns the search off';
  const sent = sentBy(id);
  if (sent === undefined) return 'not measured';
  if (isProperty && search.requests !== undefined)
    return `about ${Math.round(propertyRequests(id, search))} requests, because the target is elsewhere or limits them (see --runs)`;
  if (Object.keys(sent).length === 0) return SHARED;
  return Object.entries(sent)
    .map(([operation, many]) => `${many} × ${operation}`)
    .join(', ');
}

const notHere = (): never => {
  throw new Error('A dry run calls no function of a driver.');
};
