/** Faults of the Reseller interface, one file per part. */
import type { Deviation } from '../../types/deviation.ts';
import { accountFaults } from './account/index.ts';
import { presentSettingFaults } from './account/present-settings.ts';
import { settingFaults } from './account/settings.ts';
import { byGetFaults } from './by-get.ts';
import { callFaults } from './calls.ts';
import { resellerEnvelopeFaults } from './envelopes.ts';
import { refusedChangeFaults } from './refused-changes.ts';
import { bySessionFaults } from './sessions/by-session.ts';
import { sessionFaults } from './sessions/index.ts';
import { loginFaults } from './sessions/logins.ts';
import { logoutFaults } from './sessions/logouts.ts';
import { undoneFaults } from './undone.ts';
import { domainNameFaults } from './websites/domain-names.ts';
import { domainFaults } from './websites/domains.ts';
import { websiteFaults } from './websites/index.ts';
import { sideEffectFaults } from './websites/side-effects.ts';

export const resellerFaults: readonly Deviation[] = [
  ...sessionFaults,
  ...callFaults,
  ...byGetFaults,
  ...bySessionFaults,
  ...logoutFaults,
  ...websiteFaults,
  ...sideEffectFaults,
  ...loginFaults,
  ...domainFaults,
  ...domainNameFaults,
  ...accountFaults,
  ...settingFaults,
  ...presentSettingFaults,
  ...refusedChangeFaults,
  ...undoneFaults,
  ...resellerEnvelopeFaults,
];
