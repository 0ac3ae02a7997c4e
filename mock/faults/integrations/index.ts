/** Faults of labels, checkouts and installations, which show in a browser. */
import type { Deviation } from '../../deviation.ts';
import { callbackFaults } from './callbacks.ts';
import { countryFaults } from './countries.ts';
import { installFaults } from './installs.ts';
import { labelFaults } from './labels.ts';

export const integrationFaults: readonly Deviation[] = [
  ...labelFaults,
  ...callbackFaults,
  ...countryFaults,
  ...installFaults,
];
