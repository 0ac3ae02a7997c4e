/** Faults of installing an app, of its settings, and of ending it. */

import { APP_CALLBACK_PATH, acceptPermissions } from '../../apps/installs.ts';
import type { Pairs } from '../../http/call.ts';
import type { Visit } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import { page } from '../interception.ts';
import { seen } from './interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;
type Http = NonNullable<Deviation['http']>;

/** Changes a parameter in requests of one kind; null removes it. */
const sent =
  (kind: Visit['kind'], name: string, change: (value: string) => string | null): MakesRules =>
  (correct) => ({
    installQuery: (visit, callback) =>
      correct.installQuery(visit, callback).flatMap(([key, old]): Pairs => {
        const now = key === name && visit.kind === kind ? change(old) : old;
        return now === null ? [] : [[key, now]];
      }),
  });

const parameter = (
  name: string,
  clause: string,
  whatIsWrong: string,
  change: (value: string) => string | null,
): readonly Deviation[] => [
  seen(
    `install.${clause}-wrong`,
    `install.parameters.${clause}`,
    `In install requests ${whatIsWrong}; in settings requests it is correct.`,
    sent('install', name, change),
  ),
  seen(
    `settings.${clause}-wrong`,
    `settings.request.${clause}`,
    `In settings requests ${whatIsWrong}; in install requests it is correct.`,
    sent('settings', name, change),
  ),
];

/** The visit that a user returns from. */
const visitOf = (request: Request, service: Parameters<Http>[2]): Visit | undefined => {
  const { pathname } = new URL(request.url);
  const token = pathname.startsWith(APP_CALLBACK_PATH) ? pathname.slice(APP_CALLBACK_PATH.length) : '';
  return service.state.visits.get(token);
};

/** Changes the key of hashes in requests of one kind. */
const hashedWith =
  (isMeant: (visit: Omit<Visit, 'sent'>) => boolean, key: (secret: string) => string): MakesRules =>
  (correct) => {
    let isNow = false;
    return {
      installQuery: (visit, callback) => {
        isNow = isMeant(visit);
        return correct.installQuery(visit, callback);
      },
      installHash: (query, secret) => correct.installHash(query, isNow ? key(secret) : secret),
    };
  };

const HASHES: readonly Deviation[] = [
  seen(
    'install.no-hash',
    'install.hash.present',
    'Install requests have no hash; settings requests have one.',
    (correct) => {
      let isInstall = false;
      return {
        installQuery: (visit, callback) => {
          isInstall = visit.kind === 'install';
          return correct.installQuery(visit, callback);
        },
        withHash: (pairs, hash) => (isInstall ? pairs : correct.withHash(pairs, hash)),
      };
    },
  ),
  seen(
    'install.hash-upper-case',
    ['install.hash.lowercase-hex', 'settings.request.hash-correct'],
    'Hashes of install and settings requests are written in upper case.',
    (correct) => ({ installHash: (query, secret) => correct.installHash(query, secret).toUpperCase() }),
  ),
  seen(
    'install.hash-in-base64',
    ['install.hash.lowercase-hex', 'settings.request.hash-correct'],
    'Hashes are written in base64.',
    (correct) => ({
      installHash: (query, secret) => Buffer.from(correct.installHash(query, secret), 'hex').toString('base64'),
    }),
  ),
  seen(
    'install.hash-with-cut-secret',
    ['install.hash.first-load-correct', 'install.hash.second-load-correct', 'settings.request.hash-correct'],
    'All hashes are keyed with the first eight characters of the secret.',
    (correct) => ({ installHash: (query, secret) => correct.installHash(query, secret.slice(0, 8)) }),
  ),
  seen(
    'install.first-hash-with-app-id',
    'install.hash.first-load-correct',
    'The first load is hashed with a different secret.',
    hashedWith(
      ({ kind, authCode }) => kind === 'install' && authCode === null,
      (secret) => `${secret}.`,
    ),
  ),
  seen(
    'install.second-hash-wrong',
    'install.hash.second-load-correct',
    'The second load is hashed with a different secret.',
    hashedWith(
      ({ kind, authCode }) => kind === 'install' && authCode !== null,
      (secret) => secret.toLowerCase(),
    ),
  ),
  seen(
    'install.hash-without-code',
    ['install.hash.second-load-correct', 'settings.request.hash-correct'],
    'The authCode is sent, but not hashed.',
    (correct) => ({
      hashedPairs: (own, added) => correct.hashedPairs(own, added).filter(([name]) => name !== 'authCode'),
    }),
  ),
  seen(
    'install.hash-sorted-by-name',
    ['install.hash.first-load-correct', 'install.hash.second-load-correct', 'settings.request.hash-correct'],
    'Parameters are hashed in the order of their names.',
    (correct) => ({
      hashedPairs: (own, added) => [...correct.hashedPairs(own, added)].sort(([a], [b]) => (a < b ? -1 : 1)),
    }),
  ),
  seen(
    'install.hash-without-own-query',
    'install.hash.covers-app-query',
    'Parameters of the app’s own address are sent, but not hashed.',
    (correct) => ({ hashedPairs: (_own, added) => correct.hashedPairs([], added) }),
  ),
  seen(
    'install.version-with-tilde',
    'install.hash.encodings-agree',
    'The platform version contains a character that query encoders write in two ways.',
    () => ({ platformVersion: () => '2.14.0~1' }),
  ),
  seen(
    'install.callback-with-query',
    'install.parameters.callback-without-query',
    'Callback addresses have a query.',
    sent('install', 'callback', (url) => `${url}?from=app`),
  ),
  seen(
    'settings.hash-wrong',
    'settings.request.hash-correct',
    'Settings requests are hashed with a different secret than install requests.',
    hashedWith(
      ({ kind }) => kind === 'settings',
      (secret) => [...secret].reverse().join(''),
    ),
  ),
];

const SEQUENCE: readonly Deviation[] = [
  {
    id: 'install.app-not-loaded',
    clause: 'install.sequence.first-load',
    about: 'Pressing Install shows a page of the service and loads no app.',
    surface: 'browser',
    http: async (request, next) => {
      const isPress = request.method === 'POST' && /^\/catalog\/.*install\/?$/.test(new URL(request.url).pathname);
      return isPress && !request.url.includes('uninstall') ? page('The app will be installed soon.') : next(request);
    },
  },
  seen(
    'install.code-on-first-load',
    'install.sequence.first-load-without-auth-code',
    'The first load contains the code of an installation that does not exist.',
    (correct) => ({
      installQuery: (visit, callback) => [
        ...(visit.authCode === null ? ([['authCode', 'pending-1f2e3d4c5b6a']] as const) : []),
        ...correct.installQuery(visit, callback),
      ],
    }),
  ),
  seen(
    'install.permission-request-skipped',
    'install.sequence.permission-request',
    'A user who returns from the app sees at once that the installation is complete.',
    () => ({ asksPermission: () => false }),
  ),
  {
    id: 'install.permissions-accepted-automatically',
    clauses: ['install.sequence.permission-request', 'install.sequence.second-load-after-acceptance'],
    about: 'After the app’s redirect, the app is loaded again with a code at once, without a permission request.',
    surface: 'browser',
    http: async (request, next, service) => {
      const visit = visitOf(request, service);
      const response = await next(request);
      if (visit?.stage !== 'asked' || response.status !== 200) return response;
      const { url } = acceptPermissions(service, visit.token);
      return new Response(null, { status: 303, headers: { location: url } });
    },
  },
  seen(
    'install.no-code',
    'install.sequence.second-load-with-auth-code',
    'The second load contains no code; settings requests do.',
    sent('install', 'authCode', () => null),
  ),
  seen(
    'install.code-does-not-work',
    'install.sequence.auth-code-works',
    'The second load contains a wrong code.',
    sent('install', 'authCode', (code) => [...code].reverse().join('')),
  ),
  {
    id: 'install.final-page-missing',
    clause: 'install.sequence.return-ends-sequence',
    about: 'The last redirect of an app leads to a missing page.',
    surface: 'browser',
    http: async (request, next, service) => {
      const visit = visitOf(request, service);
      const response = await next(request);
      return visit?.kind === 'install' && visit.authCode !== null ? page('Not found', 404) : response;
    },
  },
  seen(
    'install.tab-mode-swapped',
    ['install.tab-mode.blank', 'install.tab-mode.self'],
    'Apps that ask for a new tab open in the same one, and vice versa.',
    (correct) => ({ tabModeOf: (app) => (correct.tabModeOf(app) === 'blank' ? 'self' : 'blank') }),
  ),
  seen('install.always-new-tab', 'install.tab-mode.self', 'All apps open in a new tab.', () => ({
    tabModeOf: () => 'blank',
  })),
  {
    id: 'settings.not-loaded',
    clause: 'settings.request.loads-settings-url',
    about: 'Pressing Settings shows a page of the service and loads no app.',
    surface: 'browser',
    http: async (request, next) => {
      const isPress = request.method === 'POST' && new URL(request.url).pathname === '/catalog/settings';
      return isPress ? page('There are no settings.') : next(request);
    },
  },
  seen(
    'settings.code-of-another-installation',
    'settings.request.auth-code',
    'Settings are opened with the code of another installation.',
    sent('settings', 'authCode', (code) => [...code].reverse().join('')),
  ),
];

const ENDS: readonly Deviation[] = [
  {
    id: 'install.installed-too-early',
    clause: 'apps.installed.required',
    about: 'An app counts as installed as soon as the user accepts the permissions.',
    surface: 'browser',
    http: async (request, next, service) => {
      const response = await next(request);
      const waiting = service.state.installations.filter(({ installed }) => !installed);
      if (new URL(request.url).pathname.endsWith('/accept')) {
        service.change(() => {
          for (const row of waiting) service.state.installations.set(row.authCode, { ...row, installed: true });
        });
      }
      return response;
    },
  },
  seen(
    'install.never-installed',
    'apps.installed.completes-installation',
    'The call installed is accepted and does nothing.',
    () => ({
      finishInstallation: (installation) => installation,
    }),
  ),
  seen(
    'install.delete-clears-only',
    'apps.delete.uninstalls',
    'Delete removes snippets and data, but the app stays installed.',
    () => ({
      uninstall: (installations, row) =>
        void installations.set(row.authCode, { ...row, snippets: {}, data: undefined }),
    }),
  ),
  seen(
    'install.delete-leaves-snippets',
    'apps.delete.clears-snippets',
    'Delete removes the data of an installation, but its snippets stay.',
    () => ({
      uninstall: (installations, row) =>
        void installations.set(row.authCode, { ...row, installed: false, data: undefined }),
    }),
  ),
  seen(
    'install.delete-leaves-language-snippets',
    'apps.delete.clears-snippets',
    'Delete removes the general snippet, but those of languages stay.',
    () => ({
      uninstall: (installations, row) =>
        void installations.set(row.authCode, {
          ...row,
          installed: false,
          data: undefined,
          snippets: { ...row.snippets, '*': '' },
        }),
    }),
  ),
  seen(
    'install.delete-leaves-data',
    'apps.delete.clears-data',
    'Delete removes snippets, but the data can still be read.',
    () => ({
      uninstall: (installations, row) =>
        void installations.set(row.authCode, { ...row, installed: false, snippets: {} }),
    }),
  ),
  seen(
    'install.old-data-restored',
    'apps.delete.clears-data',
    'A later installation on the same website has the data of the deleted one.',
    (correct) => {
      const old = new Map<number, unknown>();
      return {
        uninstall: (installations, row) => {
          if (row.data !== undefined) old.set(row.websiteId, row.data);
          correct.uninstall(installations, row);
        },
        dataRead: (row) => correct.dataRead(row) ?? old.get(row.websiteId) ?? null,
      };
    },
  ),
  seen(
    'install.delete-clears-all',
    'apps.isolation.delete',
    'Delete removes snippets and data of all installations of the app.',
    (correct) => ({
      uninstall: (installations, row) => {
        correct.uninstall(installations, row);
        for (const other of installations.all()) {
          if (other.appId !== row.appId) continue;
          installations.set(other.authCode, { ...other, snippets: {}, data: undefined });
        }
      },
    }),
  ),
];

export const installFaults: readonly Deviation[] = [
  ...SEQUENCE,
  ...parameter('appId', 'app-id', 'appId is that of another app', (id) => `${id}0`),
  ...parameter('language', 'language', 'the language is a number', () => '17'),
  ...parameter('callback', 'callback', 'the callback is a path', (url) => new URL(url).pathname),
  ...parameter('platformVersion', 'platform-version', 'platformVersion is empty', () => ''),
  ...HASHES,
  ...ENDS,
];
