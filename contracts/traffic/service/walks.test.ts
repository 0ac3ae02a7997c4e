import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { broken, type ExchangeDescription, judged, V1 } from '../traffic.fixture.ts';

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

  test('that show an item twice break the clause when they are swift', () => {
    assert.deepEqual(broken([walk[0] as ExchangeDescription, page(`${METHODS}?page_size=2&from=c`, ['b', 'c'])]), [
      'delivery.lists.every-item-once',
    ]);
  });

  test('that show an item twice later on are reported, since the list may have been changed', () => {
    const later = { ...page(`${METHODS}?page_size=2&from=c`, ['b', 'c']), at: 60_000 };
    const outcomes = judged([walk[0] as ExchangeDescription, later]);
    const found = outcomes('delivery.lists.every-item-once');
    assert.equal(found?.verdict, 'inconclusive');
    assert.match(found?.reason ?? '', /"b" appeared twice/);
  });

  test('that show an item twice after it was added again are open', () => {
    const added: ExchangeDescription = {
      method: 'POST',
      url: 'store/delivery_method/',
      body: { delivery_method: { title: 'b' } },
      response: { error: false },
    };
    const calls = [walk[0] as ExchangeDescription, added, page(`${METHODS}?page_size=2&from=c`, ['b', 'c'])];
    assert.deepEqual(broken(calls), []);
  });

  test('that are not continued prove nothing', () => {
    const outcomes = judged(walk.slice(0, 1));
    assert.equal(outcomes('delivery.lists.walk-ends'), undefined);
    assert.equal(outcomes('delivery.lists.next-link'), undefined);
  });
});
