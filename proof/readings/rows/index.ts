/** All silences, in the order in which their answers are laid over each other: what changes refusals comes last. */
import type { Reading } from '../reading.ts';
import { appReadings } from './apps.ts';
import { limitReadings } from './limits.ts';
import { listReadings } from './lists.ts';
import { refusalReadings } from './refusals.ts';
import { requiredReadings } from './required.ts';
import { resellerReadings } from './reseller.ts';
import { sessionReadings } from './sessions.ts';
import { transportReadings } from './transport.ts';
import { valueReadings } from './values.ts';

export const READINGS: readonly Reading[] = [
  ...listReadings,
  ...valueReadings,
  ...requiredReadings,
  ...limitReadings,
  ...appReadings,
  ...resellerReadings,
  ...sessionReadings,
  ...transportReadings,
  ...refusalReadings,
];
