/**
 * Check results in the order of the run's plan, whatever order the workers finish them in: each is passed on as soon as
 * all before it are there, so that the file grows with the run and still reads the same every time.
 */
import type { CheckResult } from '../../../contracts/run/events.ts';

export interface OrderedResults {
  add(result: CheckResult): void;
  /** Passes on all that is still held. `absent` may give a result for a check that has none, in its place. */
  finish(absent?: (id: string) => CheckResult | undefined): void;
  /** Checks without a result of their own so far, in order. */
  missing(): string[];
  /** How many checks have a result. */
  readonly count: number;
}

/** Passes results on in the order of `ids`, whichever worker has each first; results without a place come last. */
export function deliverInOrder(ids: readonly string[], passOn: (result: CheckResult) => void): OrderedResults {
  const place = new Map(ids.map((id, index) => [id, index]));
  const held = new Map<number, CheckResult[]>();
  const unplanned: CheckResult[] = [];
  const seen = new Set<string>();
  let next = 0;
  const release = (): void => {
    for (const result of held.get(next) ?? []) passOn(result);
    held.delete(next);
    next += 1;
  };
  return {
    add(result) {
      seen.add(result.id);
      const index = place.get(result.id);
      if (index === undefined) unplanned.push(result);
      else if (index < next) passOn(result);
      else held.set(index, [...(held.get(index) ?? []), result]);
      while (held.has(next)) release();
    },
    finish(absent) {
      while (next < ids.length) {
        const id = ids[next] as string;
        const instead = seen.has(id) ? undefined : absent?.(id);
        if (instead !== undefined) passOn(instead);
        release();
      }
      for (const result of unplanned.splice(0)) passOn(result);
    },
    missing: () => ids.filter((id) => !seen.has(id)),
    get count() {
      return seen.size;
    },
  };
}
