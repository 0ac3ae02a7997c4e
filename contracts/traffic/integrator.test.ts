import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TrafficOptions } from './index.ts';
import { API, broken, judged, KEY, refusal, type Told } from './testing.ts';

const WHOLE: Partial<TrafficOptions> = { party: 'integrator', headersComplete: true, complete: true };
const OK = { error: false };
const point = (id: string, more: object = {}): object => ({ id, title: { en: id }, country: 'LV', ...more });

const addPoint = (body: unknown, status = 200): Told => ({
  method: 'POST',
  url: 'store/delivery_method/m-1/pickup_point/',
  body,
  status,
  answer: status === 200 ? OK : refusal(status),
});
const addMethod = (body: unknown): Told => ({ method: 'POST', url: 'store/delivery_method/', body, answer: OK });
const setData = (body: unknown): Told => ({ method: 'POST', url: 'apps/set_data/?authCode=c', body, answer: OK });
const setSnippet = (body: unknown): Told => ({ method: 'POST', url: 'apps/set_snippet/?authCode=c', body, answer: OK });

describe('calls that keep the contract, however odd', () => {
  const cases: Record<string, readonly Told[]> = {
    'a POST without a body under a JSON type': [
      {
        method: 'POST',
        url: 'apps/installed/?authCode=c',
        headers: [
          ['authorization', `ApiKey ${KEY}`],
          ['content-type', 'application/json'],
          ['content-length', '0'],
        ],
        answer: OK,
      },
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
      { url: `${API}authorize/?email=a&password=b`, headers: [], answer: { error: false, apiToken: 't' } },
      { url: `${API}websites/?apiToken=t`, headers: [], answer: { error: false, websites: [] } },
      {
        method: 'POST',
        url: `${API}website/1/domain/add/`,
        headers: [['content-type', 'application/x-www-form-urlencoded']],
        body: 'domain=wwwide.test&apiToken=t',
        answer: OK,
      },
    ],
  };
  for (const [what, told] of Object.entries(cases)) test(what, () => assert.deepEqual(broken(told, WHOLE), []));
});

describe('a fault is laid to its clause and to no other', () => {
  const cases: ReadonlyArray<readonly [clause: string, told: Told]> = [
    [
      'delivery.calls.authorization-header',
      { url: 'store/delivery_methods/', headers: [], answer: { delivery_methods: [] } },
    ],
    [
      'delivery.calls.authorization-header',
      {
        url: 'store/delivery_methods/',
        headers: [['Authorization', `Bearer ${KEY}`]],
        answer: { delivery_methods: [] },
      },
    ],
    [
      'delivery.calls.authorization-header',
      { url: 'store/delivery_methods/', headers: [['Authorization', 'ApiKey ']], answer: { delivery_methods: [] } },
    ],
    [
      'delivery.calls.known-operations',
      { method: 'PATCH', url: 'store/delivery_method/m-1/', status: 405, answer: refusal(405) },
    ],
    [
      'delivery.calls.known-operations',
      {
        method: 'POST',
        url: 'store/delivery_method/m-1/pickup_points/replace_all/',
        status: 404,
        answer: refusal(404),
      },
    ],
    [
      'apps.calls.known-operations',
      { method: 'POST', url: 'apps/publish/?authCode=c', status: 404, answer: refusal(404) },
    ],
    ['apps.calls.known-operations', { url: 'apps/installed/?authCode=c', status: 405, answer: refusal(405) }],
    ['apps.calls.auth-code-in-query', { url: 'apps/user/', answer: { user: {} } }],
    ['apps.calls.auth-code-in-query', { url: 'apps/user/?authCode=', answer: { user: {} } }],
    ['apps.calls.auth-code-spelling', { url: 'apps/user/?authcode=c', answer: { user: {} } }],
    [
      'payload.requests-are-json',
      {
        ...setData(''),
        body: 'data=x',
        headers: [
          ['Authorization', `ApiKey ${KEY}`],
          ['content-type', 'application/x-www-form-urlencoded'],
        ],
      },
    ],
    ['delivery.calls.wrapped-bodies', addMethod({ title: 'T' })],
    ['delivery.calls.wrapped-bodies', { ...addMethod(undefined), body: undefined }],
    [
      'delivery.calls.wrapped-bodies',
      { method: 'POST', url: 'store/delivery_provider_settings/', body: { order_id: 'u' }, answer: { fields: {} } },
    ],
    ['delivery.calls.field-types', addPoint({ pickup_point: point('a', { zip: 1010 }) })],
    ['delivery.calls.field-types', addPoint({ pickup_point: { title: 'no id' } })],
    ['delivery.calls.field-types', addMethod({ delivery_method: { print_label_url: '/label' } })],
    ['delivery.calls.country-codes', addPoint({ pickup_point: point('a', { country: 'Latvia' }) })],
    ['delivery.calls.country-codes', addMethod({ delivery_method: { available_countries_to: ['LV', 'EST'] } })],
    ['delivery.calls.name-not-sent', addMethod({ delivery_method: { name: 'x' } })],
    ['multilanguage.calls.values-are-strings', addPoint({ pickup_point: point('a', { title: { en: 7 } }) })],
    ['multilanguage.calls.codes-exist-in-website', addPoint({ pickup_point: point('a', { title: { english: 'A' } }) })],
    ['labels.page.https', addMethod({ delivery_method: { print_label_url: 'http://carrier.test/label' } })],
    ['apps.calls.snippet-string', setSnippet({ snippet: { html: '' } })],
    ['apps.calls.snippet-string', setSnippet({ snippet: '', language: 'English' })],
    ['apps.calls.data-string-or-object', setData({ data: ['x'] })],
    ['apps.calls.data-string-or-object', setData({ data: null })],
    ['apps.calls.data-string-or-object', setData({})],
    ['apps.calls.data-empty-list', setData({ data: [] })],
    [
      'reseller.calls.token',
      { url: `${API}websites/`, headers: [], status: 401, answer: { error: true, errorCode: 401, errorMsg: '' } },
    ],
    [
      'reseller.calls.known-operations',
      { url: `${API}website/1/enable_premium/?apiToken=t`, headers: [], status: 404, answer: OK },
    ],
    [
      'reseller.calls.known-operations',
      { method: 'PUT', url: `${API}settings/set/?apiToken=t`, headers: [], status: 404, answer: OK },
    ],
    [
      'reseller.calls.subscription-level',
      { url: `${API}website/1/enable_premium/gold/?apiToken=t`, headers: [], answer: OK },
    ],
    [
      'reseller.calls.domain-without-www',
      { url: `${API}website/1/domain/add/?apiToken=t&domain=www.shop.test`, headers: [], answer: OK },
    ],
  ];
  const others: Told[] = [
    { url: 'store/delivery_method/m-1/', answer: { handle: 'm-1' } },
    { url: `${API}balance/?apiToken=t`, headers: [], answer: { error: false } },
  ];
  for (const [clause, told] of cases) {
    test(`${clause}: ${told.method ?? 'GET'} ${told.url.slice(-40)} ${JSON.stringify(told.body) ?? ''}`, () => {
      assert.deepEqual(broken([...others, told], WHOLE), [clause]);
      const found = judged([...others, told], WHOLE)(clause);
      assert.equal(found?.verdict, found?.level === 'MUST' ? 'fail' : 'warn');
      assert.equal(found?.decisive, 3);
    });
  }
});

describe('what works by luck is advice', () => {
  const cases: ReadonlyArray<readonly [clause: string, told: Told]> = [
    ['delivery.calls.known-operations', { url: 'store/delivery_methods', answer: { delivery_methods: [] } }],
    [
      'delivery.calls.authorization-header',
      {
        url: 'store/delivery_methods/',
        headers: [['authorization', `apikey ${KEY}`]],
        answer: { delivery_methods: [] },
      },
    ],
    [
      'payload.requests-are-json',
      {
        ...setData({ data: {} }),
        headers: [
          ['Authorization', `ApiKey ${KEY}`],
          ['content-type', 'text/plain'],
        ],
      },
    ],
    ['delivery.calls.field-types', addPoint({ pickup_point: point('a', { attributes: [] }) })],
    ['delivery.calls.country-codes', addPoint({ pickup_point: point('a', { country: 'UK' }) })],
    ['delivery.calls.country-codes', addMethod({ delivery_method: { available_countries_to: ['GR', 'EL'] } })],
  ];
  for (const [index, [clause, told]] of cases.entries()) {
    test(`${clause} (${index + 1})`, () => {
      const outcomes = judged([told, addMethod({ delivery_method: {} })], WHOLE);
      assert.deepEqual(broken([told], WHOLE), []);
      assert.notEqual(outcomes(clause)?.advice, undefined);
    });
  }
});

describe('the Authorization header', () => {
  const stripped: Told = {
    url: 'store/delivery_methods/',
    headers: [['accept', '*/*']],
    answer: { delivery_methods: [] },
  };
  const clause = 'delivery.calls.authorization-header';

  test('that a browser left out of the whole recording is nobody’s fault', () => {
    const found = judged([stripped, stripped], { party: 'integrator' })(clause);
    assert.equal(found?.verdict, 'inconclusive');
    assert.match(found?.reason ?? '', /browsers leave it out/);
  });

  test('that is there in other exchanges was left out by the caller, whichever comes first', () => {
    for (const told of [
      [stripped, addMethod({ delivery_method: {} })],
      [addMethod({ delivery_method: {} }), stripped],
    ])
      assert.deepEqual(broken(told, { party: 'integrator' }), [clause]);
  });

  test('is held against the keys, where they are known', () => {
    const call = addMethod({ delivery_method: {} });
    assert.deepEqual(broken([call], { ...WHOLE, keys: { API_KEY: KEY } }), []);
    assert.deepEqual(broken([call], { ...WHOLE, keys: { API_KEY: 'another-key-0123' } }), [clause]);
    const hidden: Told = {
      ...call,
      headers: [
        ['Authorization', 'ApiKey $STORE_KEY'],
        ['content-type', 'application/json'],
      ],
    };
    assert.deepEqual(broken([hidden], { ...WHOLE, keys: { API_KEY: 'another-key-0123' } }), []);
  });
});

describe('languages', () => {
  const told = [addPoint({ pickup_point: point('a', { title: { en: 'A', lv: 'B' } }) })];
  const clause = 'multilanguage.calls.codes-exist-in-website';

  test('are judged where those of the website are known', () => {
    assert.equal(judged(told, { ...WHOLE, languages: ['en', 'lv'] })(clause)?.verdict, 'pass');
    assert.equal(judged(told, { ...WHOLE, languages: ['en'] })(clause)?.verdict, 'fail');
    assert.equal(judged(told, WHOLE)(clause)?.verdict, 'inconclusive');
  });
});

describe('points added twice', () => {
  const clause = ['delivery.calls.point-ids-unique'];
  const add = (id: string, status = 200): Told => addPoint({ pickup_point: point(id) }, status);
  const remove = (id: string): Told => ({
    method: 'DELETE',
    url: `store/delivery_method/m-1/pickup_point/${id}/`,
    answer: OK,
  });
  const batch = (ids: readonly string[], flags: object = {}, status = 200): Told => ({
    method: 'POST',
    url: 'store/delivery_method/m-1/pickup_points/batch_replace/',
    body: { pickup_points: ids.map((id) => point(id)), ...flags },
    status,
    answer: status === 200 ? OK : refusal(status),
  });

  test('break the clause when the first one was served', () => {
    assert.deepEqual(broken([add('a'), add('a', 409)], WHOLE), clause);
    assert.deepEqual(broken([add('a', 500), add('a')], WHOLE), []);
    assert.deepEqual(broken([add('a'), remove('a'), add('a')], WHOLE), []);
    assert.deepEqual(broken([add('a'), add('b')], WHOLE), []);
  });

  test('are known from uploads, whole or in portions', () => {
    assert.deepEqual(broken([batch(['a']), add('a', 409)], WHOLE), clause);
    const portions = [batch(['a'], { is_finalization: false }), batch(['b'], { is_initialization: false })];
    assert.deepEqual(broken([...portions, add('a', 409)], WHOLE), clause);
    assert.deepEqual(broken([add('a'), batch(['b']), add('a')], WHOLE), []);
  });

  test('are found across the countries of a method', () => {
    const of = (country: string, ids: readonly string[], more: object = {}): Told => ({
      ...batch(ids),
      body: { pickup_points: ids.map((id) => point(id, { country })), country, ...more },
    });
    assert.deepEqual(broken([of('LV', ['a']), of('EE', ['a'])], WHOLE), clause);
    assert.deepEqual(broken([batch(['a']), of('EE', ['a'])], WHOLE), clause);
    assert.deepEqual(broken([of('LV', ['a']), of('EE', ['b']), of('LT', ['a'])], WHOLE), clause);
    const open = of('EE', ['b'], { is_finalization: false });
    assert.deepEqual(broken([of('LV', ['a']), open, of('EE', ['a'], { is_initialization: false })], WHOLE), clause);
    // One list after another of the same country, of all countries, or after the point has moved.
    assert.deepEqual(broken([of('LV', ['a']), of('lv', ['a']), of('EE', ['b']), batch(['a', 'b'])], WHOLE), []);
    assert.deepEqual(broken([of('LV', ['a']), of('LV', []), of('EE', ['a'])], WHOLE), []);
    assert.deepEqual(broken([of('LV', ['a']), remove('a'), of('EE', ['a'])], WHOLE), []);
    const move: Told = { ...remove('a'), method: 'PUT', body: { pickup_point: { country: 'EE' } } };
    assert.deepEqual(broken([of('LV', ['a']), move, of('EE', ['a'])], WHOLE), []);
    assert.deepEqual(broken([{ ...of('LV', ['a']), status: 500, answer: refusal(500) }, of('EE', ['a'])], WHOLE), []);
  });
});

describe('portions', () => {
  const at = (first: number, count: number): string[] => Array.from({ length: count }, (_, i) => `p${first + i}`);
  interface Sent {
    readonly ids: readonly string[];
    readonly init?: unknown;
    readonly final?: unknown;
    readonly status?: number;
    readonly startMs?: number;
    readonly more?: object;
  }
  const told = (portions: readonly Sent[]): Told[] =>
    portions.map(({ ids, init, final, status = 200, startMs, more = {} }) => ({
      method: 'POST',
      url: 'store/delivery_method/m-1,m-2/pickup_points/batch_replace/',
      body: {
        pickup_points: ids.map((id) => point(id)),
        ...(init === undefined ? {} : { is_initialization: init }),
        ...(final === undefined ? {} : { is_finalization: final }),
        ...more,
      },
      status,
      answer: status === 200 ? OK : refusal(status),
      ...(startMs === undefined ? {} : { at: startMs, durationMs: 400 }),
    }));
  const B = 'delivery.batch.calls.';
  const three = [
    { ids: at(0, 100), init: true, final: false },
    { ids: at(100, 100), init: false, final: false },
    { ids: at(200, 7), init: false, final: true },
  ];

  const right: Record<string, readonly Sent[]> = {
    'a list in one call, flags left out': [{ ids: at(0, 3) }],
    'three portions': three,
    'three portions with the true flags left out': [
      { ids: at(0, 100), final: false },
      { ids: at(100, 100), init: false, final: false },
      { ids: at(200, 7), init: false },
    ],
    'an empty list': [{ ids: [] }],
    'a list again and again': [{ ids: at(0, 3) }, { ids: at(0, 3) }, ...three, ...three],
    'a portion that was refused and sent again': [
      three[0] as Sent,
      { ...(three[1] as Sent), status: 503 },
      three[1] as Sent,
      three[2] as Sent,
    ],
    'a list begun anew after a refusal': [three[0] as Sent, { ...(three[1] as Sent), status: 500 }, ...three],
    'a list begun anew without a word': [three[0] as Sent, ...three],
    'lists by country': [
      { ids: at(0, 100), more: { country: 'LV' } },
      { ids: at(100, 100), more: { country: 'EE' } },
    ],
  };
  for (const [what, portions] of Object.entries(right)) {
    test(`right: ${what}`, () => {
      assert.deepEqual(broken(told(portions), WHOLE), []);
      assert.equal(judged(told(portions), WHOLE)(`${B}earlier-portions-open`)?.advice, undefined);
    });
  }

  const wrong: ReadonlyArray<readonly [clause: string, what: string, portions: readonly Sent[]]> = [
    [
      'portion-size',
      '150 points, refused',
      [
        { ids: at(0, 150), init: true, final: false, status: 400 },
        { ids: at(150, 50), init: false, final: true },
      ],
    ],
    ['later-portions-continue', 'each begins the list', three.map((one) => ({ ...one, init: true }))],
    ['earlier-portions-open', 'each finishes the list', three.map((one) => ({ ...one, final: true }))],
    [
      'first-portion-initializes',
      'the first continues',
      three.map((one, i) => (i === 0 ? { ...one, init: false } : one)),
    ],
    ['last-portion-finalizes', 'the last does not finish', three.map((one) => ({ ...one, final: false }))],
    ['ids-unique', 'an id in two portions', [three[0] as Sent, { ids: ['p0'], init: false, final: true }]],
    ['ids-unique', 'an id twice in a call', [{ ids: ['a', 'a'] }]],
    ['last-portion-finalizes', 'a flag that is a word', [{ ids: ['a'], final: 'true' }]],
    [
      'earlier-portions-open',
      'a flag that is a number',
      [
        { ids: ['a'], init: true, final: 0 },
        { ids: ['b'], init: false, final: true },
      ],
    ],
  ];
  for (const [clause, what, portions] of wrong) {
    test(`${clause}: ${what}`, () => assert.deepEqual(broken(told(portions), WHOLE), [B + clause]));
  }

  test('list-sent: the list is an object', () => {
    const [call] = told([{ ids: [] }]) as [Told];
    assert.deepEqual(broken([{ ...call, body: { pickup_points: { LV: [] } } }], WHOLE), [`${B}list-sent`]);
  });

  test('of a recording that begins or ends in the middle blame nobody', () => {
    const options = { party: 'integrator', headersComplete: true } as const;
    assert.deepEqual(broken(told(three.slice(1, 2)), options), []);
    const outcomes = judged(told(three.slice(1, 2)), options);
    assert.equal(outcomes(`${B}first-portion-initializes`)?.verdict, 'inconclusive');
    assert.equal(outcomes(`${B}last-portion-finalizes`)?.verdict, 'inconclusive');
  });

  test('under way at the same time leave their order open', () => {
    const parallel = [2, 0, 1].map((i, place) => ({ ...(three[i] as Sent), startMs: 1_000 + place * 10 }));
    assert.deepEqual(broken(told(parallel), { ...WHOLE, complete: false }), []);
    assert.match(judged(told(parallel), WHOLE)(`${B}later-portions-continue`)?.reason ?? '', /at the same time/);
  });

  test('that are full lists of other points each are advised on', () => {
    const lists = [{ ids: at(0, 100) }, { ids: at(100, 100) }];
    assert.deepEqual(broken(told(lists), WHOLE), []);
    assert.match(
      judged(told(lists), WHOLE)(`${B}earlier-portions-open`)?.advice?.finding.message ?? '',
      /replaces all of them/,
    );
  });
});
