/** Store admin: the store itself, its API key, and which delivery methods its checkout offers. */
import type { Context } from 'hono';
import { enableMethod, methodsForStore, setCheckoutUrl, startDynamicCheckout } from '../../orders/checkout.ts';
import { siteUrl } from '../../state/sites.ts';
import type { Method } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { type Html, html } from '../html.ts';
import { buttonForm, textField } from '../layout/fields.ts';
import { readForm } from '../layout/form.ts';
import { handOver } from '../layout/hand-over.ts';
import { PageError, type PageRoutes, page, seeOther } from '../layout/shell.ts';
import { forStore, methodsOfSession, methodTitle, STORE_LINKS, type StoreSession } from './session.ts';

function homePage(c: Context, service: MockService, { website, provider }: StoreSession): Response {
  return page(c, {
    title: website.brandname,
    links: STORE_LINKS,
    body: html`
${provider && html`<section class="note"><p>Demo store of ${provider.manifest.app_title}: its methods are shown here before they are approved.</p></section>`}
<section><h2>Store</h2><dl>
<dt>Website</dt><dd><a href="${siteUrl(service, website)}">${siteUrl(service, website)}</a></dd>
<dt>Country</dt><dd>${website.country}</dd>
<dt>Currency</dt><dd>${website.currency}</dd>
<dt>Languages</dt><dd>${website.languages.join(', ')} (default ${website.defaultLanguage})</dd>
<dt>Seller</dt><dd>${website.seller.name}, ${website.seller.address}</dd>
<dt>Owner</dt><dd>${website.user.name}, ${website.user.email}</dd></dl></section>
${
  provider === null &&
  html`<section><h2>API</h2><p>The key for private delivery integrations of this store. Keep it secret.</p>
<details><summary>Show the API key</summary><pre>${website.apiKey}</pre></details></section>`
}
${buttonForm({ action: '/admin/sign-out', text: 'Sign out', look: 'plain' })}`,
  });
}

const countries = (codes: readonly string[] | null): string => (codes?.length ? codes.join(', ') : 'any');

/** The switch of a method; `from` is the page to return to. */
function methodSwitch({ website }: StoreSession, method: Method, from: 'list' | 'method'): Html {
  const on = website.enabledMethods.includes(method.handle);
  const verb = on ? 'Switch off' : 'Switch on';
  return html`${on ? html`<span class="badge good">on</span> ` : html`<span class="badge">off</span> `}${buttonForm({
    action: `/admin/methods/${encodeURIComponent(method.handle)}/${on ? 'disable' : 'enable'}`,
    text: verb,
    name: `${verb} ${methodTitle(method, website)} (${method.handle})`,
    fields: html`<input type="hidden" name="from" value="${from}">`,
    look: 'plain',
  })}`;
}

function methodRow(session: StoreSession, method: Method): Html {
  return html`<tr><th scope="row"><a href="/admin/methods/${encodeURIComponent(method.handle)}">${methodTitle(method, session.website)}</a><br><code>${method.handle}</code></th>
<td>${method.owner.startsWith('website:') ? 'this store' : 'delivery provider'}</td>
<td>${countries(method.available_countries_from)} → ${countries(method.available_countries_to)}</td>
<td>${methodSwitch(session, method, 'list')}</td></tr>`;
}

function methodTable(session: StoreSession, methods: readonly Method[], empty: string): Html {
  if (methods.length === 0) return html`<p>${empty}</p>`;
  return html`<div class="scroll"><table><thead><tr><th scope="col">Method</th><th scope="col">Of</th><th scope="col">Store → destination countries</th><th scope="col">At checkout</th></tr></thead><tbody>
${methods.map((method) => methodRow(session, method))}</tbody></table></div>`;
}

function methodsPage(c: Context, service: MockService, session: StoreSession): Response {
  const { website } = session;
  const open = methodsForStore(service, website);
  const others = methodsOfSession(service, session).filter((method) => !open.includes(method));
  return page(c, {
    title: 'Delivery methods',
    links: STORE_LINKS,
    body: html`<section><h2>For stores in ${website.country}</h2>
${methodTable(session, open, 'None: create one through the delivery interface.')}</section>
${
  others.length > 0 &&
  html`<section><details><summary>Not for stores in ${website.country} (${others.length})</summary>
<p>They can be enabled, but the checkout offers them only to stores in their countries.</p>
${methodTable(session, others, '')}</details></section>`
}`,
  });
}

function methodOfSession(c: Context, service: MockService, session: StoreSession): Method {
  const handle = c.req.param('handle') ?? '';
  const method = methodsOfSession(service, session).find((row) => row.handle === handle);
  if (!method) throw new PageError(404, 'This store has no such delivery method.');
  return method;
}

/** Whether the session may change how a method works: the store its own, a visiting provider its own. */
function mayConfigure(session: StoreSession, method: Method): boolean {
  if (session.provider) return method.owner === `provider:${session.provider.id}`;
  return method.owner === `website:${session.website.id}`;
}

function methodPage(c: Context, service: MockService, session: StoreSession, method: Method): Response {
  const base = `/admin/methods/${encodeURIComponent(method.handle)}`;
  const dynamic = service.state.dynamicCheckouts.get(method.handle);
  const list = service.state.points.of(method.handle);
  return page(c, {
    title: methodTitle(method, session.website),
    links: STORE_LINKS,
    body: html`<section><h2>Method</h2><dl>
<dt>Handle</dt><dd><code>${method.handle}</code></dd><dt>Name</dt><dd>${method.name}</dd>
<dt>Reference</dt><dd>${method.reference ?? 'none'}</dd>
<dt>Label printing</dt><dd>${method.print_label_url ?? 'not enabled'}</dd>
<dt>Pickup points</dt><dd>${list.size}</dd>
<dt>Store countries</dt><dd>${countries(method.available_countries_from)}</dd>
<dt>Destination countries</dt><dd>${countries(method.available_countries_to)}</dd>
<dt>At checkout</dt><dd>${methodSwitch(session, method, 'method')}</dd></dl></section>
<section><h2>Dynamic checkout</h2>
<p class="soft">A dynamic method sends the buyer to a page of the provider’s during checkout, with a signed POST. The contract does not show how
the address is set up, nor the fields beside <code>signature</code>: both are our choice.</p>
${
  mayConfigure(session, method)
    ? html`<form method="post" action="${base}/checkout-address">
${textField({ name: 'checkout_url', label: 'Checkout address', hint: 'https; empty for none', type: 'url', value: dynamic?.checkoutUrl ?? '' })}
<button>Save the checkout address</button></form>`
    : html`<p>${dynamic ? 'This method is dynamic.' : 'This method is not dynamic.'}</p>`
}
${
  dynamic &&
  html`<form method="post" action="${base}/try">
${textField({ name: 'destination_country', label: 'Destination country', hint: '2 letters', value: method.available_countries_to?.[0] ?? session.website.country, required: true })}
<button>Try the dynamic checkout</button></form>`
}</section>`,
  });
}

/** The typed destination in upper case. Refuses anything but a 2-letter code. */
export function countryOf(typed: string, name: string): string {
  const code = typed.trim().toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return code;
  throw new PageError(400, `${name} must be a 2-letter country code.`);
}

/** Adds the store's home page and the pages of its delivery methods. */
export function mountStoreAdmin(routes: PageRoutes): void {
  const { service } = routes;

  routes.get(
    '/admin/',
    forStore(service, (c, session) => homePage(c, service, session)),
  );
  routes.get(
    '/admin/checkout',
    forStore(service, (c, { website }) => seeOther(c, `/checkout/${encodeURIComponent(website.alias)}/`)),
  );
  routes.get(
    '/admin/methods/',
    forStore(service, (c, session) => methodsPage(c, service, session)),
  );
  routes.get(
    '/admin/methods/:handle',
    forStore(service, (c, session) => methodPage(c, service, session, methodOfSession(c, service, session))),
  );

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    routes.post(
      `/admin/methods/:handle/${verb}`,
      forStore(service, async (c, session) => {
        const from = (await readForm(c)).text('from');
        const method = methodOfSession(c, service, session);
        // A method for other countries may be enabled too: the checkout decides what it offers.
        const country = service.rules.offeredFrom(method, session.website.country)
          ? session.website.country
          : (method.available_countries_from?.[0] ?? session.website.country);
        enableMethod(service, { ...session.website, country }, method.handle, enabled);
        return seeOther(c, `/admin/methods/${from === 'method' ? encodeURIComponent(method.handle) : ''}`);
      }),
    );
  }

  routes.post(
    '/admin/methods/:handle/checkout-address',
    forStore(service, async (c, session) => {
      const address = (await readForm(c)).text('checkout_url').trim();
      const method = methodOfSession(c, service, session);
      if (!mayConfigure(session, method))
        throw new PageError(403, 'Only the owner of a method sets its checkout address.');
      setCheckoutUrl(service, method.handle, address || null);
      return seeOther(c, `/admin/methods/${encodeURIComponent(method.handle)}`);
    }),
  );

  routes.post(
    '/admin/methods/:handle/try',
    forStore(service, async (c, session) => {
      const destinationCountry = countryOf((await readForm(c)).text('destination_country'), 'The destination');
      const { handle } = methodOfSession(c, service, session);
      const form = startDynamicCheckout(service, { websiteId: session.website.id, handle, destinationCountry });
      return handOver(c, { title: 'Dynamic checkout', form, note: 'checkout' });
    }),
  );
}
