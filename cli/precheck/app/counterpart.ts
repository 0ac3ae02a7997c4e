/** The service's part in installations of the app under test, taken from the embedded mock. */

import { installHash } from '../../../contracts/install-hash/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { APP_CALLBACK_PATH, acceptPermissions, startInstall, startSettings } from '../../../mock/apps/installs.ts';
import { siteUrl } from '../../../mock/state/sites.ts';
import type { AppManifest, Website } from '../../../mock/state/state.ts';
import type { AppCounterpart, AppUnderTest, Load } from '../../../suites/app/session.ts';
import { mixedCase, similarIds } from '../counterpart/ids.ts';
import type { OpenCounterpart } from '../counterpart/index.ts';

/** Puts the app into the catalog, approved, whatever its manifest is worth: the portal would refuse a faulty one. */
export function registerApp({ service }: OpenCounterpart, app: AppUnderTest): void {
  service.change(() =>
    service.state.apps.set(app.appId, {
      id: app.appId,
      apiKey: app.apiKey.reveal(),
      keyShown: true,
      status: 'approved',
      manifest: usableManifest(app),
      pending: null,
    }),
  );
}

/** As long as the codes of the mock. */
const CODE_CHARACTERS = 40;
const TOKEN_CHARACTERS = 32;
const ALIAS_CHARACTERS = 10;

/** What the mock needs of a manifest, where the app's own has it. */
function usableManifest(app: AppUnderTest): AppManifest {
  const { manifest } = app;
  const text = (name: string, otherwise: string): string => {
    const value = manifest[name];
    return typeof value === 'string' && value.trim() !== '' ? value : otherwise;
  };
  const texts = (name: string): string | Record<string, string> => {
    const value = manifest[name];
    if (!isJsonObject(value)) return text(name, 'App under test');
    return Object.fromEntries(
      Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    );
  };
  return {
    app_type: 'APP',
    app_title: text('app_title', 'App under test'),
    ...(manifest.app_display_title === undefined ? {} : { app_display_title: texts('app_display_title') }),
    app_icon: text('app_icon', ''),
    app_version: text('app_version', '0.0.0'),
    app_description_short: texts('app_description_short'),
    app_description_full: texts('app_description_full'),
    app_vendor: isJsonObject(manifest.app_vendor) ? manifest.app_vendor : {},
    app_permissions: ['FULL'],
    app_tab_mode: app.tabMode ?? 'blank',
    app_install_url: app.installUrl ?? '',
    app_settings_url: app.settingsUrl ?? '',
    app_secret: app.secret?.reveal() ?? '',
  };
}

/** How a code in base64 may end. */
const BASE64_END = '+a/b==';

/**
 * The counterpart of an app: the service, and its part of an installation without a browser. `coded` hears of each authCode
 * before any other caller does, under a name of its own.
 */
export function appCounterpart(
  counterpart: OpenCounterpart,
  app: AppUnderTest,
  coded: (name: string, authCode: string) => void,
): AppCounterpart {
  const { service } = counterpart;
  let codes = 0;
  let begun: string | undefined;
  const newCode = similarIds(CODE_CHARACTERS);
  service.rules.newAuthCode = () => {
    const authCode = begun === undefined ? newCode() : `${begun}${BASE64_END}`;
    begun = undefined;
    codes += 1;
    coded(`AUTH_CODE_${codes}`, authCode);
    return authCode;
  };
  service.rules.newVisitToken = () => mixedCase(TOKEN_CHARACTERS);
  const websites = service.state.websites.all();
  /** Like the first one, but with a name, an address and a user of its own. */
  const newWebsite = (brandname?: string): Website => {
    const alias = `shop-${mixedCase(ALIAS_CHARACTERS).toLowerCase()}`;
    const first = websites[0] as Website;
    const id = Math.max(...service.state.websites.all().map((website) => website.id)) + 1;
    const user = { ...first.user, name: `Owner of ${alias}`, email: `owner@${alias}.example` };
    const made = {
      ...first,
      id,
      alias,
      brandname: brandname ?? `Brand ${alias}`,
      apiKey: mixedCase(CODE_CHARACTERS),
      user,
    };
    service.change(() => service.state.websites.set(String(id), made));
    return made;
  };
  const loadOf = ({ url, token }: Load): Load => ({ url, token });
  const websiteOf = (authCode: string): Website | undefined => {
    const websiteId = service.state.installations.get(authCode)?.websiteId;
    return websiteId === undefined ? undefined : service.state.websites.get(String(websiteId));
  };
  const factsOf = (all: readonly Website[]) => ({
    website: all.flatMap((website) => [website.brandname, siteUrl(service, website)]),
    user: all.map(({ user }) => user.email),
  });
  const ofApp = () => service.state.installations.filter(({ appId }) => appId === app.appId);
  return Object.assign(Object.create(counterpart) as OpenCounterpart, {
    callbackPath: APP_CALLBACK_PATH,
    beginInstall: (website = 0) => {
      const { id } =
        typeof website === 'number'
          ? (websites[website] as Website)
          : newWebsite(website === 'new' ? undefined : website.brandname);
      return loadOf(startInstall(service, { appId: app.appId, websiteId: id }));
    },
    accept: (token: string) => {
      // An app that returned with other parameters was refused; what it does next is still judged.
      service.change(() => service.state.visits.patch(token, { stage: 'agreed' }));
      const load = acceptPermissions(service, token);
      return { ...loadOf(load), authCode: service.state.visits.get(token)?.authCode ?? '' };
    },
    nextCodeInBase64: () => {
      begun = mixedCase(CODE_CHARACTERS - BASE64_END.length);
      return begun;
    },
    beginSettings: (authCode: string) => loadOf(startSettings(service, authCode)),
    uninstall: (authCode: string) => {
      const installation = service.state.installations.get(authCode);
      if (installation === undefined) return;
      service.change(() => service.rules.uninstall(service.state.installations, installation));
    },
    installations: () => ofApp().map(({ authCode, installed }) => ({ authCode, installed })),
    factsOf: (authCode: string) => {
      const website = websiteOf(authCode);
      return website === undefined ? {} : factsOf([website]);
    },
    factsOfOthers: (authCode: string) => {
      const own = websiteOf(authCode);
      if (own === undefined) return {};
      return factsOf(service.state.websites.filter(({ id, user }) => id !== own.id && user.email !== own.user.email));
    },
    hashWith: (encoding) => {
      service.rules.installHash = (query, secret) => installHash(query, secret, encoding);
    },
  } satisfies Omit<AppCounterpart, keyof OpenCounterpart>);
}
