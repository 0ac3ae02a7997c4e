/** Authentic loads that the server of the app failed, where the same load was served at another time. */
import type { Received } from '../../../../harness/integrator/counterpart.ts';
import { isShown, type PageSnapshot } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import { GATEWAY_STATUSES } from '../../../../harness/target/response/gateway.ts';
import type { AppSession } from '../../session.ts';

/** What became of one load. */
interface Outcome {
  readonly address: string;
  readonly snapshot: PageSnapshot;
  readonly callback: Received | undefined;
}

interface Attempt {
  /** Loads of one kind may all be served: new installations, or the settings of one installation. */
  readonly kind: string;
  readonly outcome: Outcome;
}

const attempts = new WeakMap<AppSession, Attempt[]>();

/** Keeps what became of an authentic load, for the end of the precheck. */
export function keepAttempt(session: AppSession, attempt: Attempt): void {
  const kept = attempts.get(session) ?? [];
  attempts.set(session, kept);
  kept.push(attempt);
}

/** An error of the app itself: a gateway before it may have had too much to do. */
const isFailed = ({ snapshot: { status = 0 }, callback }: Outcome): boolean =>
  callback === undefined && status >= 500 && !GATEWAY_STATUSES.has(status);

const isServed = ({ snapshot, callback }: Outcome): boolean => callback !== undefined || isShown(snapshot);

/** Loads that failed between others of their kind that were served; `tried` is how many of these kinds there were. */
export function failedAtTimes(session: AppSession): { readonly failed: readonly Outcome[]; readonly tried: number } {
  const byKind = Object.values(Object.groupBy(attempts.get(session) ?? [], ({ kind }) => kind)).map((some = []) =>
    some.map(({ outcome }) => outcome),
  );
  // What failed from some moment on is the subject of other checks.
  const mixed = byKind.filter((some) => some.findLastIndex(isServed) > some.findIndex(isFailed) && some.some(isFailed));
  return { failed: mixed.flatMap((some) => some.filter(isFailed)), tried: mixed.flat().length };
}

/** How many authentic loads were made. */
export const attemptsMade = (session: AppSession): number => attempts.get(session)?.length ?? 0;
