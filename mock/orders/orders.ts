/** Orders as customers place them: one kind for each difference in label requests. */
import { refuse } from '../http/refusal.ts';
import { timestamp } from '../state/clock.ts';
import { type Address, type Method, nextNumber, type Order, type Website } from '../state/state.ts';
import type { MockService } from '../types/service.ts';

export const ORDER_KINDS = {
  address: 'Delivered to the buyer’s own address',
  'pickup-point': 'Collected from a pickup point',
  'other-buyer-address': 'Delivered to another person’s address',
  'no-phone': 'Without a phone number',
  'no-company': 'A person, without a company',
  unicode: 'Names and streets in several scripts',
  'special-characters': 'Values with + & % = < > \\ and quotes, two spaces in a row, and an invoice number of digits',
  'line-breaks': 'A street of several lines, with a tab in one',
  'long-cart': 'A cart of 200 lines, bought by a company with a long name',
  weightless: 'Weight 0',
  heavy: 'Weight of 1,250 kg',
} as const;

export type OrderKind = keyof typeof ORDER_KINDS;

/** What a buyer enters at checkout in place of the usual values. */
export interface BuyerEntries {
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string;
  readonly email: string;
  readonly phone: string;
  readonly street: string;
  readonly city: string;
  readonly zip: string;
}

export interface NewOrder {
  readonly websiteId: number;
  readonly handle: string;
  readonly kind?: OrderKind;
  /** A point of the method; without it the first one, for orders that need one. */
  readonly pickupPointId?: string;
  readonly otherBuyerAddress?: boolean;
  readonly language?: string;
  readonly entered?: Partial<BuyerEntries>;
}

/**
 * Places an order in a store for its own method or for one of a delivery provider (also one that is not approved yet: that is
 * how a provider tests). Refuses an unknown store, method or pickup point.
 */
export function placeOrder(service: MockService, wanted: NewOrder): Order {
  const { state } = service;
  const website = state.websites.get(String(wanted.websiteId));
  if (!website) return refuse('not-found', 'There is no such store.');
  const method = state.methods.get(wanted.handle);
  if (!method || (method.owner.startsWith('website:') && method.owner !== `website:${website.id}`)) {
    return refuse('not-found', 'The store has no such delivery method.');
  }
  const point = pickupPointFor(service, method, wanted);
  return service.change(() => {
    const order = orderOf(service, website, method, wanted, point);
    return state.orders.set(order.uuid, order);
  });
}

function pickupPointFor(service: MockService, method: Method, wanted: NewOrder): string | null {
  const list = service.state.points.of(method.handle);
  if (wanted.pickupPointId !== undefined) {
    if (!list.get(wanted.pickupPointId)) return refuse('not-found', 'The method has no such pickup point.');
    return wanted.pickupPointId;
  }
  if (wanted.kind !== 'pickup-point') return null;
  const first = list.slice(null, 1, false)[0]?.item;
  if (!first) return refuse('invalid', 'The method has no pickup points: add one, or place an order of another kind.');
  return first.id;
}

const HOME: Address = {
  street: 'Brīvības iela 21-4',
  city: 'Rīga',
  state: 'Rīgas raj.',
  zip: 'LV-1010',
  countryCode: 'LV',
};
/** More than the 255 characters of many a database column. */
const LONG_COMPANY = `SIA Kopuzņēmums ${'Dzintara Krasta Bišu Dravas un '.repeat(9)}draugi`;
const OFFICE: Address = {
  street: '12 Harbour Road',
  city: 'Ventspils',
  state: 'Kurzeme',
  zip: 'LV-3601',
  countryCode: 'LV',
};

function orderOf(
  service: MockService,
  website: Website,
  method: Method,
  wanted: NewOrder,
  point: string | null,
): Order {
  const kind = wanted.kind ?? 'address';
  const number = nextNumber(service.state, 'order');
  const cart = cartOf(kind);
  const { street, city, zip, ...person } = wanted.entered ?? {};
  const home = { ...HOME, ...(street && { street }), ...(city && { city }), ...(zip && { zip }) };
  const address = addressOf(service, method, kind, point, home);
  const elsewhere = point !== null || wanted.otherBuyerAddress === true || kind === 'other-buyer-address';
  return {
    uuid: service.rules.newOrderUuid(),
    invoiceId: `${kind === 'special-characters' ? '' : 'INV-'}${String(number).padStart(6, '0')}`,
    websiteId: website.id,
    owner: method.owner,
    method,
    pickupPointId: point,
    shipping: { ...recipientOf(kind), ...person, address },
    buyer: elsewhere ? (point === null ? OFFICE : home) : null,
    cart,
    amount: cart.reduce((sum, line) => sum + line.quantity * Number(line.price), 0).toFixed(2),
    currency: website.currency,
    weightGrams: cart.reduce((sum, line) => sum + line.quantity * line.weight, 0),
    language: wanted.language ?? website.defaultLanguage,
    created: timestamp(service.now()),
    label: { url: null, trackingCode: null, trackingUrl: null, error: null },
  };
}

function recipientOf(kind: OrderKind): Omit<Order['shipping'], 'address'> {
  const company =
    kind === 'no-company'
      ? { company: '', companyId: '', companyVat: '' }
      : { company: 'Jūras Vējš SIA', companyId: '40003000001', companyVat: 'LV40003000001' };
  const person = { firstName: 'Līga', lastName: 'Bērziņa', email: 'liga@buyer.example', ...company };
  if (kind === 'unicode')
    return { ...person, firstName: '李', lastName: 'Жуковą 🐝', company: 'مؤسسة', phone: '+371 20000001' };
  if (kind === 'special-characters') {
    return {
      ...person,
      firstName: 'A+B & C',
      lastName: `O'Neil "<b>" 100%25`,
      company: 'a=1&b=2;  c#d?e',
      phone: '+371/2000-0001',
    };
  }
  if (kind === 'long-cart') return { ...person, company: LONG_COMPANY, phone: '+371 20000002' };
  return { ...person, phone: kind === 'no-phone' ? null : '+37120000001' };
}

function addressOf(
  service: MockService,
  method: Method,
  kind: OrderKind,
  pointId: string | null,
  home: Address,
): Address {
  const point = pointId === null ? undefined : service.state.points.of(method.handle).get(pointId);
  if (point) {
    return {
      street: point.address ?? '',
      city: point.city ?? '',
      state: '',
      zip: point.zip ?? '',
      countryCode: point.country ?? home.countryCode,
    };
  }
  if (kind === 'unicode') return { ...home, street: 'Ķekavas šoseja 3 〒', city: 'Ķegums' };
  if (kind === 'special-characters') return { ...home, street: String.raw`C/o "x" & y + z, 50% off <i>, gate 3\4` };
  if (kind === 'line-breaks') return { ...home, street: 'Building 7\nEntrance\tB\r\nFloor 3' };
  return home;
}

function cartOf(kind: OrderKind): Order['cart'] {
  const honey = { id: '501', name: 'Linden honey, 500 g', sku: 'HON-500', quantity: 2, price: '7.90', weight: 650 };
  const mead = { id: '502', name: 'Mead “Saule” 0,75 l', sku: 'MEAD-75', quantity: 1, price: '14.50', weight: 1_300 };
  if (kind === 'special-characters')
    return [{ ...honey, name: String.raw`Beekeeper's "Linden" honey & wax, C:\jars, 50% <b>off</b> {0}` }, mead];
  if (kind === 'weightless') return [{ ...honey, name: 'Gift card', sku: 'GIFT', weight: 0 }];
  if (kind === 'heavy') return [{ ...honey, name: 'Honey, pallet', sku: 'HON-P', quantity: 1, weight: 1_250_000 }];
  if (kind === 'long-cart') {
    return Array.from({ length: 200 }, (_, at) => ({
      ...honey,
      id: String(1_000 + at),
      sku: `HON-${at}`,
      quantity: 1,
    }));
  }
  return [honey, mead];
}
