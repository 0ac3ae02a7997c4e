import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { API, broken, type ExchangeDescription, judged, refusal } from '../traffic.fixture.ts';

const POINTS = 'store/delivery_method/m-1/pickup_points/';
const METHODS = 'store/delivery_methods/';
const method = { handle: 'm-1', title: 'Courier' };
const list: ExchangeDescription = { url: METHODS, response: { delivery_methods: [method] } };
const noHeaders = { headers: [] };

describe('answers that keep the contract, however odd', () => {
  const cases: Record<string, readonly ExchangeDescription[]> = {
    'a bare list': [list],
    'a list with error: false and a link of null': [
      { url: METHODS, response: { error: false, delivery_methods: [], next_page_uri: null } },
    ],
    'a resource bare, with the envelope, and wrapped': [
      { url: 'store/delivery_method/m-1/', response: method },
      { url: 'store/delivery_method/m-1/', response: { error: false, ...method } },
      { url: 'store/delivery_method/m-1/', response: { delivery_method: method } },
    ],
    'a resource that is requested by another spelling of its handle or id': [
      { url: 'store/delivery_method/M-1/', response: method },
      { url: 'store/delivery_method/m-1/pickup_point/A%20/', response: { id: 'a' } },
      { url: 'store/delivery_method/m-1/pickup_point/Caf%C3%A9/', response: { id: 'cafe' } },
    ],
    'an add that answers with nothing but an object': [
      list,
      { method: 'POST', url: 'store/delivery_method/', body: { delivery_method: {} }, response: {} },
    ],
    'optional values that are absent, null, empty or an empty list': [
      {
        url: POINTS,
        response: {
          pickup_points: [
            { id: 'a' },
            { id: 'b', title: null, city: '', attributes: [], country: null },
            { id: 'c', title: { en: 'C', lv: null }, attributes: '', further: 1 },
          ],
        },
      },
    ],
    'refusals under any status with the envelope': [
      list,
      ...[400, 401, 404, 409, 418, 422, 500, 503].map((status) => ({
        url: METHODS,
        status,
        response: refusal(status),
      })),
    ],
    'a page of a gateway': [
      list,
      ...[429, 502, 503, 504, 522].map((status) => ({
        url: METHODS,
        status,
        response: '<h1>Bad gateway</h1>',
        responseHeaders: [['content-type', 'text/html']] as const,
      })),
    ],
    'a redirect to the same address': [
      list,
      {
        url: 'http://service.test/v1/store/delivery_methods/',
        status: 301,
        responseHeaders: [['Location', `https://service.test/v1/${METHODS}`]],
      },
      { url: 'store/delivery_methods', status: 308, responseHeaders: [['location', '/v1/store/delivery_methods/']] },
    ],
    'what browsers do on their own': [
      list,
      { method: 'OPTIONS', url: METHODS, status: 204, responseHeaders: [] },
      { method: 'HEAD', url: METHODS, status: 200 },
      { url: METHODS, status: 304, responseHeaders: [] },
      { url: METHODS, status: 0, responseHeaders: [] },
    ],
    'a part, which the client requested': [
      list,
      { url: METHODS, headers: [['Range', 'bytes=0-5']], status: 206, response: '{"deli' },
    ],
    'another interface below the same base': [
      list,
      { url: 'store/orders/', response: [1, 2] },
      { url: 'store/orders/1/', status: 403, response: 'no' },
    ],
    'the last link to an empty page': [
      {
        url: `${METHODS}?page_size=1`,
        response: { delivery_methods: [method], next_page_uri: '/v1/store/delivery_methods/?from=2' },
      },
      { url: `${METHODS}?from=2`, response: { delivery_methods: [] } },
    ],
    'a login link, and texts in place of secrets': [
      {
        method: 'POST',
        url: `${API}website/7/login/?apiToken=t`,
        ...noHeaders,
        response: { error: false, loginUrl: 'https://x.test$LOGIN_URL' },
      },
      {
        url: `${API}settings/?apiToken=t`,
        ...noHeaders,
        response: { error: false, resellerID: 1, addrCountry: '(masked)', creditLimit: null },
      },
    ],
  };
  for (const [what, described] of Object.entries(cases)) {
    test(what, () => assert.deepEqual(broken(described, { headersComplete: true, complete: true }), []));
  }
});

describe('a fault is laid to its clause and to no other', () => {
  const website = { websiteID: 1 };
  const websites = (record: object): ExchangeDescription => ({
    url: `${API}websites/?apiToken=t`,
    ...noHeaders,
    response: { error: false, websites: [{ ...website, ...record }] },
  });
  const cases: ReadonlyArray<readonly [clause: string, described: ExchangeDescription]> = [
    ['envelope.v1.body-is-object', { url: METHODS, response: [method] }],
    ['envelope.v1.body-is-object', { url: METHODS, status: 404, response: '<h1>Not found</h1>' }],
    ['envelope.v1.json-content-type', { ...list, responseHeaders: [['content-type', 'text/html']] }],
    ['envelope.v1.success-error-false', { method: 'DELETE', url: 'store/delivery_method/m-1/', response: {} }],
    [
      'envelope.v1.success-error-false',
      { method: 'DELETE', url: 'store/delivery_method/m-1/', response: { error: 'false' } },
    ],
    ['envelope.v1.error-true', { url: METHODS, status: 404, response: { ...refusal(404), error: 'yes' } }],
    ['envelope.v1.error-code-integer', { url: METHODS, status: 404, response: { ...refusal(404), error_code: '404' } }],
    [
      'envelope.v1.error-message-string',
      { url: METHODS, status: 404, response: { ...refusal(404), error_message: 1 } },
    ],
    [
      'envelope.v1.unknown-path-envelope',
      { url: 'store/delivery_nothing/', status: 404, response: '<h1>Not found</h1>' },
    ],
    [
      'envelope.v1.malformed-input',
      {
        method: 'POST',
        url: 'apps/set_data/?authCode=c',
        headers: [['content-type', 'application/json']],
        body: '{"data"',
        status: 400,
        response: 'Bad Request',
      },
    ],
    [
      'envelope.v1.bad-input-is-4xx',
      { method: 'POST', url: 'apps/set_data/?authCode=c', body: { data: 7 }, status: 500, response: refusal(500) },
    ],
    ['envelope.v1.success-status', { ...list, status: 201 }],
    ['envelope.v1.failure-status', { url: METHODS, response: refusal(401) }],
    ['delivery.method.list-contains-own', { url: METHODS, response: { methods: [] } }],
    ['delivery.method.handle-string', { url: METHODS, response: { delivery_methods: [{ title: 'x' }] } }],
    ['delivery.method.handle-string', { url: METHODS, response: { delivery_methods: [{ handle: 7 }] } }],
    ['delivery.method.name-string', { url: METHODS, response: { delivery_methods: [{ ...method, name: 7 }] } }],
    [
      'delivery.multilanguage.shape',
      { url: METHODS, response: { delivery_methods: [{ ...method, title: { en: 1 } }] } },
    ],
    [
      'delivery.multilanguage.shape',
      { url: METHODS, response: { delivery_methods: [{ ...method, title: { 0: 'O', 1: 'l', en: 'New' } }] } },
    ],
    [
      'delivery.method.country-lists-are-codes',
      { url: METHODS, response: { delivery_methods: [{ ...method, available_countries_to: 'LV' }] } },
    ],
    [
      'delivery.method.handle-unique',
      { url: METHODS, response: { delivery_methods: [method, { ...method, title: 'Other' }] } },
    ],
    ['delivery.lists.every-item-once', { url: METHODS, response: { delivery_methods: [method, method] } }],
    [
      'delivery.lists.page-size-respected',
      { url: `${METHODS}?page_size=1`, response: { delivery_methods: [method, { handle: 'm-2' }] } },
    ],
    ['delivery.lists.next-link', { url: METHODS, response: { delivery_methods: [method], next_page_uri: 7 } }],
    [
      'delivery.lists.next-link',
      { url: METHODS, response: { delivery_methods: [method], next_page_uri: 'https://elsewhere.test/v1/' } },
    ],
    [
      'delivery.lists.walk-ends',
      { url: METHODS, response: { delivery_methods: [method], next_page_uri: `https://service.test/v1/${METHODS}` } },
    ],
    ['delivery.method.read-by-handle', { url: 'store/delivery_method/m-1/', response: { handle: 'm-2' } }],
    ['delivery.point.country-is-code', { url: POINTS, response: { pickup_points: [{ id: 'a', country: 'Latvia' }] } }],
    ['delivery.point.zip-kept', { url: POINTS, response: { pickup_points: [{ id: 'a', zip: 1050 }] } }],
    ['delivery.point.attributes-shape', { url: POINTS, response: { pickup_points: [{ id: 'a', attributes: ['x'] }] } }],
    [
      'delivery.settings.returns-fields',
      {
        method: 'POST',
        url: 'store/delivery_provider_settings/',
        body: { order_uuid: 'u' },
        response: { error: false },
      },
    ],
    ['apps.user.wrapped', { url: 'apps/user/?authCode=c', response: { email: 'a@b.test' } }],
    ['apps.user.email-confirmed', { url: 'apps/user/?authCode=c', response: { user: { email_confirmed: 'yes' } } }],
    ['apps.website.url', { url: 'apps/website/?authCode=c', response: { website: { url: 'shop.test' } } }],
    ['apps.languages.array', { url: 'apps/languages/?authCode=c', response: { languages: { en: 'English' } } }],
    [
      'apps.languages.exactly-website-languages',
      { url: 'apps/languages/?authCode=c', response: { languages: ['lv', 'en', 'lv'] } },
    ],
    [
      'envelope.reseller.success-error-false',
      { url: `${API}websites/?apiToken=t`, ...noHeaders, response: { websites: [website] } },
    ],
    [
      'envelope.reseller.error-code-integer',
      { url: `${API}websites/?apiToken=t`, ...noHeaders, status: 401, response: { error: true, errorMsg: 'No.' } },
    ],
    [
      'envelope.reseller.unknown-path-envelope',
      { url: `${API}website/1/enable_premium/?apiToken=t`, ...noHeaders, status: 404, response: 'Not found' },
    ],
    [
      'envelope.reseller.unknown-path-envelope',
      { url: `${API}website/1/enable_premium/?apiToken=t`, ...noHeaders, status: 404, response: refusal(404) },
    ],
    [
      'reseller.website.array',
      { url: `${API}websites/?apiToken=t`, ...noHeaders, response: { error: false, websites: {} } },
    ],
    ['reseller.website.id', websites({ websiteID: '1' })],
    ['reseller.website.user-country', websites({ userCountry: 'LV' })],
    ['reseller.website.timestamps', websites({ userCreated: '2023-02-29 10:00:00' })],
    ['reseller.website.accessed', websites({ websiteAccessed: 'yesterday' })],
    ['reseller.website.booleans', websites({ websiteIsPremium: 1 })],
    ['reseller.website.type-and-status', websites({ websiteStatus: '1' })],
    [
      'reseller.login.link',
      { url: `${API}website/1/login/?apiToken=t`, ...noHeaders, response: { error: false, loginUrl: 'login' } },
    ],
    [
      'reseller.settings.tlds',
      { url: `${API}settings/?apiToken=t`, ...noHeaders, response: { error: false, resellerID: 1, tlds: 'lv;com' } },
    ],
    [
      'reseller.settings.credit-limit',
      { url: `${API}settings/?apiToken=t`, ...noHeaders, response: { error: false, resellerID: 1, creditLimit: '5' } },
    ],
    [
      'reseller.balance.current',
      { url: `${API}balance/?apiToken=t`, ...noHeaders, response: { error: false, currentBalance: 12 } },
    ],
    [
      'reseller.domain.id-unique',
      {
        url: `${API}website/1/domains/?apiToken=t`,
        ...noHeaders,
        response: {
          error: false,
          domains: [
            { domainID: 1, domain: 'a.test' },
            { domainID: 1, domain: 'b.test' },
          ],
        },
      },
    ],
  ];
  for (const [clause, described] of cases) {
    // The base is known from another call, so that a faulty one is judged whatever it looks like.
    const others: ExchangeDescription[] = [
      list,
      { url: `${API}balance/?apiToken=t`, ...noHeaders, response: { error: false } },
    ];
    test(`${clause}: ${described.method ?? 'GET'} ${JSON.stringify(described.response).slice(0, 60)}`, () => {
      assert.deepEqual(broken([...others, described]), [clause]);
      const found = judged([...others, described])(clause);
      assert.equal(found?.verdict, found?.level === 'MUST' ? 'fail' : 'warn');
      assert.deepEqual([found?.decisive, found?.exchanges], [3, [3]]);
    });
  }
});

test('the page on a path that may belong to another interface of the service blames no party', () => {
  const page = { status: 404, response: '<h1>Not found</h1>' };
  assert.deepEqual(broken([list, { url: 'store/orders/', ...page }, { url: 'pages/', ...page }]), []);
});

describe('what was recorded in part', () => {
  test('leaves its clauses undecided and blames no party', () => {
    const outcomes = judged([{ url: METHODS, response: '{"delivery_methods": [{"hand', missing: 900 }]);
    assert.equal(outcomes('envelope.v1.body-is-object')?.verdict, 'inconclusive');
    assert.equal(outcomes('delivery.method.handle-string')?.verdict, 'inconclusive');
    assert.match(outcomes('envelope.v1.body-is-object')?.reason ?? '', /not recorded completely/);
  });

  test('does not outweigh what was recorded whole', () => {
    const outcomes = judged([list, { url: METHODS, missing: 5 }]);
    const found = outcomes('envelope.v1.body-is-object');
    assert.equal(found?.verdict, 'pass');
    assert.match(found?.reason ?? '', /kept in 1 exchange; 1 exchange could not be judged/);
  });

  test('a number that was a secret leaves no JSON behind, which is not a fault', () => {
    const described = {
      url: 'store/delivery_provider_settings/',
      method: 'POST',
      body: { order_uuid: 'u' },
      response: '{"fields":{"pin":$FIELD_PIN}}',
    };
    assert.deepEqual(broken([described]), []);
  });
});

describe('batch calls with too many points', () => {
  const batch = (count: number, status: number, flags: object = {}): ExchangeDescription => ({
    method: 'POST',
    url: `${POINTS}batch_replace/`,
    body: { pickup_points: Array.from({ length: count }, (_, i) => ({ id: `p${i}` })), ...flags },
    status,
    response: status === 200 ? { error: false } : refusal(status),
  });

  test('must be refused', () => {
    assert.deepEqual(broken([batch(101, 200)]), ['delivery.batch.refuses-101-points']);
    assert.deepEqual(broken([batch(101, 200, { is_finalization: false })]), [
      'delivery.batch.refuses-101-points-in-a-portion',
    ]);
    assert.deepEqual(broken([batch(100, 200)]), []);
  });

  test('may be ignored where ids are repeated', () => {
    const repeated = { pickup_points: Array.from({ length: 101 }, (_, i) => ({ id: `p${i % 100}` })) };
    const described = { ...batch(101, 200), body: repeated };
    assert.deepEqual(broken([described]), []);
    assert.equal(judged([described])('delivery.batch.refuses-101-points')?.verdict, 'inconclusive');
    const without = { ...batch(101, 200), body: { pickup_points: Array.from({ length: 101 }, () => ({ zip: '1' })) } };
    assert.deepEqual(broken([without]), ['delivery.batch.refuses-101-points']);
  });

  test('a refusal counts next to a call that was served, and only then', () => {
    assert.equal(judged([batch(101, 400)])('delivery.batch.refuses-101-points'), undefined);
    assert.equal(judged([batch(101, 400), batch(1, 200)])('delivery.batch.refuses-101-points')?.verdict, 'pass');
    assert.equal(judged([batch(1, 200), batch(101, 400)])('delivery.batch.refuses-101-points')?.verdict, 'pass');
  });
});
