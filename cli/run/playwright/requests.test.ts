import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interfaceOf, RequestCounts } from './requests.ts';

const BASES = { v1: 'https://shop.example/v1/', api: 'https://resellers.example/v1/' };
const TABLE = [
  ['https://shop.example/v1/store/delivery_method/', 'delivery'],
  ['https://shop.example/v1/apps/data/', 'apps'],
  ['https://shop.example/v1/appsy/', 'delivery'],
  ['https://resellers.example/v1/websites/', 'reseller'],
  ['https://shop.example/', 'pages'],
  ['$LOGIN_URL', 'pages'],
] as const;
const sent = (url: string) => ({ request: { method: 'GET', url, headers: [] } });

test('the base address says which interface a request is of', () => {
  for (const [url, expected] of TABLE) assert.equal(interfaceOf(sent(url), BASES), expected, url);
  assert.equal(interfaceOf(sent('https://shop.example/v1/'), {}), 'pages');
});

test('every exchange is counted once', () => {
  const counts = new RequestCounts(BASES);
  for (const [url] of TABLE) counts.add(sent(url));
  assert.deepEqual(counts.counts, { delivery: 2, apps: 1, reseller: 1, pages: 2 });
});
