/**
 * Exchanges in the order in which they began. Recorders write an exchange when it has ended: a page that calls back while it
 * is being loaded comes after its own callback.
 */
import type { Exchange } from '../run/events.ts';

/** Exchanges that are held back at most: more are not under way at once. */
const WINDOW = 256;

/** Fewer may have begun at once. */
const MIN_FROZEN = 3;

/** Passes exchanges on by the time of their beginning, as far as a window allows; of equal times the first stays first. */
export async function* inStartOrder(
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
  window: number = WINDOW,
): AsyncGenerator<Exchange> {
  const held: { exchange: Exchange; startMs: number }[] = [];
  /** A recorder that writes one time into all exchanges says nothing about what was under way at once. */
  let isFrozen: boolean | undefined;
  const timed = (exchange: Exchange): Exchange => {
    isFrozen ??= held.length >= MIN_FROZEN - 1 && held.every(({ exchange: { at } }) => at === exchange.at);
    return isFrozen ? { ...exchange, durationMs: 0 } : exchange;
  };
  for await (const exchange of exchanges) {
    const parsed = Date.parse(exchange.at);
    const startMs = Number.isNaN(parsed) ? (held.at(-1)?.startMs ?? 0) : parsed;
    let at = held.length;
    while (at > 0 && (held[at - 1]?.startMs ?? 0) > startMs) at -= 1;
    held.splice(at, 0, { exchange, startMs });
    const first = held.length > window ? held.shift() : undefined;
    if (first !== undefined) yield timed(first.exchange);
  }
  for (let first = held.shift(); first !== undefined; first = held.shift()) yield timed(first.exchange);
}
