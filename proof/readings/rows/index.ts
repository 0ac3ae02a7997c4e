/** All silences, in the order in which their answers are applied: those that change refusals come last. */
import { nameOf, type Reading, type ReadingAnswer } from '../reading.ts';
import { appReadings } from './apps.ts';
import { limitReadings } from './delivery/limits.ts';
import { listReadings } from './delivery/lists.ts';
import { meaningReadings } from './delivery/meanings.ts';
import { namingReadings } from './delivery/naming.ts';
import { pagingReadings } from './delivery/paging.ts';
import { repeatReadings } from './delivery/repeats.ts';
import { requiredReadings } from './delivery/required.ts';
import { responseReadings } from './delivery/responses.ts';
import { singleFieldReadings } from './delivery/single-fields.ts';
import { textReadings } from './delivery/texts.ts';
import { valueReadings } from './delivery/values.ts';
import { credentialReadings } from './http/credentials.ts';
import { guardReadings } from './http/guards.ts';
import { memberReadings } from './http/members.ts';
import { refusalReadings } from './http/refusals.ts';
import { transportReadings } from './http/transport.ts';
import { accountReadings } from './reseller/account.ts';
import { busyReadings } from './reseller/busy.ts';
import { domainReadings } from './reseller/domains.ts';
import { numberReadings } from './reseller/numbers.ts';
import { requestReadings } from './reseller/requests.ts';
import { sessionReadings } from './reseller/sessions.ts';
import { settingReadings } from './reseller/settings.ts';
import { websiteReadings } from './reseller/websites.ts';
import { UNDECIDED } from './undecided.ts';

const ROWS: readonly Reading[] = [
  ...listReadings,
  ...pagingReadings,
  ...textReadings,
  ...valueReadings,
  ...responseReadings,
  ...meaningReadings,
  ...namingReadings,
  ...requiredReadings,
  ...limitReadings,
  ...singleFieldReadings,
  ...repeatReadings,
  ...appReadings,
  ...websiteReadings,
  ...domainReadings,
  ...numberReadings,
  ...settingReadings,
  ...requestReadings,
  ...accountReadings,
  ...busyReadings,
  ...sessionReadings,
  ...transportReadings,
  ...credentialReadings,
  ...guardReadings,
  ...refusalReadings,
  ...memberReadings,
];

/** An answer with what it leaves undecided. */
function complete(reading: Reading, response: ReadingAnswer): ReadingAnswer {
  const left = UNDECIDED[nameOf(reading, response)];
  if (left === undefined) return response;
  return 'open' in left ? { ...response, open: left.open } : { ...response, undecides: [left] };
}

export const READINGS: readonly Reading[] = ROWS.map((reading) => ({
  ...reading,
  answers: reading.answers.map((response) => complete(reading, response)),
}));
