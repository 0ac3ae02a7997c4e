/** Deviations that each break what they name, one folder an interface, one file a part of it. */
import type { Deviation } from '../deviation.ts';
import { appsFaults } from './apps/index.ts';
import { deliveryFaults } from './delivery/index.ts';
import { envelopeFaults } from './envelopes.ts';
import { integrationFaults } from './integrations/index.ts';
import { resellerFaults } from './reseller/index.ts';

export const faults: readonly Deviation[] = [
  ...envelopeFaults,
  ...deliveryFaults,
  ...appsFaults,
  ...resellerFaults,
  ...integrationFaults,
];
