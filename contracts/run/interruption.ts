/** Checks that a run did not reach because it was stopped: reports distinguish them from checks that wait for a setting. */
import type { Verdict } from './verdicts.ts';

/** What the reason of such a check ends with. */
const AGAIN = 'run again for this check';

/** The result of a check that was not reached; `why` names what stopped the run. */
export const unreached = (why: string) =>
  ({ verdict: 'inconclusive', attribution: 'configuration', reason: unreachedReason(why) }) as const;

export const unreachedReason = (why: string): string => `${why}: ${AGAIN}`;

interface Result {
  readonly verdict: Verdict;
  readonly reason?: string | null;
}

/** Whether a check waits for nothing but another run. */
export const isUnreached = ({ verdict, reason }: Result): boolean =>
  verdict === 'inconclusive' && reason?.endsWith(AGAIN) === true;
