// Label printing: the request that a press of the button makes, and the callback that answers it.
import { textFor } from '../delivery/fields.ts';
import { Refusal, type ServiceRequest, type ServiceResponse, sameSecret } from '../server/http.ts';
import { type Order, secret, type World } from '../state.ts';
import { html, page } from './html.ts';
import { signatureOf, signedFields } from './signing.ts';

/** The language of the store admin pages. */
const UI_LANGUAGE = 'ru';

/** Whether the order's page has the button: its method still exists and has a label address. */
export function canPrintLabel(order: Order): boolean {
  return !order.method.deleted && order.method.labelUrl !== null;
}

/** A new label request for an order: remembers it, and returns the signed fields in the order of the form. */
export function newLabelRequest(world: World, order: Order): [string, string][] {
  const id = `lr-${secret(12)}`;
  const callback = secret(24);
  world.labelRequests.set(callback, { id, order });
  const { method, store, delivery, buyer } = order;
  const fields: [string, string][] = [
    ['callback_url', `${world.origin}/callback/label/${callback}`],
    ['label_request_id', id],
    ['order_uuid', order.uuid],
    ['invoice_id', order.invoice],
    ['delivery_method_handle', method.handle],
    ['delivery_method_name', method.name],
    ['delivery_method_title', textFor(method.owner, method.title, UI_LANGUAGE)],
    ['delivery_method_reference', method.reference ?? ''],
    ['x_platform_note', 'ņemt līdzi ☂ & "lietussargu"\nun 100% +1'],
    ['amount', '45.90'],
    ['currency', 'EUR'],
    ['weight', '1250'],
    ['cart', JSON.stringify(cart)],
    ['seller_name', store.brand],
    ['seller_id', '40003000000'],
    ['seller_vat', ''],
    ['seller_address', 'Brīvības iela 1\nRīga, LV-1001'],
    ['seller_country', store.country],
    ['shipping_first_name', 'Jānis'],
    ['shipping_last_name', "O'Bērziņš-Žīgurs"],
    ['shipping_company', 'Ķīmija & Co <50% +1>'],
    ['shipping_company_id', ''],
    ['shipping_company_vat', 'LV00000000000'],
    ['shipping_email', 'janis+order@mail.example'],
    ['shipping_street', delivery.street],
    ['shipping_city', delivery.city],
    ['shipping_state', delivery.state],
    ['shipping_zip', delivery.zip],
    ['shipping_country_code', delivery.country.toLowerCase()],
  ];
  if (order.pickupPointId !== null) fields.push(['shipping_pickup_point_id', order.pickupPointId]);
  if (buyer) {
    fields.push(['buyer_country_code', buyer.country.toLowerCase()], ['buyer_zip', buyer.zip]);
    fields.push(['buyer_state', buyer.state], ['buyer_city', buyer.city], ['buyer_street', buyer.street]);
  }
  if (order.phone !== null) fields.push(['shipping_phone', order.phone]);
  fields.push(['language_code', UI_LANGUAGE], ['website_alias', store.alias], ['website_domain', store.domain]);
  fields.push(['x_empty', '']);
  return signedFields(fields, method.owner.key);
}

const cart = [
  { title: 'Riepa 28″ "Ziema"', sku: 'R/28&1', qty: 2, price: '20.00' },
  { title: 'Zvans\n<ding> + 100%', sku: 'Z-1', qty: 1, price: '5.90' },
];

const refused = (message: string) => new Refusal(403, 1031, message);

/**
 * The provider's report about a label. A label is stored only under a right signature over the received fields in
 * received order; an error may come unsigned, but not with a wrong signature. Nothing changes when it is refused.
 */
export function serveLabelCallback(world: World, call: ServiceRequest, [token = '']: string[]): ServiceResponse {
  const request = world.labelRequests.get(token);
  if (!request) throw new Refusal(404, 1004, 'No label was requested with this callback address.');
  const names = call.query.map(([name]) => name);
  if (new Set(names).size < names.length) throw new Refusal(422, 1032, 'A callback parameter is there twice.');
  const given = new Map(call.query);
  const signature = given.get('signature');
  const failure = given.get('error_msg');
  const isSigned = signature !== undefined;
  if (isSigned && !sameSecret(signature, signatureOf(call.query, request.order.method.owner.key))) {
    throw refused('The signature is not that of the received parameters.');
  }
  if (!isSigned && failure === undefined) throw refused('The signature is missing.');
  if (given.get('label_request_id') !== request.id) throw refused('The label_request_id is not that of the request.');
  const url = given.get('label_url');
  if (failure !== undefined) {
    if (url !== undefined) throw new Refusal(422, 1032, 'A callback reports a label or an error, not both.');
    request.order.errorMessage = failure;
    return thanks('The error was noted.');
  }
  if (url === undefined || !/^https?:\/\/\S/i.test(url)) {
    throw new Refusal(422, 1032, 'label_url has to be the address of the label.');
  }
  const trackingCode = given.get('tracking_code') ?? null;
  request.order.label = { url, trackingCode, trackingUrl: given.get('tracking_url') ?? null };
  request.order.errorMessage = null;
  return thanks('The label was stored with the order.');
}

const thanks = (sentence: string) => page('Label', html`<p>${sentence} You may close this page.</p>`);
