/** The suites of Reseller, in report order. They share one session of one account, so they run in sequence. */
import type { Check, Suite } from '../../harness/check/check.ts';
import { checks as kept } from './account/kept.ts';
import { loginLinkChecks, passwordChecks, checks as rest } from './account/rest.ts';
import { checks as sessions } from './account/sessions.ts';
import { checks as authorize } from './authorize.ts';
import { checks as balance } from './balance.ts';
import { checks as formCharset } from './calls/form-charset.ts';
import { checks as getAndPost } from './calls/get-and-post.ts';
import { checks as readsAgree } from './calls/reads-agree.ts';
import { checks as splitParameters } from './calls/split-parameters.ts';
import { checks as domainChanges } from './domain/changes.ts';
import { checks as domains } from './domain/records.ts';
import { checks as domainSubscription } from './domain/subscription.ts';
import { checks as loginLinks } from './login.ts';
import { checks as logout } from './logout.ts';
import { checks as password } from './password.ts';
import { keptWhenDisabled, checks as premium } from './premium.ts';
import { checks as settingsChanges } from './settings/changes.ts';
import { checks as settingsCountry } from './settings/country.ts';
import { checks as settings } from './settings/fields.ts';
import { checks as settingsUnchanged } from './settings/unchanged.ts';
import { subscribedIfNeeded } from './steps/domains-with-subscription.ts';
import { checks as tokens } from './token/refusals.ts';
import { checks as writesNeedToken } from './token/writes.ts';
import { checks as websites } from './website/records.ts';
import { firstSwitches, checks as status } from './website/status.ts';

const keepsPassword = ({ effectList }: Check): boolean => !effectList.includes('password');

// What a switch or a login link by GET does beside its purpose shows only in the first one, too.
const byGet = (part: string): readonly Check[] => getAndPost.filter(({ id }) => id === `reseller.calls.${part}-by-get`);
const switchesByGet = byGet('site-status');
const linksByGet = byGet('login-link');
const otherCalls = getAndPost.filter((one) => !switchesByGet.includes(one) && !linksByGet.includes(one));

const SUITES: readonly Suite[] = [
  { name: 'reseller/authorize', serialGroup: 'reseller', checks: [...authorize, ...logout, ...splitParameters] },
  // Each begins with the checks of side effects: a lost value cannot be observed to be lost again.
  {
    name: 'reseller/website',
    serialGroup: 'reseller',
    checks: [...websites, ...firstSwitches, ...switchesByGet, ...status, ...premium],
  },
  {
    name: 'reseller/domain',
    serialGroup: 'reseller',
    // The subscription last: a domain is removed there, too, and the other websites are not read.
    checks: [...domainChanges, ...domains, ...domainSubscription, ...keptWhenDisabled],
  },
  {
    name: 'reseller/account',
    serialGroup: 'reseller',
    checks: [...settingsChanges, ...settingsCountry, ...settingsUnchanged, ...settings, ...balance],
  },
  { name: 'reseller/login', serialGroup: 'reseller', checks: [...loginLinkChecks, ...linksByGet, ...loginLinks] },
  // After the checks that find the cause more precisely.
  { name: 'reseller/rest', serialGroup: 'reseller', checks: [...rest, ...sessions, ...kept] },
  { name: 'reseller/token', serialGroup: 'reseller', checks: [...tokens, ...writesNeedToken.filter(keepsPassword)] },
  {
    name: 'reseller/calls',
    serialGroup: 'reseller',
    checks: [...otherCalls.filter(keepsPassword), ...readsAgree, ...formCharset],
  },
];

export const RESELLER_SUITES: readonly Suite[] = SUITES.map((suite) => ({
  ...suite,
  checks: suite.checks.map(subscribedIfNeeded),
}));

/** A failed change of the password locks out all other checks: last of all that need the account. */
export const PASSWORD_SUITE: Suite = {
  name: 'reseller/password',
  serialGroup: 'reseller',
  checks: [
    // First: what the first change loses cannot be observed to be lost by another.
    ...passwordChecks,
    ...password,
    ...[...otherCalls, ...writesNeedToken].filter((check) => !keepsPassword(check)),
  ],
};
