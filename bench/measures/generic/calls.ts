/**
 * An ordinary client of the three interfaces, as a list of calls: each operation once or twice, with values that every service takes, and
 * one call per interface with a wrong credential. The generic tools get the same calls, each in its own format.
 */
import { OPERATIONS, type OperationsOf, type ServiceInterface } from '../../../contracts/operations/index.ts';
import type { MockProfile } from '../../../mock/index.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Call {
  /** Unique, without dots: tools use it as an identifier. */
  readonly id: string;
  readonly operation: OperationsOf<ServiceInterface>;
  /** Values of path, query and header parameters; `{name}` is an input or what an earlier call returned. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly json?: Json;
  readonly form?: Readonly<Record<string, string>>;
  /** What later calls use: a name, and its place in the response. */
  readonly returns?: Readonly<Record<string, string>>;
  /** The credential is wrong, and the call has to be refused. */
  readonly isRefused?: boolean;
}

const STORE = '{storeKey}';
const method = { path: { handle: '{handle}' }, key: STORE } as const;
const point = { path: { handle: '{handle}', point: 'generic-1' }, key: STORE } as const;
const app = { key: '{appKey}', query: { authCode: '{authCode}' } } as const;
const session = { query: { apiToken: '{apiToken}' } } as const;
const website = { ...session, path: { website: '{website}' } } as const;

const pointNamed = (id: string, title: string): Json => ({
  id,
  title,
  address: 'Stacijas laukums 2',
  city: 'Riga',
  zip: 'LV-1050',
  country: 'LV',
});

const DELIVERY: readonly Call[] = [
  {
    id: 'addMethod',
    operation: 'addMethod',
    key: STORE,
    json: { delivery_method: { title: 'Generic', reference: 'generic', available_countries_to: ['LV', 'EE'] } },
  },
  // Any method of the store will do: a service need not return the new handle.
  { id: 'listMethods', operation: 'listMethods', key: STORE, returns: { handle: '/delivery_methods/0/handle' } },
  { id: 'readMethod', operation: 'readMethod', ...method },
  { id: 'changeMethod', operation: 'changeMethod', ...method, json: { delivery_method: { title: 'Changed' } } },
  { id: 'readChangedMethod', operation: 'readMethod', ...method },
  { id: 'addPoint', operation: 'addPoint', ...method, json: { pickup_point: pointNamed('generic-1', 'First') } },
  { id: 'readPoint', operation: 'readPoint', ...point },
  { id: 'changePoint', operation: 'changePoint', ...point, json: { pickup_point: { title: 'Moved' } } },
  { id: 'listPoints', operation: 'listPoints', ...method, query: { page_size: '1' } },
  {
    id: 'batchReplace',
    operation: 'batchReplace',
    ...method,
    json: { pickup_points: [pointNamed('generic-1', 'First'), pointNamed('generic-2', 'Second')] },
  },
  { id: 'listNewPoints', operation: 'listPoints', ...method },
  { id: 'deletePoint', operation: 'deletePoint', ...point },
  { id: 'deleteMethod', operation: 'deleteMethod', ...method },
  {
    id: 'readProviderSettings',
    operation: 'readProviderSettings',
    key: '{providerKey}',
    json: { order_uuid: '{orderUuid}' },
  },
  { id: 'listWithWrongKey', operation: 'listMethods', key: 'ApiKey wrong', isRefused: true },
];

const APPS: readonly Call[] = [
  { id: 'setSnippet', operation: 'setSnippet', ...app, json: { snippet: '<b>generic</b>' } },
  { id: 'getSnippet', operation: 'getSnippet', ...app },
  { id: 'setLatvianSnippet', operation: 'setSnippet', ...app, json: { snippet: '<i>generic</i>', language: 'lv' } },
  { id: 'getLanguageSnippet', operation: 'getLanguageSnippet', ...app, path: { language: 'lv' } },
  { id: 'setData', operation: 'setData', ...app, json: { data: { generic: true } } },
  { id: 'getData', operation: 'getData', ...app },
  { id: 'getUser', operation: 'getUser', ...app },
  { id: 'getWebsite', operation: 'getWebsite', ...app },
  { id: 'getLanguages', operation: 'getLanguages', ...app },
  { id: 'finishInstallation', operation: 'finishInstallation', ...app },
  { id: 'userWithWrongKey', operation: 'getUser', ...app, key: 'ApiKey wrong', isRefused: true },
];

const RESELLER: readonly Call[] = [
  {
    id: 'authorize',
    operation: 'authorize',
    form: { email: '{email}', password: '{password}' },
    returns: { apiToken: '/apiToken' },
  },
  { id: 'listWebsites', operation: 'listWebsites', ...session },
  { id: 'readSettings', operation: 'readSettings', ...session },
  { id: 'readBalance', operation: 'readBalance', ...session },
  { id: 'listDomains', operation: 'listDomains', ...website },
  { id: 'createLoginLink', operation: 'createLoginLink', ...website },
  { id: 'disableWebsite', operation: 'disableWebsite', ...website },
  { id: 'enableWebsite', operation: 'enableWebsite', ...website },
  {
    id: 'websitesWithWrongToken',
    operation: 'listWebsites',
    query: { apiToken: 'wrong' },
    isRefused: true,
  },
  { id: 'logOut', operation: 'logOut', ...session },
];

/** In an order in which each set works on its own; a tool may stop a set at its first failure. */
export const CALLS: Readonly<Record<'delivery' | 'apps' | 'reseller', readonly Call[]>> = {
  delivery: DELIVERY,
  apps: APPS,
  reseller: RESELLER,
};

/** The `operationId` as the documents have it: Reseller has one for the query and one for the form. */
export function documentedId({ operation, form }: Call): string {
  if (OPERATIONS[operation].document !== 'api') return operation;
  return `${operation}${form === undefined ? 'ByQuery' : 'ByForm'}`;
}

/** What the calls take from the profile of a service. */
export function inputsOf({ delivery, apps, reseller }: MockProfile): Record<string, string> {
  return {
    storeKey: `ApiKey ${delivery.private.apiKey}`,
    providerKey: `ApiKey ${delivery.public.apiKey}`,
    orderUuid: delivery.public.orderUuid,
    appKey: `ApiKey ${apps.apiKey}`,
    authCode: apps.authCode,
    email: reseller.email,
    password: reseller.password,
    website: String(reseller.website),
  };
}
