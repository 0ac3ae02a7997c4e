/** How many workers a run has by default. */
import { availableParallelism } from 'node:os';
import { isLoopbackProfile, loadProfile } from '../../../../harness/target/profile/index.ts';
import { isMockTarget } from '../../target/mock-target.ts';

/** Beyond this the serial groups (reseller account, installations, browser steps) decide how long a run takes. */
const MAX_DEFAULT_WORKERS = 8;
const MIN_WORKERS_WITH_LIMIT = 2;
/** What one worker sends to a target that answers in about 100 ms, with the clean-up of each check in turn. */
const REQUESTS_PER_SECOND_OF_A_WORKER = 5;

/** What decides it: whether the target shares this machine, and its rate limit. */
export interface WorkerSituation {
  readonly isLoopback: boolean;
  readonly requestsPerSecond: number | undefined;
}

/**
 * On this machine workers and target share its cores: one worker a core. A distant target is waited for: as many workers as
 * its rate limit keeps busy.
 */
export function defaultWorkers(
  { isLoopback, requestsPerSecond }: WorkerSituation,
  cores: number = availableParallelism(),
): number {
  if (isLoopback) return Math.max(1, Math.min(cores, MAX_DEFAULT_WORKERS));
  if (requestsPerSecond === undefined) return MAX_DEFAULT_WORKERS;
  const busy = Math.ceil(requestsPerSecond / REQUESTS_PER_SECOND_OF_A_WORKER);
  return Math.max(MIN_WORKERS_WITH_LIMIT, Math.min(busy, MAX_DEFAULT_WORKERS));
}

/** The situation of a `--target`. A profile that can't be read is refused by global setup, so that any number will do. */
export function situationOf(target: string): WorkerSituation {
  if (isMockTarget(target)) return { isLoopback: true, requestsPerSecond: undefined };
  try {
    const profile = loadProfile(target);
    return { isLoopback: isLoopbackProfile(profile), requestsPerSecond: profile.limits.requestsPerSecond };
  } catch {
    return { isLoopback: true, requestsPerSecond: undefined };
  }
}
