/** Faults of what an app is loaded with: codes of other installations, parameters that are there twice, and what only an app in a new tab lacks. */
import type { Pairs } from '../../http/call.ts';
import type { Visit } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import { seen } from './interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;
type Load = Omit<Visit, 'sent'>;

/** Changes the parameters of the loads that are meant. */
const loads =
  (isMeant: (visit: Load) => boolean, change: (pairs: Pairs) => Pairs): MakesRules =>
  (correct) => ({
    installQuery: (visit, callback) => {
      const pairs = correct.installQuery(visit, callback);
      return isMeant(visit) ? change(pairs) : pairs;
    },
  });

/** Changes the parameters of apps that open in a new tab. */
const inNewTab =
  (change: (pairs: Pairs, visit: Load) => Pairs): MakesRules =>
  (correct) => {
    let mode: 'blank' | 'self' = 'self';
    return {
      tabModeOf: (app) => {
        mode = correct.tabModeOf(app);
        return mode;
      },
      installQuery: (visit, callback) => {
        const pairs = correct.installQuery(visit, callback);
        return mode === 'blank' ? change(pairs, visit) : pairs;
      },
    };
  };

const without = (pairs: Pairs, name: string): Pairs => pairs.filter(([other]) => other !== name);

const STALE: Pairs[number] = ['authCode', 'b1946ac92492d2347c6235b4d2611184'];

export const loadFaults: readonly Deviation[] = [
  seen(
    'install.empty-code-on-first-load',
    'install.sequence.first-load-without-auth-code',
    'The first load has an authCode without a value.',
    loads(
      ({ authCode }) => authCode === null,
      (pairs) => [['authCode', ''], ...pairs],
    ),
  ),
  seen(
    'install.second-code-at-end',
    'install.sequence.second-load-with-auth-code',
    'The second load has one more authCode, which belongs to no installation.',
    loads(
      ({ kind, authCode }) => kind === 'install' && authCode !== null,
      (pairs) => [...pairs, STALE],
    ),
  ),
  seen(
    'settings.second-code-at-end',
    'settings.request.auth-code',
    'Settings requests have one more authCode, which belongs to no installation.',
    loads(
      ({ kind }) => kind === 'settings',
      (pairs) => [...pairs, STALE],
    ),
  ),
  seen(
    'install.language-twice',
    ['install.parameters.language', 'settings.request.language'],
    'The language is sent once more, without a value.',
    loads(
      () => true,
      (pairs) => [...pairs, ['language', '']],
    ),
  ),
  seen(
    'install.version-undefined',
    ['install.parameters.platform-version', 'settings.request.platform-version'],
    'The platform version is what a program prints for a missing value.',
    () => ({ platformVersion: () => 'undefined' }),
  ),
  seen(
    'install.no-callback-in-new-tab',
    'install.parameters.callback',
    'The second load of an app that opens in a new tab has an empty callback.',
    inNewTab((pairs, { kind, authCode }) =>
      pairs.map(([name, text]) => [name, name === 'callback' && kind === 'install' && authCode !== null ? '' : text]),
    ),
  ),
  seen(
    'install.no-language-in-new-tab',
    ['install.parameters.language', 'settings.request.language'],
    'Apps that open in a new tab are loaded without a language.',
    inNewTab((pairs) => without(pairs, 'language')),
  ),
  seen(
    'settings.no-app-id-in-new-tab',
    'settings.request.app-id',
    'The settings of apps that open in a new tab are loaded without an appId.',
    inNewTab((pairs, { kind }) => (kind === 'settings' ? without(pairs, 'appId') : pairs)),
  ),
  {
    id: 'settings.code-of-latest-installation',
    clause: 'settings.request.auth-code',
    about: 'Settings are opened with the code of the latest installation of the app on the website.',
    surface: 'browser',
    http: async (request, next, service) => {
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/catalog/settings') return next(request);
      const form = new URLSearchParams(await request.text());
      const own = service.state.installations.get(form.get('auth_code') ?? '');
      const all = service.state.installations.filter(
        ({ appId, websiteId }) => appId === own?.appId && websiteId === own.websiteId,
      );
      form.set('auth_code', all.at(-1)?.authCode ?? '');
      const headers = new Headers(request.headers);
      headers.delete('content-length');
      return next(new Request(request.url, { method: 'POST', headers, body: form.toString() }));
    },
  },
];
