/** Deviations that each break what they name, one file a part of the contract. */
import type { Deviation } from '../deviation.ts';

export const faults: readonly Deviation[] = [];
