/** `proofmark precheck app`: plays the service for an app, drives an installation in a browser, and judges what the app does. */
import { judgeAppManifest } from '../../../contracts/manifests/index.ts';
import { whyNotReachable } from '../../../harness/integrator/fetch/reachable.ts';
import { whyPortRefused } from '../../../harness/integrator/fetch/refused-ports.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { Secret } from '../../../harness/target/secrets/secret.ts';
import { defaultFixtures } from '../../../mock/fixtures/fixtures.ts';
import { APP_CHECKS, APP_SUITES, APP_SUITES_AFTER } from '../../../suites/app/index.ts';
import { AppSession, type AppUnderTest } from '../../../suites/app/session.ts';
import type { Manifest } from '../manifest.ts';
import { type Precheck, type PrecheckKind, type PrecheckOptions, runPrecheck, type Wait } from '../run.ts';
import { appCounterpart, registerApp } from './counterpart.ts';

/** The same in each precheck, so that an integrator sets it once. */
export const APP_ID = '9001';

/**
 * The third website belongs to the user of the first one, the second to another user. All addresses are confirmed: an app may ask for
 * that before it finishes an installation.
 */
const websites = defaultFixtures.websites.map((website, at) => {
  const first = defaultFixtures.websites[0];
  const user = at === 2 && first !== undefined ? first.user : website.user;
  return { ...website, user: { ...user, confirmed: true } };
});

/** What the precheck of an app has of its own. */
export const APP: PrecheckKind<PrecheckOptions, AppUnderTest, AppSession> = {
  scope: 'app',
  noun: 'app',
  startPage: '/catalog/',
  suites: APP_SUITES,
  suitesAfter: APP_SUITES_AFTER,
  fixtures: () => ({ ...defaultFixtures, websites, apps: [], installations: [] }),
  underTest: (manifest, _options, apiKey) => {
    if (manifest === undefined) throw new UsageError('An app has a manifest: give its file or its address.');
    return appOf(manifest, apiKey);
  },
  addresses: (_options, app) => [app?.installUrl, app?.settingsUrl].filter((address) => address !== undefined),
  named: ({ installUrl, settingsUrl }) => ({ 'install page': installUrl, 'settings page': settingsUrl }),
  secrets: ({ secret }) => (secret === undefined ? [] : [secret]),
  register: registerApp,
  session: (options, counterpart, app) => {
    const learn = (name: string, value: string): void => void options.redaction.add({ name, value });
    return new AppSession({ ...options, counterpart: appCounterpart(counterpart, app, learn) }, app);
  },
  find: findApp,
  notices: (session) => {
    const app = session.unusable.get('app');
    return app?.attribution === 'network' ? [app.reason] : [];
  },
};

/** Prechecks an app. Throws a UsageError for what can't be used: manifest, port, driver. */
export const precheckApp = (options: PrecheckOptions): Promise<Precheck> => runPrecheck(APP, options);

/** What the manifest offers to work with. */
function appOf({ source, value, lineOf }: Manifest, apiKey: Secret): AppUnderTest {
  const address = (name: string): string | undefined => {
    const text = value[name];
    return typeof text === 'string' && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
      ? text
      : undefined;
  };
  const { app_secret: secret, app_tab_mode: tabMode } = value;
  return {
    manifest: value,
    source,
    lineOf,
    faults: judgeAppManifest(value),
    installUrl: address('app_install_url'),
    settingsUrl: address('app_settings_url'),
    tabMode: tabMode === 'blank' || tabMode === 'self' ? tabMode : undefined,
    secret: typeof secret === 'string' && secret !== '' ? new Secret('APP_SECRET', secret) : undefined,
    apiKey,
    appId: APP_ID,
  };
}

/** Notes what checks that load the app can't do without, and waits for the app where they are wanted. */
async function findApp(session: AppSession, selected: ReadonlySet<string>, { ms, signal }: Wait): Promise<void> {
  const { app, unusable, fetcher } = session;
  const lacking = (clause: string, what: string): void =>
    void unusable.set('app', {
      verdict: 'inconclusive',
      attribution: 'target',
      reason: `the manifest has no usable ${what}, so the app can't be installed (${clause})`,
    });
  if (app.secret === undefined) lacking('app.manifest.secret', 'app_secret');
  if (app.settingsUrl === undefined) lacking('app.manifest.settings-url', 'app_settings_url');
  if (app.installUrl === undefined) lacking('app.manifest.install-url', 'app_install_url');
  const wanted = APP_CHECKS.some(({ id, needs }) => selected.has(id) && needs.includes('app'));
  if (!wanted || unusable.has('app') || app.installUrl === undefined) return;
  const refusal = whyPortRefused('app', app.installUrl) ?? whyPortRefused('app', app.settingsUrl);
  if (refusal !== undefined)
    return void unusable.set('app', { verdict: 'inconclusive', attribution: 'configuration', reason: refusal });
  const reason = await whyNotReachable(fetcher, app.installUrl, ms, signal);
  if (reason === undefined) return session.checkTrust(app.installUrl);
  unusable.set('app', {
    verdict: 'inconclusive',
    attribution: 'network',
    reason: `the app did not answer within ${ms / 1000} s at ${app.installUrl}: ${reason}`,
  });
}
