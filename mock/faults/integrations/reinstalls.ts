/** Faults that only a second installation shows: beside another one, or after a deleted one. */
import type { Installation } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { Rules } from '../../types/rules.ts';
import { APPS, affectsEveryInstallation } from '../apps/interception.ts';
import { memory } from '../interception.ts';
import { seen } from './interception.ts';

/** Whether an app was deleted. */
const deletedOnce = memory(() => ({ any: false }));

type InstallQuery = Rules['installQuery'];

/** Changes the parameters of loads once an app was deleted; `deleted` is the code of that installation. */
const queriesAfterDelete =
  (
    change: (
      deleted: string,
      query: ReturnType<InstallQuery>,
      visit: Parameters<InstallQuery>[0],
    ) => ReturnType<InstallQuery>,
  ) =>
  (correct: Rules): Partial<Rules> => {
    let deleted: string | undefined;
    return {
      uninstall: (installations, row) => {
        deleted = row.authCode;
        correct.uninstall(installations, row);
      },
      installQuery: (visit, callback) => {
        const query = correct.installQuery(visit, callback);
        return deleted === undefined ? query : change(deleted, query, visit);
      },
    };
  };

export const reinstallFaults: readonly Deviation[] = [
  seen(
    'settings.code-of-deleted-installation',
    'settings.request.auth-code',
    'When an app is installed again, its settings are opened with the code of the deleted installation.',
    queriesAfterDelete((deleted, query, visit) =>
      query.map(([name, text]) => [name, name === 'authCode' && visit.kind === 'settings' ? deleted : text]),
    ),
  ),
  {
    id: 'install.again-finished-at-once',
    clause: 'apps.installed.required',
    about:
      'An app that was deleted and is installed again counts as installed as soon as the user accepts the permissions.',
    surface: 'browser',
    http: async (request, next, service) => {
      const { pathname } = new URL(request.url);
      const { installations } = service.state;
      const had = deletedOnce(service);
      if (pathname === '/v1/apps/delete/') had.any = true;
      const response = await next(request);
      if (had.any && pathname.endsWith('/accept')) {
        const row = installations.all().at(-1);
        if (row !== undefined) service.change(() => void installations.set(row.authCode, { ...row, installed: true }));
      }
      return response;
    },
  },
  seen(
    'install.old-code-on-first-load',
    'install.sequence.first-load-without-auth-code',
    'When an app is installed again, the first load has the code of the deleted installation.',
    queriesAfterDelete((deleted, query, { authCode }) =>
      authCode === null ? [['authCode', deleted], ...query] : query,
    ),
  ),
  {
    id: 'install.empties-others',
    clause: 'apps.isolation.data',
    about: 'An app that is installed once more on a website finds its other installations there emptied.',
    surface: 'browser',
    http: async (request, next, service) => {
      const { installations } = service.state;
      const response = await next(request);
      const fresh = new URL(request.url).pathname.endsWith('/accept') ? installations.all().at(-1) : undefined;
      if (fresh !== undefined) {
        const isOther = ({ authCode, appId, websiteId }: Installation): boolean =>
          authCode !== fresh.authCode && appId === fresh.appId && websiteId === fresh.websiteId;
        service.change(() => {
          for (const one of installations.filter(isOther))
            installations.set(one.authCode, { ...one, data: '', snippets: {} });
        });
      }
      return response;
    },
  },
  {
    id: 'install.finished-by-any-call',
    clause: 'apps.installed.required',
    about: 'Any call of an app finishes its installation.',
    surface: 'browser',
    http: async (request, next, service) => {
      const { pathname, searchParams } = new URL(request.url);
      const { installations } = service.state;
      const row = installations.get(searchParams.get('authCode') ?? '');
      if (pathname.startsWith('/v1/apps/') && row !== undefined && !row.installed)
        service.change(() => void installations.set(row.authCode, { ...row, installed: true }));
      return next(request);
    },
  },
  {
    id: 'install.finished-for-all',
    clause: 'apps.installed.required',
    about: 'The call installed finishes all installations of the app.',
    surface: 'browser',
    http: affectsEveryInstallation(APPS.installed, (row) => ({ ...row, installed: true })),
  },
  seen(
    'install.delete-ends-others',
    'apps.isolation.delete',
    'Delete ends all installations of the app on the website.',
    (correct) => ({
      uninstall: (installations, row) => {
        for (const other of installations.all())
          if (other.appId === row.appId && other.websiteId === row.websiteId) correct.uninstall(installations, other);
      },
    }),
  ),
  seen(
    'install.delete-unfinishes-others',
    'apps.isolation.delete',
    'After a delete no installation of the app counts as installed; the others keep what they hold.',
    (correct) => ({
      uninstall: (installations, row) => {
        correct.uninstall(installations, row);
        for (const other of installations.filter(({ appId }) => appId === row.appId))
          installations.set(other.authCode, { ...other, installed: false });
      },
    }),
  ),
  seen(
    'install.old-snippets-back-on-pages',
    'apps.delete.clears-snippets',
    'A deleted snippet is on the pages again as soon as the app is installed again; reads do not return it.',
    (correct) => {
      const old = new Map<number, Installation>();
      return {
        uninstall: (installations, row) => {
          old.set(row.websiteId, row);
          correct.uninstall(installations, row);
        },
        finishInstallation: (row) => {
          const deleted = old.get(row.websiteId);
          const finished = correct.finishInstallation(row);
          return deleted === undefined ? finished : { ...finished, snippets: { old: deleted.snippets['*'] ?? '' } };
        },
        snippetsFor: (row, language) => [
          ...correct.snippetsFor(row, language),
          ...[row.snippets.old ?? ''].filter((text) => text !== ''),
        ],
      };
    },
  ),
];
