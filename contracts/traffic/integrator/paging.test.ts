/** What a client takes over of the links of a list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExchangeDescription, judged, WHOLE } from '../traffic.fixture.ts';

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
