/**
 * What a service begins with. The keys, codes and passwords are as strong as real ones and the same in every start, so that a
 * profile written down yesterday works today: they are derived from names, open no other service, and `--fixtures` replaces them.
 */
import { createHash } from 'node:crypto';
import type { MockService } from './service.ts';
import type {
  App,
  Domain,
  DynamicCheckout,
  Installation,
  Method,
  Order,
  Point,
  Provider,
  Reseller,
  State,
  Website,
} from './state.ts';

/** Rows that a service starts with. */
export interface Fixtures {
  readonly websites: readonly Website[];
  readonly providers: readonly Provider[];
  readonly apps: readonly App[];
  readonly installations: readonly Installation[];
  readonly methods: readonly Method[];
  /** By method handle. */
  readonly points: Readonly<Record<string, readonly Point[]>>;
  readonly orders: readonly Order[];
  readonly dynamicCheckouts: readonly DynamicCheckout[];
  readonly resellers: readonly Reseller[];
  readonly domains: readonly Domain[];
}

/** A secret of 40 letters and digits (over 200 bits wide), always the same for a name. */
export function secretFor(name: string): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  const bytes = createHash('sha512').update(`proofmark mock ${name}`).digest();
  return Array.from(bytes.subarray(0, 40), (byte) => alphabet[byte % alphabet.length]).join('');
}

const CREATED = '2025-03-01 09:00:00';
const MODIFIED = '2026-02-11 16:45:10';

export const NEW_WEBSITE: Website = {
  id: 0,
  alias: '',
  brandname: '',
  apiKey: '',
  country: 'LV',
  currency: 'EUR',
  languages: ['en'],
  defaultLanguage: 'en',
  seller: { name: 'Store SIA', id: '40203000000', vat: 'LV40203000000', address: 'Dzirnavu iela 1, Rīga, LV-1010' },
  user: {
    name: 'Store Owner',
    email: 'owner@store.example',
    country: 'LV',
    created: CREATED,
    confirmed: true,
    unsubscribed: false,
  },
  type: 1,
  status: 1,
  premium: null,
  created: CREATED,
  modified: MODIFIED,
  accessed: null,
  resellerId: null,
  enabledMethods: [],
  deliverySettings: {},
};

const websites: readonly Website[] = [
  {
    ...NEW_WEBSITE,
    id: 55001,
    alias: 'nordic-honey',
    brandname: 'Nordic Honey',
    apiKey: secretFor('store nordic-honey'),
    languages: ['en', 'lv', 'de'],
    seller: {
      name: 'Nordic Honey SIA',
      id: '40203111111',
      vat: 'LV40203111111',
      address: 'Medus iela 3, Rīga, LV-1048',
    },
    user: { ...NEW_WEBSITE.user, name: 'Ilze Kalniņa', email: 'ilze@nordic-honey.example' },
    accessed: '2026-10-02 08:15:00',
    resellerId: 9001,
    enabledMethods: ['honey-courier', 'honey-lockers', 'parcel-lockers', 'parcel-home'],
    deliverySettings: {
      7001: { client_id: 'C-77', api_login: 'nordic@honey.example', api_password: 'hunter-of-bees-77', express: true },
    },
  },
  {
    ...NEW_WEBSITE,
    id: 55002,
    alias: 'saule-books',
    brandname: 'Saule Books',
    apiKey: secretFor('store saule-books'),
    country: 'EE',
    languages: ['et', 'en'],
    defaultLanguage: 'et',
    user: {
      ...NEW_WEBSITE.user,
      name: 'Mart Tamm',
      email: 'mart@saule-books.example',
      country: 'EE',
      confirmed: false,
    },
    resellerId: 9001,
    premium: 'premium',
    enabledMethods: ['saule-post', 'parcel-lockers'],
    deliverySettings: {
      7001: {
        client_id: 'C-12',
        api_login: 'post@saule-books.example',
        api_password: 'pages-and-suns-12',
        express: false,
      },
    },
  },
  {
    ...NEW_WEBSITE,
    id: 55003,
    alias: 'amber-lights',
    brandname: 'Amber Lights',
    apiKey: secretFor('store amber-lights'),
    languages: ['lv'],
    defaultLanguage: 'lv',
    user: { ...NEW_WEBSITE.user, name: 'Jānis Ozols', email: 'janis@amber-lights.example', unsubscribed: true },
    resellerId: 9001,
  },
  {
    ...NEW_WEBSITE,
    id: 55004,
    alias: 'fjord-tents',
    brandname: 'Fjord Tents',
    apiKey: secretFor('store fjord-tents'),
    country: 'NO',
    currency: 'NOK',
    user: { ...NEW_WEBSITE.user, name: 'Kari Vik', email: 'kari@fjord-tents.example', country: 'NO' },
    resellerId: 9001,
    status: 0,
    premium: 'premiumplus',
    accessed: '2026-08-30 19:02:44',
  },
  {
    ...NEW_WEBSITE,
    id: 55005,
    alias: 'quiet-harbour',
    brandname: 'Quiet Harbour',
    apiKey: secretFor('store quiet-harbour'),
    resellerId: 9002,
  },
];

const vendor = (name: string, host: string): Record<string, string> => ({
  company_name: name,
  support_email: `support@${host}`,
  support_phone: '+371 67000000',
  developer_email: `developers@${host}`,
});

const providers: readonly Provider[] = [
  {
    id: 7001,
    apiKey: secretFor('provider baltic-parcel'),
    keyShown: true,
    status: 'approved',
    languages: ['en', 'lv', 'de'],
    defaultLanguage: 'en',
    manifest: {
      app_type: 'DELIVERY_SERVICE',
      app_title: 'Baltic Parcel',
      app_vendor: vendor('Baltic Parcel AS', 'baltic-parcel.example'),
      delivery_api_data_fields: [
        { id: 'client_id', title: { en: 'Client number', lv: 'Klienta numurs' }, type: 'text', required: true },
        { id: 'api_login', title: 'E-mail of your account', type: 'email', required: true },
        { id: 'api_password', title: 'Password', type: 'password', required: true },
        { id: 'express', title: 'Express by default', type: 'checkbox' },
      ],
      delivery_service_info: { info_url: 'https://baltic-parcel.example/stores' },
    },
    checkoutUrl: null,
  },
  {
    id: 7002,
    apiKey: secretFor('provider fast-fox'),
    keyShown: false,
    status: 'draft',
    languages: ['en'],
    defaultLanguage: 'en',
    manifest: {
      app_type: 'DELIVERY_SERVICE',
      app_title: 'Fast Fox',
      app_vendor: vendor('Fast Fox OÜ', 'fast-fox.example'),
    },
    checkoutUrl: null,
  },
];

function app(
  id: string,
  title: string,
  host: string,
  more: Pick<App, 'status' | 'keyShown'>,
  tab: 'blank' | 'self',
): App {
  return {
    id,
    apiKey: secretFor(`app ${id}`),
    ...more,
    pending: null,
    manifest: {
      app_type: 'APP',
      app_title: title,
      app_display_title: { en: title, lv: `${title} (LV)` },
      app_icon: `https://${host}/icon.png`,
      app_version: '1.4.0',
      app_description_short: { en: `${title} for your website` },
      app_description_full: { en: `${title} adds what visitors ask for, without a line of code.` },
      app_vendor: {
        ...vendor(`${title} GmbH`, host),
        company_url: `https://${host}/`,
        support_url: `https://${host}/help`,
        privacy_url: `https://${host}/privacy`,
        tos_url: `https://${host}/terms`,
      },
      app_permissions: ['FULL'],
      app_tab_mode: tab,
      app_install_url: `https://${host}/install`,
      app_settings_url: `https://${host}/settings`,
      app_secret: secretFor(`app secret ${id}`),
    },
  };
}

const apps: readonly App[] = [
  app('3001', 'Chat Corner', 'chat-corner.example', { status: 'approved', keyShown: true }, 'blank'),
  app('3002', 'Star Reviews', 'star-reviews.example', { status: 'draft', keyShown: false }, 'self'),
];

const installation = (appId: string, websiteId: number, installed: boolean): Installation => ({
  authCode: secretFor(`installation ${appId} ${websiteId}`),
  appId,
  websiteId,
  installed,
  snippets: {},
});

const installations: readonly Installation[] = [installation('3001', 55001, true), installation('3001', 55002, true)];

export const NEW_METHOD: Omit<Method, 'handle' | 'number' | 'owner' | 'name'> = {
  title: null,
  reference: null,
  available_countries_from: null,
  available_countries_to: null,
  print_label_url: null,
};

const methods: readonly Method[] = [
  {
    ...NEW_METHOD,
    handle: 'honey-courier',
    number: 1,
    owner: 'website:55001',
    name: 'Courier',
    title: { en: 'Courier', lv: 'Kurjers', de: 'Kurier' },
    reference: 'courier-1',
    print_label_url: 'https://labels.nordic-honey.example/print',
  },
  {
    ...NEW_METHOD,
    handle: 'honey-lockers',
    number: 2,
    owner: 'website:55001',
    name: 'Our lockers',
    title: 'Our lockers',
  },
  { ...NEW_METHOD, handle: 'saule-post', number: 3, owner: 'website:55002', name: 'Post', title: { et: 'Post' } },
  {
    ...NEW_METHOD,
    handle: 'parcel-lockers',
    number: 4,
    owner: 'provider:7001',
    name: 'Baltic Parcel lockers',
    title: { en: 'Baltic Parcel lockers', lv: 'Baltic Parcel pakomāti' },
    reference: 'LOCKER',
    available_countries_from: ['LV', 'EE', 'LT'],
    available_countries_to: ['LV', 'EE', 'LT', 'FI'],
    print_label_url: 'https://labels.baltic-parcel.example/print',
  },
  {
    ...NEW_METHOD,
    handle: 'parcel-home',
    number: 5,
    owner: 'provider:7001',
    name: 'Baltic Parcel to the door',
    title: 'Baltic Parcel to the door',
    reference: 'DOOR',
    available_countries_from: ['LV'],
    available_countries_to: ['LV', 'EE'],
    print_label_url: 'https://labels.baltic-parcel.example/print',
  },
  {
    ...NEW_METHOD,
    handle: 'fox-home',
    number: 6,
    owner: 'provider:7002',
    name: 'Fast Fox to the door',
    title: 'Fast Fox to the door',
    print_label_url: 'https://labels.fast-fox.example/print',
  },
];

const point = (
  id: string,
  title: Point['title'],
  address: string,
  city: string,
  zip: string,
  country: string,
): Point => ({
  id,
  title,
  address,
  city,
  zip,
  country,
  attributes: { terminal: id, cash: false },
});

const points: Readonly<Record<string, readonly Point[]>> = {
  'honey-lockers': [
    point('RIX-01', { en: 'Central market', lv: 'Centrāltirgus' }, 'Nēģu iela 7', 'Rīga', 'LV-1050', 'LV'),
    point('VNT-02', 'Ventspils harbour', 'Dārzu iela 6', 'Ventspils', 'LV-3601', 'LV'),
  ],
  'parcel-lockers': [
    point('LV-1001', { en: 'Riga, Origo', lv: 'Rīga, Origo' }, 'Stacijas laukums 2', 'Rīga', 'LV-1050', 'LV'),
    point('LV-1002', { en: 'Riga, Alfa', lv: 'Rīga, Alfa' }, 'Brīvības gatve 372', 'Rīga', 'LV-1006', 'LV'),
    point('EE-2001', 'Tallinn, Viru', 'Viru väljak 4', 'Tallinn', '10111', 'EE'),
    point('LT-3001', 'Vilnius, Akropolis', 'Ozo g. 25', 'Vilnius', '07150', 'LT'),
  ],
};

const BUYER_HOME = { street: 'Brīvības iela 21-4', city: 'Rīga', state: '', zip: 'LV-1010', countryCode: 'LV' };

function order(
  uuid: string,
  number: number,
  websiteId: number,
  handle: string,
  pickupPointId: string | null = null,
): Order {
  const method = methods.find((row) => row.handle === handle)!;
  const place = points[handle]?.find(({ id }) => id === pickupPointId);
  return {
    uuid,
    invoiceId: `INV-${String(number).padStart(6, '0')}`,
    websiteId,
    owner: method.owner,
    method,
    pickupPointId,
    shipping: {
      firstName: 'Līga',
      lastName: 'Bērziņa',
      company: '',
      companyId: '',
      companyVat: '',
      email: 'liga@buyer.example',
      phone: '+37120000001',
      address: place
        ? { street: place.address!, city: place.city!, state: '', zip: place.zip!, countryCode: place.country! }
        : BUYER_HOME,
    },
    buyer: place ? BUYER_HOME : null,
    cart: [{ id: '501', name: 'Linden honey, 500 g', sku: 'HON-500', quantity: 2, price: '7.90', weight: 650 }],
    amount: '15.80',
    currency: 'EUR',
    weightGrams: 1_300,
    language: 'en',
    created: '2026-11-02 12:30:00',
    label: { url: null, trackingCode: null, trackingUrl: null, error: null },
  };
}

const orders: readonly Order[] = [
  order('5b0f6f0e-3b1c-4a55-9d0e-2f6f3f6c0a01', 1, 55001, 'parcel-lockers', 'LV-1001'),
  order('5b0f6f0e-3b1c-4a55-9d0e-2f6f3f6c0a02', 2, 55002, 'parcel-lockers', 'EE-2001'),
  order('5b0f6f0e-3b1c-4a55-9d0e-2f6f3f6c0a03', 3, 55001, 'honey-courier'),
  order('5b0f6f0e-3b1c-4a55-9d0e-2f6f3f6c0a04', 4, 55001, 'fox-home'),
];

const resellers: readonly Reseller[] = [
  {
    id: 9001,
    email: 'partner@web-resellers.example',
    password: secretFor('reseller 9001'),
    approved: true,
    settings: {
      company: 'Web Resellers SIA',
      contactName: 'Anna Liepa',
      contactWebsite: 'https://web-resellers.example/',
      contactEmail: 'anna@web-resellers.example',
      contactPhone: '+37167000001',
      addrAddress: 'Elizabetes iela 2',
      addrCity: 'Rīga',
      addrRegion: '',
      addrPostal: 'LV-1010',
      addrCountry: 'lv',
      supportEmail: 'help@web-resellers.example',
      supportPhone: '',
      buyLink: 'https://web-resellers.example/buy',
    },
    tlds: 'lv,com,eu',
    creditLimit: 500,
    currentBalance: 'EUR 120.50',
    billingThreshold: 'EUR 50.00',
  },
  {
    id: 9002,
    email: 'hopeful@new-resellers.example',
    password: secretFor('reseller 9002'),
    approved: false,
    settings: {},
    tlds: 'com',
    creditLimit: 0,
    currentBalance: 'EUR 0.00',
    billingThreshold: 'EUR 50.00',
  },
];

const domains: readonly Domain[] = [
  { id: 8001, websiteId: 55001, domain: 'nordic-honey.example' },
  { id: 8002, websiteId: 55002, domain: 'saule-books.example' },
  { id: 8003, websiteId: 55002, domain: 'raamatud.example' },
];

export const defaultFixtures: Fixtures = {
  websites,
  providers,
  apps,
  installations,
  methods,
  points,
  orders,
  dynamicCheckouts: [{ handle: 'parcel-home', checkoutUrl: 'https://labels.baltic-parcel.example/checkout' }],
  resellers,
  domains,
};

/** Puts the rows into an empty state. */
export function plant(state: State, fixtures: Fixtures, change: MockService['change']): void {
  change(() => {
    for (const row of fixtures.websites) state.websites.set(String(row.id), row);
    for (const row of fixtures.providers) state.providers.set(String(row.id), row);
    for (const row of fixtures.apps) state.apps.set(row.id, row);
    for (const row of fixtures.methods) state.methods.set(row.handle, row);
    for (const [handle, rows] of Object.entries(fixtures.points)) {
      if (rows.length > 0) state.points.of(handle).rewrite(rows);
    }
    for (const row of fixtures.orders) state.orders.set(row.uuid, row);
    for (const row of fixtures.dynamicCheckouts) state.dynamicCheckouts.set(row.handle, row);
    for (const row of fixtures.installations) state.installations.set(row.authCode, row);
    for (const row of fixtures.resellers) state.resellers.set(String(row.id), row);
    for (const row of fixtures.domains) state.domains.set(String(row.id), row);
    state.counters.set('method', Math.max(0, ...fixtures.methods.map(({ number }) => number)));
    state.counters.set('order', fixtures.orders.length);
  });
}
