/**
 * Developer accounts of the two setup portals. An account is the developer's e-mail address: integrations belong to the
 * account that their manifest names as `developer_email`, so accounts need no storage of their own and survive a restart
 * with the integrations. This is a test service: accounts have no password, and the sign-in page lists the existing ones.
 */
import type { Context } from 'hono';
import type { MockService } from '../../types/service.ts';
import { type Html, html } from '../html.ts';
import { textField } from '../layout/fields.ts';
import { readForm } from '../layout/form.ts';
import { closeSession, openSession, sessionOf } from '../layout/sessions.ts';
import { type PageHandler, type PageRoutes, page, seeOther } from '../layout/shell.ts';

/** More characters than any mail server takes. */
const MAX_EMAIL_CHARACTERS = 254;

export const PORTAL_LINKS = [
  ['/portal/delivery/', 'Delivery integrations'],
  ['/portal/apps/', 'Apps'],
  ['/portal/', 'Account'],
] as const;

/** The account that a manifest belongs to; `''` when it names none. */
export function accountOf(manifest: { readonly [field: string]: unknown }): string {
  const vendor = manifest.app_vendor;
  if (typeof vendor !== 'object' || vendor === null) return '';
  const email = (vendor as Record<string, unknown>).developer_email;
  return typeof email === 'string' ? email.trim().toLowerCase() : '';
}

/** A page of an account: without one it is the sign-in form, which leads back to it. */
export function forAccount(
  service: MockService,
  handler: (c: Context, account: string) => Response | Promise<Response>,
): PageHandler {
  return (c) => {
    const account = sessionOf(c, service, 'portal');
    if (account !== null) return handler(c, account);
    const next = c.req.method === 'GET' ? new URL(c.req.url).pathname : '/portal/';
    return page(c, { title: 'Developer account', status: 401, body: signInBody(service, next) });
  };
}

/** Accounts and what they have, those of live integrations first. */
function knownAccounts(service: MockService): { email: string; titles: string[] }[] {
  const rows = [...service.state.apps.all(), ...service.state.providers.all()];
  const live = rows.filter(({ status }) => status === 'approved');
  const byAccount = Map.groupBy([...live, ...rows.filter((row) => !live.includes(row))], ({ manifest }) =>
    accountOf({ ...manifest }),
  );
  return [...byAccount]
    .filter(([email]) => email !== '')
    .map(([email, own]) => ({ email, titles: own.map(({ manifest }) => manifest.app_title) }));
}

function signInBody(service: MockService, next: string, problem?: string): Html {
  const known = knownAccounts(service);
  const onward = html`<input type="hidden" name="next" value="${next}">`;
  return html`
${problem && html`<section role="alert" class="bad">${problem}</section>`}
<section><h2>Sign in, or create a test account</h2>
<p>This is a test service: an account is an e-mail address, without a password. Integrations belong to the account that
their manifest names as <code>developer_email</code>.</p>
<form method="post" action="/portal/sign-in">${onward}
${textField({ name: 'email', label: 'E-mail address', type: 'email', required: true })}
<button>Sign in</button></form></section>
${
  known.length > 0 &&
  html`<section><h2>Accounts that have integrations</h2>
<ul>${known.map(
    ({ email, titles }) =>
      html`<li><form class="inline" method="post" action="/portal/sign-in">${onward}<input type="hidden" name="email" value="${email}"><button class="plain">Continue as ${email}</button></form> <span class="soft">${titles.join(', ')}</span></li>`,
  )}</ul>
</section>`
}`;
}

/** Adds the account page of the portals. */
export function mountAccounts(routes: PageRoutes): void {
  const { service } = routes;

  routes.get('/portal/', (c) => {
    const account = sessionOf(c, service, 'portal');
    if (account === null) return page(c, { title: 'Developer account', body: signInBody(service, '/portal/') });
    return page(c, {
      title: 'Developer account',
      links: PORTAL_LINKS,
      body: html`<section><p>Signed in as <strong>${account}</strong>.</p>
<ul><li><a href="/portal/delivery/">Delivery integrations</a>: for delivery providers that serve all stores</li>
<li><a href="/portal/apps/">Apps</a>: for the app catalog</li></ul>
<form class="inline" method="post" action="/portal/sign-out"><button class="plain">Sign out</button></form></section>`,
    });
  });

  routes.post('/portal/sign-in', async (c) => {
    const form = await readForm(c);
    const email = form.text('email').trim().toLowerCase();
    const next = /^\/portal\/[\w/.-]*$/.test(form.text('next')) ? form.text('next') : '/portal/';
    if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > MAX_EMAIL_CHARACTERS) {
      const problem = 'This is not an e-mail address.';
      return page(c, { title: 'Developer account', status: 400, body: signInBody(service, next, problem) });
    }
    openSession(c, service, 'portal', email);
    return seeOther(c, next);
  });

  routes.post('/portal/sign-out', (c) => {
    closeSession(c, service, 'portal');
    return seeOther(c, '/portal/');
  });
}
