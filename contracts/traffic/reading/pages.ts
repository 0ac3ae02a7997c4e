/**
 * Requests to what integrators host and back, known by their fields (spec: Events): label requests, their callbacks, loads of
 * install and settings pages, and returns from them. No convention fixes the addresses, so they help only once they were seen.
 */

import { LOAD_ROWS } from '../../fields/catalogue/app-load.ts';
import { HASH_PARAMETER } from '../../install-hash/index.ts';
import type { Pairs } from '../../install-hash/query.ts';
import { isJsonObject } from '../../json/object.ts';
import { type Fields, LABEL_REQUEST_FIELDS } from '../../signing/index.ts';
import { Memory } from '../memory.ts';
import { ownSteps } from './own-steps.ts';
import { originOf, type SeenExchange } from './seen.ts';

export interface LabelRequest {
  readonly kind: 'label-request';
  readonly seen: SeenExchange;
  /** As transmitted; from the query where it was no POST. */
  readonly fields: Fields;
  /** The fields came as JSON. */
  readonly isJson: boolean;
  readonly sender: Sender;
}

/** Who made a request in an odd form: an integrator may pass what it received on to servers of its own. */
export type Sender = 'service' | 'unknown';

export interface LabelCallback {
  readonly kind: 'label-callback';
  readonly seen: SeenExchange;
  readonly fields: Fields;
  /** Label requests whose `callback_url` this is, as far as they were seen: their ids. */
  readonly ids: ReadonlySet<string> | undefined;
}

export interface AppLoad {
  readonly kind: 'app-load';
  readonly seen: SeenExchange;
  readonly query: Pairs;
  /** By the address: seen without a code it is the install page; otherwise it is not known before it was. */
  readonly page: 'install' | 'settings';
  readonly hasCode: boolean;
  readonly sender: Sender;
}

export interface AppReturn {
  readonly kind: 'app-return';
  readonly seen: SeenExchange;
  /** The last loads that named this address as their callback, the latest last. */
  readonly loads: readonly AppLoad[];
}

export type PageVisit = LabelRequest | LabelCallback | AppLoad | AppReturn;

const LABEL_NAMES: ReadonlySet<string> = new Set(LABEL_REQUEST_FIELDS);
/** So many of 38 names are not a coincidence. */
const MIN_LABEL_NAMES = 8;
/** What every load of an app carries. */
const LOAD_NAMES = [HASH_PARAMETER, ...LOAD_ROWS.flatMap(([name, { isLater }]) => (isLater ? [] : [name]))];
/** One of these beside `label_request_id` makes a callback. */
const CALLBACK_NAMES = new Set(['label_url', 'error_msg', 'tracking_code', 'tracking_url', 'signature']);

/** Addresses and ids that are remembered of each kind; the oldest are forgotten. */
const REMEMBERED = 1_000;
const LOADS_OF_AN_ADDRESS = 5;
const IDS_REMEMBERED = 20_000;

/** Recognises visits one after another, with the memory that this takes. */
export function pageReader(): (seen: SeenExchange) => PageVisit | undefined {
  const callbackIds = new Memory<Set<string>>({
    entries: REMEMBERED,
    weight: { of: (ids) => ids.size, most: IDS_REMEMBERED },
  });
  /** The websites that label requests want their callbacks at, by the ids of the requests. */
  const callbackOrigins = new Memory<Set<string>>({ entries: REMEMBERED });
  const loadsByCallback = new Memory<AppLoad[]>({ entries: REMEMBERED });
  const installPages = new Memory<true>({ entries: REMEMBERED });
  const steps = ownSteps();
  const isFirstAddress = firstAddresses();
  /** Label requests and loads that were seen, by what only one of them carries, at any address. */
  const known = new Memory<true>({ entries: REMEMBERED });
  const isNew = (what: string | undefined): boolean => {
    if (what === undefined || what === '') return false;
    const isKnown = known.get(what) === true;
    known.set(what, true);
    return !isKnown;
  };

  return (seen) => {
    if (seen.origin === '' || seen.status === 304 || seen.method === 'OPTIONS' || seen.method === 'HEAD')
      return undefined;
    const step = steps.take(seen);
    if (step.isRedirect) return undefined;
    const label = labelRequestOf(seen);
    if (label !== undefined) {
      const [id, callback, order] = ['label_request_id', 'callback_url', 'order_uuid'].map((name) =>
        fieldOf(label.fields, name),
      );
      if (step.isFromOwnPage || !isFirstAddress(seen, id && `${id} ${order ?? ''}`)) return undefined;
      // As JSON it may be passed on.
      if (!isNew(id && `label ${id}`) && label.isJson) return undefined;
      const address = addressOf(callback);
      if (id !== undefined && address !== undefined) {
        callbackIds.set(address, (callbackIds.get(address) ?? new Set()).add(id));
        callbackOrigins.set(id, (callbackOrigins.get(id) ?? new Set()).add(address.split('/', 3).join('/')));
      }
      return label;
    }
    const here = seen.origin + seen.path;
    if (isServiceItself()) return undefined;
    const callback = callbackOf(seen, callbackIds.get(here));
    if (callback !== undefined) return isForOthers(callback) ? undefined : callback;
    const loads = loadsByCallback.get(here);
    if (loads !== undefined && sharesName(seen, loads)) return { kind: 'app-return', seen, loads: [...loads] };
    if (step.isFromOwnPage) return undefined;
    const load = loadOf(seen, installPages);
    if (load === undefined || !isFirstAddress(seen, fieldOf(load.query, HASH_PARAMETER))) return undefined;
    // A form of the page itself keeps the address, parameters and all.
    if (!isNew(`load ${seen.origin} ${fieldOf(load.query, HASH_PARAMETER) ?? ''}`) && seen.method !== 'GET')
      return undefined;
    const address = addressOf(fieldOf(load.query, 'callback'));
    if (address !== undefined && (seen.method === 'GET' || load.sender === 'service')) {
      loadsByCallback.set(address, [...(loadsByCallback.get(address) ?? []), load].slice(-LOADS_OF_AN_ADDRESS));
    }
    return load;

    /** The provider's own servers and pages notify each other of a label under the same names. */
    function isForOthers({ fields, ids }: LabelCallback): boolean {
      const origins = callbackOrigins.get(fieldOf(fields, 'label_request_id') ?? '');
      return ids === undefined && origins !== undefined && !origins.has(seen.origin);
    }

    /** The page behind a callback leads on to the service's next one, or posts a form of its own. */
    function isServiceItself(): boolean {
      const { referrer } = step;
      if (!step.isFromOwnPage) return false;
      if (seen.method !== 'GET' && seen.header('origin') !== undefined) return true;
      return referrer !== undefined && (callbackIds.get(referrer) ?? loadsByCallback.get(referrer)) !== undefined;
    }
  };
}

/**
 * Whether a website was asked at another address before with what only one request of the service carries: then its own page
 * passes on what it received.
 */
function firstAddresses(): (seen: SeenExchange, what: string | undefined) => boolean {
  const paths = new Memory<string>({ entries: REMEMBERED });
  return (seen, what) => {
    if (what === undefined || what === '') return true;
    const key = `${seen.origin} ${what}`;
    return (paths.get(key) ?? paths.set(key, seen.path)) === seen.path;
  };
}

function labelRequestOf(seen: SeenExchange): LabelRequest | undefined {
  const { body } = seen.exchange.request;
  const mayHave = body?.text?.includes('delivery_method_') === true || body?.base64 !== undefined;
  const form = seen.method === 'GET' ? seen.query : mayHave ? seen.form : undefined;
  const fields = form ?? (mayHave && seen.method === 'POST' ? membersOf(seen) : undefined);
  if (fields === undefined || fields.length < MIN_LABEL_NAMES) return undefined;
  const known = new Set(fields.map(([name]) => name).filter((name) => LABEL_NAMES.has(name)));
  // Checkout requests may share much with label requests, but are about no order yet and wait for no callback.
  const isLabel = known.has('label_request_id') || (known.has('order_uuid') && known.has('callback_url'));
  if (!isLabel || known.size < MIN_LABEL_NAMES) return undefined;
  const sender = senderOf(seen, fieldOf(fields, 'callback_url'));
  return { kind: 'label-request', seen, fields, isJson: form === undefined, sender };
}

/** The members of a JSON object in the body, as far as they are single values. */
function membersOf(seen: SeenExchange): Fields | undefined {
  if (!/json|text/i.test(seen.header('content-type') ?? 'json')) return undefined;
  const body = seen.requestBody;
  if (body.kind !== 'json' || !isJsonObject(body.value)) return undefined;
  return Object.entries(body.value).flatMap(([name, value]) =>
    typeof value === 'object' ? [] : [[name, String(value)] as const],
  );
}

/** A page of the service made the request: that of the callback in it. */
function senderOf(seen: SeenExchange, callback: string | undefined): Sender {
  const page = seen.header('origin') ?? seen.header('referer');
  const [from, to] = [page, callback].map((address) => URL.parse(address ?? '')?.origin);
  return from !== undefined && from === to ? 'service' : 'unknown';
}

function callbackOf(seen: SeenExchange, ids: ReadonlySet<string> | undefined): LabelCallback | undefined {
  const fields = callbackFields(seen);
  if (fields.length === 0) return undefined;
  const names = new Set(fields.map(([name]) => name));
  const hasResult = [...CALLBACK_NAMES].some((name) => names.has(name));
  const means = (name: string): boolean => MEANT_NAMES.has(plainName(name));
  // A part of a label request, passed on or recorded.
  if (ids === undefined && names.has('callback_url')) return undefined;
  const isMeant = ids !== undefined && fields.filter(([name]) => means(name)).length > 1;
  const isCallback = names.has('label_request_id') ? hasResult || ids !== undefined : ids !== undefined && hasResult;
  return isCallback || isMeant ? { kind: 'label-callback', seen, fields, ids } : undefined;
}

/** `labelUrl`, `label-url` and `label_url[]` mean the parameter, and are not it. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
const MEANT_NAMES = new Set(['label_request_id', ...CALLBACK_NAMES].map(plainName));

/** The parameters of the address, else of the form or the JSON in the body. */
function callbackFields(seen: SeenExchange): Fields {
  if (seen.rawQuery.includes('label_request_id') || seen.method === 'GET') return seen.query;
  const { text } = seen.exchange.request.body ?? {};
  if (text?.includes('label_') !== true && text?.includes('error_msg') !== true) return seen.query;
  if (seen.form !== undefined) return seen.form;
  const body = seen.requestBody;
  if (body.kind !== 'json' || !isJsonObject(body.value)) return seen.query;
  return Object.entries(body.value).map(([name, value]) => [name, String(value)] as const);
}

function loadOf(seen: SeenExchange, installPages: Memory<true>): AppLoad | undefined {
  const query = loadParameters(seen);
  if (query === undefined) return undefined;
  const names = new Set(query.map(([name]) => name));
  const known = LOAD_NAMES.filter((name) => names.has(name));
  if (known.length < 3 || !names.has('callback') || !(names.has('hash') || names.has('appId'))) return undefined;
  const hasCode = names.has('authCode');
  const here = seen.origin + seen.path;
  const sender = senderOf(seen, fieldOf(query, 'callback'));
  if (!hasCode && (seen.method === 'GET' || sender === 'service')) installPages.set(here, true);
  const page = hasCode && installPages.get(here) !== true ? 'settings' : 'install';
  return { kind: 'app-load', seen, query, page, hasCode, sender };
}

/** Those of the address, and by POST those of the body as well; undefined where they can't be those of a load. */
function loadParameters(seen: SeenExchange): Pairs | undefined {
  if (seen.method === 'GET') return seen.rawQuery.includes('callback') ? seen.query : undefined;
  const text = seen.exchange.request.body?.text ?? '';
  const mayHave = seen.rawQuery.includes('callback') || (text.includes('callback') && text.includes('platformVersion'));
  if (seen.method !== 'POST' || !mayHave) return undefined;
  return [...seen.query, ...(seen.form ?? membersOf(seen) ?? [])];
}

function sharesName(seen: SeenExchange, loads: readonly AppLoad[]): boolean {
  // By another method than GET the parameters are in the body, or nowhere.
  if (seen.method !== 'GET') return true;
  const names = new Set(loads.flatMap(({ query }) => query.map(([name]) => name)));
  return seen.query.some(([name]) => names.has(name));
}

/** Scheme, host and path of an address; undefined if the text is not an address. */
function addressOf(text: string | undefined): string | undefined {
  const [, scheme, host, path] = /^(https?):\/\/(?:[^/?#@]*@)?([^/?#]+)([^?#]*)/i.exec(text ?? '') ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  return originOf(scheme, host) + (path === '' ? '/' : path);
}

/** The value of a field; the last one where it is repeated. */
export function fieldOf(fields: Fields, name: string): string | undefined {
  return fields.findLast(([other]) => other === name)?.[1];
}
