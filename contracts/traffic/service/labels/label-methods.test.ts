import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { broken, type ExchangeDescription, encoded, judged, OK } from '../../traffic.fixture.ts';

const METHOD = 'store/delivery_method/';
const REFERENCE = 'labels.request.method-reference';

/** A label request for the method m-1; only what the rules about methods compare. */
const label = (changes: object = {}, at?: number): ExchangeDescription => ({
  method: 'POST',
  url: 'https://carrier.test/label',
  headers: [['content-type', 'application/x-www-form-urlencoded']],
  body: encoded(
    Object.entries({
      ...{ label_request_id: 'lr-1', order_uuid: 'o-1', invoice_id: 'INV-1', delivery_method_handle: 'm-1' },
      ...{ delivery_method_name: 'Courier', delivery_method_title: 'Kurjers', delivery_method_reference: 'ref\r\n1' },
      ...{ amount: '1', currency: 'EUR', weight: '1', callback_url: 'https://service.test/cb/', ...changes },
    }),
  ),
  response: '',
  responseHeaders: [],
  ...(at === undefined ? {} : { at }),
});
const SENT = { title: { en: 'Courier', lv: 'Kurjers' }, reference: 'ref\n1' };
const record = (changes: object = {}): object => ({ handle: 'm-1', name: 'Courier', ...SENT, ...changes });
const create: ExchangeDescription = {
  ...{ method: 'POST', url: METHOD, body: { delivery_method: SENT } },
  response: { error: false, handle: 'm-1' },
};
const read = (changes: object = {}): ExchangeDescription => ({ url: `${METHOD}m-1/`, response: record(changes) });
const list = (...records: readonly object[]): ExchangeDescription => ({
  url: 'store/delivery_methods/',
  response: { delivery_methods: records },
});
const update = (fields: object): ExchangeDescription => ({
  ...{ method: 'PUT', url: `${METHOD}m-1/`, body: { delivery_method: fields }, response: OK },
});
const OF_METHOD = /^labels\.request\.method-(?:reference|name|title)$/;
const brokenOf = (...described: readonly ExchangeDescription[]): string[] =>
  broken(described).filter((clause) => OF_METHOD.test(clause));

describe('label requests beside the method that they name', () => {
  test('return its properties, in any of its languages, as sent or as read, now or before', () => {
    for (const described of [
      [create, label()],
      [create, read(), label()],
      [create, read(), label({ delivery_method_title: 'Courier' })],
      [create, read(), update({ reference: 'ref-2' }), label()],
      [create, read(), update({ reference: 'ref-2' }), label({ delivery_method_reference: 'ref-2' })],
      [create, read(), update({ title: { lv: 'Piegāde' } }), label({ delivery_method_name: 'Piegāde' })],
      [create, update({ reference: null }), label({ delivery_method_reference: 'default' })],
      [create, read({ reference: '$REFERENCE' }), label({ delivery_method_reference: 'x' })],
      [label({ delivery_method_reference: 'x' })],
      [create, label({ delivery_method_handle: 'm-2', delivery_method_reference: 'x' })],
      [list(record()), label({ delivery_method_reference: 'older' })],
      [create, label({ delivery_method_reference: 'changed since' }, 3_600_000)],
    ])
      assert.deepEqual(brokenOf(...described), [], JSON.stringify(described.at(-1)?.body));
  });

  test('break the clause with a value that a method of the recording never had', () => {
    assert.deepEqual(brokenOf(create, label({ delivery_method_reference: 'ref' })), [REFERENCE]);
    assert.deepEqual(brokenOf(create, read(), label({ delivery_method_name: 'm-1' })), ['labels.request.method-name']);
    assert.deepEqual(brokenOf(create, label({ delivery_method_title: 'T' })), ['labels.request.method-title']);
  });

  test('about an older method are open, or advised on if the value is that of another one', () => {
    const odd = label({ delivery_method_reference: 'ref-7' });
    const open = judged([list(record()), odd])(REFERENCE);
    assert.equal(open?.verdict, 'inconclusive');
    assert.match(open?.reason ?? '', /unless the order is older/);
    const mixed = judged([list(record(), record({ handle: 'm-7', reference: 'ref-7' })), odd])(REFERENCE);
    assert.match(mixed?.advice?.finding.message ?? '', /that of the method m-7/);
  });
});
