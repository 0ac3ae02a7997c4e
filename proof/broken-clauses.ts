/** What `proofmark judge` says of recorded exchanges: the clauses that a party breaks in them. */
import type { Exchange } from '../contracts/run/events.ts';
import type { Verdict } from '../contracts/run/verdicts.ts';
import { inStartOrder, TrafficFold, type TrafficOptions } from '../contracts/traffic/index.ts';

export interface BrokenOptions extends Pick<TrafficOptions, 'party' | 'languages' | 'keys'> {
  /** `fail` for a MUST, `warn` for a SHOULD; `fail` alone by default. */
  readonly verdicts?: readonly Verdict[];
  /** With what is advised against, though the contract allows it. */
  readonly advice?: boolean;
}

/** The clauses that the party breaks in a whole recording, with all headers, each with the reason. */
export function brokenClauses(
  exchanges: readonly Exchange[],
  { verdicts = ['fail'], advice = false, ...traffic }: BrokenOptions,
): string[] {
  const fold = new TrafficFold({ ...traffic, headersComplete: true, complete: true });
  const order = inStartOrder((exchange) => fold.add(exchange));
  for (const exchange of exchanges) order.add(exchange);
  order.end();
  return [...fold.done().clauses.values()].flatMap(({ clause, verdict, reason, decisive, advice: advised }) => [
    ...(verdicts.includes(verdict) ? [`${clause}: ${reason} (exchange ${decisive})`] : []),
    ...(advice && advised !== undefined ? [`${clause}: ${advised.finding.message} (advice)`] : []),
  ]);
}
