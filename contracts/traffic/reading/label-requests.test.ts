/** The requests that a service sends to label pages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withSignature } from '../../signing/index.ts';
import { broken, type ExchangeDescription, encoded, judged, KEY } from '../traffic.fixture.ts';
import { FIELDS, FORM, KEYS, LABEL_PAGE, labelRequest } from './label-pages.fixture.ts';

describe('label requests', () => {
  test('that keep the contract break nothing, in either form', () => {
    assert.deepEqual(broken([labelRequest()], { keys: KEYS }), []);
    const fields = withSignature(Object.entries(FIELDS), KEY);
    const parts = fields.map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const multipart: ExchangeDescription = {
      ...labelRequest(),
      headers: [['Content-Type', 'multipart/form-data; boundary=x']],
      body: `${parts.join('')}--x--\r\n`,
    };
    assert.deepEqual(broken([multipart], { keys: KEYS }), []);
    for (const described of [labelRequest(), multipart])
      assert.equal(judged([described], { keys: KEYS })('labels.request.signature-correct')?.verdict, 'pass');
  });

  const faults: ReadonlyArray<readonly [clause: string, changes: Readonly<Record<string, string | undefined>>]> = [
    ['id-present', { label_request_id: undefined }],
    ['invoice-id', { invoice_id: '' }],
    ['amount', { amount: '24,90' }],
    ['currency', { currency: '€' }],
    ['empty-fields', { delivery_method_reference: undefined }],
    ['empty-fields', { seller_vat: undefined }],
    ['empty-fields', { shipping_company: undefined }],
    ['seller-country', { seller_country: undefined }],
    ['shipping-country-code', { shipping_country_code: 'LV' }],
    ['cart', { cart: 'one' }],
    ['weight', { weight: '1.5' }],
    ['language-code', { language_code: 'lv-LV' }],
    ['website-domain', { website_domain: 'https://shop.test/' }],
    ['callback-url', { callback_url: '/label_callback/' }],
    ['buyer-address-for-pickup', { shipping_pickup_point_id: 'RIX-1' }],
  ];
  for (const [clause, changes] of faults) {
    test(`${clause}: ${JSON.stringify(changes)}`, () => {
      assert.deepEqual(broken([labelRequest(changes)], { keys: KEYS }), [`labels.request.${clause}`]);
    });
  }

  test('are judged for their signature with the right key alone, and with nothing taken out', () => {
    const clause = 'labels.request.signature-correct';
    const wrong = labelRequest();
    const text = String(wrong.body).replace('24.90', '24.91');
    const found = judged([{ ...wrong, body: text }], { keys: KEYS })(clause);
    assert.equal(found?.verdict, 'fail');
    assert.equal(judged([labelRequest()])(clause)?.verdict, 'inconclusive');
    const masked = { ...wrong, body: String(wrong.body).replace('anna%40buyer.test', '(masked)') };
    assert.match(judged([masked], { keys: KEYS })(clause)?.reason ?? '', /redacted in the recording/);
    assert.deepEqual(broken([masked], { keys: KEYS }), []);
  });

  test('that lack a signature break its presence and nothing else', () => {
    assert.deepEqual(broken([labelRequest({}, false)], { keys: KEYS }), ['labels.request.signature-present']);
  });

  test('are distinguished by id and invoice, except a page that is loaded again', () => {
    assert.deepEqual(broken([labelRequest(), labelRequest()]), []);
    assert.deepEqual(broken([labelRequest(), labelRequest({ weight: '5' })]), ['labels.request.id-new-per-press']);
    const other = { label_request_id: 'lr-2', order_uuid: 'another' };
    assert.deepEqual(broken([labelRequest(), labelRequest(other)]), ['labels.request.invoice-id-unique']);
    assert.deepEqual(broken([labelRequest(), labelRequest({ ...other, invoice_id: 'INV-2' })]), []);
  });

  const from = (referer: string) => [...FORM, ['Referer', referer] as const];

  test('have each field once, if a page of the service posts them', () => {
    const fields = withSignature([...Object.entries(FIELDS), ['weight', '0']], KEY);
    const twice = { ...labelRequest(), body: encoded(fields) };
    assert.deepEqual(broken([{ ...twice, headers: from('https://service.test/admin/') }], { keys: KEYS }), [
      'labels.request.fields-once',
    ]);
    assert.deepEqual(broken([twice], { keys: KEYS }), []);
    const ofPage = withSignature([...Object.entries(FIELDS), ['own', '1'], ['own', '2']], KEY);
    const own = { ...twice, body: encoded(ofPage), headers: from('https://service.test/admin/') };
    assert.deepEqual(broken([own], { keys: KEYS }), []);
  });

  test('are not what a label page passes on to itself', () => {
    const passed = (init: Partial<ExchangeDescription>, changes = { weight: '500' }): ExchangeDescription => ({
      ...labelRequest(changes, false),
      ...init,
    });
    const query = `https://carrier.test/form?${encoded(Object.entries(FIELDS))}`;
    const moved: ExchangeDescription = {
      ...labelRequest(),
      status: 303,
      responseHeaders: [['Location', `/form?${encoded(Object.entries(FIELDS))}`]],
    };
    for (const described of [
      [labelRequest(), passed({ headers: from(LABEL_PAGE) })],
      [labelRequest(), passed({ headers: [...FORM, ['Origin', 'https://carrier.test']] })],
      [labelRequest(), passed({ url: 'https://carrier.test/confirm' })],
      [moved, { url: query, headers: from('https://service.test/order'), response: '', responseHeaders: [] }],
    ])
      assert.deepEqual(broken(described, { keys: KEYS }), []);
    // The page that sends a request of the service to another address of the same website is the service's.
    const service = from('https://service.test/order');
    assert.deepEqual(broken([labelRequest(), passed({ headers: service })], { keys: KEYS }), [
      'labels.request.id-new-per-press',
      'labels.request.signature-present',
    ]);
  });

  test('in JSON break the form of the request, if a page of the service made them', () => {
    const asJson = (
      headers: ReadonlyArray<readonly [string, string]>,
      type = 'application/json',
    ): ExchangeDescription => ({
      ...labelRequest(),
      headers: [['Content-Type', type], ...headers],
      body: Object.fromEntries(withSignature(Object.entries(FIELDS), KEY)),
    });
    const clause = 'labels.request.posted-to-label-url';
    for (const header of [
      ['Origin', 'https://service.test'] as const,
      ['Referer', 'https://service.test/order'] as const,
    ])
      for (const type of ['application/json', 'text/plain'])
        assert.deepEqual(broken([asJson([header], type)], { keys: KEYS }), [clause]);
    const unknown = judged([asJson([])], { keys: KEYS })(clause);
    assert.deepEqual([unknown?.verdict, unknown?.attribution], ['inconclusive', 'target']);
    for (const passed of [
      [labelRequest(), asJson([['Origin', 'https://service.test']])],
      [labelRequest(), { ...asJson([]), url: 'http://printer.internal/jobs' }],
      [asJson([['Origin', 'https://carrier.test']])],
    ])
      for (const party of ['service', 'integrator'] as const)
        assert.deepEqual(broken(passed, { keys: KEYS, party }), [], party);
    assert.equal(judged([labelRequest(), asJson([])], { keys: KEYS })(clause), undefined);
  });

  test('are not what a checkout request is', () => {
    const { label_request_id: _1, order_uuid: _2, callback_url: _3, ...rest } = FIELDS;
    const body = encoded(withSignature(Object.entries(rest), KEY));
    assert.deepEqual(broken([{ method: 'POST', url: 'https://carrier.test/checkout', headers: FORM, body }]), []);
  });
});
