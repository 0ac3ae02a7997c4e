/** Other correct readings of what the contract leaves open. */
import type { Deviation } from '../deviation.ts';

export const variants: readonly Deviation[] = [];
