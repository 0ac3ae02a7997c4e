/** Faults of the Reseller interface, one file per part. */
import type { Deviation } from '../../types/deviation.ts';
import { accountFaults } from './account.ts';
import { byGetFaults } from './by-get.ts';
import { bySessionFaults } from './by-session.ts';
import { callFaults } from './calls.ts';
import { domainNameFaults } from './domain-names.ts';
import { domainFaults } from './domains.ts';
import { resellerEnvelopeFaults } from './envelopes.ts';
import { loginFaults } from './logins.ts';
import { presentSettingFaults } from './present-settings.ts';
import { refusedChangeFaults } from './refused-changes.ts';
import { sessionFaults } from './sessions.ts';
import { settingFaults } from './settings.ts';
import { undoneFaults } from './undone.ts';
import { websiteFaults } from './websites.ts';

export const resellerFaults: readonly Deviation[] = [
  ...sessionFaults,
  ...callFaults,
  ...byGetFaults,
  ...bySessionFaults,
  ...websiteFaults,
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
