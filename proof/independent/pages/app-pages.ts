// The app user's pages: catalog, install sequence, settings, the public website and its editor.
import { createHash } from 'node:crypto';
import { pageAddress } from '../delivery/fields.ts';
import {
  parameters,
  Refusal,
  type Route,
  redirect,
  type ServiceRequest,
  type ServiceResponse,
} from '../server/http.ts';
import { type App, type Flow, type Installation, secret, type World } from '../state.ts';
import { html, Markup, page } from './html.ts';
import { hashedAddress } from './signing.ts';

/** How an installation is named on a page without showing its code. */
function fingerprint(authCode: string): string {
  return createHash('sha256').update(authCode, 'utf8').digest('hex').slice(0, 16);
}

const target = (app: App) => (app.tabMode === 'blank' ? html` target="_blank"` : html``);

/** An app's address with the parameters of an installation or settings request. */
function appAddress(world: World, app: App, address: string, callback: string, authCode?: string): string {
  const own: [string, string][] = [
    ['platformVersion', '20.4.1'],
    ['callback', `${world.origin}${callback}`],
    ['x_theme', 'dark'],
    ['language', 'lv'],
    ...(authCode === undefined ? [] : [['authCode', authCode] as [string, string]]),
    ['appId', app.id],
  ];
  return hashedAddress(address, own, app.secret);
}

function catalog(world: World): ServiceResponse {
  const rows = world.apps
    .filter((app) => app.approved)
    .map(
      (app) => html`<li data-app="${app.id}">${app.title}
<form method="post"${target(app)}><input type="hidden" name="app" value="${app.id}"><button>Install</button></form></li>`,
    );
  return page('App catalog', html`<ul>${rows}</ul>`);
}

/** Step 1: a website may install an app again and again; each installation has its own code. */
async function install(world: World, call: ServiceRequest): Promise<ServiceResponse> {
  const id = (await parameters(call)).get('app');
  const app = world.apps.find((candidate) => candidate.id === id && candidate.approved);
  if (!app) throw new Refusal(404, 1004, 'The catalog has no such app.');
  const flowId = secret();
  world.flows.set(flowId, { app, store: world.stores[0]!, installUrl: app.installUrl, installation: null });
  return redirect(appAddress(world, app, app.installUrl, `/back/${flowId}`));
}

function flowNamed(world: World, id: string): Flow {
  const flow = world.flows.get(id);
  if (!flow) throw new Refusal(404, 1004, 'No installation was started here.');
  return flow;
}

/** Where the app sends the user back to: first the permission request, later the end of the installation. */
function back(world: World, call: ServiceRequest, [flowId = '']: string[]): ServiceResponse {
  const { app, store, installation } = flowNamed(world, flowId);
  if (installation) {
    return page('Back at the website', html`<p>${app.title} <a href="/admin/apps/">All apps</a></p>`);
  }
  if (new Map(call.query).get('appId') !== app.id) {
    throw new Refusal(400, 1040, 'The app has to come back with the parameters that it received.');
  }
  return page(
    `Allow ${app.title}?`,
    html`<p>The app asks for full access to ${store.brand}.</p>
<form method="post" action="/permissions/${flowId}"><button>Allow</button></form>
<p><a href="/catalog/">Do not allow</a></p>`,
  );
}

/** Steps 3 and 4: the installation gets its code, and the app loads again with it. A second press changes nothing. */
function allow(world: World, _call: ServiceRequest, [flowId = '']: string[]): ServiceResponse {
  const flow = flowNamed(world, flowId);
  if (!flow.installation) {
    const authCode = `i:${flow.store.owner.id}:${secret()}`;
    const { app, store } = flow;
    flow.installation = { authCode, app, store, installed: false, snippets: new Map(), data: '""' };
    world.installations.set(authCode, flow.installation);
  }
  return redirect(appAddress(world, flow.app, flow.installUrl, `/back/${flowId}`, flow.installation.authCode));
}

function installedApps(world: World): ServiceResponse {
  const rows = [...world.installations.values()].map(
    (installation) => html`<li data-installation="${fingerprint(installation.authCode)}">
${installation.store.brand}: ${installation.app.title}
<span class="state">${installation.installed ? 'Installed' : 'Waiting for the app'}</span>
<form method="post"${target(installation.app)}>
<input type="hidden" name="installation" value="${fingerprint(installation.authCode)}"><button>Settings</button></form></li>`,
  );
  return page('Installed apps', html`<ul>${rows}</ul>`);
}

async function openSettings(world: World, call: ServiceRequest): Promise<ServiceResponse> {
  const wanted = (await parameters(call)).get('installation');
  const installation = [...world.installations.values()].find((entry) => fingerprint(entry.authCode) === wanted);
  if (!installation) throw new Refusal(404, 1004, 'There is no such installation.');
  const { app, authCode } = installation;
  return redirect(appAddress(world, app, app.settingsUrl, '/admin/apps', authCode));
}

function developerPage(world: World): ServiceResponse {
  const forms = world.apps.map(
    (app) => html`<form method="post" data-approved="${String(app.approved)}">
<h2>${app.title}</h2><input type="hidden" name="app" value="${app.id}">
<p><label>Install address <input name="installUrl" value="${app.installUrl}"></label></p>
<p><label>Settings address <input name="settingsUrl" value="${app.settingsUrl}"></label></p>
<p><label>Opens in <select name="tabMode">
<option value="self"${app.tabMode === 'self' ? html` selected` : html``}>the same tab</option>
<option value="blank"${app.tabMode === 'blank' ? html` selected` : html``}>a new tab</option></select></label></p>
<button>Save</button></form>`,
  );
  return page('App setup', html`${forms}`);
}

/** Details of an app go live at once here, without another approval. */
async function editApp(world: World, call: ServiceRequest): Promise<ServiceResponse> {
  const given = await parameters(call);
  const app = world.apps.find((candidate) => candidate.id === given.get('app'));
  if (!app) throw new Refusal(404, 1004, 'There is no such app.');
  const installUrl = pageAddress(given.get('installUrl') ?? '', 'The install address')!;
  const settingsUrl = pageAddress(given.get('settingsUrl') ?? '', 'The settings address')!;
  const tabMode = given.get('tabMode');
  if (tabMode !== 'self' && tabMode !== 'blank') throw new Refusal(422, 1017, 'The tab mode is self or blank.');
  Object.assign(app, { installUrl, settingsUrl, tabMode });
  return page('App setup', html`<p id="saved">Saved.</p>`);
}

/** A page of the public website. Snippets are at the end of the body, byte for byte: first that of all pages, then that of this language. */
function publicPage(
  world: World,
  _call: ServiceRequest,
  [alias = '', language = '', section = 'home']: string[],
): ServiceResponse {
  const store = world.stores.find((candidate) => candidate.alias === alias);
  if (!store) throw new Refusal(404, 1004, 'There is no such website.');
  const shown = language || store.owner.defaultLanguage;
  const known = store.owner.languages.includes(shown) && ['home', 'contacts'].includes(section);
  if (!known) throw new Refusal(404, 1004, 'The website has no such page.');
  const of = (installation: Installation) =>
    ['', shown].map((code) => new Markup(installation.snippets.get(code) ?? ''));
  const snippets = [...world.installations.values()].filter((entry) => entry.store === store).flatMap(of);
  const links = store.owner.languages.map((code) => html`<a href="/site/${alias}/${code}/">${code}</a>`);
  return page(store.brand, html`<nav>${links}</nav><p>${section}</p>\n${snippets}`, 200, shown);
}

/** A login link is valid once; a second visitor needs a new one. */
function enter(world: World, _call: ServiceRequest, [token = '']: string[]): ServiceResponse {
  const website = world.loginLinks.get(token);
  if (!website) return page('This link was used already', html`<p>Ask for a new one.</p>`, 410);
  world.loginLinks.delete(token);
  const session = secret(24);
  world.editorSessions.set(session, website);
  const cookie = `editor=${session}; Path=/editor; HttpOnly; SameSite=Lax`;
  return redirect(`/editor/${website.id}/`, { 'set-cookie': cookie });
}

function editor(world: World, call: ServiceRequest, [id = '']: string[]): ServiceResponse {
  const session = /(?:^|; )editor=([^;]*)/.exec(call.headers.cookie ?? '')?.[1] ?? '';
  const website = world.editorSessions.get(session);
  if (!website || String(website.id) !== id) return page('Please log in', html`<p>You are not logged in.</p>`, 403);
  return page(`Editing ${website.brand}`, html`<p>Logged in as ${website.userEmail}.</p>`);
}

export const appPages: Route<World>[] = [
  { path: 'catalog', verbs: { GET: catalog, POST: install } },
  { path: 'back/*', verbs: { GET: back } },
  { path: 'permissions/*', verbs: { POST: allow } },
  { path: 'admin/apps', verbs: { GET: installedApps, POST: openSettings } },
  { path: 'developer', verbs: { GET: developerPage, POST: editApp } },
  { path: 'site/*', verbs: { GET: publicPage } },
  { path: 'site/*/*', verbs: { GET: publicPage } },
  { path: 'site/*/*/*', verbs: { GET: publicPage } },
  { path: 'enter/*/.editor', verbs: { GET: enter } },
  { path: 'editor/*', verbs: { GET: editor } },
];
