/** App catalog: install with one click, permissions, the return redirect of an app, settings and uninstalling. */
import type { Context } from 'hono';
import {
  APP_CALLBACK_PATH,
  type AppLoad,
  acceptPermissions,
  acceptReturn,
  catalog,
  declinePermissions,
  pendingVisit,
  startInstall,
  startSettings,
} from '../../apps/installs.ts';
import { isWebAddress } from '../../http/addresses.ts';
import { pairsOf } from '../../http/request.ts';
import type { App, Installation, Website } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { type Html, html } from '../html.ts';
import { buttonForm, textField } from '../layout/fields.ts';
import { readForm } from '../layout/form.ts';
import { sameSecret } from '../layout/sessions.ts';
import { PageError, type PageRoutes, page, seeOther } from '../layout/shell.ts';
import { textOf } from '../layout/texts.ts';
import { linkTo } from './orders.ts';
import { forStore, STORE_LINKS } from './session.ts';

/** Redirects the browser to an app. Characters that a header must not contain are percent-encoded. */
function loadApp(c: Context, { url }: AppLoad): Response {
  return seeOther(c, url.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent));
}

function titleOf(app: App, website: Website): string {
  return textOf(app.manifest.app_display_title, website) || app.manifest.app_title;
}

function installButton(service: MockService, app: App, website: Website): Html {
  const fields = html`<input type="hidden" name="language" value="${website.defaultLanguage}">`;
  return buttonForm({
    action: `/catalog/${encodeURIComponent(app.id)}/install`,
    text: 'Install',
    name: `Install ${titleOf(app, website)}`,
    fields,
    newTab: service.rules.tabModeOf(app) === 'blank',
  });
}

function installedState(installation: Installation): Html {
  return installation.installed
    ? html`<span class="badge good" data-installed="yes">installed</span>`
    : html`<span class="badge" data-installed="no">not finished by the app</span>`;
}

function installationButtons(service: MockService, installation: Installation, app: App, name: string): Html {
  const fields = html`<input type="hidden" name="auth_code" value="${installation.authCode}">`;
  return html`${buttonForm({
    action: '/catalog/settings',
    text: 'Settings',
    name: `Settings of ${name}`,
    fields,
    newTab: service.rules.tabModeOf(app) === 'blank',
  })}${buttonForm({ action: '/catalog/uninstall', text: 'Uninstall', name: `Uninstall ${name}`, fields, look: 'danger' })}`;
}

/** Reserved hosts (RFC 2606) of the apps in the fixtures. */
const RESERVED_HOST = /\.(?:example|test|invalid)$/;

/** The icon, without a broken image if it cannot be loaded; a letter if it never could be. */
function iconOf({ manifest }: App, title: string): Html | false {
  if (!isWebAddress(manifest.app_icon)) return false;
  const isReserved = RESERVED_HOST.test(URL.parse(manifest.app_icon)?.hostname ?? '');
  const inside = isReserved
    ? html`<text x="28" y="39" text-anchor="middle">${[...title][0]}</text>`
    : html`<image href="${manifest.app_icon}" width="56" height="56" preserveAspectRatio="xMidYMid slice"/>`;
  return html`<svg class="icon" viewBox="0 0 56 56" aria-hidden="true">${inside}</svg>`;
}

function appCard(service: MockService, app: App, website: Website): Html {
  const { manifest } = app;
  const title = titleOf(app, website);
  return html`<article class="card">${iconOf(app, title)}
<h2><a href="/catalog/${encodeURIComponent(app.id)}/">${title}</a></h2>
<p>${textOf(manifest.app_description_short, website)}</p>${installButton(service, app, website)}</article>`;
}

function installedTable(service: MockService, website: Website): Html {
  const own = service.state.installations.filter(({ websiteId }) => websiteId === website.id);
  const rows = own.flatMap((installation, at) => {
    const app = service.state.apps.get(installation.appId);
    if (!app) return [];
    const title = titleOf(app, website);
    const name = own.length > 1 ? `${title}, installation ${at + 1}` : title;
    return [
      html`<tr><th scope="row">${name}</th><td>${installedState(installation)}</td><td>${installationButtons(service, installation, app, name)}</td></tr>`,
    ];
  });
  return rows.length === 0
    ? html`<p>None yet.</p>`
    : html`<div class="scroll"><table><thead><tr><th scope="col">App</th><th scope="col">State</th><th scope="col">Actions</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function catalogPage(c: Context, service: MockService, website: Website): Response {
  const apps = catalog(service);
  return page(c, {
    title: 'App catalog',
    links: STORE_LINKS,
    body: html`<p class="soft">Apps for ${website.brandname}</p>
${apps.length === 0 ? html`<section><p>There are no approved apps.</p></section>` : html`<div class="apps">${apps.map((app) => appCard(service, app, website))}</div>`}
<section><h2>Apps of this website</h2>${installedTable(service, website)}
<p><a href="/catalog/installation">Find an installation by its code</a></p></section>`,
  });
}

const VENDOR_LINKS = [
  ['company_url', 'Company'],
  ['support_url', 'Support'],
  ['privacy_url', 'Privacy'],
  ['tos_url', 'Terms'],
] as const;

function appPage(c: Context, service: MockService, app: App, website: Website): Response {
  const { manifest } = app;
  const title = titleOf(app, website);
  const vendor = (manifest.app_vendor ?? {}) as Record<string, unknown>;
  const screenshot = textOf(manifest.app_screenshots, website);
  const links = VENDOR_LINKS.flatMap(([field, text]) => {
    const address = textOf(vendor[field], website);
    return address === '' ? [] : [html`<li>${linkTo(address, text)}</li>`];
  });
  return page(c, {
    title,
    links: STORE_LINKS,
    body: html`${app.status !== 'approved' && html`<section class="note"><p>This app is not approved: only people with this link see it.</p></section>`}
<section>${iconOf(app, title)}
<p>${textOf(manifest.app_description_short, website)}</p><p>${textOf(manifest.app_description_full, website)}</p>
<p class="soft">Version ${manifest.app_version}, by ${textOf(vendor.company_name, website)}</p>
${installButton(service, app, website)}</section>
${isWebAddress(screenshot) && html`<section><h2>Screenshot</h2><img src="${screenshot}" alt="Screenshot of the app" loading="lazy" width="480" referrerpolicy="no-referrer"></section>`}
${links.length > 0 && html`<section><h2>Links</h2><ul>${links}</ul></section>`}`,
  });
}

function permissionPage(c: Context, service: MockService, token: string, app: App, website: Website): Response {
  const title = titleOf(app, website);
  const base = `/catalog/permissions/${encodeURIComponent(token)}`;
  return page(c, {
    title: 'Permission request',
    heading: `Allow ${title} to use ${website.brandname}?`,
    body: html`<section><p>${title} asks for full access to this website. It will be able to:</p>
<ul><li>put snippets on its pages</li><li>read its languages, address and name, and your e-mail address</li><li>store data for it</li></ul>
${buttonForm({ action: `${base}/accept`, text: 'Accept' })}${buttonForm({ action: `${base}/decline`, text: 'Decline', look: 'plain' })}</section>
<p class="soft">Website: <a href="${service.pagesOrigin}/catalog/">${website.brandname}</a></p>`,
  });
}

/** Only callbacks come through a tunnel: the permission request is a page on this machine. */
function onwardPage(c: Context, address: string): Response {
  const response = page(c, {
    title: 'Permission request',
    body: html`<section><p><a class="button" href="${address}">Continue to the permission request</a></p></section>`,
  });
  response.headers.set('refresh', `0; url=${address}`);
  return response;
}

function endPage(c: Context, service: MockService, app: App, website: Website, authCode: string | null): Response {
  const installation = authCode === null ? undefined : service.state.installations.get(authCode);
  return page(c, {
    title: 'Back from the app',
    heading: `Back from ${titleOf(app, website)}`,
    links: STORE_LINKS,
    body: html`<section><p>${installation ? installedState(installation) : html`<span class="badge bad">uninstalled</span>`}</p>
<p><a class="button" href="${service.pagesOrigin}/catalog/">Continue to the app catalog</a></p></section>`,
  });
}

function websiteOf(service: MockService, id: number): Website {
  const website = service.state.websites.get(String(id));
  if (!website) throw new PageError(404, 'This website no longer exists.');
  return website;
}

function lookupPage(c: Context, result?: Html, status = 200): Response {
  return page(c, {
    title: 'Installation by its code',
    status,
    body: html`${result}<section><h2>Find an installation</h2>
<form method="post" action="/catalog/installation">
${textField({ name: 'auth_code', label: 'Installation code', hint: 'authCode', type: 'password', required: true })}
<button>Show the installation</button></form></section>`,
  });
}

function foundInstallation(service: MockService, authCode: string): Html | null {
  const installation = service.state.installations.find((row) => sameSecret(authCode, row.authCode));
  const app = installation && service.state.apps.get(installation.appId);
  if (!installation || !app) return null;
  const website = websiteOf(service, installation.websiteId);
  const title = titleOf(app, website);
  return html`<section><h2>${title}</h2><dl><dt>Website</dt><dd>${website.brandname}</dd>
<dt>State</dt><dd>${installedState(installation)}</dd></dl>
${installationButtons(service, installation, app, title)}</section>`;
}

/** Adds the catalog, the permission request and the callback that apps send users back to. */
export function mountCatalog(routes: PageRoutes): void {
  const { service } = routes;

  routes.get(
    '/catalog/',
    forStore(service, (c, { website }) => catalogPage(c, service, website)),
  );

  routes.get('/catalog/installation', (c) => lookupPage(c));
  routes.post('/catalog/installation', async (c) => {
    const found = foundInstallation(service, (await readForm(c)).text('auth_code').trim());
    if (found) return lookupPage(c, found);
    return lookupPage(c, html`<section role="alert"><p>There is no installation with this code.</p></section>`, 404);
  });

  routes.post('/catalog/settings', async (c) => {
    return loadApp(c, startSettings(service, (await readForm(c)).text('auth_code')));
  });

  routes.post('/catalog/uninstall', async (c) => {
    const installation = service.state.installations.get((await readForm(c)).text('auth_code'));
    if (!installation) throw new PageError(404, 'There is no such installation.');
    service.change(() => service.rules.uninstall(service.state.installations, installation));
    return seeOther(c, '/catalog/');
  });

  routes.get('/catalog/permissions/:token', (c) => {
    const token = c.req.param('token') ?? '';
    const { visit, app } = pendingVisit(service, token);
    return permissionPage(c, service, token, app, websiteOf(service, visit.websiteId));
  });
  routes.post('/catalog/permissions/:token/accept', (c) =>
    loadApp(c, acceptPermissions(service, c.req.param('token') ?? '')),
  );
  routes.post('/catalog/permissions/:token/decline', (c) => {
    declinePermissions(service, c.req.param('token') ?? '');
    return seeOther(c, '/catalog/');
  });

  routes.get(
    '/catalog/:id/',
    forStore(service, (c, { website }) => {
      const app = service.state.apps.get(c.req.param('id') ?? '');
      if (!app) throw new PageError(404, 'There is no such app.');
      return appPage(c, service, app, website);
    }),
  );
  routes.post(
    '/catalog/:id/install',
    forStore(service, async (c, { website }) => {
      const language = (await readForm(c)).text('language');
      const known = website.languages.includes(language) ? { language } : {};
      return loadApp(c, startInstall(service, { appId: c.req.param('id') ?? '', websiteId: website.id, ...known }));
    }),
  );

  routes.get(`${APP_CALLBACK_PATH}:token`, (c) => {
    const token = c.req.param('token') ?? '';
    const { show, visit, app } = acceptReturn(service, token, pairsOf(new URL(c.req.raw.url).search.slice(1)));
    const website = websiteOf(service, visit.websiteId);
    if (show === 'end') return endPage(c, service, app, website, visit.authCode);
    return service.pagesOrigin === service.origin
      ? permissionPage(c, service, token, app, website)
      : onwardPage(c, `${service.pagesOrigin}/catalog/permissions/${encodeURIComponent(token)}`);
  });
}
