/** Faults of logouts that end more than their own session, or none after the first. */
import type { Deviation } from '../../../types/deviation.ts';
import { intercepts, memory, remembering } from '../../interception.ts';
import { API, refused } from '../interception.ts';

type Http = NonNullable<Deviation['http']>;

/** A logout loses the settings of the account, which all its sessions read from one cache. */
const lostByLogout: Http = remembering(() => {
  const cache = memory(() => ({ isLost: false }));
  return intercepts('*', API.any, async (met) => {
    const of = cache(met.service);
    const { pathname } = new URL(met.request.url);
    if (of.isLost && API.settings.test(pathname)) return refused(404, 'No settings.');
    const response = await met.pass();
    of.isLost ||= API.logout.test(pathname) && response.status === 200;
    return response;
  });
});

/** Only the first logout is served. */
const onlyOnce: Http = remembering(() => {
  const account = memory(() => ({ hasLoggedOut: false }));
  return intercepts('*', API.logout, async (met) => {
    const of = account(met.service);
    if (of.hasLoggedOut) return refused(409, 'There is nothing to end.');
    const response = await met.pass();
    of.hasLoggedOut = response.status === 200;
    return response;
  });
});

export const logoutFaults: readonly Deviation[] = [
  {
    id: 'reseller.settings-lost-by-logout',
    clause: 'reseller.authorize.token-works',
    about: 'After a logout no session can read the settings.',
    http: lostByLogout,
  },
  {
    id: 'reseller.logout-only-once',
    clause: 'reseller.logout.invalidates',
    about: 'Once a token was logged out, the logout of every other one is refused.',
    http: onlyOnce,
  },
];
