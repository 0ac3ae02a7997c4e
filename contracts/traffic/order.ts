/**
 * Exchanges in the order in which they began. Recorders write an exchange when it has ended: a page that calls back while it
 * is being loaded comes after its own callback.
 */
import type { Exchange } from '../run/events.ts';
import { instantOf } from '../run/instants.ts';

/** Exchanges that are held back at most: more are not under way at once. */
const WINDOW = 256;

/** Fewer may have begun at once. */
const MIN_FROZEN = 3;

/** Puts exchanges in order. */
export interface StartOrder {
  add(exchange: Exchange): void;
  /** To be called once, after the last exchange. */
  end(): void;
}

/** Times without a part of a second: many exchanges have the same one, and may have overlapped. 1970 means that the time is unknown. */
const isWholeSecond = (ms: number): boolean => ms !== 0 && ms % 1_000 === 0;

/** Passes exchanges on by the time of their beginning, as far as a window allows; of equal times the first stays first. */
export function inStartOrder(take: (exchange: Exchange) => void, window: number = WINDOW): StartOrder {
  const held: { exchange: Exchange; startMs: number }[] = [];
  /** A recorder that writes one time into all exchanges says nothing about what was under way at once. */
  let isFrozen: boolean | undefined;
  const pass = (exchange: Exchange): void => {
    isFrozen ??=
      held.length >= MIN_FROZEN - 1 &&
      held.every(({ exchange: { at } }) => at === exchange.at) &&
      !isWholeSecond(instantOf(exchange.at));
    take(isFrozen ? { ...exchange, durationMs: 0 } : exchange);
  };
  const passFirst = (): void => {
    const first = held.shift();
    if (first !== undefined) pass(first.exchange);
  };
  return {
    add(exchange) {
      const parsed = instantOf(exchange.at);
      const startMs = Number.isNaN(parsed) ? (held.at(-1)?.startMs ?? 0) : parsed;
      let at = held.length;
      while (at > 0 && (held[at - 1]?.startMs ?? 0) > startMs) at -= 1;
      if (at === held.length) held.push({ exchange, startMs });
      else held.splice(at, 0, { exchange, startMs });
      if (held.length > window) passFirst();
    },
    end() {
      while (held.length > 0) passFirst();
    },
  };
}
