/** What checks send, as it was counted in a run on the embedded mock: on another target it is an estimate. */

import type { Profile } from '../../harness/target/profile/types.ts';
import { count, duration } from '../../reports/words/text.ts';
import { DEFAULT_PROPERTY_RUNS, type PropertySearch } from '../common/property-search.ts';
import MEASURED from './measured.json' with { type: 'json' };

const TABLE: Readonly<Record<string, Readonly<Record<string, number>>>> = MEASURED as never;

/** Requests by operation (`GET /v1/store/delivery_methods/`); undefined for a check that was not measured. */
export const sentBy = (id: string): Readonly<Record<string, number>> | undefined => TABLE[id];

/** The text for a check without requests of its own. */
export const SHARED = 'nothing: it judges the requests of other checks';

export interface Estimate {
  readonly requests: number;
  /** Checks that the measured run does not hold. */
  readonly unmeasured: readonly string[];
}

/** What a run sends before its checks: whether the target is there, and whether the values of the profile fit it. */
const PROBE_REQUESTS = 25;

/** What the clean-up of a property adds to its limit of requests: 72 of each, counted with a limit of 60. */
const WITH_CLEAN_UP = 1.2;

/** Sums what the probes of a run and its checks send. Properties are left out where a run does not search. */
export function estimateOf(ids: readonly string[], search: PropertySearch): Estimate {
  const counted = ids.filter((id) => search.runs > 0 || !isProperty(id));
  const requests = counted.reduce(
    (sum, id) => sum + (isProperty(id) ? propertyRequests(id, search) : total(id)),
    counted.length === 0 ? 0 : PROBE_REQUESTS,
  );
  return { requests: Math.round(requests), unmeasured: counted.filter((id) => sentBy(id) === undefined) };
}

const isProperty = (id: string): boolean => id.startsWith('properties.');

const total = (id: string): number => Object.values(sentBy(id) ?? {}).reduce((sum, many) => sum + many, 0);

/** What a property sends: it was measured with the default number of runs and without a limit of requests. */
export function propertyRequests(id: string, { runs, requests }: PropertySearch): number {
  const unlimited = (total(id) * runs) / DEFAULT_PROPERTY_RUNS;
  return requests === undefined ? unlimited : Math.min(unlimited, requests * WITH_CLEAN_UP);
}

type Limits = Pick<Profile['limits'], 'requestsPerSecond' | 'maxMinutes'>;

/** How long a response of the target takes at least, in milliseconds, and how many workers wait for one at the same time. */
export interface Pace {
  readonly responseMs: number;
  readonly workers: number;
}

/**
 * A sentence for a run that can't end within the time that its profile gives it: its requests take longer at the rate limit, or at the
 * pace of the target.
 */
export function tooShort({ requests }: Estimate, { requestsPerSecond, maxMinutes }: Limits, pace?: Pace): string {
  const atLimit = requestsPerSecond === undefined ? 0 : requests / requestsPerSecond;
  const atPace = pace === undefined ? 0 : (requests * pace.responseMs) / 1000 / pace.workers;
  if (Math.max(atLimit, atPace) <= maxMinutes * 60) return '';
  const ends = `limits.maxMinutes (${maxMinutes}) ends the run before that: raise it`;
  const fewer = 'select fewer checks (--only) or fewer sequences of the properties (--runs)';
  if (pace === undefined || atPace <= atLimit) return ` ${ends}, or ${fewer}.`;
  const slow = `Responses take ${Math.round(pace.responseMs)} ms, so that it takes at least ${duration(atPace * 1000)} with ${count(pace.workers, 'worker')}`;
  return ` ${slow}; ${ends}, use more workers (--workers), or ${fewer}.`;
}

/** `about 4,300 requests, 14 min at 5 per second`: two digits are as much as an estimate says. */
export function estimateText({ requests }: Estimate, requestsPerSecond: number | undefined): string {
  const about = requests === 0 ? 0 : Number(requests.toPrecision(2));
  const many = `about ${about.toLocaleString('en-US')} request${about === 1 ? '' : 's'}`;
  if (requestsPerSecond === undefined) return `${many}, without a limit of requests per second`;
  return `${many}, ${duration((about / requestsPerSecond) * 1000)} at ${requestsPerSecond} per second`;
}
