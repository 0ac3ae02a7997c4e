/**
 * The clocks of a run. Its checks run in several processes, each with a clock of its own: which of two calls came first is certain within one
 * check only.
 */
import type { ClauseParty } from '../../contracts/clauses/clause-row.ts';
import type { Exchange } from '../../contracts/run/events.ts';
import { instantOf } from '../../contracts/run/instants.ts';
import { inStartOrder, TrafficFold } from '../../contracts/traffic/index.ts';

/** Clocks of one machine differ by less. */
const CLOCKS_MS = 50;

/** A breach that the traffic rules have found, by the check whose call shows it. */
export interface Found {
  readonly check: string;
  readonly clause: string;
  /** The number of the exchange. */
  readonly n: number;
}

interface Traffic {
  readonly party: ClauseParty;
  readonly keys: Readonly<Record<string, string>>;
  readonly exchanges: AsyncIterable<Exchange> | Iterable<Exchange>;
}

/** Whether a breach still shows where each call of another check may have been under way a little earlier and later. */
export async function showsForCertain({ check, clause, n }: Found, traffic: Traffic): Promise<boolean> {
  const { party, keys, exchanges } = traffic;
  let isShown = false;
  const fold = new TrafficFold({
    ...{ party, keys, headersComplete: true, complete: true },
    onNote(kind, of, at) {
      isShown ||= kind === 'breaks' && of === clause && at === n;
    },
  });
  const order = inStartOrder((exchange) => fold.add(exchange));
  for await (const exchange of exchanges) order.add(exchange.check === check ? exchange : widened(exchange));
  order.end();
  fold.done();
  return isShown;
}

function widened(exchange: Exchange): Exchange {
  const startMs = instantOf(exchange.at);
  if (Number.isNaN(startMs)) return exchange;
  const at = new Date(startMs - CLOCKS_MS).toISOString();
  return { ...exchange, at, durationMs: exchange.durationMs + 2 * CLOCKS_MS };
}
