/** Deviations that each break their clauses: one folder per interface, one file per part. */
import type { Deviation, Part } from '../types/deviation.ts';
import { appsFaults } from './apps/index.ts';
import { deliveryFaults } from './delivery/index.ts';
import { envelopeFaults } from './envelopes.ts';
import { integrationFaults } from './integrations/index.ts';
import { lookAlikeFaults } from './look-alikes.ts';
import { oneTableOfKeysFaults } from './one-table-of-keys.ts';
import { readsWithEffectsFaults } from './reads-with-effects.ts';
import { resellerFaults } from './reseller/index.ts';

/** Faults of one part, active only there. Different initial rows may show anywhere. */
const feltIn = (only: Part, deviations: readonly Deviation[]): Deviation[] =>
  deviations.map((deviation) => (deviation.fixtures === undefined ? { ...deviation, only } : deviation));

export const faults: readonly Deviation[] = [
  ...envelopeFaults,
  ...feltIn('delivery', deliveryFaults),
  ...feltIn('apps', appsFaults),
  ...feltIn('reseller', resellerFaults),
  ...lookAlikeFaults,
  ...oneTableOfKeysFaults,
  ...readsWithEffectsFaults,
  ...integrationFaults,
];
