/** All faults and variants, by id. */
import type { Deviation } from './deviation.ts';
import { faults } from './faults/index.ts';
import { variants } from './variants/index.ts';

export { faults, variants };

/** An id that names no deviation; the message is one sentence that says which are near. */
export class UnknownDeviation extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnknownDeviation';
  }
}

/** Looks faults or variants up. Throws an UnknownDeviation when there is none with an id. */
export function deviationsOf(kind: 'fault' | 'variant' | undefined, ids: readonly string[]): Deviation[] {
  const all = kind === 'fault' ? faults : kind === 'variant' ? variants : [...faults, ...variants];
  return ids.map((id) => all.find((deviation) => deviation.id === id) ?? unknown(kind ?? 'fault or variant', id, all));
}

/** Looks faults and variants up. Throws an UnknownDeviation when there is none with an id. */
export const deviationsById = (ids: readonly string[]): Deviation[] => deviationsOf(undefined, ids);

function unknown(kind: string, id: string, all: readonly Deviation[]): never {
  const words = new Set(id.split(/[.-]/).filter((word) => word.length > 2));
  const near = all.filter((deviation) => deviation.id.split(/[.-]/).some((word) => words.has(word)));
  const hint =
    near.length > 0
      ? ` Did you mean ${near
          .slice(0, 3)
          .map((other) => other.id)
          .join(', ')}?`
      : '';
  throw new UnknownDeviation(`The mock has no ${kind} "${id}".${hint}`);
}
