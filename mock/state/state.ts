/**
 * The state of the service. One table per kind of row; keys are strings. Addresses are not stored: they are built
 * from the service's origin on use, so that a database survives a change of port.
 */

import type { PointLists } from '../storage/point-list.ts';
import { type Journal, Table } from '../storage/table.ts';
import type { Method } from '../types/method.ts';
import type { Languages, OwnerId, Text } from '../types/text.ts';

export interface Website extends Languages {
  readonly id: number;
  readonly alias: string;
  readonly brandname: string;
  /** Key of the store's API, for private integrations. */
  readonly apiKey: string;
  /** 2-letter code of the country the store is in. */
  readonly country: string;
  readonly currency: string;
  readonly seller: { readonly name: string; readonly id: string; readonly vat: string; readonly address: string };
  readonly user: {
    readonly name: string;
    readonly email: string;
    readonly country: string;
    readonly created: string;
    readonly confirmed: boolean;
    readonly unsubscribed: boolean;
  };
  readonly type: number;
  /** 1 enabled, 0 disabled: our choice, the contract gives the numbers no meaning. */
  readonly status: number;
  readonly premium: Subscription | null;
  readonly created: string;
  readonly modified: string;
  readonly accessed: string | null;
  readonly resellerId: number | null;
  /** Handles that the store admin has switched on for the checkout. */
  readonly enabledMethods: readonly string[];
  /** Values of a delivery provider's settings form: provider id -> field id -> value. */
  readonly deliverySettings: Readonly<Record<string, Readonly<Record<string, FieldValue>>>>;
}

export type FieldValue = string | boolean;
export type Subscription = 'premium' | 'premiumplus';

/** draft: visible only in the portal; submitted: waits for the operator; approved: live; refused: by the operator. */
export type ApprovalStatus = 'draft' | 'submitted' | 'approved' | 'refused';

export interface Provider extends Languages {
  readonly id: number;
  readonly apiKey: string;
  /** The developer may see the key once, in the portal. */
  readonly keyShown: boolean;
  readonly status: ApprovalStatus;
  readonly manifest: ProviderManifest;
  /** The checkout page of the provider for dynamic methods; a method's own address has priority. */
  readonly checkoutUrl?: string | null;
}

export interface ProviderManifest {
  readonly app_type: 'DELIVERY_SERVICE';
  readonly app_title: string;
  readonly app_vendor: Readonly<Record<string, unknown>>;
  readonly delivery_api_data_fields?: readonly DataField[];
  readonly delivery_service_info?: { readonly info_url?: Text };
}

export interface DataField {
  readonly id: string;
  readonly title: Text;
  readonly type: 'text' | 'password' | 'checkbox' | 'email';
  readonly required?: boolean;
}

export interface App {
  readonly id: string;
  readonly apiKey: string;
  readonly keyShown: boolean;
  readonly status: ApprovalStatus;
  /** The manifest that the catalog uses. */
  readonly manifest: AppManifest;
  /** The manifest edited since the approval; replaces `manifest` after the next approval. */
  readonly pending: AppManifest | null;
}

export interface AppManifest {
  readonly app_type: 'APP';
  readonly app_title: string;
  readonly app_display_title?: Text;
  readonly app_icon: string;
  readonly app_version: string;
  readonly app_description_short: Text;
  readonly app_description_full: Text;
  readonly app_tab_mode: 'blank' | 'self';
  readonly app_install_url: string;
  readonly app_settings_url: string;
  readonly app_secret: string;
  readonly [field: string]: unknown;
}

export type { Method };

export interface Address {
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly countryCode: string;
}

export interface Order {
  readonly uuid: string;
  readonly invoiceId: string;
  readonly websiteId: number;
  readonly owner: OwnerId;
  /** A copy of the method: later changes or the deletion of the method do not affect the order. */
  readonly method: Method;
  readonly pickupPointId: string | null;
  readonly shipping: {
    readonly firstName: string;
    readonly lastName: string;
    readonly company: string;
    readonly companyId: string;
    readonly companyVat: string;
    readonly email: string;
    readonly phone: string | null;
    readonly address: Address;
  };
  /** Only if the shipping address differs. */
  readonly buyer: Address | null;
  readonly cart: readonly { id: string; name: string; sku: string; quantity: number; price: string; weight: number }[];
  /** Decimal number as text. */
  readonly amount: string;
  readonly currency: string;
  readonly weightGrams: number;
  readonly language: string;
  readonly created: string;
  readonly label: {
    readonly url: string | null;
    readonly trackingCode: string | null;
    readonly trackingUrl: string | null;
    readonly error: string | null;
  };
}

export interface LabelRequest {
  readonly id: string;
  readonly orderUuid: string;
  /** The owner of the method, whose key signs. */
  readonly owner: OwnerId;
  readonly sentAt: string;
  readonly outcome: 'waiting' | 'label' | 'error';
}

/** A method whose own page determines the price during checkout. */
export interface DynamicCheckout {
  readonly handle: string;
  readonly checkoutUrl: string;
}

export interface Installation {
  readonly authCode: string;
  readonly appId: string;
  readonly websiteId: number;
  readonly installed: boolean;
  /** By slot: `*` for every page, else the language code. */
  readonly snippets: Readonly<Record<string, string>>;
  /** `undefined` while nothing was set. */
  readonly data?: unknown;
}

/** A visit of a user during an installation or the settings; the callback address identifies it. */
export interface Visit {
  readonly token: string;
  readonly kind: 'install' | 'settings';
  readonly appId: string;
  readonly websiteId: number;
  readonly language: string;
  /** asked: app loaded without a code; agreed: the app sent the user back, permissions are shown; coded: loaded with a code; returned: back through the callback. */
  readonly stage: 'asked' | 'agreed' | 'coded' | 'returned';
  readonly authCode: string | null;
  /** The parameters sent to the app, in order. */
  readonly sent: readonly (readonly [string, string])[];
}

export interface Reseller {
  readonly id: number;
  readonly email: string;
  readonly password: string;
  readonly approved: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly tlds: string;
  readonly creditLimit: number;
  /** Currency code and amount, as shown. */
  readonly currentBalance: string;
  readonly billingThreshold: string;
}

export interface Token {
  readonly token: string;
  readonly resellerId: number;
}

export interface Domain {
  readonly id: number;
  readonly websiteId: number;
  readonly domain: string;
}

export interface LoginLink {
  readonly token: string;
  readonly websiteId: number;
  readonly used: boolean;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
}

export interface State {
  readonly websites: Table<Website>;
  readonly providers: Table<Provider>;
  readonly apps: Table<App>;
  readonly methods: Table<Method>;
  /** Pickup points of each method, published and staged. */
  readonly points: PointLists;
  readonly orders: Table<Order>;
  readonly labelRequests: Table<LabelRequest>;
  readonly dynamicCheckouts: Table<DynamicCheckout>;
  readonly installations: Table<Installation>;
  readonly visits: Table<Visit>;
  readonly resellers: Table<Reseller>;
  readonly tokens: Table<Token>;
  readonly domains: Table<Domain>;
  readonly loginLinks: Table<LoginLink>;
  /** The last assigned number, by kind. */
  readonly counters: Table<number>;
}

/** The tables of rows, by name, in the order in which they are created and loaded. */
export function createTables(journal: Journal): Omit<State, 'points'> {
  return {
    websites: new Table<Website>('websites', journal),
    providers: new Table<Provider>('providers', journal),
    apps: new Table<App>('apps', journal),
    methods: new Table<Method>('methods', journal),
    orders: new Table<Order>('orders', journal),
    labelRequests: new Table<LabelRequest>('labelRequests', journal),
    dynamicCheckouts: new Table<DynamicCheckout>('dynamicCheckouts', journal),
    installations: new Table<Installation>('installations', journal),
    visits: new Table<Visit>('visits', journal),
    resellers: new Table<Reseller>('resellers', journal),
    tokens: new Table<Token>('tokens', journal),
    domains: new Table<Domain>('domains', journal),
    loginLinks: new Table<LoginLink>('loginLinks', journal),
    counters: new Table<number>('counters', journal),
  };
}

/** The next number of a kind, starting above `from`. Call it inside `change`. */
export function nextNumber(state: State, kind: string, from = 0): number {
  const next = (state.counters.get(kind) ?? from) + 1;
  state.counters.set(kind, next);
  return next;
}

/** The row of an owner, with its key and languages. */
export function ownerOf(state: State, id: OwnerId): Website | Provider | undefined {
  const [kind, number] = id.split(':') as [string, string];
  return kind === 'website' ? state.websites.get(number) : state.providers.get(number);
}

/** The text in a language, or else in the default language, or else in any. */
export function textIn(text: Text | null, language: string, site: Languages): string {
  if (text === null || typeof text === 'string') return text ?? '';
  return text[language] ?? text[site.defaultLanguage] ?? Object.values(text)[0] ?? '';
}
