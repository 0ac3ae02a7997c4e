/** Installing an app, also again on the same website, as other services handle it. The installations of the fixtures stay as they are. */
import { refused } from '../faults/interception.ts';
import type { Deviation } from '../types/deviation.ts';
import type { MockService } from '../types/service.ts';
import { isThere } from './looking.ts';

const INSTALL = /^\/catalog\/([^/]+)\/install$/;
const ACCEPT = /\/accept$/;
const INSTALLED = /^\/v1\/apps\/installed\/?$/;

/** So long an installation waits after the call that finishes it. */
const LATER_MS = 500;

/** The codes that each service has made itself. */
const made = new WeakMap<MockService, Set<string>>();

/** Notes the codes of new installations, and ends those that were made before on the same website. */
const oneAtATime: NonNullable<Deviation['http']> = async (request, next, service) => {
  if (!ACCEPT.test(new URL(request.url).pathname)) return next(request);
  const { installations } = service.state;
  const before = new Set(installations.all().map(({ authCode }) => authCode));
  const response = await next(request);
  const own = made.get(service) ?? new Set<string>();
  for (const latest of installations.all().filter(({ authCode }) => !before.has(authCode))) {
    for (const row of installations.all()) {
      const isSamePlace = row.appId === latest.appId && row.websiteId === latest.websiteId;
      if (own.has(row.authCode) && isSamePlace) service.change(() => installations.delete(row.authCode));
    }
    made.set(service, own.add(latest.authCode));
  }
  return response;
};

/** Codes that an acceptance gave out, which those of the fixtures are not. */
const givenOut = new Set<string>();

/** Gives out one code until the installation is deleted. */
const sameCode: NonNullable<Deviation['rules']> = (correct) => {
  let code: string | undefined;
  return {
    newAuthCode: (random) => {
      code ??= correct.newAuthCode(random);
      givenOut.add(code);
      return code;
    },
    uninstall: (installations, row) => {
      if (row.authCode === code) code = undefined;
      correct.uninstall(installations, row);
    },
  };
};

export const reinstallVariants: readonly Deviation[] = [
  {
    id: 'install.addresses-looked-at',
    about:
      'Before a user is sent to the app, the service looks whether its addresses lead to pages, without parameters.',
    http: async (request, next, { state }) => {
      const [, id = ''] = INSTALL.exec(new URL(request.url).pathname) ?? [];
      const manifest = state.apps.get(id)?.manifest;
      for (const address of manifest === undefined ? [] : [manifest.app_install_url, manifest.app_settings_url])
        for (const method of ['GET', 'HEAD'] as const) await isThere(address, method);
      return next(request);
    },
  },
  {
    id: 'install.finished-later',
    about: 'An installation counts as finished a moment after the call installed was answered.',
    http: async (request, next, service) => {
      const response = await next(request);
      const { pathname, searchParams } = new URL(request.url);
      const { installations } = service.state;
      const row = installations.get(searchParams.get('authCode') ?? '');
      if (!INSTALLED.test(pathname) || response.status !== 200 || row === undefined) return response;
      service.change(() => void installations.set(row.authCode, { ...row, installed: false }));
      const finish = (): void => {
        const now = installations.get(row.authCode);
        if (now !== undefined) service.change(() => void installations.set(row.authCode, { ...now, installed: true }));
      };
      setTimeout(finish, LATER_MS).unref();
      return response;
    },
  },
  {
    id: 'install.one-at-a-time',
    about: 'Installing an app again on a website ends the installation that was made there before.',
    http: oneAtATime,
  },
  {
    id: 'install.same-code-again',
    about: 'Installing an app again gives its installation the same code; once it is finished, installed is refused.',
    rules: sameCode,
    http: async (request, next, { state }) => {
      const { pathname, searchParams } = new URL(request.url);
      const code = searchParams.get('authCode') ?? '';
      const isFinished = givenOut.has(code) && state.installations.get(code)?.installed === true;
      return INSTALLED.test(pathname) && isFinished ? refused(409, 'The app is installed.') : next(request);
    },
  },
];
