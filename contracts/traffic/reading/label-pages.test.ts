import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AMID_FORGERIES } from '../../run/events.ts';
import { type Fields, sign, withSignature } from '../../signing/index.ts';
import type { TrafficOptions } from '../index.ts';
import { broken, type ExchangeDescription, encoded, judged, KEY } from '../traffic.fixture.ts';
import { CALLBACK, callback, FIELDS, FORM, KEYS, labelRequest, SUCCESS, TRACKED } from './label-pages.fixture.ts';

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

  test('is not judged by what repeats a forged request of a precheck, but by whether it was printed', () => {
    const error = callback([['error_msg', 'Not authentic.']]);
    const settings = {
      method: 'POST',
      url: 'store/delivery_provider_settings/',
      body: { order_uuid: '' },
      status: 404,
    };
    const amid = (one: ExchangeDescription): ExchangeDescription => ({ ...one, role: AMID_FORGERIES });
    const requests = [labelRequest(), labelRequest({ label_request_id: undefined }, false)];
    assert.deepEqual(broken([...requests, settings, error], options), [
      `${P}error-same-id`,
      'provider.calls.wrapped-bodies',
    ]);
    assert.deepEqual(broken([...requests, amid(settings), amid(error)], options), []);
    const printed = [labelRequest({}, false), amid(callback(signed(SUCCESS)))];
    assert.deepEqual(broken(printed, options), ['provider.refusals.unsigned']);
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

  test('is not what the servers of the provider send each other about the label', () => {
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
