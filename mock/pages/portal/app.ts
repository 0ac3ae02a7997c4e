/** Setup portal of app developers: manifest, API key, approval and re-submission (interfaces.md, "What the service does", B). */
import { judgeAppManifest } from '../../../contracts/manifests/index.ts';
import type { App, AppManifest } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { html } from '../html.ts';
import type { PageRoutes } from '../layout/shell.ts';
import { mountPortal, type Portal } from './portal.ts';

const EXAMPLE_MANIFEST = {
  app_type: 'APP',
  app_title: 'Example app',
  app_icon: 'https://app.example/icon.png',
  app_version: '1.0.0',
  app_description_short: { en: 'Says hello on every page' },
  app_description_full: { en: 'Puts a friendly line under every page of your website.' },
  app_vendor: {
    company_name: 'Example Apps Ltd',
    support_email: 'support@app.example',
    support_phone: '+371 20000000',
    developer_email: 'developer@app.example',
    company_url: 'https://app.example/',
    support_url: 'https://app.example/support',
    privacy_url: 'https://app.example/privacy',
    tos_url: 'https://app.example/terms',
  },
  app_permissions: ['FULL'],
  app_tab_mode: 'blank',
  app_install_url: 'https://app.example/install',
  app_settings_url: 'https://app.example/settings',
  app_secret: 'choose-a-long-random-secret',
};

/** Placeholder for the secret of a registered app: the portal accepts a new one, and never shows the current one. */
const KEPT_SECRET = '(unchanged; write a new secret here to replace it)';

const shownManifest = ({ pending, manifest }: App): string =>
  JSON.stringify({ ...(pending ?? manifest), app_secret: KEPT_SECRET }, null, 2);

const approvalNote = (app: App): string => {
  if (app.status !== 'approved')
    return 'The catalog lists the app after the operator has approved it. Until then you can install it from here.';
  return app.pending
    ? 'The catalog runs on the approved manifest. Your changes wait for the operator.'
    : 'The catalog runs on this manifest. Changes need another approval; until then the approved one stays live.';
};

function createApp(service: MockService, manifest: AppManifest): App {
  return service.change(() => {
    const id = service.random(8).toString('hex');
    const apiKey = service.random(24).toString('hex');
    return service.state.apps.set(id, { id, apiKey, keyShown: false, status: 'draft', manifest, pending: null });
  });
}

/** An approved app keeps its approved manifest; the new one waits for approval. */
function keepManifest(service: MockService, app: App, given: AppManifest): App {
  const { app_secret } = given.app_secret === KEPT_SECRET ? (app.pending ?? app.manifest) : given;
  const manifest = { ...given, app_secret };
  const change = app.status === 'approved' ? { pending: manifest } : { manifest };
  return service.change(() => service.state.apps.patch(app.id, change));
}

const PORTAL: Portal<App> = {
  base: '/portal/apps/',
  words: { list: 'Apps', column: 'App', create: 'New app', key: 'API key', unknown: 'app', one: 'app' },
  example: EXAMPLE_MANIFEST,
  judge: judgeAppManifest,
  rows: ({ state }) => state.apps.all(),
  create: (service, manifest) => createApp(service, manifest as AppManifest),
  change: (service, { id }, change) => service.change(() => void service.state.apps.patch(id, change)),
  keep: (service, app, manifest) => keepManifest(service, app, manifest as AppManifest),
  shown: shownManifest,
  shownWhenSaved: shownManifest,
  note: approvalNote,
  badge: ({ pending }) => pending !== null && html` <span class="badge">changes wait for approval</span>`,
  beforeKey: ({ id, status }) =>
    html`<section><h2>App id</h2><p><code id="app-id">${id}</code></p>${
      status !== 'approved' &&
      html`<p><a href="/catalog/${encodeURIComponent(id)}/">Install it on a website to test it</a></p>`
    }</section>`,
  save: ({ status }) => ({ button: status === 'approved' ? 'Save and submit for approval' : 'Save the manifest' }),
};

/** Adds the pages under /portal/apps/. */
export const mountAppPortal = (routes: PageRoutes): void => mountPortal(routes, PORTAL);
