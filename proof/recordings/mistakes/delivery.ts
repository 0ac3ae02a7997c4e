/** Mistakes of clients of Delivery: the key, addresses, and methods and points in single calls. */
import { formEncode } from '../../../contracts/signing/index.ts';
import { at, inBody, inMethod, inPath, inPoint, type Mistake } from './mistake.ts';

const HEADER = 'provider.calls.authorization-header';
const OPERATIONS = 'provider.calls.known-operations';
const TYPES = 'provider.calls.field-types';
const COUNTRIES = 'provider.calls.country-codes';
const WRAPPED = 'provider.calls.wrapped-bodies';
const TEXTS = 'provider.calls.texts';

const keyOf = (authorization: string | undefined): string => (authorization ?? '').replace('ApiKey ', '');
const withQuery = (path: string, pair: string): string => `${path}${path.includes('?') ? '&' : '?'}${pair}`;

/** Where the key goes, and how it is written. */
const KEYS: readonly Mistake[] = [
  {
    ...{ id: 'key.bearer', about: 'The key follows the word Bearer.', clause: HEADER },
    change: at('delivery', ({ authorization }) => ({ authorization: `Bearer ${keyOf(authorization)}` })),
  },
  {
    ...{ id: 'key.alone', about: 'The key comes without the word ApiKey.', clause: HEADER },
    change: at('delivery', ({ authorization }) => ({ authorization: keyOf(authorization) })),
  },
  {
    ...{ id: 'key.missing', about: 'One call in the code forgets the header.', clause: HEADER },
    change: at('method', () => ({ authorization: undefined }), 'PUT'),
  },
  {
    ...{ id: 'key.in-query-alone', about: 'The key is in the query and not in a header.', clause: HEADER },
    change: at('delivery', ({ path, authorization }) => ({
      ...{ path: withQuery(path, `api_key=${keyOf(authorization)}`), authorization: undefined },
    })),
  },
  {
    ...{ id: 'key.in-query-too', about: 'The key is in the query beside the header.', clause: HEADER },
    change: at('delivery', ({ path, authorization }) => ({
      path: withQuery(path, `api_key=${keyOf(authorization)}`),
    })),
  },
  {
    ...{ id: 'key.base64', about: 'The key is encoded as for Basic, after the word ApiKey.', clause: HEADER },
    change: at('delivery', ({ authorization }) => ({
      authorization: `ApiKey ${Buffer.from(keyOf(authorization)).toString('base64')}`,
    })),
  },
  {
    ...{ id: 'key.in-quotes', about: 'The key is in quotes.', clause: HEADER },
    change: at('delivery', ({ authorization }) => ({ authorization: `ApiKey "${keyOf(authorization)}"` })),
  },
  {
    ...{ id: 'key.not-filled-in', about: 'A placeholder is in the place of the key.', clause: HEADER },
    change: at('delivery', () => ({ authorization: 'ApiKey undefined' })),
  },
  {
    ...{ id: 'key.scheme-in-small-letters', about: 'The word ApiKey is in small letters.', clause: HEADER },
    change: at('delivery', ({ authorization }) => ({ authorization: `apikey ${keyOf(authorization)}` })),
  },
];

/** Paths, methods and parameters of addresses. */
const ADDRESSES: readonly Mistake[] = [
  {
    ...{ id: 'address.no-final-slash', about: 'The slash at the end is missing.', clause: OPERATIONS },
    change: inPath('methods', (path) => path.replace(/\/(?=$|\?)/, '')),
  },
  {
    ...{ id: 'address.two-slashes', about: 'A slash in the path is doubled.', clause: OPERATIONS },
    change: inPath('delivery', (path) => path.replace('/store/', '/store//')),
  },
  {
    ...{ id: 'address.no-version', about: 'The version is missing.', clause: OPERATIONS },
    change: inPath('delivery', (path) => path.replace('/v1/', '/')),
  },
  {
    ...{ id: 'address.plural', about: 'A method is requested below the path of the list.', clause: OPERATIONS },
    change: inPath('method', (path) => path.replace('/delivery_method/', '/delivery_methods/')),
  },
  {
    ...{ id: 'address.update-by-post', about: 'A method is updated by POST.', clause: OPERATIONS },
    change: at(/\/delivery_method\/[^/]+\/$/, () => ({ method: 'POST' }), 'PUT'),
  },
  {
    ...{ id: 'address.update-by-patch', about: 'A point is updated by PATCH.', clause: OPERATIONS },
    change: at('point', () => ({ method: 'PATCH' }), 'PUT'),
  },
  {
    ...{ id: 'address.list-by-post', about: 'Lists are requested by POST.', clause: OPERATIONS },
    change: at('methods', () => ({ method: 'POST', body: {} })),
  },
  {
    ...{ id: 'address.upload-by-put', about: 'Lists are uploaded by PUT.', clause: OPERATIONS },
    change: at('upload', () => ({ method: 'PUT' })),
  },
  {
    ...{ id: 'address.delete-by-get', about: 'A method is deleted below a path of its own.', clause: OPERATIONS },
    change: at('method', ({ path }) => ({ method: 'GET', path: `${path}delete/` }), 'DELETE'),
  },
  {
    ...{ id: 'address.handles-by-semicolon', about: 'Handles are separated by a semicolon.', clause: OPERATIONS },
    change: inPath('point', (path) => path.replace(',', ';')),
  },
  {
    ...{ id: 'address.comma-encoded-twice', about: 'The comma of two handles is encoded twice.', clause: OPERATIONS },
    change: inPath('point', (path) => path.replace(',', '%252C')),
  },
  {
    ...{ id: 'address.own-pages', about: 'The client counts pages itself.', clause: OPERATIONS },
    change: inPath('delivery', (path) => path.replace(/page_start=[^&]*/, 'page=2')),
  },
  {
    ...{ id: 'address.desc-as-word', about: 'The reversed order is requested as desc=true.', clause: OPERATIONS },
    change: inPath('delivery', (path) => path.replace('desc=1', 'desc=true')),
  },
  {
    ...{ id: 'address.page-of-none', about: 'A page of no items is requested.', clause: OPERATIONS },
    change: inPath('delivery', (path) => path.replace('page_size=2', 'page_size=0')),
  },
  {
    ...{ id: 'address.id-not-filled-in', about: 'The id of a point is missing in its path.', clause: OPERATIONS },
    change: inPath(/\/pickup_point\/P2\/$/, (path) => path.replace('P2', 'undefined')),
  },
  {
    ...{ id: 'address.comma-encoded', about: 'The comma of two handles is percent-encoded, as HTTP allows.' },
    change: inPath('point', (path) => path.replace(',', '%2C')),
  },
  {
    ...{ id: 'address.random-parameter', about: 'A random parameter keeps caches out.' },
    change: at('delivery', ({ path }) => ({ path: withQuery(path, 'nocache=17') }), 'GET'),
  },
];

/** Bodies of single calls. */
const BODIES: readonly Mistake[] = [
  {
    ...{ id: 'body.method-without-wrapper', about: 'A method is sent without its wrapper.', clause: WRAPPED },
    change: inBody('method', (body) => body.delivery_method),
  },
  {
    ...{ id: 'body.point-without-wrapper', about: 'A point is sent without its wrapper.', clause: WRAPPED },
    change: inBody('point', (body) => body.pickup_point),
  },
  {
    ...{ id: 'body.form', about: 'A method is sent as a form.', clause: 'envelope.v1.request-bodies-are-json' },
    change: at('method', ({ body }) =>
      body === undefined ? undefined : { body: undefined, form: { reference: 'r' } },
    ),
  },
  {
    ...{ id: 'body.json-in-json', about: 'A method is encoded as JSON twice.', clause: WRAPPED },
    change: inBody('method', ({ delivery_method }) => ({ delivery_method: JSON.stringify(delivery_method) })),
  },
  {
    ...{ id: 'body.order-as-number', about: 'An order is named by a number.', clause: WRAPPED },
    change: inBody('settings', () => ({ order_uuid: 15 })),
  },
  {
    ...{ id: 'body.order-not-filled-in', about: 'A placeholder is in the place of the order.', clause: WRAPPED },
    change: inBody('settings', () => ({ order_uuid: 'undefined' })),
  },
  {
    ...{ id: 'body.order-of-blanks', about: 'The order is a blank.', clause: WRAPPED },
    change: inBody('settings', () => ({ order_uuid: ' ' })),
  },
  {
    ...{ id: 'body.order-by-get', about: 'Custom fields are requested by GET.', clause: OPERATIONS },
    change: at('settings', ({ path, body }) => ({
      ...{ method: 'GET', path: `${path}?${formEncode(Object.entries(body as Record<string, string>))}` },
      body: undefined,
    })),
  },
  {
    ...{ id: 'body.name', about: 'A name is sent, which the service gives.', clause: 'provider.calls.name-not-sent' },
    change: inMethod((fields) => ({ ...fields, name: 'Courier' })),
  },
  {
    ...{
      id: 'body.label-page-by-http',
      about: 'The label page has a plain http address.',
      clause: 'provider.label.https',
    },
    change: inMethod((fields) => ({ ...fields, print_label_url: 'http://labels.example/' })),
  },
  {
    ...{ id: 'body.label-page-relative', about: 'The label page has a relative address.', clause: TYPES },
    change: inMethod((fields) => ({ ...fields, print_label_url: '/labels/' })),
  },
  {
    ...{ id: 'body.misspelt-field', about: 'The name of a country list is misspelt.', clause: TYPES },
    change: inMethod(({ available_countries_to, ...fields }) => ({ ...fields, available_country_to: ['LV'] })),
  },
  {
    ...{ id: 'body.misspelt-point-field', about: 'The address of a point has another name.', clause: TYPES },
    change: inPoint(({ address, ...fields }) => ({ ...fields, street: 'Brīvības iela 1' })),
  },
  {
    ...{ id: 'body.title-as-number', about: 'A title is a number.', clause: TEXTS },
    change: inMethod((fields) => ({ ...fields, title: 5 })),
  },
  {
    ...{ id: 'body.title-as-list', about: 'A title is a list of languages and texts.', clause: TEXTS },
    change: inMethod((fields) => ({ ...fields, title: [{ language: 'en', value: 'Courier' }] })),
  },
  {
    ...{ id: 'body.title-in-other-language', about: 'A title has a language that the website lacks.' },
    clause: 'provider.calls.languages',
    change: inMethod((fields) => ({ ...fields, title: { xx: 'Courier' } })),
  },
  {
    ...{ id: 'body.title-in-capital-languages', about: 'The languages of a title are in capitals.' },
    clause: 'provider.calls.languages',
    change: inPoint((fields) => ({ ...fields, title: { EN: 'Point' } })),
  },
  {
    ...{ id: 'body.countries-in-one-text', about: 'Countries are one text with commas.', clause: TYPES },
    change: inMethod((fields) => ({ ...fields, available_countries_to: 'LV,EE' })),
  },
  {
    ...{ id: 'body.countries-of-three-letters', about: 'Countries have three letters.', clause: COUNTRIES },
    change: inMethod((fields) => ({ ...fields, available_countries_to: ['LVA'] })),
  },
  {
    ...{ id: 'body.country-by-name', about: 'The country of a point is its name.', clause: COUNTRIES },
    change: inPoint((fields) => ({ ...fields, country: 'Latvia' })),
  },
  {
    ...{ id: 'body.country-of-other-list', about: 'The United Kingdom is called UK.', clause: COUNTRIES },
    change: inPoint((fields) => ({ ...fields, country: 'UK' })),
  },
  {
    ...{ id: 'body.id-as-number', about: 'The id of a point is a number.', clause: TYPES },
    change: inPoint((fields) => ({ ...fields, ...('id' in fields ? { id: 17 } : {}) })),
  },
  {
    ...{ id: 'body.zip-as-number', about: 'The zip code of a point is a number.', clause: TYPES },
    change: inPoint((fields) => ({ ...fields, zip: 1001 })),
  },
  {
    ...{ id: 'body.attributes-as-json', about: 'Attributes are JSON in a text.', clause: TYPES },
    change: inPoint((fields) => ({ ...fields, attributes: '{"a":1}' })),
  },
  {
    ...{ id: 'body.attributes-as-list', about: 'Attributes are a list.', clause: TYPES },
    change: inPoint((fields) => ({ ...fields, attributes: ['a'] })),
  },
  {
    ...{ id: 'body.id-used-before', about: 'A point is added with an id that the method has already.' },
    clause: 'provider.calls.point-ids-unique',
    change: at('point', ({ body }) => ({ body: withId(body, 'P1') }), 'POST'),
  },
  {
    ...{ id: 'body.empty-values', about: 'Attributes and addresses of points are empty, which the contract shows.' },
    change: inPoint((fields) => ({ ...fields, attributes: '', address: '' })),
  },
];

const withId = (body: unknown, id: string): unknown => ({
  pickup_point: { ...(body as { pickup_point: object }).pickup_point, id },
});

export const DELIVERY_MISTAKES: readonly Mistake[] = [...KEYS, ...ADDRESSES, ...BODIES];
