// The store admin's and the buyer's pages: enabling methods, orders, label printing, checkout.
import { randomUUID } from 'node:crypto';
import { pageAddress, textFor } from '../delivery/fields.ts';
import {
  parameters,
  Refusal,
  type Route,
  redirect,
  type ServiceRequest,
  type ServiceResponse,
  sameSecret,
} from '../server/http.ts';
import { type Address, isLive, type Method, nextNumber, type Order, type Store, secret, type World } from '../state.ts';
import { html, page, postOnward } from './html.ts';
import { canPrintLabel, newLabelRequest } from './labels.ts';
import { signedFields } from './signing.ts';

/** The store whose admin looks at a method: its own, or the first one for a delivery provider's. */
function storeOf(world: World, method: Method): Store {
  return world.stores.find((store) => store.owner === method.owner) ?? world.stores[0]!;
}

function methodNamed(world: World, handle: string | undefined): Method {
  const method = world.methods.get(handle ?? '');
  if (!method || !isLive(method)) throw new Refusal(404, 1004, 'No store can use a delivery method of this name.');
  return method;
}

const titleOf = (method: Method) => textFor(method.owner, method.title, 'en');

function deliveryPage(world: World): ServiceResponse {
  const rows = [...world.methods.values()].filter(isLive).map((method) => {
    const store = storeOf(world, method);
    const control = store.enabled.has(method.handle)
      ? html`<strong>Enabled</strong>`
      : html`<form method="post"><input type="hidden" name="handle" value="${method.handle}"><button>Enable</button></form>`;
    return html`<li data-handle="${method.handle}">${store.brand}: ${titleOf(method)} ${control}
<a href="/admin/orders/new?handle=${encodeURIComponent(method.handle)}">Test order</a></li>`;
  });
  return page('Delivery methods', html`<ul>${rows}</ul>`);
}

async function enableMethod(world: World, call: ServiceRequest): Promise<ServiceResponse> {
  const method = methodNamed(world, (await parameters(call)).get('handle'));
  storeOf(world, method).enabled.add(method.handle);
  return redirect('/admin/delivery/');
}

async function orderForm(world: World, call: ServiceRequest): Promise<ServiceResponse> {
  const method = methodNamed(world, (await parameters(call)).get('handle'));
  return page(
    `Test order with ${titleOf(method)}`,
    html`<form method="post" action="/admin/orders/new">
<input type="hidden" name="handle" value="${method.handle}">
<p><label>Pickup point id <input name="point"></label></p>
<p><label><input type="checkbox" name="elsewhere" value="1"> The buyer lives elsewhere</label></p>
<button>Place order</button></form>`,
  );
}

async function placeOrder(world: World, call: ServiceRequest): Promise<ServiceResponse> {
  const given = await parameters(call);
  const method = methodNamed(world, given.get('handle'));
  const store = storeOf(world, method);
  const pointId = given.get('point') || null;
  const point = pointId === null ? undefined : method.points.get(pointId);
  if (pointId !== null && !point) throw new Refusal(404, 1004, 'The method has no pickup point of this id.');
  const home: Address = { street: 'Krasta iela 7–12', city: 'Rīga', state: '', zip: 'LV-1003', country: store.country };
  const gift: Address = { street: 'Gjoa & Søn 5', city: 'Århus', state: 'Midtjylland', zip: '8000', country: 'DK' };
  let delivery = given.has('elsewhere') ? gift : home;
  if (point) {
    const { address: street, city, zip, country } = point;
    delivery = { street, city, state: '', zip, country: country || store.country };
  }
  const order: Order = {
    uuid: randomUUID(),
    invoice: `R/${nextNumber(world)}`,
    store,
    method,
    pickupPointId: pointId,
    delivery,
    buyer: delivery === home ? null : home,
    phone: point ? null : '+371 29 000 000',
    label: null,
    errorMessage: null,
  };
  world.orders.set(order.uuid, order);
  return redirect(`/admin/orders/${order.uuid}/`);
}

function orderNamed(world: World, uuid: string): Order {
  const order = world.orders.get(uuid);
  if (!order) throw new Refusal(404, 1004, 'There is no such order.');
  return order;
}

function orderPage(world: World, _call: ServiceRequest, [uuid = '']: string[]): ServiceResponse {
  const order = orderNamed(world, uuid);
  const { label } = order;
  const fact = (name: string, value: string | null | undefined) =>
    value === null || value === undefined ? [] : [html`<dt>${name}</dt><dd data-fact="${name}">${value}</dd>`];
  const button = canPrintLabel(order)
    ? html`<form method="post" action="/admin/orders/${uuid}/label" target="_blank"><button>Print Label</button></form>`
    : html``;
  return page(
    `Order ${order.invoice}`,
    html`<dl data-order="${uuid}">
${fact('Delivery', titleOf(order.method))}
${fact('Label', label?.url)}
${fact('Tracking code', label?.trackingCode)}
${fact('Tracking address', label?.trackingUrl)}
${fact('Label error', order.errorMessage)}
</dl>
${button}`,
  );
}

/** Each press is a new request, with its own id and callback address. */
function printLabel(world: World, _call: ServiceRequest, [uuid = '']: string[]): ServiceResponse {
  const order = orderNamed(world, uuid);
  if (!canPrintLabel(order)) throw new Refusal(409, 1030, 'The method of this order prints no labels.');
  return postOnward('Opening the label page', order.method.labelUrl!, newLabelRequest(world, order));
}

function checkoutForm(): ServiceResponse {
  return page(
    'Checkout preview',
    html`<form method="post">
<p><label>Delivery key <input name="key" type="password"></label></p>
<p><label>Country of the store <input name="from"></label></p>
<p><label>Country of the destination <input name="to"></label></p>
<button>Show delivery methods</button></form>`,
  );
}

/** The store of a private key, or the store that a delivery provider looks at. */
function storeOfKey(world: World, key: string): Store {
  const own = world.stores.find((store) => sameSecret(store.owner.key, key));
  if (own) return own;
  if (world.providers.some((provider) => sameSecret(provider.key, key))) return world.stores[0]!;
  throw new Refusal(403, 1007, 'Nobody has this key.');
}

/** Whether a list of countries includes a country; an empty list includes all. */
const admits = (list: string[], country: string) =>
  list.length === 0 || list.some((code) => code.toUpperCase() === country.toUpperCase());

async function offeredMethods(world: World, call: ServiceRequest): Promise<ServiceResponse> {
  const given = await parameters(call);
  const store = storeOfKey(world, given.get('key') ?? '');
  const from = given.get('from') || store.country;
  const to = given.get('to') || store.country;
  const offered = [...world.methods.values()].filter(
    (method) =>
      isLive(method) && store.enabled.has(method.handle) && admits(method.from, from) && admits(method.to, to),
  );
  const rows = offered.map((method) => {
    const dynamic = html`<form method="post" action="/checkout/continue">
<input type="hidden" name="handle" value="${method.handle}"><input type="hidden" name="to" value="${to}">
<button>Choose</button></form>`;
    return html`<li data-handle="${method.handle}">${titleOf(method)} ${method.checkoutUrl ? dynamic : html``}</li>`;
  });
  return page(`Delivery from ${from} to ${to}`, html`<ul id="offered">${rows}</ul>`);
}

function checkoutAddressForm(): ServiceResponse {
  return page(
    'Dynamic delivery method',
    html`<form method="post">
<p><label>Delivery key <input name="key" type="password"></label></p>
<p><label>Delivery method <input name="handle"></label></p>
<p><label>Checkout address <input name="address"></label></p>
<button>Save</button></form>`,
  );
}

async function setCheckoutAddress(world: World, call: ServiceRequest): Promise<ServiceResponse> {
  const given = await parameters(call);
  const method = methodNamed(world, given.get('handle'));
  if (!sameSecret(method.owner.key, given.get('key') ?? '')) throw new Refusal(403, 1007, 'This is not your method.');
  method.checkoutUrl = pageAddress(given.get('address') ?? '', 'The checkout address');
  return page('Dynamic delivery method', html`<p id="saved">Saved.</p>`);
}

/** Sends the buyer to the provider's checkout page; which fields are sent besides the signature is our choice. */
async function continueCheckout(world: World, call: ServiceRequest): Promise<ServiceResponse> {
  const given = await parameters(call);
  const method = methodNamed(world, given.get('handle'));
  if (method.checkoutUrl === null) throw new Refusal(409, 1033, 'This method needs no further page.');
  const store = storeOf(world, method);
  const fields: [string, string][] = [
    ['checkout_id', secret(12)],
    ['delivery_method_handle', method.handle],
    ['destination', given.get('to') ?? store.country],
    ['items', 'Riepa 28″ × 2\nZvans & "ding" +1 %20'],
    ['note', ''],
    ['return_address', `${world.origin}/checkout/`],
  ];
  return postOnward('Opening the delivery page', method.checkoutUrl, signedFields(fields, method.owner.key));
}

export const storePages: Route<World>[] = [
  { path: 'admin/delivery', verbs: { GET: deliveryPage, POST: enableMethod } },
  { path: 'admin/orders/new', verbs: { GET: orderForm, POST: placeOrder } },
  { path: 'admin/orders/*', verbs: { GET: orderPage } },
  { path: 'admin/orders/*/label', verbs: { POST: printLabel } },
  { path: 'checkout', verbs: { GET: checkoutForm, POST: offeredMethods } },
  { path: 'checkout/continue', verbs: { POST: continueCheckout } },
  { path: 'provider/checkout-address', verbs: { GET: checkoutAddressForm, POST: setCheckoutAddress } },
];
