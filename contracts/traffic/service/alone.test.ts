import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InterfaceName } from '../../envelopes/index.ts';
import type { Exchange } from '../../run/events.ts';
import { breachesIn } from './alone.ts';

interface Row {
  readonly call: string;
  readonly status?: number;
  readonly response: unknown;
  readonly location?: string;
  /** Clauses that the response breaks. */
  readonly breaks: readonly string[];
}

const refusal = { error: true, error_code: 404, error_message: 'No such method' };
const METHOD = 'GET v1 store/delivery_method/m-1/';

const ROWS: readonly Row[] = [
  { call: METHOD, response: { handle: 'm-1', error: false }, breaks: [] },
  { call: METHOD, response: { handle: 'm-1', error: null }, breaks: [] },
  { call: METHOD, response: { handle: 'm-1', error: 0 }, breaks: ['envelope.v1.success-error-false'] },
  { call: METHOD, status: 201, response: { handle: 'm-1' }, breaks: ['envelope.v1.success-status'] },
  { call: METHOD, response: ['m-1'], breaks: ['envelope.v1.body-is-object'] },
  { call: METHOD, response: { handle: 7 }, breaks: ['delivery.method.handle-string'] },
  // What was sent may be of any type: whether it is kept has checks of its own.
  { call: METHOD, response: { handle: 'm-1', reference: 7 }, breaks: [] },
  { call: METHOD, response: { handle: 'm-1', available_countries_to: { all: true } }, breaks: [] },
  {
    call: METHOD,
    response: { delivery_method: { handle: 'm-1', available_countries_to: {} } },
    breaks: ['delivery.method.country-lists-are-codes'],
  },
  { call: METHOD, status: 404, response: refusal, breaks: [] },
  { call: METHOD, status: 200, response: refusal, breaks: ['envelope.v1.failure-status'] },
  {
    call: METHOD,
    status: 404,
    response: { ...refusal, error_code: '404', error_message: null },
    breaks: ['envelope.v1.error-code-integer', 'envelope.v1.error-message-string'],
  },
  {
    call: METHOD,
    status: 400,
    response: { error: false },
    breaks: ['envelope.v1.error-code-integer', 'envelope.v1.error-message-string', 'envelope.v1.error-true'],
  },
  // A framework or a proxy may have built these.
  { call: METHOD, status: 403, response: { message: 'Forbidden' }, breaks: [] },
  { call: METHOD, status: 403, response: '<h1>Forbidden</h1>', breaks: [] },
  { call: 'GET v1 store/delivery_method/a%2Fb/', status: 404, response: '<h1>Not Found</h1>', breaks: [] },
  { call: 'GET v1 store/delivery_method/m-1', status: 404, response: '<h1>Not Found</h1>', breaks: [] },
  // A service may serve a path that does not exist.
  { call: 'GET v1 store//delivery_methods/', response: { error: false }, breaks: [] },
  { call: 'GET v1 store/delivery_methods', response: { error: false }, breaks: [] },
  { call: 'GET v1 store/delivery_methods/', response: { error: false }, breaks: ['delivery.method.list-contains-own'] },
  // Nothing in these gives anything but the interface a reason to refuse.
  { call: METHOD, status: 404, response: '<h1>Not Found</h1>', breaks: ['envelope.v1.body-is-object'] },
  { call: METHOD, status: 404, response: '', breaks: ['envelope.v1.body-is-object'] },
  {
    call: METHOD,
    status: 404,
    response: { message: 'Not Found' },
    breaks: ['envelope.v1.error-code-integer', 'envelope.v1.error-message-string', 'envelope.v1.error-true'],
  },
  // These have what a success returns, so that the interface has built them.
  ...[
    'store/delivery_method/m-1/ {"handle":"m-1"}',
    'store/delivery_methods/ {"delivery_methods":[]}',
    'apps/get_data/ {"data":"x"}',
  ].map(
    (line): Row => ({
      call: `GET v1 ${line.split(' ')[0]}`,
      status: 500,
      response: line.split(' ')[1],
      breaks: ['envelope.v1.error-code-integer', 'envelope.v1.error-message-string', 'envelope.v1.error-true'],
    }),
  ),
  { call: 'GET v1 apps/get_data/', status: 500, response: { data: {}, errors: ['Down'] }, breaks: [] },
  { call: METHOD, status: 500, response: { handle: 'gateway-7' }, breaks: [] },
  { call: METHOD, status: 401, response: '<h1>Unauthorized</h1>', breaks: ['envelope.v1.body-is-object'] },
  { call: METHOD, status: 403, response: '', breaks: [] },
  { call: 'GET api settings/', status: 400, response: 'Bad Request', breaks: ['envelope.reseller.body-is-object'] },
  { call: METHOD, status: 503, response: {}, breaks: [] },
  // A redirect to a login page is not a refusal; a gateway redirects elsewhere.
  ...['/login', 'https://service.example/login?next=%2Fapi%2Fsettings%2F'].map(
    (location): Row => ({
      ...{ call: 'POST api settings/', status: 302, response: '', location },
      breaks: ['envelope.reseller.body-is-object', 'envelope.reseller.failure-status'],
    }),
  ),
  { call: 'POST api settings/', status: 302, response: '', location: 'https://gate.example/login', breaks: [] },
  { call: 'POST api settings/', status: 302, response: '', breaks: [] },
  { call: 'POST api settings/', status: 308, response: '', location: '/api/settings', breaks: [] },
  // Half of it may have been done: open.
  { call: 'POST v1 store/delivery_method/m-1,m-2/pickup_point/', status: 200, response: refusal, breaks: [] },
  // Not of the contract.
  { call: 'GET v1 store/orders/', response: [], breaks: [] },
  { call: 'PATCH v1 store/delivery_method/m-1/', response: [], breaks: [] },
  {
    call: 'GET v1 store/delivery_methods/?page_size=1',
    response: { delivery_methods: [{ handle: 'a' }, { handle: 'b' }] },
    breaks: ['delivery.lists.page-size-respected'],
  },
  {
    call: 'GET v1 store/delivery_methods/',
    response: { delivery_methods: null },
    breaks: ['delivery.method.list-contains-own'],
  },
  {
    call: 'GET api balance/',
    response: { error: false, premiumWebsites: '2' },
    breaks: ['reseller.balance.premium-websites'],
  },
  // Whichever installation or website it is about.
  {
    call: 'GET v1 apps/website/?authCode=2',
    response: { website: { url: ['https://shop.example/'], brandname: 4711 } },
    breaks: ['apps.website.brandname', 'apps.website.url'],
  },
  { call: 'GET v1 apps/user/?authCode=2', response: { user: { email: 7 } }, breaks: ['apps.user.email'] },
  { call: 'GET v1 apps/user/?authCode=2', response: { user: { email: null } }, breaks: [] },
  {
    call: 'POST api websites/',
    response: {
      error: false,
      websites: [
        { websiteID: 1, websiteAlias: 'a' },
        { websiteID: 2, websiteAlias: 10023 },
      ],
    },
    breaks: ['reseller.website.strings'],
  },
  {
    call: 'GET api website/2/domains/',
    response: { error: false, domains: [{ domainID: 1, domain: ['a.example'] }] },
    breaks: ['reseller.domain.name'],
  },
  { call: 'POST api balance/', response: { error: 'false' }, breaks: ['envelope.reseller.success-error-false'] },
  { call: 'POST api website/1/login/', response: { error: false }, breaks: ['reseller.login.link'] },
  { call: 'POST api website/1/login/', response: { error: false, loginUrl: 'https://a.example/x' }, breaks: [] },
  {
    call: 'GET api website/1/domains/',
    response: {
      error: false,
      domains: [
        { domainID: 7, domain: 'a.example' },
        { domainID: 7, domain: 'b.example' },
      ],
    },
    breaks: ['reseller.domain.id-unique'],
  },
  {
    call: 'GET api settings/',
    response: { error: false, resellerID: 1, addrCountry: 'LV' },
    breaks: ['reseller.settings.country'],
  },
  { call: 'GET api settings/', response: { error: false, resellerID: 1, addrCountry: '', tlds: null }, breaks: [] },
  { call: 'GET v1 apps/user/', response: { user: { email: 7 } }, breaks: ['apps.user.email'] },
  {
    call: 'GET v1 apps/languages/',
    response: { languages: ['en', 'en'] },
    breaks: ['apps.languages.exactly-website-languages'],
  },
  {
    call: 'GET v1 store/delivery_method/m-1/pickup_points/',
    response: {
      pickup_points: [
        { id: 'a', city: 'Riga' },
        { id: 'a', city: 'Ogre' },
      ],
    },
    breaks: ['delivery.point.id-unique'],
  },
];

test('a response is judged by itself: its status, its envelope, what the service chooses', () => {
  for (const { call, status = 200, response, location, breaks } of ROWS) {
    const [method, document, path] = call.split(' ') as [string, InterfaceName, string];
    const base = `https://service.example/${document}/`;
    const text = typeof response === 'string' ? response : JSON.stringify(response);
    const exchange: Exchange = {
      ...{ type: 'exchange', n: 3, check: '', role: '', direction: 'sent', at: '', durationMs: 0 },
      request: { method, url: base + path, headers: [] },
      response: { status, headers: location === undefined ? [] : [['location', location]], body: { text } },
    };
    const found = breachesIn(exchange, document, base);
    assert.deepEqual(found.map(({ clause }) => clause).sort(), [...breaks], `${call}: ${text}`);
    for (const { exchange: n, reason } of found) assert.ok(n === 3 && reason.length > 10);
  }
});
