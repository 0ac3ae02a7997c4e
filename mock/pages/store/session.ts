/**
 * The user of the store admin: the owner of a store, signed in with the store's API key or as the demo owner, or a delivery
 * provider that tries its integration out in a demo store. The key travels in a form, never in an address.
 */
import type { Context } from 'hono';
import { type Method, type Provider, textIn, type Website } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { type Html, html } from '../html.ts';
import { textField } from '../layout/fields.ts';
import { readForm } from '../layout/form.ts';
import { closeSession, openSession, sameSecret, sessionOf } from '../layout/sessions.ts';
import { type PageRoutes, page, seeOther } from '../layout/shell.ts';

export interface StoreSession {
  readonly website: Website;
  /** The delivery provider that visits this store: its methods are shown before they are approved. */
  readonly provider: Provider | null;
}

export const STORE_LINKS = [
  ['/admin/', 'Store'],
  ['/admin/orders/', 'Orders'],
  ['/admin/methods/', 'Delivery methods'],
  ['/admin/delivery-settings/', 'Integration settings'],
  ['/catalog/', 'Apps'],
  ['/admin/checkout', 'Checkout'],
] as const;

/** The store session of a request, or null. */
function storeSession(c: Context, service: MockService): StoreSession | null {
  const [websiteId, providerId] = (sessionOf(c, service, 'store') ?? '').split(' ');
  const website = service.state.websites.get(websiteId ?? '');
  if (!website) return null;
  return { website, provider: service.state.providers.get(providerId ?? '') ?? null };
}

/** A page of the store admin; without a session it is the sign-in form, which leads back to it. */
export function forStore(
  service: MockService,
  handler: (c: Context, session: StoreSession) => Response | Promise<Response>,
): (c: Context) => Response | Promise<Response> {
  return (c) => {
    const session = storeSession(c, service);
    if (session) return handler(c, session);
    return signInPage(c, service, {
      next: c.req.method === 'GET' ? new URL(c.req.url).pathname : '/admin/',
      status: 401,
    });
  };
}

/** The demo store of a delivery provider: one that has filled in its settings, else one in a country of its methods, else any. */
function demoStoreOf(service: MockService, provider: Provider): Website | undefined {
  const { rules, state } = service;
  const websites = state.websites.all();
  const own = state.methods.filter((method) => method.owner === `provider:${provider.id}`);
  return (
    websites.find((website) => Object.hasOwn(website.deliverySettings, String(provider.id))) ??
    websites.find((website) => own.some((method) => rules.offeredFrom(method, website.country))) ??
    websites[0]
  );
}

/** The session that an API key opens, or null for an unknown key. */
function sessionForKey(service: MockService, key: string): StoreSession | null {
  const { state } = service;
  if (key === '') return null;
  const website = state.websites.find((row) => sameSecret(key, row.apiKey));
  if (website) return { website, provider: null };
  const provider = state.providers.find((row) => sameSecret(key, row.apiKey));
  const demo = provider && demoStoreOf(service, provider);
  return demo ? { website: demo, provider } : null;
}

function signInPage(
  c: Context,
  service: MockService,
  parts: { next: string; status?: number; problem?: string },
): Response {
  const onward = html`<input type="hidden" name="next" value="${parts.next}">`;
  const body: Html = html`
${parts.problem && html`<section role="alert" class="bad">${parts.problem}</section>`}
<section><h2>With an API key</h2>
<p>The key of a store opens its admin pages. The key of a delivery provider opens its demo store, where the provider can try its methods.</p>
<form method="post" action="/admin/sign-in">${onward}
${textField({ name: 'api_key', label: 'API key', type: 'password', required: true })}
<button>Sign in</button></form></section>
<section><h2>As a demo owner</h2><p>This is a test service: you can also enter its stores without a key.</p>
<ul>${service.state.websites
    .all()
    .map(
      ({ id, brandname, country }) =>
        html`<li><form class="inline" method="post" action="/admin/sign-in">${onward}<input type="hidden" name="website" value="${id}"><button class="plain">Continue as the owner of ${brandname}</button></form> <span class="soft">${country}, website ${id}</span></li>`,
    )}</ul></section>`;
  return page(c, { title: 'Sign in to a store', status: parts.status ?? 200, body });
}

/** Only addresses of this service: a sign-in must not redirect to another host. */
function safeNext(next: string): string {
  return /^\/(?:admin|catalog)(?:\/[\w%.~-]+)*\/?$/.test(next) ? next : '/admin/';
}

/** Adds the sign-in and sign-out of the store admin. */
export function mountStoreSession(routes: PageRoutes): void {
  const { service } = routes;

  routes.get('/admin/sign-in', (c) => signInPage(c, service, { next: safeNext(c.req.query('next') ?? '') }));

  routes.post('/admin/sign-in', async (c) => {
    const form = await readForm(c);
    const next = safeNext(form.text('next'));
    const demo = form.has('website') ? service.state.websites.get(form.text('website')) : undefined;
    const session = demo ? { website: demo, provider: null } : sessionForKey(service, form.text('api_key').trim());
    if (!session) {
      return signInPage(c, service, { next, status: 401, problem: 'This key does not open a store.' });
    }
    openSession(c, service, 'store', [session.website.id, session.provider?.id].join(' ').trim());
    return seeOther(c, next);
  });

  routes.post('/admin/sign-out', (c) => {
    closeSession(c, service, 'store');
    return seeOther(c, '/admin/sign-in');
  });
}

/** The name of a method on pages. */
export function methodTitle(method: Method, website: Website): string {
  return textIn(method.title, website.defaultLanguage, website) || method.name || method.handle;
}

/** Every method that can be tested in a session: the store's own, those of live providers, those of the visiting provider. */
export function methodsOfSession(service: MockService, session: StoreSession): Method[] {
  const { rules, state } = service;
  return state.methods.filter((method) => {
    if (session.provider && method.owner === `provider:${session.provider.id}`) return true;
    const [kind, number] = method.owner.split(':') as [string, string];
    const provider = kind === 'provider' ? (state.providers.get(number) ?? null) : null;
    return rules.availableTo(method, provider, session.website);
  });
}
