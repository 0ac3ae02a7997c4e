/** A seeded sample that covers as many pairs of location, operator and condition as its size allows. */
import type { Mutant } from './mutant.ts';

/** The parts that form pairs: location, operator, condition. */
const partsOf = ({ operation, field, operator, condition }: Mutant): string[] => {
  const where = field === undefined ? operation.id : `${operation.id}.${field.name}`;
  return [where, `~${operator.id}`, `@${condition?.id ?? ''}`];
};

const pairsOf = (mutant: Mutant): string[] => {
  const [where, what, when] = partsOf(mutant) as [string, string, string];
  return [`${where} ${what}`, `${where} ${when}`, `${what} ${when}`];
};

/** At most `size` mutants, first those with the most new pairs. The same seed gives the same sample. */
export function sampleOf(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  const shuffled = shuffle(mutants, seed);
  const seen = new Set<string>();
  const chosen: Mutant[] = [];
  for (const wanted of [3, 2, 1, 0]) {
    for (const mutant of shuffled) {
      if (chosen.length >= size) return chosen;
      const fresh = pairsOf(mutant).filter((pair) => !seen.has(pair));
      if (fresh.length !== wanted || chosen.includes(mutant)) continue;
      for (const pair of fresh) seen.add(pair);
      chosen.push(mutant);
    }
  }
  return chosen;
}

/** A Fisher-Yates shuffle with a Lehmer generator. */
function shuffle<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  let state = (seed * 48_271 + 1) % 2_147_483_647;
  for (let at = result.length - 1; at > 0; at -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (at + 1);
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
}
