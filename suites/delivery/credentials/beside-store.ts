/** Judges what happens with the key of another owner beside what happens with a store's key (spec: Authentication, A). */
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Delivery } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';

/** What is wrong about a call, as the end of a sentence, and whether it was refused, perhaps because of the values that we chose. */
export interface Problem {
  readonly what: string;
  readonly isRefusal?: true;
  /** The clause that a store's key shows as broken too, where it is not that of the trial. */
  readonly clause?: string;
}

/** A call that was refused, as a problem. */
export async function refused({ send }: Context, call: ServiceRequest): Promise<Problem | undefined> {
  const response = await send(call, 'change');
  if (isServed(response)) return undefined;
  return { what: `${call.method} ${call.path} was refused: ${summary(response)}`, isRefusal: true };
}

export const problemIf = (isWrong: boolean, what: string): Problem | undefined => (isWrong ? { what } : undefined);

interface Trial {
  /** `a delivery provider`. */
  readonly owner: string;
  /** The owner's client. */
  readonly delivery: Delivery;
  /** The clause that a store's key shows as broken too. */
  readonly clause: string;
  /** Undefined where all is as it should be. */
  readonly try: (delivery: Delivery) => Promise<Problem | undefined>;
}

/**
 * Asserts that a trial finds nothing wrong. What a store's key shows as well does not depend on the owner. Without the key of a store, a
 * refusal may be about the values, and decides nothing.
 */
export async function expectAsForStore(context: Context, { owner, delivery, clause, ...trial }: Trial): Promise<void> {
  const { expect, given, profile } = context;
  const problem = await trial.try(delivery);
  const hasStore = profile.delivery?.private?.apiKey !== undefined;
  if (problem !== undefined && hasStore) {
    const ofStore = await trial.try(context.delivery);
    const words = `with the key of a store, too, ${ofStore?.what}`;
    given.granted(ofStore?.isRefusal !== true, clause, words);
    given.holds(ofStore === undefined, ofStore?.clause ?? clause, words);
  }
  given.granted(hasStore || problem?.isRefusal !== true, clause, problem?.what ?? '');
  expect.that(problem === undefined, `with the key of ${owner} ${problem?.what}`);
}
