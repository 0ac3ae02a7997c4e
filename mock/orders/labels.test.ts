import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { inProcess, memoryService, type Reply, type Send } from '../client.fixture.ts';
import type { MockService } from '../types/service.ts';
import { offeredMethods, setCheckoutUrl, startDynamicCheckout } from './checkout.ts';
import { mayPrintLabel, pressPrintLabel, type SignedForm } from './labels.ts';
import { ORDER_KINDS, type OrderKind, placeOrder } from './orders.ts';

const signatureOf = (values: readonly string[], key: string): string =>
  createHmac('sha256', key).update(values.join(''), 'utf8').digest('base64');

describe('labels', () => {
  let service: MockService;
  let send: Send;
  let key: string;
  beforeEach(() => {
    service = memoryService();
    send = inProcess(service);
    key = service.state.providers.get('7001')!.apiKey;
  });
  const press = (kind: OrderKind, more: object = {}): SignedForm & { uuid: string; values: Record<string, string> } => {
    const { uuid } = placeOrder(service, { websiteId: 55001, handle: 'parcel-lockers', kind, ...more });
    const form = pressPrintLabel(service, uuid);
    return { ...form, uuid, values: Object.fromEntries(form.fields) };
  };
  const callback = (params: [string, string][], signWith: string | null = key, method = 'GET'): Promise<Reply> => {
    const signed =
      signWith === null
        ? []
        : [
            [
              'signature',
              signatureOf(
                params.map(([, value]) => value),
                signWith,
              ),
            ],
          ];
    return send(method, `/label_callback/?${new URLSearchParams([...params, ...signed] as [string, string][])}`, {});
  };

  test('the fields of every kind of order, signed in their order with the key of the owner', () => {
    for (const kind of Object.keys(ORDER_KINDS) as OrderKind[]) {
      const { fields, values, action } = press(kind);
      assert.equal(action, 'https://labels.baltic-parcel.example/print');
      const signed = fields.filter(([name]) => name !== 'signature').map(([, value]) => value);
      assert.equal(values.signature, signatureOf(signed, key), kind);
      assert.equal(new Set(fields.map(([name]) => name)).size, fields.length);
      for (const [name, value] of fields)
        assert.ok(!/(?<!\r)\n|\r(?!\n)/.test(value), `${kind}: ${name} as a form sends it`);
      assert.match(values.amount!, /^\d+\.\d\d$/);
      assert.match(values.weight!, /^\d+$/);
      assert.match(values.shipping_country_code!, /^[a-z]{2}$/);
      assert.ok(Array.isArray(JSON.parse(values.cart!)));
      assert.equal('shipping_phone' in values, kind !== 'no-phone');
      assert.equal('shipping_pickup_point_id' in values, kind === 'pickup-point');
      assert.equal('buyer_street' in values, kind === 'pickup-point' || kind === 'other-buyer-address');
    }
    assert.equal(press('weightless').values.weight, '0');
    assert.equal(JSON.parse(press('long-cart').values.cart!).length, 200);
  });

  test('each press makes a new request; the button needs an address', () => {
    const { uuid, values } = press('address');
    assert.notEqual(
      Object.fromEntries(pressPrintLabel(service, uuid).fields).label_request_id,
      values.label_request_id,
    );
    const plain = placeOrder(service, { websiteId: 55001, handle: 'honey-lockers' });
    assert.equal(mayPrintLabel(service, plain), false);
    assert.throws(() => pressPrintLabel(service, plain.uuid), /does not print labels/);
    assert.throws(() => placeOrder(service, { websiteId: 55002, handle: 'honey-courier' }), /no such delivery method/);
  });

  test('a signed success is stored, with tracking and without', async () => {
    const { uuid, values } = press('address');
    const base: [string, string][] = [
      ['label_request_id', values.label_request_id!],
      ['label_url', 'https://labels.example/1.pdf'],
    ];
    assert.deepEqual((await callback(base)).body, { error: false });
    const url = 'https://labels.example/1.pdf';
    assert.deepEqual(service.state.orders.get(uuid)?.label, {
      url,
      trackingCode: null,
      trackingUrl: null,
      error: null,
    });
    await callback([...base, ['tracking_code', 'T 1'], ['tracking_url', 'https://t.example/?q=1&r=2']]);
    assert.deepEqual(service.state.orders.get(uuid)?.label, {
      url,
      trackingCode: 'T 1',
      trackingUrl: 'https://t.example/?q=1&r=2',
      error: null,
    });
    await callback([['tracking_url', 'https://t.example/'], ...base]);
    assert.equal(service.state.orders.get(uuid)?.label.trackingUrl, 'https://t.example/');
  });

  test('an error is stored, unsigned or correctly signed', async () => {
    const { uuid, values } = press('address');
    const params: [string, string][] = [
      ['label_request_id', values.label_request_id!],
      ['error_msg', 'Pārāk smags'],
    ];
    assert.equal((await callback(params, 'wrong key')).status, 401);
    assert.equal((await callback(params, null)).status, 200);
    assert.equal(service.state.orders.get(uuid)?.label.error, 'Pārāk smags');
    assert.equal((await callback(params)).status, 200);
  });

  test('every tampered callback is refused, its control is accepted, and nothing changes', async () => {
    const { values } = press('address');
    const id = values.label_request_id!;
    const url = 'https://labels.example/1.pdf';
    const right = signatureOf([id, url], key);
    const at = (params: [string, string][]) => send('GET', `/label_callback/?${new URLSearchParams(params)}`, {});
    const named = (signature: string): [string, string][] => [
      ['label_request_id', id],
      ['label_url', url],
      ['signature', signature],
    ];
    const before = await service.control.state();
    const wrong: [string, string][][] = [
      named(''),
      named(right.toLowerCase()),
      named(right.slice(0, -1)),
      named(`${right} `),
      named(Buffer.from(right, 'base64').toString('hex')),
      named(signatureOf([id, url], service.state.websites.get('55001')!.apiKey)),
      named(right).slice(0, 2),
      [...named(right), ['signature', right]],
      [
        ['label_request_id', id],
        ['label_url', `${url}x`],
        ['signature', right],
      ],
      [
        ['label_url', url],
        ['label_request_id', id],
        ['signature', right],
      ],
      [...named(right), ['tracking_code', '1']],
      [
        ['label_request_id', 'lr_unknown'],
        ['label_url', url],
        ['signature', signatureOf(['lr_unknown', url], key)],
      ],
      [
        ['label_url', url],
        ['signature', signatureOf([url], key)],
      ],
      [
        ['label_request_id', id],
        ['signature', signatureOf([id], key)],
      ],
      [
        ['label_request_id', id],
        ['label_url', 'javascript:1'],
        ['signature', signatureOf([id, 'javascript:1'], key)],
      ],
    ];
    for (const params of wrong) {
      const { status, body } = await at(params);
      assert.ok(status >= 400 && status < 500 && body.error === true, JSON.stringify(params));
    }
    assert.equal((await callback(named(right).slice(0, 2), key, 'POST')).status, 405);
    assert.deepEqual(await service.control.state(), before);
    assert.equal((await at(named(right))).status, 200);
    assert.equal((await at([['signature', right], ...named(right).slice(0, 2)])).status, 200);
  });

  test('the checkout offers what both country lists allow, and sends a signed form', () => {
    const website = service.state.websites.get('55001')!;
    const offered = (destination: string, from?: string) =>
      offeredMethods(service, website, destination, from).map(({ handle }) => handle);
    assert.deepEqual(offered('lv'), ['honey-courier', 'honey-lockers', 'parcel-lockers', 'parcel-home']);
    assert.deepEqual(offered('FI'), ['honey-courier', 'honey-lockers', 'parcel-lockers']);
    assert.deepEqual(offered('lv', 'EE'), ['honey-courier', 'honey-lockers', 'parcel-lockers']);
    setCheckoutUrl(service, 'honey-courier', 'https://checkout.example/?a=1');
    const form = startDynamicCheckout(service, { websiteId: 55001, handle: 'honey-courier', destinationCountry: 'LV' });
    assert.equal(form.action, 'https://checkout.example/?a=1');
    const values = form.fields.filter(([name]) => name !== 'signature').map(([, value]) => value);
    assert.equal(form.fields.at(-1)?.[1], signatureOf(values, website.apiKey));
    setCheckoutUrl(service, 'honey-courier', null);
    assert.throws(() =>
      startDynamicCheckout(service, { websiteId: 55001, handle: 'honey-courier', destinationCountry: 'LV' }),
    );
    assert.throws(() => setCheckoutUrl(service, 'honey-courier', 'http://checkout.example/'));
  });

  test('methods of an unapproved provider are not offered, but can be tested in an order', () => {
    const website = service.state.websites.get('55001')!;
    service.change(() =>
      service.state.websites.patch('55001', { enabledMethods: [...website.enabledMethods, 'fox-home'] }),
    );
    const now = service.state.websites.get('55001')!;
    assert.ok(!offeredMethods(service, now, 'LV').some(({ handle }) => handle === 'fox-home'));
    const order = placeOrder(service, { websiteId: 55001, handle: 'fox-home' });
    const { fields } = pressPrintLabel(service, order.uuid);
    const values = fields.filter(([name]) => name !== 'signature').map(([, value]) => value);
    assert.equal(fields.at(-1)?.[1], signatureOf(values, service.state.providers.get('7002')!.apiKey));
  });
});
