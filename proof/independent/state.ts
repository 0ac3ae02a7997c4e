// The state of the service, as plain records without behavior.
import { randomBytes } from 'node:crypto';

/** A multilanguage text: language code to text. No key at all means that the text was never set. */
export type Texts = Record<string, string>;

/** The owner of a delivery key: one store (private) or a delivery provider (public). */
export interface Owner {
  kind: 'store' | 'provider';
  id: number;
  name: string;
  key: string;
  languages: string[];
  defaultLanguage: string;
  /** A website with one language reads its texts back as plain strings, the others as objects. */
  textsReadAs: 'object' | 'string';
  /** Providers only: stores see their methods after the approval. */
  approved: boolean;
}

/** A store's website with its shop, seller data and settings of each provider. */
export interface Store {
  owner: Owner;
  alias: string;
  domain: string;
  brand: string;
  country: string;
  email: string;
  emailConfirmed: boolean;
  enabled: Set<string>;
  /** Custom fields that the store admin filled in, by the id of the provider. */
  fields: Map<number, Record<string, string>>;
}

export interface Point {
  seq: number;
  id: string;
  title: Texts;
  address: string;
  city: string;
  zip: string;
  country: string;
  attributes: object | '';
  /** The country this point is replaced with: its own, or the list's where it names none. */
  scope: string;
}

/** A list that is being uploaded; it cannot be read before its final portion. */
export interface Upload {
  country: string | null;
  points: Map<string, Point>;
}

export interface Method {
  seq: number;
  handle: string;
  owner: Owner;
  name: string;
  title: Texts;
  reference: string | null;
  from: string[];
  to: string[];
  labelUrl: string | null;
  checkoutUrl: string | null;
  deleted: boolean;
  /** Insertion order is the order of `seq`. */
  points: Map<string, Point>;
  /** The points as a list, made on demand; null after each change. */
  listed: Point[] | null;
  upload: Upload | null;
}

export interface Address {
  street: string;
  city: string;
  state: string;
  zip: string;
  country: string;
}

export interface Order {
  uuid: string;
  invoice: string;
  store: Store;
  method: Method;
  pickupPointId: string | null;
  delivery: Address;
  /** Present when the buyer's address differs from the shipping address. */
  buyer: Address | null;
  phone: string | null;
  label: { url: string; trackingCode: string | null; trackingUrl: string | null } | null;
  errorMessage: string | null;
}

export interface App {
  id: string;
  title: string;
  key: string;
  secret: string;
  installUrl: string;
  settingsUrl: string;
  tabMode: 'blank' | 'self';
  approved: boolean;
}

export interface Installation {
  authCode: string;
  app: App;
  store: Store;
  installed: boolean;
  /** By language code; the empty code is the snippet of every page. */
  snippets: Map<string, string>;
  /** Serialized, so that callers cannot change the stored value. */
  data: string;
}

/** One walk through the install sequence, from the Install button on. */
export interface Flow {
  app: App;
  store: Store;
  installUrl: string;
  installation: Installation | null;
}

export interface ResellerWebsite {
  id: number;
  reseller: Reseller;
  brand: string;
  alias: string;
  userName: string;
  userEmail: string;
  userCountry: string;
  created: string;
  modified: string;
  accessed: string | null;
  enabled: boolean;
  subscription: 'premium' | 'premiumplus' | null;
  domains: { id: number; domain: string }[];
}

export interface Reseller {
  id: number;
  email: string;
  password: string;
  approved: boolean;
  token: string | null;
  balanceCents: number;
  settings: Record<string, string | number>;
}

export interface World {
  origin: string;
  stores: Store[];
  providers: Owner[];
  methods: Map<string, Method>;
  orders: Map<string, Order>;
  /** Label requests by the secret segment of their callback address. */
  labelRequests: Map<string, { id: string; order: Order }>;
  apps: App[];
  installations: Map<string, Installation>;
  flows: Map<string, Flow>;
  resellers: Reseller[];
  websites: ResellerWebsite[];
  loginLinks: Map<string, ResellerWebsite>;
  editorSessions: Map<string, ResellerWebsite>;
  lastNumber: number;
}

/** The next unused number: positions in lists, invoices, domain ids. */
export function nextNumber(world: World): number {
  world.lastNumber += 1;
  return world.lastNumber;
}

/** A random secret in letters and digits. */
export function secret(lengthBytes = 18): string {
  return randomBytes(lengthBytes).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'Y');
}

/** The moment in the reseller interface's format, in UTC. */
export function timestamp(moment = new Date()): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

/** A new method that is not stored yet. Its handle names its owner and contains colons, which a client has to encode. */
export function newMethod(world: World, owner: Owner): Method {
  const seq = nextNumber(world);
  return {
    seq,
    handle: `${owner.kind === 'store' ? 'own' : 'pub'}:${owner.id}:${secret(6)}`,
    owner,
    name: `${owner.name} · ${seq}`,
    title: {},
    reference: null,
    from: [],
    to: [],
    labelUrl: null,
    checkoutUrl: null,
    deleted: false,
    points: new Map(),
    listed: null,
    upload: null,
  };
}

/** Whether stores may offer the method at all: it exists, and its provider, if it has one, was approved. */
export function isLive(method: Method): boolean {
  return !method.deleted && (method.owner.kind === 'store' || method.owner.approved);
}
