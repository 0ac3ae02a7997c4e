/** Deviations that each break what they name, one folder an interface, one file a part of it. */
import type { Deviation } from '../deviation.ts';
import { deliveryFaults } from './delivery/index.ts';
import { envelopeFaults } from './envelopes.ts';

export const faults: readonly Deviation[] = [...envelopeFaults, ...deliveryFaults];
