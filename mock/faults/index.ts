/** Deviations that each break what they name, one folder an interface, one file a part of it. */
import type { Deviation, Part } from '../types/deviation.ts';
import { appsFaults } from './apps/index.ts';
import { deliveryFaults } from './delivery/index.ts';
import { envelopeFaults } from './envelopes.ts';
import { integrationFaults } from './integrations/index.ts';
import { resellerFaults } from './reseller/index.ts';

/** Faults of one part: in force there and nowhere else. Other rows to begin with may be felt anywhere. */
const feltIn = (only: Part, deviations: readonly Deviation[]): Deviation[] =>
  deviations.map((deviation) => (deviation.fixtures === undefined ? { ...deviation, only } : deviation));

export const faults: readonly Deviation[] = [
  ...envelopeFaults,
  ...feltIn('delivery', deliveryFaults),
  ...feltIn('apps', appsFaults),
  ...feltIn('reseller', resellerFaults),
  ...integrationFaults,
];
