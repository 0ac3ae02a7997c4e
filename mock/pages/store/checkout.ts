/** The checkout of a shop: what it offers between two countries, pickup points, and dynamic methods. */
import type { Context } from 'hono';
import { offeredMethods, startDynamicCheckout } from '../../orders/checkout.ts';
import { placeOrder } from '../../orders/orders.ts';
import { siteUrl, websiteByAlias } from '../../state/sites.ts';
import { type Method, textIn, type Website } from '../../state/state.ts';
import type { Point } from '../../types/point.ts';
import type { MockService } from '../../types/service.ts';
import { type Html, html } from '../html.ts';
import { radios, selectField, textField } from '../layout/fields.ts';
import { readForm } from '../layout/form.ts';
import { handOver } from '../layout/hand-over.ts';
import { PageError, type PageRoutes, page } from '../layout/shell.ts';
import { countryOf } from './admin.ts';
import { methodTitle } from './session.ts';

/** How many points of a method are listed: a search is not part of the contract. */
const LISTED_POINTS = 200;

function shopOf(c: Context, service: MockService): Website {
  const website = websiteByAlias(service, c.req.param('alias') ?? '');
  if (!website) throw new PageError(404, 'There is no such shop.');
  if (!service.rules.isEnabled(website)) throw new PageError(404, 'This shop is switched off.');
  return website;
}

function pointText(point: Point, website: Website): string {
  const title = textIn(point.title, website.defaultLanguage, website) || point.id;
  return [title, point.address, point.city, point.zip, point.country].filter(Boolean).join(', ');
}

function pointSelect(service: MockService, method: Method, website: Website, destination: string): Html | null {
  const found = service.state.points.of(method.handle).slice(null, LISTED_POINTS, false);
  if (found.length === 0) return null;
  const there = found.filter(({ item }) => (item.country ?? destination).toUpperCase() === destination);
  return selectField({
    name: `point ${method.handle}`,
    label: `Pickup point of ${methodTitle(method, website)}`,
    choices: [
      { value: '', text: 'No pickup point: deliver to my address' },
      ...there.map(({ item }) => ({ value: item.id, text: pointText(item, website) })),
    ],
  });
}

function offerForm(service: MockService, website: Website, countries: { store: string; destination: string }): Html {
  const methods = offeredMethods(service, website, countries.destination, countries.store);
  if (methods.length === 0)
    return html`<section id="offer"><h2>Delivery</h2><p>The shop does not deliver there.</p></section>`;
  const choices = methods.map((method) => ({
    value: method.handle,
    text: methodTitle(method, website),
    about: service.state.dynamicCheckouts.has(method.handle) ? 'continues on the provider’s own page' : method.handle,
  }));
  return html`<section id="offer"><h2>Delivery</h2>
<form method="post" action="/checkout/${encodeURIComponent(website.alias)}/">
<input type="hidden" name="store_country" value="${countries.store}"><input type="hidden" name="destination_country" value="${countries.destination}">
${radios({ name: 'method', label: 'Delivery method', choices, required: true })}
${methods.map((method) => pointSelect(service, method, website, countries.destination))}
<button>Buy</button></form>
<p class="soft">Dynamic methods: the contract fixes only that a signed POST goes to the provider. Its fields beside <code>signature</code> are our choice.</p></section>`;
}

function checkoutPage(c: Context, service: MockService, website: Website): Response {
  const store = c.req.query('store_country') ?? website.country;
  const destination = c.req.query('destination_country');
  const countries =
    destination === undefined
      ? null
      : { store: countryOf(store, 'The store’s country'), destination: countryOf(destination, 'The destination') };
  return page(c, {
    title: `Checkout of ${website.brandname}`,
    body: html`<section><h2>From where to where</h2>
<form method="get" action="/checkout/${encodeURIComponent(website.alias)}/">
${textField({ name: 'store_country', label: 'Country of the store', hint: 'its own, or another one to try out', value: countries?.store ?? website.country, required: true })}
${textField({ name: 'destination_country', label: 'Destination country', value: countries?.destination ?? website.country, required: true })}
<button>Show the delivery methods</button></form></section>
${countries && offerForm(service, website, countries)}
<p><a href="${siteUrl(service, website)}">Back to ${website.brandname}</a></p>`,
  });
}

/** Adds the checkout of every shop. */
export function mountCheckout(routes: PageRoutes): void {
  const { service } = routes;

  routes.get('/checkout/:alias/', (c) => checkoutPage(c, service, shopOf(c, service)));

  routes.post('/checkout/:alias/', async (c) => {
    const form = await readForm(c);
    const website = shopOf(c, service);
    const store = countryOf(form.text('store_country') || website.country, 'The store’s country');
    const destinationCountry = countryOf(form.text('destination_country'), 'The destination');
    const handle = form.text('method');
    if (!offeredMethods(service, website, destinationCountry, store).some((method) => method.handle === handle)) {
      throw new PageError(400, 'The shop does not offer this delivery method there.');
    }
    if (service.state.dynamicCheckouts.has(handle)) {
      const signed = startDynamicCheckout(service, { websiteId: website.id, handle, destinationCountry });
      return handOver(c, { title: 'Checkout', form: signed, note: 'checkout' });
    }
    const point = form.text(`point ${handle}`);
    const order = placeOrder(service, {
      websiteId: website.id,
      handle,
      ...(point === '' ? {} : { pickupPointId: point }),
    });
    return page(c, {
      title: 'Thank you',
      body: html`<section><p>Your order <strong>${order.invoiceId}</strong> was placed: ${order.amount} ${order.currency}.</p>
<p>Order id: <code id="order-uuid">${order.uuid}</code></p></section><p><a href="${siteUrl(service, website)}">Back to ${website.brandname}</a></p>`,
    });
  });
}
