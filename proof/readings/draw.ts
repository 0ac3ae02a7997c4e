/** Selects the services to test: each answer alone, every pair of answers, and random combinations from a seed. */
import { randomFrom, shuffled } from '../../harness/runner/order/shuffle.ts';
import { type Choice, fit, type Reading, type ReadingAnswer } from './reading.ts';

type Chosen = readonly [Reading, ReadingAnswer];

/** The answers for pairs and combinations; answers with open work are only tested alone. */
const chosenIn = (readings: readonly Reading[]): Chosen[] =>
  readings.flatMap((reading) =>
    reading.answers.filter(({ open }) => open === undefined).map((answer) => [reading, answer] as const),
  );

/** One service for each answer, otherwise like the embedded service. */
export const singles = (readings: readonly Reading[]): Choice[] =>
  readings.flatMap((reading) => reading.answers.map((answer) => new Map([[reading, answer]])));

/** In the order of the rows, in which deviations are applied. */
const inOrder = (readings: readonly Reading[], chosen: readonly Chosen[]): Choice =>
  new Map([...chosen].sort(([a], [b]) => readings.indexOf(a) - readings.indexOf(b)));

/**
 * Services that cover every compatible pair of answers at least once; the first `limit` of them. Greedy: each service starts
 * with an uncovered pair and adds the answers that cover the most new pairs, up to `most` answers.
 */
export function pairwise(readings: readonly Reading[], seed: number, most: number, limit = Infinity): Choice[] {
  const random = randomFrom(seed);
  const all = chosenIn(readings);
  const places = all.map((_, at) => at);
  /** Whether two answers, by index, are compatible and not covered yet. */
  const open = all.map((a) => all.map((b) => a[0] !== b[0] && fit(a, b)));
  const fits = open.map((row) => [...row]);
  const pairs = places.flatMap((a) => places.slice(a + 1).map((b) => [a, b] as const));
  const services: Choice[] = [];
  for (const [first, second] of shuffled(pairs, seed)) {
    if (services.length >= limit) break;
    if (!open[first]![second]) continue;
    const chosen = [first, second];
    const candidates = shuffled(places, Math.floor(random() * 2 ** 31));
    while (chosen.length < most) {
      const best = bestOf(candidates, chosen, fits, open);
      if (best === undefined) break;
      chosen.push(best);
    }
    for (const a of chosen) for (const b of chosen) open[a]![b] = false;
    services.push(
      inOrder(
        readings,
        chosen.map((at) => all[at]!),
      ),
    );
  }
  return services;
}

type Matrix = readonly (readonly boolean[])[];

/** The compatible candidate that covers the most new pairs. */
function bestOf(
  candidates: readonly number[],
  chosen: readonly number[],
  fits: Matrix,
  open: Matrix,
): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (const candidate of candidates) {
    let gained = 0;
    let isFit = true;
    for (const one of chosen) {
      if (!fits[one]![candidate]) isFit = false;
      else if (open[one]![candidate]) gained += 1;
    }
    if (isFit && gained > most) [best, most] = [candidate, gained];
  }
  return best;
}

/** `count` services with 2 to `most` answers each, from a seed. */
export function drawn(readings: readonly Reading[], count: number, seed: number, most: number): Choice[] {
  const random = randomFrom(seed);
  const all = chosenIn(readings);
  return Array.from({ length: count }, () => {
    const size = 2 + Math.floor(random() * (most - 1));
    const chosen: Chosen[] = [];
    for (const candidate of shuffled(all, Math.floor(random() * 2 ** 31))) {
      if (chosen.length === size) break;
      if (chosen.every((one) => one[0] !== candidate[0] && fit(one, candidate))) chosen.push(candidate);
    }
    return inOrder(readings, chosen);
  });
}
