import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  API,
  addPoint,
  broken,
  type ExchangeDescription,
  judged,
  KEY,
  OK,
  point,
  refusal,
  WHOLE,
} from '../traffic.fixture.ts';

const addMethod = (body: unknown): ExchangeDescription => ({
  method: 'POST',
  url: 'store/delivery_method/',
  body,
  response: OK,
});
const batchReplace = (body: unknown): ExchangeDescription => ({
  method: 'POST',
  url: 'store/delivery_method/m-1/pickup_points/batch_replace/',
  body,
  response: OK,
});
const setData = (body: unknown): ExchangeDescription => ({
  method: 'POST',
  url: 'apps/set_data/?authCode=c',
  body,
  response: OK,
});
const setSnippet = (body: unknown): ExchangeDescription => ({
  method: 'POST',
  url: 'apps/set_snippet/?authCode=c',
  body,
  response: OK,
});

describe('calls that keep the contract, however odd', () => {
  const cases: Record<string, readonly ExchangeDescription[]> = {
    'a POST without a body under a JSON type': [
      {
        method: 'POST',
        url: 'apps/installed/?authCode=c',
        headers: [
          ['authorization', `ApiKey ${KEY}`],
          ['content-type', 'application/json'],
          ['content-length', '0'],
        ],
        response: OK,
      },
    ],
    'calls of other interfaces of the platform': [
      { url: 'store/orders/?authCode=c', status: 404, response: refusal(404) },
      { url: 'user/', status: 404, response: refusal(404) },
      { url: 'blog/website/?authCode=c', status: 404, response: refusal(404) },
      { method: 'POST', url: 'files/set_data/?authCode=c', response: OK },
      { url: 'shipping/pickup_points/', response: { pickup_points: [] } },
    ],
    'a snippet for no language': [
      setSnippet({ snippet: '', language: null }),
      setSnippet({ snippet: '<b>', language: 'pt-BR' }),
    ],
    'data of any kind that is text or object': [
      setData({ data: '' }),
      setData({ data: {} }),
      setData({ data: { list: [1] } }),
    ],
    'a point with empty attributes and unknown members': [
      addPoint({ pickup_point: point('a', { attributes: '', more: 1, city: null }) }),
    ],
    'a method with label printing switched off': [
      addMethod({ delivery_method: { title: 'T', print_label_url: null, available_countries_to: [] } }),
    ],
    'a label page on this machine': [
      addMethod({ delivery_method: { print_label_url: 'http://127.0.0.1:5000/label' } }),
    ],
    'Reseller calls with their token in query or form': [
      { url: `${API}authorize/?email=a&password=b`, headers: [], response: { error: false, apiToken: 't' } },
      { url: `${API}websites/?apiToken=t`, headers: [], response: { error: false, websites: [] } },
      {
        method: 'POST',
        url: `${API}website/1/domain/add/`,
        headers: [['content-type', 'application/x-www-form-urlencoded']],
        body: 'domain=wwwide.test&apiToken=t',
        response: OK,
      },
    ],
  };
  for (const [what, described] of Object.entries(cases))
    test(what, () => assert.deepEqual(broken(described, WHOLE), []));
});

describe('a fault is laid to its clause and to no other', () => {
  const cases: ReadonlyArray<readonly [clause: string, described: ExchangeDescription]> = [
    [
      'provider.calls.authorization-header',
      { url: 'store/delivery_methods/', headers: [], response: { delivery_methods: [] } },
    ],
    [
      'provider.calls.authorization-header',
      {
        url: 'store/delivery_methods/',
        headers: [['Authorization', `Bearer ${KEY}`]],
        response: { delivery_methods: [] },
      },
    ],
    [
      'provider.calls.authorization-header',
      { url: 'store/delivery_methods/', headers: [['Authorization', 'ApiKey ']], response: { delivery_methods: [] } },
    ],
    [
      'provider.calls.known-operations',
      { method: 'PATCH', url: 'store/delivery_method/m-1/', status: 405, response: refusal(405) },
    ],
    [
      'provider.calls.known-operations',
      {
        method: 'POST',
        url: 'store/delivery_method/m-1/pickup_points/replace_all/',
        status: 404,
        response: refusal(404),
      },
    ],
    [
      'provider.calls.known-operations',
      {
        method: 'POST',
        url: 'delivery_provider_settings/',
        body: { order_uuid: 'u' },
        status: 404,
        response: refusal(404),
      },
    ],
    [
      'app.calls.known-operations',
      { method: 'POST', url: 'apps/publish/?authCode=c', status: 404, response: refusal(404) },
    ],
    ...['set_data/', 'app/get_snippet/', 'user/', 'application/user/', ''].map(
      (path): [string, ExchangeDescription] => [
        'app.calls.known-operations',
        { method: 'POST', url: `${path}?authCode=c`, status: 404, response: refusal(404) },
      ],
    ),
    ...['stores/delivery_methods/', 'store/pickup_points/', 'pickup_point/p/'].map(
      (url): [string, ExchangeDescription] => [
        'provider.calls.known-operations',
        { url, status: 404, response: refusal(404) },
      ],
    ),
    ['app.calls.known-operations', { url: 'apps/installed/?authCode=c', status: 405, response: refusal(405) }],
    ['app.calls.auth-code-in-query', { url: 'apps/user/', response: { user: {} } }],
    ['app.calls.auth-code-in-query', { url: 'apps/user/?authCode=', response: { user: {} } }],
    ['app.calls.auth-code-spelling', { url: 'apps/user/?authcode=c', response: { user: {} } }],
    [
      'envelope.v1.request-bodies-are-json',
      {
        ...setData(''),
        body: 'data=x',
        headers: [
          ['Authorization', `ApiKey ${KEY}`],
          ['content-type', 'application/x-www-form-urlencoded'],
        ],
      },
    ],
    ['provider.calls.wrapped-bodies', addMethod({ title: 'T' })],
    ['provider.calls.wrapped-bodies', { ...addMethod(undefined), body: undefined }],
    [
      'provider.calls.wrapped-bodies',
      { method: 'POST', url: 'store/delivery_provider_settings/', body: { order_id: 'u' }, response: { fields: {} } },
    ],
    ['provider.calls.field-types', addPoint({ pickup_point: point('a', { zip: 1010 }) })],
    ['provider.calls.field-types', addPoint({ pickup_point: { title: 'no id' } })],
    ['provider.calls.field-types', addMethod({ delivery_method: { print_label_url: '/label' } })],
    ['provider.calls.field-types', batchReplace({ pickup_points: [point('a'), point('b', { zip: 1010 })] })],
    ['provider.calls.country-codes', batchReplace({ pickup_points: [point('a', { country: 'Latvia' })] })],
    ['provider.calls.country-codes', addPoint({ pickup_point: point('a', { country: 'Latvia' }) })],
    ['provider.calls.country-codes', addMethod({ delivery_method: { available_countries_to: ['LV', 'EST'] } })],
    ['provider.calls.name-not-sent', addMethod({ delivery_method: { name: 'x' } })],
    ['provider.calls.texts', addPoint({ pickup_point: point('a', { title: { en: 7 } }) })],
    ['provider.calls.languages', addPoint({ pickup_point: point('a', { title: { english: 'A' } }) })],
    ['provider.label.https', addMethod({ delivery_method: { print_label_url: 'http://carrier.test/label' } })],
    ['app.calls.snippet-string', setSnippet({ snippet: { html: '' } })],
    ['app.calls.snippet-string', setSnippet({ snippet: '', language: 'English' })],
    ['app.calls.snippet-string', { url: 'apps/get_snippet/English/?authCode=c', status: 404, response: refusal(404) }],
    ['provider.calls.known-operations', { url: 'store/delivery_method/a,b/', status: 404, response: refusal(404) }],
    [
      'provider.calls.known-operations',
      { url: 'store/delivery_method/a%2Cb/pickup_points/', status: 404, response: refusal(404) },
    ],
    [
      'provider.calls.known-operations',
      { method: 'DELETE', url: 'store/delivery_method/a,b/', status: 404, response: refusal(404) },
    ],
    ['provider.calls.known-operations', { url: 'Store/Delivery_Methods/', status: 404, response: refusal(404) }],
    ['app.calls.auth-code-in-query', { url: 'apps/user/?authCode=undefined', status: 401, response: refusal(401) }],
    ['app.calls.data-string-or-object', setData({ data: ['x'] })],
    ['app.calls.data-string-or-object', setData({ data: null })],
    ['app.calls.data-string-or-object', setData({})],
    ['app.calls.data-empty-list', setData({ data: [] })],
    [
      'reseller.calls.token',
      { url: `${API}websites/`, headers: [], status: 401, response: { error: true, errorCode: 401, errorMsg: '' } },
    ],
    [
      'reseller.calls.known-operations',
      { url: `${API}website/1/enable_premium/?apiToken=t`, headers: [], status: 404, response: OK },
    ],
    [
      'reseller.calls.known-operations',
      { method: 'PUT', url: `${API}settings/set/?apiToken=t`, headers: [], status: 404, response: OK },
    ],
    [
      'reseller.calls.subscription-level',
      { url: `${API}website/1/enable_premium/gold/?apiToken=t`, headers: [], response: OK },
    ],
    [
      'reseller.calls.domain-without-www',
      { url: `${API}website/1/domain/add/?apiToken=t&domain=www.shop.test`, headers: [], response: OK },
    ],
  ];
  const others: ExchangeDescription[] = [
    { url: 'store/delivery_method/m-1/', response: { handle: 'm-1' } },
    { url: `${API}balance/?apiToken=t`, headers: [], response: { error: false } },
  ];
  for (const [clause, described] of cases) {
    test(`${clause}: ${described.method ?? 'GET'} ${described.url.slice(-40)} ${JSON.stringify(described.body) ?? ''}`, () => {
      assert.deepEqual(broken([...others, described], WHOLE), [clause]);
      const found = judged([...others, described], WHOLE)(clause);
      assert.equal(found?.verdict, found?.level === 'MUST' ? 'fail' : 'warn');
      assert.equal(found?.decisive, 3);
    });
  }
});

test('a body without its wrapper is reported as one without it', () => {
  const reasonOf = (described: ExchangeDescription) =>
    judged([described], WHOLE)('provider.calls.wrapped-bodies')?.reason;
  assert.match(reasonOf(addMethod({ title: 'T' })) ?? '', /was sent without delivery_method/);
  assert.match(reasonOf({ ...addMethod(undefined), body: undefined }) ?? '', /was sent without a body/);
  assert.match(reasonOf(addMethod({ delivery_method: 'x' })) ?? '', /was sent with delivery_method as the text "x"/);
});

const sentAs = (type: string): NonNullable<ExchangeDescription['headers']> => [
  ['Authorization', `ApiKey ${KEY}`],
  ['content-type', type],
];

describe('what works only because the service is lenient is advice', () => {
  const cases: ReadonlyArray<readonly [clause: string, described: ExchangeDescription]> = [
    ['provider.calls.known-operations', { url: 'store/delivery_methods', response: { delivery_methods: [] } }],
    [
      'provider.calls.authorization-header',
      {
        url: 'store/delivery_methods/',
        headers: [['authorization', `apikey ${KEY}`]],
        response: { delivery_methods: [] },
      },
    ],
    ['envelope.v1.request-bodies-are-json', { ...setData({ data: {} }), headers: sentAs('text/plain') }],
    [
      'envelope.v1.request-bodies-are-json',
      { ...setData(`\uFEFF${JSON.stringify({ data: {} })}`), headers: sentAs('application/json') },
    ],
    ['provider.calls.field-types', addPoint({ pickup_point: point('a', { attributes: [] }) })],
    [
      'provider.calls.known-operations',
      { url: 'store/delivery_method/%7Bhandle%7D/', status: 404, response: refusal(404) },
    ],
    ['provider.calls.country-codes', addPoint({ pickup_point: point('a', { country: 'UK' }) })],
    ['provider.calls.country-codes', addMethod({ delivery_method: { available_countries_to: ['GR', 'EL'] } })],
  ];
  for (const [index, [clause, described]] of cases.entries()) {
    test(`${clause} (${index + 1})`, () => {
      const outcomes = judged([described, addMethod({ delivery_method: {} })], WHOLE);
      assert.deepEqual(broken([described], WHOLE), []);
      assert.notEqual(outcomes(clause)?.advice, undefined);
    });
  }

  test('and nothing works by it where the call was refused', () => {
    const messageAt = (status: number, response: object): string => {
      const served = judged([{ url: 'store//delivery_methods/', status, response }], WHOLE);
      return served('provider.calls.known-operations')?.advice?.finding.message ?? '';
    };
    assert.match(messageAt(200, { delivery_methods: [] }), /methods\/ works only because/);
    assert.match(messageAt(400, refusal(400)), /methods\/ was refused: the path of the interface is/);
  });
});

describe('languages', () => {
  const described = [addPoint({ pickup_point: point('a', { title: { en: 'A', lv: 'B' } }) })];
  const clause = 'provider.calls.languages';

  test('are judged where those of the website are known', () => {
    assert.equal(judged(described, { ...WHOLE, languages: ['en', 'lv'] })(clause)?.verdict, 'pass');
    assert.equal(judged(described, { ...WHOLE, languages: ['en'] })(clause)?.verdict, 'fail');
    assert.equal(judged(described, WHOLE)(clause)?.verdict, 'inconclusive');
  });
});

test('languages that a snippet is not kept or returned in are advised on', () => {
  const adviceOn = (clause: string, sent: ExchangeDescription): string | undefined =>
    judged([sent], { ...WHOLE, languages: ['en', 'lv'] })(clause)?.advice?.finding.message;
  const refused = { ...setSnippet({ snippet: '', language: 'en-US' }), status: 400, response: refusal(400) };
  assert.match(
    adviceOn('app.calls.snippet-string', refused) ?? '',
    /the language en-US, which the website does not have/,
  );
  assert.equal(adviceOn('app.calls.snippet-string', setSnippet({ snippet: '', language: 'de' })), undefined);
  const misnamed = (body: object) => adviceOn('app.calls.snippet-string', setSnippet({ snippet: '', ...body }));
  assert.match(misnamed({ lang: 'lv' }) ?? '', /a language as lang, where the interface takes it as language/);
  assert.equal(misnamed({ lang: 'lv', language: 'lv' }), undefined);
  assert.equal(misnamed({ languageCode: null, colour: 'red' }), undefined);
  const read = (query: string) => ({ url: `apps/get_snippet/?authCode=c${query}`, response: { snippet: '' } });
  assert.match(adviceOn('app.calls.known-operations', read('&language=lv')) ?? '', /a part of the path/);
  assert.equal(adviceOn('app.calls.known-operations', read('&v=2')), undefined);
});
