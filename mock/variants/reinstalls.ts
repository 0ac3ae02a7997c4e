/** Installing an app, also again on the same website, as other services handle it. */
import { memory, refused } from '../faults/interception.ts';
import type { Installation } from '../state/state.ts';
import type { Deviation } from '../types/deviation.ts';
import type { MockService } from '../types/service.ts';
import { isThere } from './looking.ts';

const INSTALL = /^\/catalog\/([^/]+)\/install$/;
const ACCEPT = /\/accept$/;
const INSTALLED = /^\/v1\/apps\/installed\/?$/;

/** So long an installation waits after the call that finishes it. */
const LATER_MS = 500;

/** The codes that a service has made itself, which those of the fixtures are not. */
const codesMade = memory(() => new Set<string>());

/** Passes an acceptance on, and notes the codes of the installations that it makes. Returns these installations. */
async function accept(
  request: Request,
  next: (request: Request) => Promise<Response>,
  service: MockService,
): Promise<{ readonly response: Response; readonly latest: readonly Installation[] }> {
  const { installations } = service.state;
  const before = new Set(installations.all().map(({ authCode }) => authCode));
  const response = await next(request);
  const latest = installations.all().filter(({ authCode }) => !before.has(authCode));
  for (const { authCode } of latest) codesMade(service).add(authCode);
  return { response, latest };
}

const isAcceptance = (request: Request): boolean => ACCEPT.test(new URL(request.url).pathname);

/** Ends the installations on the same website that were there before, of those that it may end. */
const endingEarlier =
  (mayEnd: (code: string, earlier: ReadonlySet<string>) => boolean): NonNullable<Deviation['http']> =>
  async (request, next, service) => {
    if (!isAcceptance(request)) return next(request);
    const earlier = new Set(codesMade(service));
    const { response, latest } = await accept(request, next, service);
    const { installations } = service.state;
    for (const { authCode, appId, websiteId } of latest) {
      for (const row of installations.all()) {
        const isSamePlace = row.appId === appId && row.websiteId === websiteId && row.authCode !== authCode;
        if (isSamePlace && mayEnd(row.authCode, earlier)) service.change(() => installations.delete(row.authCode));
      }
    }
    return response;
  };

/** Gives out one code until the installation is deleted. */
const sameCode: NonNullable<Deviation['rules']> = (correct) => {
  let code: string | undefined;
  return {
    newAuthCode: (random) => {
      code ??= correct.newAuthCode(random);
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
    id: 'install.calls-once-finished',
    about: 'Until an installation is finished, all other calls with its code are refused.',
    http: async (request, next, { state }) => {
      const { pathname, searchParams } = new URL(request.url);
      const isCall = pathname.startsWith('/v1/apps/') && !INSTALLED.test(pathname);
      const row = state.installations.get(searchParams.get('authCode') ?? '');
      return isCall && row?.installed === false ? refused(409, 'Finish the installation first.') : next(request);
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
    about:
      'Installing an app again on a website ends the installation that was made there before, and not that of the fixtures.',
    http: endingEarlier((code, earlier) => earlier.has(code)),
  },
  {
    id: 'install.one-per-website',
    about: 'A website has one installation of an app at a time: installing it again ends the one that was there.',
    http: endingEarlier(() => true),
  },
  {
    id: 'install.opens-existing',
    about:
      'Installing an app on a website that has it opens the installation there, with its code; once it is finished, installed is refused.',
    rules: () => ({
      openedInstallation: (installations, { appId, websiteId }) =>
        installations.find((row) => row.appId === appId && row.websiteId === websiteId),
    }),
    http: async (request, next, { state }) => {
      const { pathname, searchParams } = new URL(request.url);
      const isFinished = state.installations.get(searchParams.get('authCode') ?? '')?.installed === true;
      return INSTALLED.test(pathname) && isFinished ? refused(409, 'The app is installed.') : next(request);
    },
  },
  {
    id: 'install.same-code-again',
    about: 'Installing an app again gives its installation the same code; once it is finished, installed is refused.',
    rules: sameCode,
    http: async (request, next, service) => {
      if (isAcceptance(request)) return (await accept(request, next, service)).response;
      const { pathname, searchParams } = new URL(request.url);
      const code = searchParams.get('authCode') ?? '';
      const isFinished = codesMade(service).has(code) && service.state.installations.get(code)?.installed === true;
      return INSTALLED.test(pathname) && isFinished ? refused(409, 'The app is installed.') : next(request);
    },
  },
];
