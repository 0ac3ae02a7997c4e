/** Setup portal of app developers: manifest, API key, approval and re-submission (interfaces.md, "What the service does", B). */
import type { Context } from 'hono';
import { judgeAppManifest } from '../../../contracts/manifests/index.ts';
import type { App, AppManifest } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { html } from '../html.ts';
import { readForm } from '../layout/form.ts';
import { PageError, type PageRoutes, page, seeOther } from '../layout/shell.ts';
import { accountOf, forAccount, PORTAL_LINKS } from './accounts.ts';
import {
  approvalSection,
  faultList,
  keyBody,
  keySection,
  manifestForm,
  readManifest,
  type Submitted,
  statusBadge,
} from './manifest-form.ts';

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

/** Placeholder for the secret of a registered app: the portal takes a new one, and never shows the one it has. */
const KEPT_SECRET = '(unchanged; write a new secret here to replace it)';

const shownManifest = (manifest: AppManifest): string =>
  JSON.stringify({ ...manifest, app_secret: KEPT_SECRET }, null, 2);

function ownApp(c: Context, service: MockService, account: string): App {
  const app = service.state.apps.get(c.req.param('id') ?? '');
  if (!app || accountOf({ ...app.manifest }) !== account) throw new PageError(404, 'Your account has no such app.');
  return app;
}

const approvalNote = (app: App): string => {
  if (app.status !== 'approved')
    return 'The catalog lists the app after the operator has approved it. Until then you can install it from here.';
  return app.pending
    ? 'The catalog runs on the approved manifest. Your changes wait for the operator.'
    : 'The catalog runs on this manifest. Changes need another approval; until then the approved one stays live.';
};

function detailsPage(c: Context, app: App, submitted?: Submitted, problem?: string): Response {
  const base = `/portal/apps/${encodeURIComponent(app.id)}`;
  const live = app.status === 'approved';
  const text = submitted?.text ?? shownManifest(app.pending ?? app.manifest);
  return page(c, {
    title: app.manifest.app_title,
    links: PORTAL_LINKS,
    status: submitted?.manifest === null || problem ? 400 : 200,
    body: html`
${submitted && faultList(submitted)}
${problem && html`<section role="alert" class="bad">${problem}</section>`}
${approvalSection({ action: `${base}/submit`, status: app.status, note: approvalNote(app) })}
<section><h2>App id</h2><p><code id="app-id">${app.id}</code></p>${
      !live && html`<p><a href="/catalog/${encodeURIComponent(app.id)}/">Install it into a website, to test it</a></p>`
    }</section>
${keySection({ action: `${base}/key`, name: 'API key', shown: app.keyShown })}
<section><h2>Manifest${app.pending && html` <span class="badge">changes wait for approval</span>`}</h2>
${manifestForm({ action: `${base}/manifest`, text, button: live ? 'Save and submit for approval' : 'Save the manifest' })}</section>`,
  });
}

function newPage(c: Context, account: string, submitted?: Submitted, problem?: string): Response {
  const example = {
    ...EXAMPLE_MANIFEST,
    app_vendor: { ...EXAMPLE_MANIFEST.app_vendor, developer_email: account },
  };
  return page(c, {
    title: 'New app',
    links: PORTAL_LINKS,
    status: submitted ? 400 : 200,
    body: html`${submitted && faultList(submitted)}
${problem && html`<section role="alert" class="bad">${problem}</section>`}
<section>${manifestForm({ action: '/portal/apps/', text: submitted?.text ?? JSON.stringify(example, null, 2), button: 'Submit the manifest' })}</section>`,
  });
}

const listPage = (c: Context, own: readonly App[]): Response =>
  page(c, {
    title: 'Apps',
    links: PORTAL_LINKS,
    body: html`<section>${
      own.length === 0
        ? html`<p>You have none yet.</p>`
        : html`<table><thead><tr><th scope="col">App</th><th scope="col">State</th></tr></thead><tbody>
${own.map((app) => html`<tr><td><a href="/portal/apps/${encodeURIComponent(app.id)}">${app.manifest.app_title}</a></td><td>${statusBadge(app.status)}${app.pending && html` <span class="badge">changes wait for approval</span>`}</td></tr>`)}
</tbody></table>`
    }</section><p><a class="button" href="/portal/apps/new">New app</a></p>`,
  });

function createApp(service: MockService, manifest: AppManifest): App {
  return service.change(() => {
    const id = service.random(8).toString('hex');
    const apiKey = service.random(24).toString('hex');
    return service.state.apps.set(id, { id, apiKey, keyShown: false, status: 'draft', manifest, pending: null });
  });
}

/** An approved app goes on with its approved manifest; the new one waits beside it. */
function keepManifest(service: MockService, app: App, given: AppManifest): App {
  const { app_secret } = given.app_secret === KEPT_SECRET ? (app.pending ?? app.manifest) : given;
  const manifest = { ...given, app_secret };
  const change = app.status === 'approved' ? { pending: manifest } : { manifest };
  return service.change(() => service.state.apps.patch(app.id, change));
}

/** Adds the pages under /portal/apps/. */
export function mountAppPortal(routes: PageRoutes): void {
  const { service } = routes;

  routes.get(
    '/portal/apps/',
    forAccount(service, (c, account) =>
      listPage(
        c,
        service.state.apps.filter(({ manifest }) => accountOf({ ...manifest }) === account),
      ),
    ),
  );

  routes.get(
    '/portal/apps/new',
    forAccount(service, (c, account) => newPage(c, account)),
  );

  routes.post(
    '/portal/apps/',
    forAccount(service, async (c, account) => {
      const submitted = readManifest((await readForm(c)).text('manifest'), judgeAppManifest);
      if (submitted.manifest === null) return newPage(c, account, submitted);
      if (accountOf(submitted.manifest) !== account) {
        return newPage(
          c,
          account,
          submitted,
          `The manifest’s developer_email has to be that of your account, ${account}.`,
        );
      }
      const app = createApp(service, submitted.manifest as unknown as AppManifest);
      return seeOther(c, `/portal/apps/${app.id}`);
    }),
  );

  routes.get(
    '/portal/apps/:id',
    forAccount(service, (c, account) => detailsPage(c, ownApp(c, service, account))),
  );

  routes.post(
    '/portal/apps/:id/manifest',
    forAccount(service, async (c, account) => {
      const submitted = readManifest((await readForm(c)).text('manifest'), judgeAppManifest);
      const app = ownApp(c, service, account);
      if (submitted.manifest === null) return detailsPage(c, app, submitted);
      if (accountOf(submitted.manifest) !== account) {
        const problem = `The manifest’s developer_email has to stay that of your account, ${account}.`;
        return detailsPage(c, app, submitted, problem);
      }
      const kept = keepManifest(service, app, submitted.manifest as unknown as AppManifest);
      return detailsPage(c, kept, { ...submitted, text: shownManifest(kept.pending ?? kept.manifest) });
    }),
  );

  routes.post(
    '/portal/apps/:id/key',
    forAccount(service, (c, account) => {
      const app = ownApp(c, service, account);
      if (app.keyShown) throw new PageError(410, 'The key of this app was shown already.');
      service.change(() => service.state.apps.patch(app.id, { keyShown: true }));
      const back = `/portal/apps/${encodeURIComponent(app.id)}`;
      const body = keyBody({ name: 'API key', key: app.apiKey, back });
      return page(c, { title: app.manifest.app_title, links: PORTAL_LINKS, body });
    }),
  );

  routes.post(
    '/portal/apps/:id/submit',
    forAccount(service, (c, account) => {
      const app = ownApp(c, service, account);
      if (app.status === 'draft' || app.status === 'refused') {
        service.change(() => service.state.apps.patch(app.id, { status: 'submitted' }));
      }
      return seeOther(c, `/portal/apps/${encodeURIComponent(app.id)}`);
    }),
  );
}
