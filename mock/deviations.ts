/** All faults and variants, by id. */

import { faults } from './faults/index.ts';
import type { Deviation } from './types/deviation.ts';
import { variants } from './variants/index.ts';

export { faults, variants };

/** An unknown id of a deviation; the message is one sentence with similar ids. */
export class UnknownDeviation extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnknownDeviation';
  }
}

/** Looks faults or variants up. Throws an UnknownDeviation for an unknown id. */
export function deviationsOf(kind: 'fault' | 'variant' | undefined, ids: readonly string[]): Deviation[] {
  const all = kind === 'fault' ? faults : kind === 'variant' ? variants : [...faults, ...variants];
  return ids.map((id) => all.find((deviation) => deviation.id === id) ?? unknown(kind ?? 'fault or variant', id, all));
}

/** Looks faults and variants up. Throws an UnknownDeviation for an unknown id. */
export const deviationsById = (ids: readonly string[]): Deviation[] => deviationsOf(undefined, ids);

function unknown(kind: string, id: string, all: readonly Deviation[]): never {
  const near = all
    .map((deviation) => ({ id: deviation.id, edits: editsBetween(id, deviation.id) }))
    .filter(({ edits }) => edits <= id.length / 2)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3);
  const hint = near.length > 0 ? ` Did you mean ${near.map((other) => other.id).join(', ')}?` : '';
  throw new UnknownDeviation(`The mock has no ${kind} "${id}".${hint}`);
}

/** The Levenshtein distance of two texts. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= b.length; to += 1) {
      next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (letter === b[to - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
