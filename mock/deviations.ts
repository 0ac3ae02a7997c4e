/** All faults and variants, by id. */
import type { Deviation } from './deviation.ts';
import { faults } from './faults/index.ts';
import { variants } from './variants/index.ts';

export { faults, variants };

/** Looks deviations up. Throws, naming the nearest ids, when one is unknown. */
export function deviationsById(ids: readonly string[]): Deviation[] {
  return ids.map((id) => {
    const found = [...faults, ...variants].find((deviation) => deviation.id === id);
    if (found) return found;
    const near = [...faults, ...variants].map((deviation) => deviation.id).filter((other) => akin(other, id));
    const hint = near.length > 0 ? ` Did you mean ${near.slice(0, 3).join(', ')}?` : '';
    throw new Error(`There is no fault or variant "${id}" of the mock.${hint}`);
  });
}

const akin = (a: string, b: string): boolean =>
  a.split(/[.-]/).some((word) => word.length > 3 && b.split(/[.-]/).includes(word));
