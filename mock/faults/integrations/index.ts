/** Faults of labels, checkouts and installations, which show in a browser. */
import type { Deviation } from '../../types/deviation.ts';
import { callbackOrderFaults } from './callback-orders.ts';
import { callbackFaults } from './callbacks.ts';
import { countryFaults } from './countries.ts';
import { installFaults } from './installs.ts';
import { labelEntryFaults } from './labels/entries.ts';
import { labelFaults } from './labels/index.ts';
import { labelMethodFaults, updatedMethodFaults } from './labels/methods.ts';
import { labelValueFaults } from './labels/values.ts';
import { loadFaults } from './loads.ts';
import { reinstallFaults } from './reinstalls.ts';
import { sendingFaults } from './sending.ts';

/** Calls of an app during its installation are not pages. */
const isOfPages = ({ clause = '', clauses = [clause] }: Deviation): boolean =>
  !clauses.some((one) => one.startsWith('apps.'));

const ofPages: readonly Deviation[] = [
  ...labelFaults,
  ...labelMethodFaults,
  ...labelEntryFaults,
  ...labelValueFaults,
  ...sendingFaults,
  ...callbackFaults,
  ...callbackOrderFaults,
  ...countryFaults,
  ...installFaults,
  ...loadFaults,
].map((fault): Deviation => (isOfPages(fault) ? { ...fault, only: 'pages' } : fault));

export const integrationFaults: readonly Deviation[] = [...ofPages, ...updatedMethodFaults, ...reinstallFaults];
