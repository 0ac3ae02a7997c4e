// The initial state of the service. Secrets are generated at each start; none is in the source.
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type App,
  type Method,
  newMethod,
  nextNumber,
  type Order,
  type Owner,
  type Reseller,
  type Store,
  secret,
  type World,
} from './state.ts';

/** Keys end in characters that only a careful client transmits unchanged. */
const deliveryKey = () => `${randomBytes(21).toString('base64')}+/=`;

function owner(kind: Owner['kind'], id: number, name: string, languages: string[], approved = true): Owner {
  return {
    kind,
    id,
    name,
    key: deliveryKey(),
    languages,
    defaultLanguage: languages.includes('lv') ? 'lv' : (languages[0] ?? 'en'),
    textsReadAs: languages.length > 1 ? 'object' : 'string',
    approved,
  };
}

function store(own: Owner, alias: string, country: string, emailConfirmed: boolean): Store {
  return {
    owner: own,
    alias,
    domain: `${alias}.example`,
    brand: own.name,
    country,
    email: `owner@${alias}.example`,
    emailConfirmed,
    enabled: new Set(),
    fields: new Map(),
  };
}

function seedMethods(world: World, own: Owner, titles: string[]): Method[] {
  return titles.map((title) => {
    const method = newMethod(world, own);
    method.title = { [own.defaultLanguage]: title };
    world.methods.set(method.handle, method);
    return method;
  });
}

function seedOrder(world: World, shop: Store, method: Method): Order {
  const home = { street: 'Krasta iela 7', city: 'Rīga', state: '', zip: 'LV-1003', country: shop.country };
  const order: Order = {
    uuid: randomUUID(),
    invoice: `R/${nextNumber(world)}`,
    store: shop,
    method,
    pickupPointId: null,
    delivery: home,
    buyer: null,
    phone: null,
    label: null,
    errorMessage: null,
  };
  world.orders.set(order.uuid, order);
  return order;
}

function seedApp(id: string, title: string, approved: boolean): App {
  return {
    id,
    title,
    key: deliveryKey(),
    secret: `${secret(20)} ~*é`,
    installUrl: 'https://127.0.0.1:9/app/install',
    settingsUrl: 'https://127.0.0.1:9/app/settings',
    tabMode: 'self',
    approved,
  };
}

function reseller(id: number, email: string, approved: boolean): Reseller {
  return {
    id,
    email,
    password: `Pä ss+&=%41 ${secret(9)}`,
    approved,
    token: null,
    balanceCents: -1840,
    settings: {
      resellerID: id,
      company: 'Ziemeļu Tīkli SIA',
      contactName: 'Līga Kalniņa',
      contactWebsite: '',
      contactEmail: email,
      contactPhone: '+371 20000000',
      addrAddress: 'Dzirnavu iela 3',
      addrCity: 'Rīga',
      addrRegion: '',
      addrPostal: 'LV-1010',
      addrCountry: 'lv',
      supportEmail: 'help@partners.example',
      supportPhone: '',
      buyLink: '',
      logoLink: 'https://partners.example/logo.svg',
      faviconLink: '',
      notifyLink: '',
      termsLink: '',
      privacyLink: '',
      tlds: 'com,net,lv',
      creditLimit: 250.5,
    },
  };
}

function seedWebsites(world: World, own: Reseller, ids: number[]): void {
  for (const [index, id] of ids.entries()) {
    world.websites.push({
      id,
      reseller: own,
      brand: `Vietne Nr. ${index + 1}`,
      alias: `vietne-${id}`,
      userName: 'Ādams Ozols',
      userEmail: `user${id}@mail.example`,
      userCountry: index % 2 ? 'ee' : 'lv',
      created: '2023-02-28 08:05:09',
      modified: '2024-02-29 00:00:00',
      accessed: index === 0 ? null : '2025-10-01 23:59:59',
      enabled: index !== 2,
      subscription: index === 0 ? 'premium' : null,
      domains: [{ id: nextNumber(world), domain: `site${id}.example` }],
    });
  }
}

/** The records a profile refers to. */
export interface Seeded {
  world: World;
  orderUuid: string;
  foreignOrderUuid: string;
  authCode: string;
  otherAuthCode: string;
  testWebsiteId: number;
}

/** The initial state of a service at `origin` (without a trailing slash). */
export function seededWorld(origin: string): Seeded {
  const world: World = {
    origin,
    stores: [],
    providers: [],
    methods: new Map(),
    orders: new Map(),
    labelRequests: new Map(),
    apps: [seedApp('wd-117', 'Kalendārs', true), seedApp('wd-118', 'Vēl neapstiprināta', false)],
    installations: new Map(),
    flows: new Map(),
    resellers: [reseller(318, 'reseller+lv@partners.example', true), reseller(319, 'new@partners.example', false)],
    websites: [],
    loginLinks: new Map(),
    editorSessions: new Map(),
    lastNumber: 4100,
  };
  const bikes = store(owner('store', 51, 'Baltijas Velo', ['ru', 'lv', 'en']), 'baltijas-velo', 'LV', true);
  const tea = store(owner('store', 52, 'Tee & Tass', ['et']), 'tee-ja-tass', 'EE', false);
  const courier = owner('provider', 7, 'Ātrais Kurjers', ['ru', 'lv', 'en', 'et']);
  const newcomer = owner('provider', 8, 'Jaunais Kurjers', ['ru', 'lv', 'en', 'et'], false);
  world.stores.push(bikes, tea);
  world.providers.push(courier, newcomer);
  bikes.fields.set(courier.id, { client_id: 'C-77', sender_name: 'Žagars & dēli', sandbox: '1' });
  tea.fields.set(courier.id, { client_id: 'T-12', sender_name: 'Tee', sandbox: '' });

  const [ownMethod] = seedMethods(world, bikes.owner, ['Kurjers', 'Pakomāts', 'Veikalā', 'Naktī']);
  seedMethods(world, tea.owner, ['Kuller']);
  const [publicMethod] = seedMethods(world, courier, ['Ātri', 'Lēni', 'Nekad', 'Vakar']);
  seedMethods(world, newcomer, ['Drīz']);
  for (const shop of world.stores) shop.enabled.add(publicMethod!.handle);

  const [approvedApp, draftApp] = world.apps;
  const install = (app: App, shop: Store): string => {
    const authCode = `i:${shop.owner.id}:${secret()}`;
    world.installations.set(authCode, { authCode, app, store: shop, installed: true, snippets: new Map(), data: '""' });
    return authCode;
  };
  install(draftApp!, tea);
  const [partner, stranger] = world.resellers;
  seedWebsites(world, partner!, [70411, 70412, 70413, 70414]);
  seedWebsites(world, stranger!, [80001]);
  seedOrder(world, tea, publicMethod!);
  return {
    world,
    orderUuid: seedOrder(world, bikes, publicMethod!).uuid,
    foreignOrderUuid: seedOrder(world, bikes, ownMethod!).uuid,
    authCode: install(approvedApp!, bikes),
    otherAuthCode: install(approvedApp!, tea),
    testWebsiteId: 70412,
  };
}
