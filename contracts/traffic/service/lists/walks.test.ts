import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { broken, type ExchangeDescription, judged, V1 } from '../../traffic.fixture.ts';

const METHODS = 'store/delivery_methods/';

describe('walks', () => {
  const page = (url: string, handles: readonly string[], next?: string): ExchangeDescription => ({
    url,
    response: {
      delivery_methods: handles.map((handle) => ({ handle })),
      ...(next === undefined ? {} : { next_page_uri: next }),
    },
  });
  const walk = [
    page(`${METHODS}?page_size=2`, ['a', 'b'], '/v1/store/delivery_methods/?page_size=2&from=c'),
    page(`${METHODS}?page_size=2&from=c`, ['c']),
  ];

  test('that are followed to their end keep the clauses of lists', () => {
    const outcomes = judged(walk);
    for (const clause of ['delivery.lists.next-link', 'delivery.lists.walk-ends', 'delivery.lists.every-item-once'])
      assert.equal(outcomes(clause)?.verdict, 'pass', clause);
  });

  test('are known whatever clients and recorders add to the address', () => {
    const [first, second] = walk as [ExchangeDescription, ExchangeDescription];
    for (const change of [
      (url: string) => `${url}&_=1700000000`,
      (url: string) => `${url}#top`,
      (url: string) => url.replace('https://service.test/', 'https://me@Service.test:443/'),
    ]) {
      const described = [first, second].map((one) => ({ ...one, url: change(`${V1}${one.url.replace(V1, '')}`) }));
      assert.equal(judged(described)('delivery.lists.walk-ends')?.verdict, 'pass', described[1]?.url);
    }
  });

  test('have the size that was asked for on later pages as well', () => {
    const later = (url: string): ExchangeDescription[] => [
      page(`${METHODS}?page_size=2`, ['a', 'b'], `/v1/${url}`),
      page(url, ['c', 'd', 'e']),
    ];
    const clause = 'delivery.lists.page-size-respected';
    assert.deepEqual(broken(later(`${METHODS}?from=c`)), [clause]);
    assert.deepEqual(broken(later(`${METHODS}?from=c&page_size=3`)), []);
  });

  test('stay reversed on later pages', () => {
    const clause = 'delivery.lists.desc-kept-on-later-pages';
    const reversed = (later: readonly string[], order = 'desc=1&'): ExchangeDescription[] => [
      page(`${METHODS}?${order}page_size=4`, ['f', 'e', 'd', 'c'], '/v1/store/delivery_methods/?page_size=4&from=c'),
      page(`${METHODS}?page_size=4&from=c`, later),
    ];
    assert.deepEqual(broken(reversed(['c', 'd', 'e', 'f'])), [clause]);
    // Two items may have changed places, and items that were added in front move the others on.
    for (const open of [
      ['b', 'a'],
      ['d', 'e'],
      ['e', 'd', 'c', 'b'],
    ])
      assert.deepEqual(broken(reversed(open)), []);
    assert.deepEqual(broken(reversed(['c', 'd', 'e', 'f'], '')), []);
  });

  const [start] = walk as [ExchangeDescription];
  const repeating = [start, page(`${METHODS}?page_size=2&from=c`, ['b', 'c'])];

  test('that show an item twice are open: a client that is not recorded may have added one in front', () => {
    const found = judged(repeating)('delivery.lists.every-item-once');
    assert.equal(found?.verdict, 'inconclusive');
    assert.match(found?.reason ?? '', /"b" appeared twice.*read the list twice/);
    const grown = [
      page(`${METHODS}?page_size=2`, ['x', 'a'], '/v1/store/delivery_methods/?page_size=2&from=c'),
      page(`${METHODS}?page_size=2&from=c`, ['a', 'b'], '/v1/store/delivery_methods/?page_size=2&from=d'),
      page(`${METHODS}?page_size=2&from=d`, ['c']),
    ];
    const longer = [
      start,
      page(`${METHODS}?page_size=2&from=c`, ['b', 'c'], '/v1/store/delivery_methods/?page_size=2&from=d'),
      page(`${METHODS}?page_size=2&from=d`, ['d']),
    ];
    for (const next of [grown, longer]) assert.deepEqual(broken([...repeating, ...next]), []);
  });

  test('that show the same item twice each time break the clause', () => {
    assert.deepEqual(broken([...repeating, ...repeating]), ['delivery.lists.every-item-once']);
    const later = repeating.map((one, index) => ({ ...one, at: 60_000 * (index + 1) }));
    assert.deepEqual(broken([...repeating, ...later]), ['delivery.lists.every-item-once']);
  });

  test('that show an item twice after it was added again are open', () => {
    const added: ExchangeDescription = {
      method: 'POST',
      url: 'store/delivery_method/',
      body: { delivery_method: { title: 'b' } },
      response: { error: false },
    };
    assert.deepEqual(broken([start, added, ...repeating.slice(1)]), []);
    assert.deepEqual(broken([...repeating, added, ...repeating]), []);
  });

  test('whose links lead to the service behind a proxy of this machine are open', () => {
    const link = 'https://shop.example/v1/store/delivery_methods/?from=b';
    for (const origin of [
      'http://localhost:8080',
      'http://127.0.0.1:4000',
      'http://[::1]:9000',
      'http://shop.localhost',
    ]) {
      const found = judged([page(`${origin}/v1/${METHODS}`, ['a'], link)])('delivery.lists.next-link');
      assert.equal(found?.verdict, 'inconclusive', origin);
      assert.match(found?.reason ?? '', /leads to shop\.example instead of .*record without the proxy/);
    }
    for (const origin of ['https://localhost.shop.example', 'https://10.127.0.0.1.example'])
      assert.deepEqual(broken([page(`${origin}/v1/${METHODS}`, ['a'], link)]), ['delivery.lists.next-link'], origin);
  });

  test('in a size that no page has, or in an order of which the contract says nothing, prove nothing', () => {
    const points = 'store/delivery_method/h/pickup_points/';
    const list = (query: string, ...ids: readonly string[]): ExchangeDescription => ({
      url: `${points}${query}`,
      response: { pickup_points: ids.map((id) => ({ id })) },
    });
    const added: ExchangeDescription = {
      method: 'POST',
      url: 'store/delivery_method/h/pickup_point/',
      body: { pickup_point: { id: 'a', title: 'A' } },
      response: { error: false },
    };
    assert.deepEqual(broken([added, list('?page_size=0')]), []);
    assert.deepEqual(broken([added, list('?page_size=1')]), ['delivery.point.create-stores']);
    const usual = list('', 'a', 'b');
    for (const query of ['?desc=true', '?desc=0', '?desc=2']) {
      const turned = list(query, 'b', 'a');
      assert.deepEqual(broken([usual, turned, usual]), [], query);
      assert.deepEqual(broken([list('?desc=1', 'b', 'a'), turned]), [], query);
    }
    assert.deepEqual(broken([usual, list('?page_size=9', 'b', 'a')]), ['delivery.lists.stable-order']);
  });

  test('that are not continued prove nothing', () => {
    const outcomes = judged(walk.slice(0, 1));
    assert.equal(outcomes('delivery.lists.walk-ends'), undefined);
    assert.equal(outcomes('delivery.lists.next-link'), undefined);
  });
});
