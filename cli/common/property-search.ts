/** How far the properties of a run search: what it does, and what `doctor` and a dry run announce. */
import { isLoopbackProfile } from '../../harness/target/profile/index.ts';
import type { Profile } from '../../harness/target/profile/types.ts';

export interface PropertySearch {
  /** Cases of each property; 0 when properties do not search. */
  readonly runs: number;
  /** Requests of each property, without its clean-up; undefined when only `runs` limits it. */
  readonly requests?: number;
}

/** Runs of each property on the mock: enough to find a seeded fault, few enough for a run of seconds. */
export const DEFAULT_PROPERTY_RUNS = 20;

/**
 * Requests of each property on a target that is elsewhere or limits them: one sequence with some steps, and some more of the
 * cheap ones. All of them cost about three minutes at five requests a second.
 */
const LIMITED_PROPERTY_REQUESTS = 60;

/** `runs` is the option `--runs`: a user who names a number is not limited further. */
export function propertySearchOn(
  profile: Pick<Profile, 'v1' | 'api' | 'limits'>,
  runs: number | undefined,
): PropertySearch {
  if (runs !== undefined) return { runs };
  const isFree = profile.limits.requestsPerSecond === undefined && isLoopbackProfile(profile);
  return { runs: DEFAULT_PROPERTY_RUNS, ...(isFree ? {} : { requests: LIMITED_PROPERTY_REQUESTS }) };
}
