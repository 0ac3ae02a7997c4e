/** The website editor behind the one-time login links that resellers hand out. */
import type { Context } from 'hono';
import { openEditor } from '../../reseller/editor.ts';
import { timestamp } from '../../state/clock.ts';
import { siteUrl } from '../../state/sites.ts';
import type { Website } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { html } from '../html.ts';
import { buttonForm, textField } from '../layout/fields.ts';
import { readForm } from '../layout/form.ts';
import { closeSession, openSession, sessionOf } from '../layout/sessions.ts';
import { PageError, type PageRoutes, page, seeOther } from '../layout/shell.ts';

const MAX_BRANDNAME_CHARACTERS = 200;

function websiteInEditor(c: Context, service: MockService): Website {
  const website = service.state.websites.get(sessionOf(c, service, 'editor') ?? '');
  if (!website) throw new PageError(401, 'The editor opens with a one-time login link from your reseller.');
  return website;
}

function editorPage(c: Context, service: MockService, website: Website): Response {
  return page(c, {
    title: 'Website editor',
    heading: `Editor of ${website.brandname}`,
    body: html`<section><h2>Website</h2><dl><dt>Number</dt><dd>${website.id}</dd>
<dt>Owner</dt><dd>${website.user.name}</dd><dt>Signed in</dt><dd>${website.accessed ?? ''}</dd></dl>
<p>${website.languages.map((code) => html`<a href="${siteUrl(service, website, code)}">Public page, ${code}</a> `)}</p></section>
<section><h2>Name</h2><form method="post" action="/editor/brandname">
${textField({ name: 'brandname', label: 'Brand name', value: website.brandname, required: true })}
<button>Save the name</button></form></section>
${buttonForm({ action: '/editor/sign-out', text: 'Sign out', look: 'plain' })}`,
  });
}

/** Adds the login link's address and the editor behind it. */
export function mountEditor(routes: PageRoutes): void {
  const { service } = routes;

  routes.get('/login/:token', (c) => {
    // A preview of a link must not use it up.
    if (c.req.raw.method === 'HEAD') return c.body(null, 200);
    const website = openEditor(service, c.req.param('token') ?? '');
    openSession(c, service, 'editor', String(website.id));
    return seeOther(c, '/editor/');
  });

  routes.get('/editor/', (c) => editorPage(c, service, websiteInEditor(c, service)));

  routes.post('/editor/brandname', async (c) => {
    const brandname = (await readForm(c)).text('brandname').trim();
    const website = websiteInEditor(c, service);
    if (brandname === '' || brandname.length > MAX_BRANDNAME_CHARACTERS) {
      throw new PageError(400, `The name must have 1 to ${MAX_BRANDNAME_CHARACTERS} characters.`);
    }
    const modified = timestamp(service.now());
    service.change(() => service.state.websites.patch(String(website.id), { brandname, modified }));
    return seeOther(c, '/editor/');
  });

  routes.post('/editor/sign-out', (c) => {
    closeSession(c, service, 'editor');
    return seeOther(c, '/');
  });
}
