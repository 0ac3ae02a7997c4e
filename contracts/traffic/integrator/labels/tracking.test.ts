import assert from 'node:assert/strict';
import { test } from 'node:test';
import { misnamed, sharedTracking, type Tracked, trackingFault } from './tracking.ts';

const url = (address: string) => [['tracking_url', address]] as const;

test('tracking fields that a program made of no value, or of a template, are faults', () => {
  for (const address of [
    'https://carrier.example/t?c=undefined',
    'https://carrier.example/t/null',
    'https://carrier.example/t/{code}',
    'https://carrier.example/t/%s',
    'https://carrier.example/:code',
    'https://carrier.example/<code>',
    '/t/1',
  ])
    assert.notEqual(trackingFault(url(address)), undefined, address);
  assert.notEqual(trackingFault([['tracking_code', 'None']]), undefined);
});

test('other addresses and codes are none', () => {
  for (const address of [
    'https://carrier.example/t/AB12?lang=',
    'https://carrier.example/#/track/AB12',
    'https://carrier.example:8443/nullable?q=%D0%96+%25',
    'https://carrier.example/t?id={5B0F6F0E-3B1C}',
  ])
    assert.equal(trackingFault(url(address)), undefined, address);
  assert.equal(trackingFault([['tracking_code', '']]), undefined);
});

test('a tracking field by another name is a fault where it has no right one beside it', () => {
  assert.deepEqual(
    misnamed([
      ['trackingCode', 'A1'],
      ['tracking_link', 'https://t.example/'],
      ['carrier', 'X'],
    ]),
    ['trackingCode', 'tracking_link'],
  );
  assert.deepEqual(
    misnamed([
      ['tracking_code', 'A1'],
      ['tracking_number', 'A1'],
    ]),
    [],
  );
  assert.deepEqual(
    misnamed([
      ['tracking_number', ''],
      ['tracking_provider', 'X'],
    ]),
    [],
  );
});

const tracked = (order: string, code: string, address = ''): Tracked => ({
  name: `order ${order}`,
  order,
  pairs: [
    ['tracking_code', code],
    ['tracking_url', address],
  ],
});

test('one code of two orders is shared, one of two prints of an order is not', () => {
  assert.equal(sharedTracking([tracked('1', 'AB71'), tracked('1', 'AB71'), tracked('2', 'AB72')]), undefined);
  const found = sharedTracking([tracked('1', 'AB71'), tracked('2', 'AB72'), tracked('3', 'AB71')]);
  assert.deepEqual([found?.one, found?.other, found?.isOfAll], ['order 1', 'order 3', false]);
  assert.equal(sharedTracking([tracked('1', 'AB71'), tracked('2', 'AB71')])?.isOfAll, true);
});

test('words and samples are no codes', () => {
  for (const code of ['', 'PENDING', 'n/a', 'TEST-000001', 'AB123456789'])
    assert.equal(sharedTracking([tracked('1', code), tracked('2', code)]), undefined, code);
});

test('an address of all orders is shared only where its parameter has no value', () => {
  const both = (address: string, code = '') =>
    sharedTracking([tracked('1', code, address), tracked('2', code, address)]);
  assert.notEqual(both('https://carrier.example/t?c='), undefined);
  for (const address of [
    'https://carrier.example/t',
    'https://carrier.example/t?follow',
    'https://carrier.example/t?c=a',
  ])
    assert.equal(both(address), undefined, address);
});
