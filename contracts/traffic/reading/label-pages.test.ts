import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Fields, sign, withSignature } from '../../signing/index.ts';
import type { TrafficOptions } from '../index.ts';
import { broken, type ExchangeDescription, encoded, judged, KEY } from '../traffic.fixture.ts';

const KEYS = { API_KEY: KEY };
const FORM = [['content-type', 'application/x-www-form-urlencoded']] as const;
const LABEL_PAGE = 'https://carrier.test/label';
const CALLBACK = 'https://service.test/label_callback/';

const FIELDS: Readonly<Record<string, string>> = {
  label_request_id: 'lr-1',
  order_uuid: '5a0e1c52-2f0b-4a3f-9d1c-7b1c5b8f1a10',
  invoice_id: 'INV-1',
  delivery_method_handle: 'm-1',
  delivery_method_name: 'Locker',
  delivery_method_title: 'Parcel locker',
  delivery_method_reference: 'locker',
  amount: '24.90',
  currency: 'EUR',
  seller_name: 'Shop & Co',
  seller_id: '',
  seller_vat: '',
  seller_address: '',
  seller_country: 'LV',
  shipping_first_name: 'Anna',
  shipping_last_name: 'Bērziņa',
  shipping_company: '',
  shipping_company_id: '',
  shipping_company_vat: '',
  shipping_email: 'anna@buyer.test',
  shipping_street: 'Brīvības 1\r\nApt. 2',
  shipping_city: 'Rīga',
  shipping_state: '',
  shipping_zip: 'LV-1050',
  shipping_country_code: 'lv',
  cart: '[{"id":1}]',
  weight: '0',
  language_code: 'lv',
  website_alias: 'shop',
  website_domain: 'shop.test',
  callback_url: CALLBACK,
};

/** A label request; a change of undefined leaves the field out. */
function labelRequest(changes: Readonly<Record<string, string | undefined>> = {}, signed = true): ExchangeDescription {
  const fields = Object.entries({ ...FIELDS, ...changes }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const body = encoded(signed ? withSignature(fields, KEY) : fields);
  return { method: 'POST', url: LABEL_PAGE, headers: FORM, body, response: '<p>Label</p>', responseHeaders: [] };
}

function callback(fields: Fields, init: Partial<ExchangeDescription> = {}): ExchangeDescription {
  return { url: `${CALLBACK}?${encoded(fields)}`, headers: [], response: '', responseHeaders: [], ...init };
}

const SUCCESS: Fields = [
  ['label_request_id', 'lr-1'],
  ['label_url', 'https://carrier.test/1.pdf'],
];
const TRACKED: Fields = [...SUCCESS, ['tracking_url', 'https://carrier.test/t'], ['tracking_code', 'CC1']];

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

describe('what label pages do', () => {
  const options: Partial<TrafficOptions> = { party: 'integrator', keys: KEYS, headersComplete: true, complete: true };
  const P = 'provider.callback.';
  const signed = (fields: Fields, key = KEY): Fields => withSignature(fields, key);

  test('is right beside parameters that the address of the callback had before, signed or not', () => {
    const before: Fields = [['order', '17']];
    for (const fields of [SUCCESS, TRACKED, TRACKED.toReversed()]) {
      const request = labelRequest({ callback_url: `${CALLBACK}?order=17` });
      for (const sent of [[...before, ...signed(fields)], signed([...before, ...fields])]) {
        const found = judged([request, callback(sent)], options);
        assert.equal(found(`${P}signature`)?.verdict, 'pass');
        assert.notEqual(found(`${P}tracking-signed`)?.verdict, 'fail');
      }
    }
  });

  test('is right, with tracking fields in any order and without', () => {
    for (const fields of [SUCCESS, TRACKED]) {
      const described = [labelRequest(), callback(signed(fields))];
      assert.deepEqual(broken(described, options), []);
      assert.equal(judged(described, options)(`${P}signature`)?.verdict, 'pass');
      assert.equal(judged(described, options)(`${P}same-id`)?.verdict, 'pass');
    }
    const error: Fields = [
      ['label_request_id', 'lr-1'],
      ['error_msg', 'Too heavy.'],
    ];
    assert.deepEqual(broken([labelRequest(), callback(error)], options), []);
  });

  test('is unclear after an error callback that follows a success, and clear after a second attempt', () => {
    const error: Fields = [
      ['label_request_id', 'lr-1'],
      ['error_msg', 'Too heavy.'],
    ];
    const adviceOn = (...calls: readonly ExchangeDescription[]): string | undefined =>
      judged([labelRequest(), ...calls], options)(`${P}one-outcome`)?.advice?.finding.message;
    const success = callback(signed(SUCCESS));
    assert.match(adviceOn(success, callback(error)) ?? '', /had a success callback before/);
    assert.equal(adviceOn(callback(error), success), undefined);
    assert.equal(adviceOn({ ...success, status: 401 }, callback(error)), undefined);
    const other = callback([['label_request_id', 'lr-2'], error[1] as Fields[number]]);
    assert.equal(adviceOn(success, labelRequest({ label_request_id: 'lr-2' }), other), undefined);
  });

  const cases: ReadonlyArray<readonly [clause: string, what: string, described: ExchangeDescription]> = [
    [
      'by-get',
      'by POST',
      callback([], { method: 'POST', url: CALLBACK, headers: FORM, body: encoded(signed(SUCCESS)) }),
    ],
    ['same-id', 'another id', callback(signed([['label_request_id', 'lr-9'], SUCCESS[1] as Fields[number]]))],
    ['label-url', 'a path', callback(signed([SUCCESS[0] as Fields[number], ['label_url', '/1.pdf']]))],
    ['label-url', 'none', callback(signed([SUCCESS[0] as Fields[number], ['tracking_code', 'C']]))],
    ['signed', 'no signature', callback(SUCCESS)],
    [
      'signature',
      'hexadecimal',
      callback([...SUCCESS, ['signature', Buffer.from(sign(SUCCESS, KEY), 'base64').toString('hex')]]),
    ],
    ['signature', 'another key', callback(signed(SUCCESS, 'another-key-0123'))],
    ['tracking-signed', 'not signed', callback([...TRACKED, ['signature', sign(SUCCESS, KEY)]])],
    [
      'tracking-signed',
      'in another order',
      callback([...TRACKED, ['signature', sign([...SUCCESS, ...TRACKED.slice(2).toReversed()], KEY)]]),
    ],
    ['parameter-order', 'the address first', callback(signed(SUCCESS.toReversed()))],
    [
      'parameter-order',
      'the address first, signed in the other order',
      callback([...SUCCESS.toReversed(), ['signature', sign(SUCCESS, KEY)]]),
    ],
    [
      'error-message',
      'empty',
      callback([
        ['label_request_id', 'lr-1'],
        ['error_msg', ' '],
      ]),
    ],
    ['error-same-id', 'none', callback([['error_msg', 'Too heavy.']])],
    [
      'error-same-id',
      'another',
      callback([
        ['label_request_id', 'lr-9'],
        ['error_msg', 'Too heavy.'],
      ]),
    ],
  ];
  for (const [clause, what, described] of cases) {
    test(`${clause}: ${what}`, () => assert.deepEqual(broken([labelRequest(), described], options), [P + clause]));
  }

  test('is not what the servers of the provider tell each other of the label', () => {
    const fields = encoded([
      ['label_request_id', 'lr-1'],
      ['tracking_code', 'T-1'],
    ]);
    for (const own of [
      callback([], { method: 'POST', url: 'https://log.carrier.test/labels', headers: FORM, body: fields }),
      callback([], { url: `https://carrier.test/show?${fields}` }),
    ])
      assert.deepEqual(broken([labelRequest(), own], options), []);
    const misaddressed = callback([], { url: `https://service.test/labels?${fields}` });
    assert.deepEqual(broken([labelRequest(), misaddressed], options), [`${P}label-url`, `${P}signed`]);
  });

  test('is not a part of a label request', () => {
    const names = ['label_request_id', 'order_uuid', 'weight', 'callback_url', 'signature'];
    const body = encoded(names.map((name) => [name, FIELDS[name] ?? 'AAAA']));
    const part: ExchangeDescription = { ...labelRequest(), url: 'https://carrier.test/print', body };
    assert.deepEqual(broken([part], { party: 'integrator', keys: KEYS }), []);
  });

  test('is not what the service does behind its callback', () => {
    const done = callback(signed(SUCCESS), {
      status: 302,
      responseHeaders: [['Location', '/order?label_request_id=lr-1&label_url=x']],
    });
    const after: ExchangeDescription = {
      url: 'https://service.test/order?label_request_id=lr-1&label_url=x',
      headers: [],
      response: '',
    };
    assert.deepEqual(broken([labelRequest(), done, after], options), []);
    const linked = { ...after, headers: [['Referer', `${CALLBACK}?label_request_id=lr-1`] as const] };
    assert.deepEqual(broken([labelRequest(), callback(signed(SUCCESS)), linked], options), []);
    // A redirect of the label page leaves the service's order as the page that everything began at.
    const begun = [['Referer', 'https://service.test/order'] as const];
    const redirecting = { ...labelRequest(), headers: [...FORM, ...begun], status: 303 };
    for (const location of [[], [['Location', callback(SUCCESS).url] as const]])
      assert.deepEqual(
        broken([{ ...redirecting, responseHeaders: location }, callback(SUCCESS, { headers: begun })], options),
        [`${P}signed`],
      );
  });

  test('with a request that was not signed must not be success', () => {
    assert.deepEqual(broken([labelRequest({}, false), callback(signed(SUCCESS))], options), [
      'provider.refusals.unsigned',
    ]);
  });

  test('with a request of a wrong signature must not be success, where another one shows that the key is right', () => {
    const request = labelRequest();
    const forged = { ...request, body: String(request.body).replace('weight=0', 'weight=99') };
    const other = labelRequest({ label_request_id: 'lr-0' });
    assert.deepEqual(broken([other, forged, callback(signed(SUCCESS))], options), ['provider.refusals.tampered']);
    assert.deepEqual(broken([forged, callback(signed(SUCCESS))], options), []);
    assert.deepEqual(broken([other, forged, labelRequest(), callback(signed(SUCCESS))], options), []);
  });

  test('may be a callback under names that mean its parameters', () => {
    for (const names of [
      ['labelRequestId', 'labelUrl'],
      ['label_request_id[]', 'label_url[]'],
    ] as const) {
      const described = callback([
        [names[0], 'lr-1'],
        [names[1], 'https://carrier.test/1.pdf'],
      ]);
      const found = broken([labelRequest(), described], options);
      assert.deepEqual(found, [`${P}label-url`, `${P}same-id`, `${P}signed`]);
      assert.deepEqual(broken([described], options), []);
    }
    assert.deepEqual(broken([labelRequest(), callback([['label', '1']])], options), []);
  });

  test('that carries a label and an error is a success, and is advised on', () => {
    const both = (text: string) => callback([...signed(SUCCESS), ['error_msg', text]]);
    const adviceOn = (text: string) =>
      judged([labelRequest(), both(text)], options)(`${P}one-outcome`)?.advice?.finding.message;
    assert.match(adviceOn('Too heavy.') ?? '', /both label_url and error_msg/);
    assert.equal(adviceOn(''), undefined);
    assert.equal(judged([labelRequest(), both('')], options)(`${P}label-url`)?.verdict, 'pass');
  });

  const label = (type: string, response: string, status = 200): ExchangeDescription => ({
    url: (SUCCESS[1] as Fields[number])[1],
    headers: [],
    status,
    response,
    responseHeaders: [['content-type', type]],
  });
  test('is a label that is a PDF', () => {
    const after = [labelRequest(), callback(signed(SUCCESS))];
    const found = (described: ExchangeDescription) => broken([...after, described], options);
    assert.deepEqual(found(label('application/pdf', '%PDF-1.7')), []);
    assert.deepEqual(found(label('text/html', '<p>Sign in')), ['provider.label.is-pdf']);
    assert.deepEqual(found(label('application/pdf', '{"pdf":1}')), ['provider.label.is-pdf']);
    assert.deepEqual(found(label('text/plain', '%PDF-1.7')), ['provider.label.content-type']);
    for (const type of [
      'application/octet-stream',
      'binary/octet-stream',
      'application/x-pdf',
      'application/force-download',
    ])
      assert.deepEqual(found(label(type, '%PDF-1.7')), [], type);
    assert.deepEqual(found(label('application/pdf', '<html><embed type="application/pdf">')), []);
    // A label may be kept back from others, or after a time.
    assert.deepEqual(found(label('text/html', '<p>Sign in', 403)), []);
    assert.deepEqual(broken([label('text/html', '<p>')], options), []);
  });

  test('is settings that are asked for with the order of a label request', () => {
    const asked = (order: string): string[] =>
      broken(
        [
          labelRequest(),
          {
            method: 'POST',
            url: 'store/delivery_provider_settings/',
            body: { order_uuid: order },
            response: { fields: {} },
          },
        ],
        { ...options, keys: {} },
      );
    const { order_uuid: order = '' } = FIELDS;
    for (const right of [order, 'a51e0d5c-0000-4000-8000-000000000000']) assert.deepEqual(asked(right), []);
    for (const wrong of ['INV-1', 'lr-1', order.toUpperCase(), order.replaceAll('-', '')])
      assert.deepEqual(asked(wrong), ['provider.calls.wrapped-bodies'], wrong);
  });

  test('is not judged by a request that is not in the traffic', () => {
    const found = judged([callback(signed(SUCCESS))], options)(`${P}same-id`);
    assert.equal(found?.verdict, 'inconclusive');
  });
});
