/** All silences, in the order in which their answers are laid over each other: what changes refusals comes last. */
import { nameOf, type Reading, type ServiceResponse } from '../reading.ts';
import { appReadings } from './apps.ts';
import { limitReadings } from './limits.ts';
import { listReadings } from './lists.ts';
import { refusalReadings } from './refusals.ts';
import { requiredReadings } from './required.ts';
import { resellerReadings } from './reseller.ts';
import { sessionReadings } from './sessions.ts';
import { transportReadings } from './transport.ts';
import { UNDECIDED } from './undecided.ts';
import { valueReadings } from './values.ts';

const ROWS: readonly Reading[] = [
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

/** An answer with what it leaves undecided. */
function complete(reading: Reading, answer: ServiceResponse): ServiceResponse {
  const left = UNDECIDED[nameOf(reading, answer)];
  if (left === undefined) return answer;
  return 'open' in left ? { ...answer, open: left.open } : { ...answer, undecides: [left] };
}

export const READINGS: readonly Reading[] = ROWS.map((reading) => ({
  ...reading,
  answers: reading.answers.map((answer) => complete(reading, answer)),
}));
