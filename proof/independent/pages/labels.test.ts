import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { newMethod, second, secrets } from '../testing.ts';

test('labels: signed fields, a new id for each press, callbacks only with a correct signature', async () => {
  const handle = await newMethod({ print_label_url: 'https://a.example/label', reference: 'x\ny' });
  const placed = await fetch(`${second.origin}/admin/orders/new`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ handle, elsewhere: '1' }),
  });
  const order = placed.headers.get('location')!;
  const press = async () => {
    const source = await (await fetch(`${second.origin}${order}label`, { method: 'POST' })).text();
    const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    return [...source.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map((m): [string, string] => [
      m[1]!,
      unescaped(m[2]!),
    ]);
  };
  const sign = (values: string[]) => createHmac('sha256', secrets.STORE_KEY!).update(values.join('')).digest('base64');
  const fields = await press();
  const field = new Map(fields);
  assert.equal(field.get('delivery_method_reference'), 'x\r\ny');
  assert.equal(sign(fields.filter(([name]) => name !== 'signature').map(([, value]) => value)), field.get('signature'));
  assert.notEqual(new Map(await press()).get('label_request_id'), field.get('label_request_id'));
  assert.match(field.get('shipping_country_code')!, /^[a-z]{2}$/);
  assert.ok(field.has('buyer_street') && JSON.parse(field.get('cart')!));
  const report = (pairs: [string, string][]) => fetch(`${field.get('callback_url')}?${new URLSearchParams(pairs)}`);
  const label: [string, string][] = [
    ['label_request_id', field.get('label_request_id')!],
    ['label_url', 'https://a.example/Ā &+%.pdf'],
    ['tracking_code', 'T-1'],
  ];
  const signature: [string, string] = ['signature', sign(label.map(([, value]) => value))];
  const shown = async () => (await fetch(`${second.origin}${order}`)).text();
  for (const refusedPairs of [
    label,
    [...label.slice(0, 2), ['tracking_code', 'T-2'], signature],
    [...label, ['signature', signature[1].toLowerCase()]],
    [...label, ['tracking_url', 'x'], signature],
    [...label, signature, signature],
  ] as [string, string][][]) {
    assert.ok((await report(refusedPairs)).status >= 400);
    assert.ok(!(await shown()).includes('Ā'));
  }
  const accepted = await report([...label, signature]);
  assert.deepEqual([accepted.status, accepted.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.ok((await shown()).includes('https://a.example/Ā &#38;+%.pdf'));
  assert.equal((await report([label[0]!, ['error_msg', 'Par smagu']])).status, 200);
  assert.ok((await shown()).includes('Par smagu'));
});
