import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CLAUSES } from '../clauses/index.ts';
import { documentOperations, matchPath } from '../operations/match.ts';
import { canPass, decidedClauses, inStartOrder, judgeTraffic, TrafficFold, whyUndecided } from './index.ts';
import { isRedacted, restored } from './reading/redacted.ts';
import { levelOf } from './tally.ts';
import { API, broken, type ExchangeDescription, exchangesOf, KEY, refusal, V1 } from './traffic.fixture.ts';

describe('addresses', () => {
  test('every operation of the documents is found under its own path', () => {
    for (const document of ['v1', 'api'] as const) {
      for (const { template, method, id } of documentOperations(document)) {
        const path = template.slice(1).replaceAll(/\{(\w+)\}/g, 'a%20b');
        const match = matchPath(document, path);
        assert.equal(match?.operations.get(method)?.id, id);
        assert.equal(match?.exact, true);
        for (const value of Object.values(match?.params ?? {})) assert.equal(value, 'a b');
      }
    }
  });

  test('slashes that are missing or doubled are skipped and reported', () => {
    assert.equal(matchPath('v1', 'apps/user')?.exact, false);
    assert.equal(matchPath('v1', 'apps//user/')?.exact, false);
    assert.equal(matchPath('v1', 'apps/users/'), undefined);
  });
});

describe('the service is known by its calls', () => {
  const page = { response: '<h1>Not ours</h1>', responseHeaders: [['content-type', 'text/html']] as const };
  const foreign: ExchangeDescription[] = [
    {
      url: 'https://payments.test/v1/tokens/',
      method: 'POST',
      headers: [['authorization', 'Bearer x']],
      body: { a: 1 },
      ...page,
    },
    { url: 'https://spa.test/api/settings/', headers: [], response: [1] },
    { url: 'https://spa.test/api/password/', method: 'POST', headers: [], body: { old: 'a' }, status: 404, ...page },
    {
      url: 'https://spa.test/api/authorize/',
      method: 'POST',
      headers: [],
      body: { user: 'a' },
      response: { token: 'x' },
    },
    { url: 'https://directory.test/v1/apps/user/', headers: [], response: [1] },
    { url: 'https://images.test/a.png', headers: [], ...page },
    { url: 'data:text/plain,x', headers: [], ...page },
  ];

  test('others with a v1 or an api in their addresses are left alone', () => {
    for (const party of ['service', 'integrator'] as const) {
      assert.deepEqual(broken(foreign, { party, headersComplete: true, complete: true }), []);
      assert.deepEqual(judgeTraffic(exchangesOf(foreign), { party }).bases, []);
    }
  });

  test('a base counts from its first exchange on, once anything shows that it is one', () => {
    const early: ExchangeDescription = { url: `${V1}apps/languages/`, headers: [], response: { languages: 'en' } };
    assert.deepEqual(broken([early]), []);
    const late: ExchangeDescription = { url: 'store/delivery_methods/', response: { delivery_methods: [] } };
    assert.deepEqual(broken([early, late]), ['apps.languages.array']);
  });

  test('an unknown path counts as well, when its base shows later what it is', () => {
    const unknown: ExchangeDescription = { method: 'POST', url: 'apps/publish/?authCode=c', status: 404, response: '' };
    const late: ExchangeDescription = { url: 'store/delivery_methods/', response: { delivery_methods: [] } };
    const integrator = { party: 'integrator' } as const;
    assert.deepEqual(broken([unknown], integrator), []);
    assert.deepEqual(broken([unknown, late], integrator), ['app.calls.known-operations']);
  });

  test('a base twice in an address is a link joined wrongly, unless it is served there', () => {
    const at = (url: string, status: number): ExchangeDescription => ({
      url,
      status,
      response: status === 200 ? { delivery_methods: [] } : refusal(status),
    });
    const joined = 'v1/store/delivery_methods/?from=3';
    const integrator = { party: 'integrator' } as const;
    const described = [at('store/delivery_methods/', 200), at(joined, 404)];
    assert.deepEqual(broken(described, integrator), ['provider.calls.known-operations']);
    assert.deepEqual(judgeTraffic(exchangesOf(described), integrator).bases, [V1]);
    assert.deepEqual(broken([at('store/delivery_methods/', 200), at(joined, 200)], integrator), []);
    assert.deepEqual(broken([at(joined, 404)], integrator), []);
    assert.deepEqual(broken([at(joined, 404)], { ...integrator, bases: [V1] }), ['provider.calls.known-operations']);
  });

  test('a refused path of the interface beside its base lacks the version', () => {
    const walk: ExchangeDescription = { url: 'store/delivery_methods/', response: { delivery_methods: [] } };
    const at = (url: string, status = 404): ExchangeDescription => ({ url, status, response: '' });
    const beside = at('https://service.test/store/delivery_methods/?page_size=20&page_start=3');
    const integrator = { party: 'integrator' } as const;
    const ofAnother = at('https://service.test/v2/store/delivery_methods/');
    for (const described of [
      [walk, beside],
      [beside, walk],
      [walk, ofAnother],
      [walk, at('https://service.test/V1.0/store/delivery_methods/')],
    ]) {
      const { clauses } = judgeTraffic(exchangesOf(described), integrator);
      const tally = clauses.get('provider.calls.known-operations');
      assert.match(tally?.finding?.message ?? '', /lacks the version/);
      assert.deepEqual(broken(described), [], 'the service owes nothing there');
    }
    const installed = at('https://service.test/apps/installed/?authCode=c');
    assert.deepEqual(broken([walk, { ...installed, method: 'POST' }], integrator), ['app.calls.known-operations']);
    for (const other of [
      at('https://service.test/store/orders/'),
      at('https://elsewhere.test/store/delivery_methods/'),
      at('https://service.test/store/delivery_methods/', 200),
    ])
      assert.deepEqual(broken([walk, other], integrator), []);
  });

  test('a base that is named counts in any case', () => {
    const [, settings] = foreign;
    assert.deepEqual(broken([settings as ExchangeDescription], { bases: ['https://spa.test/api'] }), [
      'envelope.reseller.body-is-object',
    ]);
  });

  test('a gateway may be in front of it, and an id may look like a base', () => {
    const described: ExchangeDescription[] = [
      { url: 'https://gate.test/api/v1/store/delivery_method/v1/', response: { handle: 'v1' } },
      { url: 'https://gate.test/api/v1/store/delivery_method/a/pickup_point/api/', response: { id: 'api' } },
    ];
    const { bases, clauses } = judgeTraffic(exchangesOf(described), { party: 'service' });
    assert.deepEqual(bases, ['https://gate.test/api/v1/']);
    assert.equal(clauses.get('delivery.method.read-by-handle')?.verdict, 'pass');
    assert.equal(clauses.get('delivery.point.read-by-id')?.verdict, 'pass');
  });

  test('too many addresses that look like an interface are not remembered', () => {
    const many = Array.from(
      { length: 500 },
      (_, i): ExchangeDescription => ({ url: `https://h${i}.test/v1/apps/user/`, headers: [], response: {} }),
    );
    assert.deepEqual(broken(many), []);
  });
});

describe('values that were taken out', () => {
  test('are known by what replaces them', () => {
    for (const text of [
      '$STORE_KEY',
      'ApiKey $API_KEY(base64)',
      '(masked)',
      '[REDACTED]',
      '***',
      'xxxxxxxx',
      ' <redacted> ',
      '[authorization redacted]',
      '[Filtered]',
    ])
      assert.equal(isRedacted(text), true, text);
    for (const text of ['', 'costs $5', '$abc', 'a*b', 'xxl', 'removed items', '[a b redacted]', 7, null])
      assert.equal(isRedacted(text), false, String(text));
  });

  test('are put back where they are known', () => {
    assert.deepEqual(restored('a $K b', { K: 'x' }), { text: 'a x b', guessed: true, incomplete: false });
    assert.deepEqual(restored('a $K $L', { K: 'x' }), { text: 'a x $L', guessed: true, incomplete: true });
    assert.deepEqual(restored('(masked)', { K: 'x' }), { text: '(masked)', guessed: false, incomplete: true });
    assert.deepEqual(restored('$K', { K: '$L' }), { text: '$L', guessed: true, incomplete: false });
  });
});

describe('clauses', () => {
  test('that rules decide are clauses of their party, and every other one has its reason', () => {
    for (const party of ['service', 'integrator'] as const) {
      const own = new Map(CLAUSES.filter((row) => row.party === party).map((row) => [row.id, row]));
      for (const clause of decidedClauses(party)) assert.equal(own.get(clause)?.excluded, undefined, clause);
      assert.deepEqual(
        decidedClauses(party).filter((clause) => !own.has(clause)),
        [],
      );
      for (const clause of own.keys()) assert.match(whyUndecided(party, clause), /^[a-z].+: .+$/, clause);
    }
    // What to record is of the clause's own kind.
    assert.match(whyUndecided('integrator', 'app.install.calls-installed'), /record an installation/);
    assert.match(
      whyUndecided('integrator', 'provider.callback.signature'),
      /record label requests and their callbacks/,
    );
    assert.throws(() => levelOf('delivery.no-such-clause'), /does not exist/);
    assert.equal(canPass('service', 'delivery.point.zip-kept'), false);
  });
});

test('exchanges are in the order of their start, within the window', () => {
  const given = exchangesOf([
    { url: '', at: 30 },
    { url: '', at: 10 },
    { url: '', at: 10 },
    { url: '', at: 20 },
  ]);
  const numbersOf = (window?: number): number[] => {
    const numbers: number[] = [];
    const order = inStartOrder(({ n }) => void numbers.push(n), window);
    for (const exchange of given) order.add(exchange);
    order.end();
    return numbers;
  };
  assert.deepEqual(numbersOf(), [2, 3, 4, 1]);
  assert.deepEqual(numbersOf(1), [2, 3, 4, 1]);
  assert.deepEqual(numbersOf(0), [1, 2, 3, 4]);
});

test('long traffic takes the memory of short traffic', () => {
  const fold = new TrafficFold({ party: 'integrator', headersComplete: true, complete: true });
  const described = (i: number): ExchangeDescription => ({
    method: 'POST',
    url: `store/delivery_method/m-${i}/pickup_points/batch_replace/`,
    body: { pickup_points: Array.from({ length: 100 }, (_, k) => ({ id: `${i}-${k}` })) },
    response: { error: false },
  });
  let evidence = 0;
  for (let i = 0; i < 6_000; i += 1) {
    const [exchange] = exchangesOf([described(i)]);
    if (exchange !== undefined && fold.add({ ...exchange, n: i + 1, at: new Date(i * 10).toISOString() }))
      evidence += 1;
  }
  // 600,000 ids have gone by; only some exchanges are worth keeping.
  assert.ok(evidence < 20, String(evidence));
  assert.equal(fold.done().clauses.get('provider.calls.portion-size')?.verdict, 'pass');
});

describe('whatever the traffic holds', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.constant({ error: true }),
    fc.constant({ delivery_methods: [{ handle: 1 }] }),
  );
  const path = fc.oneof(
    fc.constantFrom(
      ...[...documentOperations('v1'), ...documentOperations('api')].map(({ template }) =>
        template.slice(1).replaceAll(/\{\w+\}/g, 'a'),
      ),
    ),
    fc.webPath().map((text) => text.slice(1)),
  );
  const described = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'get', ''),
    url: fc.oneof(
      fc
        .tuple(
          fc.constantFrom(V1, API),
          path,
          fc.constantFrom('', '?apiToken=t&page_size=1', '?authCode=%', '?callback=x&hash=1&appId=2&language=3'),
        )
        .map((parts) => parts.join('')),
      fc.webUrl(),
      fc.string(),
    ),
    headers: fc.array(fc.tuple(fc.constantFrom('Authorization', 'content-type', 'Cookie'), fc.string())),
    body: fc.oneof(json, fc.string(), fc.constant(undefined)),
    status: fc.integer({ min: 0, max: 600 }),
    response: fc.oneof(json, fc.string(), fc.constant(undefined)),
    responseHeaders: fc.array(fc.tuple(fc.constantFrom('content-type', 'location'), fc.string())),
  });

  test('no rule throws, and every verdict names an exchange that is there', () => {
    fc.assert(
      fc.property(
        fc.array(described, { maxLength: 12 }),
        fc.constantFrom('service' as const, 'integrator' as const),
        fc.boolean(),
        (list, party, whole) => {
          const exchanges = exchangesOf(list as ExchangeDescription[]);
          const { clauses } = judgeTraffic(exchanges, {
            party,
            headersComplete: whole,
            complete: whole,
            keys: { API_KEY: KEY },
          });
          for (const outcome of clauses.values()) {
            assert.ok(outcome.reason.length > 0);
            if (outcome.verdict === 'fail') assert.ok(outcome.exchanges.includes(outcome.decisive ?? -1));
            for (const n of outcome.exchanges) assert.ok(n >= 1 && n <= exchanges.length);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a correct service is never blamed for what it was sent', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...documentOperations('v1')),
        json,
        fc.string(),
        ({ template, method }, body, garbage) => {
          const url = template.slice(1).replaceAll(/\{\w+\}/g, 'a');
          const call = (sent: unknown): ExchangeDescription => ({
            method,
            url,
            body: sent,
            status: 400,
            response: refusal(400),
          });
          assert.deepEqual(broken([call(body), call(garbage)]), []);
        },
      ),
      { numRuns: 200 },
    );
  });
});
