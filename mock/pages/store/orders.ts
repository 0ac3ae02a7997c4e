/** Store admin: orders of every kind, and the Print Label button where it belongs. */
import type { Context } from 'hono';
import { isWebAddress } from '../../http/addresses.ts';
import { mayPrintLabel, pressPrintLabel } from '../../orders/labels.ts';
import { type BuyerEntries, type NewOrder, ORDER_KINDS, type OrderKind, placeOrder } from '../../orders/orders.ts';
import { domainOf } from '../../state/sites.ts';
import type { Address, Order } from '../../state/state.ts';
import type { MockService } from '../../types/service.ts';
import { type Html, html } from '../html.ts';
import { buttonForm, checkbox, selectField, textField } from '../layout/fields.ts';
import { readForm } from '../layout/form.ts';
import { handOver } from '../layout/hand-over.ts';
import { PageError, type PageRoutes, page, seeOther } from '../layout/shell.ts';
import { forStore, methodsOfSession, methodTitle, STORE_LINKS, type StoreSession } from './session.ts';

/** How many of the newest orders are listed. */
const LISTED_ORDERS = 100;

function ordersOf(service: MockService, { website, provider }: StoreSession): Order[] {
  return service.state.orders.filter(
    (order) => order.websiteId === website.id && (provider === null || order.owner === `provider:${provider.id}`),
  );
}

function labelState({ label }: Order): string {
  if (label.error !== null) return 'error';
  return label.url === null ? 'none' : 'printed';
}

function listPage(c: Context, service: MockService, session: StoreSession): Response {
  const orders = ordersOf(service, session).reverse();
  return page(c, {
    title: 'Orders',
    links: STORE_LINKS,
    body: html`<p><a class="button" href="/admin/orders/new">New test order</a></p>
<section><h2>Newest first</h2>${
      orders.length === 0
        ? html`<p>No orders yet.</p>`
        : html`<div class="scroll"><table><thead><tr><th scope="col">Invoice</th><th scope="col">Placed</th><th scope="col">Buyer</th><th scope="col">Delivery</th><th scope="col">Total</th><th scope="col">Label</th></tr></thead><tbody>
${orders.slice(0, LISTED_ORDERS).map(
  (
    order,
  ) => html`<tr><th scope="row"><a href="/admin/orders/${encodeURIComponent(order.uuid)}/">${order.invoiceId}</a></th>
<td>${order.created}</td><td>${order.shipping.firstName} ${order.shipping.lastName}</td><td>${methodTitle(order.method, session.website)}</td>
<td>${order.amount} ${order.currency}</td><td>${labelState(order)}</td></tr>`,
)}</tbody></table></div>${orders.length > LISTED_ORDERS && html`<p class="soft">${orders.length - LISTED_ORDERS} older ones are not listed.</p>`}`
    }</section>`,
  });
}

function newOrderPage(c: Context, service: MockService, session: StoreSession): Response {
  const methods = methodsOfSession(service, session);
  const body =
    methods.length === 0
      ? html`<section><p>There is no delivery method yet: create one through the delivery interface.</p></section>`
      : html`<section><p>Places an order as a customer would, with the chosen delivery method.</p>
<form method="post" action="/admin/orders/">
${selectField({ name: 'method', label: 'Delivery method', choices: methods.map((method) => ({ value: method.handle, text: `${methodTitle(method, session.website)} (${method.handle})` })) })}
${selectField({ name: 'kind', label: 'Kind of order', choices: Object.entries(ORDER_KINDS).map(([value, text]) => ({ value, text })) })}
${textField({ name: 'pickup_point_id', label: 'Pickup point id', hint: 'empty: the first one, for orders that are collected' })}
${selectField({ name: 'language', label: 'Language of the admin', choices: session.website.languages.map((code) => ({ value: code, text: code })), value: session.website.defaultLanguage })}
${checkbox({ name: 'other_buyer_address', label: 'The buyer lives at another address' })}
<details><summary>What the buyer enters</summary>
${Object.entries(BUYER_FIELDS).map(([name, label]) => textField({ name: `buyer_${name}`, label, hint: 'empty: the usual value' }))}
</details>
<button>Place the order</button></form></section>`;
  return page(c, { title: 'New test order', links: STORE_LINKS, body });
}

/** Fields of the checkout, with their names on the page. */
const BUYER_FIELDS: Readonly<Record<keyof BuyerEntries, string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  company: 'Company',
  email: 'E-mail',
  phone: 'Phone',
  street: 'Street',
  city: 'City',
  zip: 'Postal code',
};

const addressLine = ({ street, city, state, zip, countryCode }: Address): string =>
  [street, city, state, zip, countryCode].filter((part) => part !== '').join(', ');

/** A link if the address is a web address; otherwise the text. */
export function linkTo(address: string, text = address): Html {
  return isWebAddress(address) ? html`<a href="${address}" rel="noreferrer">${text}</a>` : html`${text}`;
}

/** What a provider reported, or that it reported nothing. */
function storedValue(value: string | null, look: 'text' | 'link' = 'text'): Html {
  if (value === null) return html`<span class="soft">none</span>`;
  return html`<span data-stored>${look === 'link' ? linkTo(value) : value}</span>`;
}

function labelSection(service: MockService, order: Order): Html {
  const { label } = order;
  const requests = service.state.labelRequests.filter(({ orderUuid }) => orderUuid === order.uuid);
  const print = mayPrintLabel(service, order);
  return html`<section><h2>Shipping label</h2><dl>
<dt>Label</dt><dd id="label-url">${storedValue(label.url, 'link')}</dd>
<dt>Tracking code</dt><dd id="tracking-code">${storedValue(label.trackingCode)}</dd>
<dt>Tracking page</dt><dd id="tracking-url">${storedValue(label.trackingUrl, 'link')}</dd>
<dt>Error</dt><dd id="label-error">${storedValue(label.error)}</dd>
<dt>Requests sent</dt><dd>${requests.length}</dd></dl>
${
  print
    ? buttonForm({ action: `/admin/orders/${encodeURIComponent(order.uuid)}/print-label`, text: 'Print Label' })
    : html`<p class="soft">This delivery method does not print labels through the interface.</p>`
}</section>`;
}

function orderPage(c: Context, service: MockService, session: StoreSession, order: Order): Response {
  const { shipping, buyer } = order;
  const { seller } = session.website;
  return page(c, {
    title: `Order ${order.invoiceId}`,
    links: STORE_LINKS,
    body: html`${labelSection(service, order)}
<section><h2>Delivery</h2><dl>
<dt>Order id</dt><dd><code id="order-uuid">${order.uuid}</code></dd>
<dt>Method</dt><dd>${methodTitle(order.method, session.website)} <code>${order.method.handle}</code></dd>
${order.pickupPointId !== null && html`<dt>Pickup point</dt><dd>${order.pickupPointId}</dd>`}
<dt>To</dt><dd>${shipping.firstName} ${shipping.lastName}${shipping.company !== '' && `, ${shipping.company}`}</dd>
<dt>Address</dt><dd>${addressLine(shipping.address)}</dd>
${buyer !== null && html`<dt>Buyer’s own address</dt><dd>${addressLine(buyer)}</dd>`}
<dt>E-mail</dt><dd>${shipping.email}</dd>
<dt>Phone</dt><dd>${shipping.phone ?? 'not entered'}</dd></dl></section>
<section><h2>Cart</h2><div class="scroll"><table><thead><tr><th scope="col">Item</th><th scope="col">SKU</th><th scope="col">Quantity</th><th scope="col">Price</th></tr></thead><tbody>
${order.cart.map((line) => html`<tr><td>${line.name}</td><td>${line.sku}</td><td>${line.quantity}</td><td>${line.price}</td></tr>`)}
</tbody></table></div><p id="order-total">Total <strong>${order.amount} ${order.currency}</strong>, ${order.weightGrams} g</p></section>
<section><h2>Shop</h2><dl>
<dt>Seller</dt><dd data-field="seller_name">${seller.name}</dd>
<dt>Registration</dt><dd data-field="seller_id">${seller.id}</dd>
<dt>VAT</dt><dd data-field="seller_vat">${seller.vat}</dd>
<dt>Address</dt><dd data-field="seller_address">${seller.address}</dd>
<dt>Country</dt><dd data-field="seller_country">${session.website.country}</dd>
<dt>Alias</dt><dd data-field="website_alias">${session.website.alias}</dd>
<dt>Domain</dt><dd data-field="website_domain">${domainOf(service, session.website)}</dd></dl></section>`,
  });
}

function ownOrder(c: Context, service: MockService, session: StoreSession): Order {
  const order = service.state.orders.get(c.req.param('uuid') ?? '');
  if (order?.websiteId !== session.website.id) throw new PageError(404, 'This store has no such order.');
  return order;
}

/** Adds the pages under /admin/orders/. */
export function mountStoreOrders(routes: PageRoutes): void {
  const { service } = routes;

  routes.get(
    '/admin/orders/',
    forStore(service, (c, session) => listPage(c, service, session)),
  );
  routes.get(
    '/admin/orders/new',
    forStore(service, (c, session) => newOrderPage(c, service, session)),
  );
  routes.get(
    '/admin/orders/:uuid/',
    forStore(service, (c, session) => orderPage(c, service, session, ownOrder(c, service, session))),
  );

  routes.post(
    '/admin/orders/',
    forStore(service, async (c, session) => {
      const form = await readForm(c);
      const kind = form.text('kind') || 'address';
      if (!Object.hasOwn(ORDER_KINDS, kind)) throw new PageError(400, 'There is no such kind of order.');
      const handle = form.text('method');
      if (!methodsOfSession(service, session).some((method) => method.handle === handle)) {
        throw new PageError(404, 'This store has no such delivery method.');
      }
      const language = form.text('language');
      const point = form.text('pickup_point_id');
      const wanted: NewOrder = {
        websiteId: session.website.id,
        handle,
        kind: kind as OrderKind,
        otherBuyerAddress: form.has('other_buyer_address'),
        ...(point === '' ? {} : { pickupPointId: point }),
        ...(session.website.languages.includes(language) ? { language } : {}),
        entered: Object.fromEntries(
          Object.keys(BUYER_FIELDS).flatMap((name) => {
            const text = form.text(`buyer_${name}`);
            return text === '' ? [] : [[name, text]];
          }),
        ),
      };
      return seeOther(c, `/admin/orders/${placeOrder(service, wanted).uuid}/`);
    }),
  );

  routes.post(
    '/admin/orders/:uuid/print-label',
    forStore(service, (c, session) => {
      const form = pressPrintLabel(service, ownOrder(c, service, session).uuid);
      return handOver(c, { title: 'Print Label', form, note: 'label' });
    }),
  );
}
