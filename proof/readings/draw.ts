/** Which services are tried: each answer alone, every pair of answers, and combinations at random. All from a seed. */
import { randomFrom, shuffled } from '../../harness/runner/shuffle.ts';
import { type Answer, type Choice, fit, nameOf, type Reading } from './reading.ts';

type Chosen = readonly [Reading, Answer];

/** The answers that services are drawn from: those with something left to do are tried alone. */
const chosenIn = (readings: readonly Reading[]): Chosen[] =>
  readings.flatMap((reading) =>
    reading.answers.filter(({ open }) => open === undefined).map((answer) => [reading, answer] as const),
  );

/** One service for each answer, all else as usual. */
export const singles = (readings: readonly Reading[]): Choice[] =>
  readings.flatMap((reading) => reading.answers.map((answer) => new Map([[reading, answer]])));

/** In the order of the rows, which is the order in which deviations are laid over each other. */
const inOrder = (readings: readonly Reading[], chosen: readonly Chosen[]): Choice =>
  new Map([...chosen].sort(([a], [b]) => readings.indexOf(a) - readings.indexOf(b)));

/**
 * Services in which every two answers that fit together meet at least once. Greedy: each service starts with a pair that has not
 * met, and takes from the other rows what meets most new answers. `most` limits the answers of one service.
 *
 * @example pairwise(rows, 1, 6).length
 */
export function pairwise(readings: readonly Reading[], seed: number, most: number): Choice[] {
  const random = randomFrom(seed);
  const all = chosenIn(readings);
  const key = (a: Chosen, b: Chosen): string => [nameOf(...a), nameOf(...b)].sort().join('|');
  const open = new Map<string, readonly [Chosen, Chosen]>();
  for (const [at, a] of all.entries())
    for (const b of all.slice(at + 1)) if (a[0] !== b[0] && fit(a, b)) open.set(key(a, b), [a, b]);
  const services: Choice[] = [];
  for (const pair of shuffled([...open.values()], seed)) {
    if (!open.has(key(...pair))) continue;
    const chosen: Chosen[] = [...pair];
    const candidates = shuffled(all, Math.floor(random() * 2 ** 31));
    while (chosen.length < most) {
      const best = bestOf(candidates, chosen, (a, b) => open.has(key(a, b)));
      if (best === undefined) break;
      chosen.push(best);
    }
    for (const a of chosen) for (const b of chosen) if (a !== b) open.delete(key(a, b));
    services.push(inOrder(readings, chosen));
  }
  return services;
}

function bestOf(
  candidates: readonly Chosen[],
  chosen: readonly Chosen[],
  isNew: (a: Chosen, b: Chosen) => boolean,
): Chosen | undefined {
  let best: Chosen | undefined;
  let meets = 0;
  for (const candidate of candidates) {
    if (chosen.some((one) => one[0] === candidate[0] || !fit(one, candidate))) continue;
    const gained = chosen.filter((one) => isNew(one, candidate)).length;
    if (gained > meets) [best, meets] = [candidate, gained];
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
