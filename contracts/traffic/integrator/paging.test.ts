/** What a client takes over of the links of a list. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addPoint, type ExchangeDescription, judged, point, refusal, WHOLE } from '../traffic.fixture.ts';

const LIST = 'store/delivery_methods/';
const page = (url: string, next?: string): ExchangeDescription => ({
  url: LIST + url,
  response: { delivery_methods: [], ...(next === undefined ? {} : { next_page_uri: `/v1/${LIST}${next}` }) },
});
const adviceOn = (...calls: readonly ExchangeDescription[]): string =>
  judged(calls, WHOLE)('provider.calls.known-operations')?.advice?.finding.message ?? '';

test('a link of a reversed list without its desc is not the next page of that list', () => {
  const first = page('?desc=1&page_size=2', '?desc=1&page_size=2&from=c');
  assert.match(
    adviceOn(first, page('?page_size=2&from=c')),
    /takes from from a next_page_uri and leaves out the desc=1/,
  );
  assert.equal(adviceOn(first, page('?desc=1&page_size=2&from=c')), '');
  assert.equal(adviceOn(first, page('?from=c&page_size=5&desc=1')), '');
});

test('a link may hold no desc, or be of a list in its usual order as well', () => {
  const first = page('?desc=1&page_size=2', '?page_size=2&before=c');
  assert.equal(adviceOn(first, page('?page_size=2&before=c')), '');
  const both = [page('?desc=1', '?desc=1&from=c'), page('', '?from=c'), page('?from=c')];
  assert.equal(adviceOn(...both), '');
});

test('values of parameters that the contract does not know are advised against', () => {
  const refused = { url: `${LIST}?page_size=all`, status: 400, response: refusal(400) };
  assert.match(adviceOn(refused), /page_size is not a number of items/);
  assert.equal(adviceOn({ ...refused, url: `${LIST}?page_size=500` }), '');
  assert.match(adviceOn(page('?desc=true')), /only desc=1 reverses a list/);
  const first = page('?page_size=2', '?page_size=2&from=c');
  assert.match(adviceOn(first, page('?page_size=2&amp;from=c')), /with &amp; in place of &/);
});

test('a key in another place is named where the call is refused for its credentials', () => {
  const call = (headers: ExchangeDescription['headers'], url = LIST): ExchangeDescription => ({
    ...{ url, status: 401, response: refusal(401) },
    ...(headers === undefined ? {} : { headers }),
  });
  const advice = (one: ExchangeDescription): string =>
    judged([one], { party: 'integrator' })('provider.calls.authorization-header')?.advice?.finding.message ?? '';
  assert.match(advice(call([['X-Api-Key', 'key-4f1a9c77e0b2']])), /its key is in the header x-api-key/);
  assert.match(advice(call([['accept', '*/*']], `${LIST}?api_key=key-4f1a9c77e0b2`)), /in the query api_key/);
  assert.equal(advice(call([['accept', '*/*']])), '');
});

test('handles and ids that were encoded in another way are named', () => {
  const made = (handle: string): ExchangeDescription => ({
    ...{ method: 'POST', url: 'store/delivery_method/', body: { delivery_method: { title: 't' } } },
    response: { handle },
  });
  const batch = (handles: string): ExchangeDescription => ({
    ...{ method: 'POST', url: `store/delivery_method/${handles}/pickup_points/batch_replace/` },
    ...{ body: { pickup_points: [] }, status: 404, response: refusal(404) },
  });
  for (const wrong of ['m-1,%20m-2', 'm-1%252Cm-2'])
    assert.match(adviceOn(made('m-1'), made('m-2'), batch(wrong)), /separated by a comma and nothing else/, wrong);
  const added = addPoint({ pickup_point: point('a b') });
  const read = { url: 'store/delivery_method/m-1/pickup_point/a+b/', status: 404, response: refusal(404) };
  assert.match(adviceOn(added, read), /"a b" with a plus, which in a path is not a space/);
});

describe('pages of a list that no link leads to', () => {
  const clause = 'provider.calls.known-operations';
  const page = (query: string, next: string | null, more: Partial<ExchangeDescription> = {}): ExchangeDescription => ({
    url: `store/delivery_methods/${query}`,
    response: { delivery_methods: [{ handle: 'a' }], next_page_uri: next },
    ...more,
  });
  const first = page('?page_size=2', '/store/delivery_methods/?page_size=2&page_start=a%20b');
  const last = (query: string): ExchangeDescription => page(query, null);
  const madeUp = (described: readonly ExchangeDescription[], options = WHOLE): string | undefined =>
    judged(described, options)(clause)?.advice?.finding.pointer;

  test('are reached by the link, with other parameters and sizes beside it', () => {
    for (const query of ['?page_size=2&page_start=a%20b', '?page_start=a+b&page_size=9&desc=1&nocache=7'])
      assert.equal(madeUp([first, last(query)]), undefined, query);
  });

  test('are not reached by parameters that no link contained', () => {
    assert.equal(madeUp([first, last('?page_size=2&page=2')]), 'query page');
    assert.equal(madeUp([first, last('?page_size=2&page_start=2')]), 'query page_start');
    assert.equal(madeUp([last('?limit=50')]), 'query limit');
  });

  test('may belong to links from before the recording, or from a page that was not recorded', () => {
    const part = { ...WHOLE, complete: false };
    assert.equal(madeUp([last('?page_start=c')], part), undefined);
    assert.equal(madeUp([first, last('?page_start=c')], part), 'query page_start');
    const middle = page('?page_start=c', '/store/delivery_methods/?page_start=d');
    assert.equal(madeUp([middle, last('?page_start=e')], part), undefined);
    assert.equal(madeUp([middle, last('?page=3')], part), 'query page');
    const unread = page('?page_size=2', null, { response: '{"delivery_m', missing: 90 });
    for (const options of [part, WHOLE]) assert.equal(madeUp([unread, last('?page_start=c')], options), undefined);
  });
});
