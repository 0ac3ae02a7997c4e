/** Installing an app and opening its settings: the requests that the service sends through the user's browser. */
import type { Pairs } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { pairsOf } from '../http/request.ts';
import { encoded } from '../orders/signing.ts';
import type { App, Installation, Visit, Website } from '../state/state.ts';
import type { MockService } from '../types/service.ts';

/** The callback path for apps, followed by the token of the visit. It has no query, because apps append one. */
export const APP_CALLBACK_PATH = '/app_callback/';

/** The address that the browser opens next, in this tab (`self`) or in a new one (`blank`). */
export interface AppLoad {
  readonly url: string;
  readonly tabMode: 'blank' | 'self';
  readonly token: string;
}

/** Apps that a website's catalog shows: approved ones. */
export function catalog(service: MockService): App[] {
  return service.state.apps.filter((app) => service.rules.appIsListed(app));
}

/**
 * Step 1: the user clicks Install. An app that is not approved may be installed too, from its portal: that is how its
 * developer tests it. Each run makes an installation of its own.
 */
export function startInstall(
  service: MockService,
  wanted: { appId: string; websiteId: number; language?: string },
): AppLoad {
  const { app, website } = partiesOf(service, wanted.appId, wanted.websiteId);
  return load(service, app.manifest.app_install_url, app, {
    token: service.rules.newVisitToken(service.random),
    kind: 'install',
    appId: app.id,
    websiteId: website.id,
    language: wanted.language ?? website.defaultLanguage,
    stage: 'asked',
    authCode: null,
  });
}

/** What the user sees after the app's redirect: the permission request, or the end of the installation. */
export type ReturnResult = { readonly show: 'permissions' | 'end'; readonly visit: Visit; readonly app: App };

/** Steps 2 and 7: the app redirected to the callback with the parameters it received. Refuses a return redirect of another visit. */
export function acceptReturn(service: MockService, token: string, received: Pairs): ReturnResult {
  const visit = service.state.visits.get(token);
  if (!visit) return refuse('not-found', 'There is no such visit: start again from the catalog.');
  if (!service.rules.callbackFits(visit, received)) {
    return refuse('invalid', 'The app returned with parameters other than those that it received.');
  }
  const { app } = partiesOf(service, visit.appId, visit.websiteId);
  const show = service.rules.asksPermission(visit) ? 'permissions' : 'end';
  const stage = show === 'permissions' ? 'agreed' : 'returned';
  const now = service.change(() => service.state.visits.patch(token, { stage }));
  return { show, visit: now, app };
}

/** Steps 3 and 4: the user accepts, the installation is created unless one is opened, and the app is loaded with its code. */
export function acceptPermissions(service: MockService, token: string): AppLoad {
  const visit = service.state.visits.get(token);
  if (visit?.kind !== 'install') return refuse('not-found', 'There is no such visit: start again from the catalog.');
  if (visit.stage !== 'agreed') return refuse('conflict', 'These permissions are not being requested.');
  const { app } = partiesOf(service, visit.appId, visit.websiteId);
  const opened = service.rules.openedInstallation(service.state.installations, visit);
  if (opened !== undefined)
    return load(service, app.manifest.app_install_url, app, { ...visit, stage: 'coded', authCode: opened.authCode });
  return service.change(() => {
    const authCode = service.rules.newAuthCode(service.random);
    const installation: Installation = {
      authCode,
      appId: app.id,
      websiteId: visit.websiteId,
      installed: false,
      snippets: {},
    };
    service.state.installations.set(authCode, installation);
    return load(service, app.manifest.app_install_url, app, { ...visit, stage: 'coded', authCode });
  });
}

/** The visit whose permission request is open. Refuses any other token. */
export function pendingVisit(service: MockService, token: string): { readonly visit: Visit; readonly app: App } {
  const visit = service.state.visits.get(token);
  if (visit === undefined || visit.stage !== 'agreed')
    return refuse('not-found', 'These permissions are not being requested.');
  return { visit, app: partiesOf(service, visit.appId, visit.websiteId).app };
}

/** The user declines: the visit ends and nothing is installed. */
export function declinePermissions(service: MockService, token: string): void {
  service.change(() => service.state.visits.delete(token));
}

/** The Settings button of an installed app. */
export function startSettings(service: MockService, authCode: string, language?: string): AppLoad {
  const installation = service.state.installations.get(authCode);
  if (!installation) return refuse('not-found', 'There is no such installation.');
  const { app, website } = partiesOf(service, installation.appId, installation.websiteId);
  return load(service, app.manifest.app_settings_url, app, {
    token: service.rules.newVisitToken(service.random),
    kind: 'settings',
    appId: app.id,
    websiteId: website.id,
    language: language ?? website.defaultLanguage,
    stage: 'coded',
    authCode,
  });
}

/** Whether an authCode belongs to an installation, and whether `installed` was called for it. */
export function installState(service: MockService, authCode: string): { known: boolean; installed: boolean } {
  const installation = service.state.installations.get(authCode);
  return { known: installation !== undefined, installed: installation?.installed ?? false };
}

function partiesOf(service: MockService, appId: string, websiteId: number): { app: App; website: Website } {
  const app = service.state.apps.get(appId);
  const website = service.state.websites.get(String(websiteId));
  if (!app) return refuse('not-found', 'There is no such app.');
  if (!website) return refuse('not-found', 'There is no such website.');
  return { app, website };
}

/** Records the visit and builds the address: the app's own parameters first, then ours, then the hash over all of them. */
function load(service: MockService, address: string, app: App, visit: Omit<Visit, 'sent'>): AppLoad {
  const { rules } = service;
  const [beforeFragment, ...fragment] = address.split('#');
  const [path, ...query] = beforeFragment!.split('?');
  const own = pairsOf(query.join('?')).filter(([name]) => name !== 'hash');
  const added = rules.installQuery(visit, `${service.origin}${APP_CALLBACK_PATH}${visit.token}`);
  const sent = [...own, ...added];
  const hash = rules.installHash(encoded(rules.hashedPairs(own, added)), app.manifest.app_secret);
  service.change(() => service.state.visits.set(visit.token, { ...visit, sent }));
  const tail = fragment.length > 0 ? `#${fragment.join('#')}` : '';
  const url = `${path}?${encoded(rules.withHash(sent, hash))}${tail}`;
  service.onSent?.({ kind: visit.kind, url });
  return {
    url,
    tabMode: rules.tabModeOf(app),
    token: visit.token,
  };
}
