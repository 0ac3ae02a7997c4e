import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServiceRequest } from '../../harness/target/client/request.ts';
import { differences } from '../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { responseOf } from '../../harness/target/response/response.ts';
import { asText, UNPARSABLE_BODIES } from './delivery/bad-bodies.ts';
import { FORM_RULES } from './form.ts';
import { isEnvelopeLike } from './samples.ts';

function response(status: number, body: unknown, contentType = 'application/json'): ServiceResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return responseOf({
    status,
    headers: [['Content-Type', contentType]],
    bytes: new TextEncoder().encode(text),
    durationMs: 1,
    exchange: 0,
    request: { method: 'GET', url: 'http://127.0.0.1/v1/' },
  });
}

const good = { error: true, error_code: 404, error_message: 'No such method' };
const wrong = (name: string, of: ServiceResponse) => FORM_RULES.find((rule) => rule.name === name)!.wrong(of);

describe('each rule of the form of answers', () => {
  const cases: [string, ServiceResponse, ServiceResponse, RegExp][] = [
    ['body-is-object', response(200, {}), response(200, '<h1>Hello</h1>'), /is not JSON: the body is markup/],
    ['body-is-object', response(404, good), response(200, []), /is an empty list/],
    ['body-is-object', response(404, good), response(204, ''), /is not JSON: the body is empty/],
    [
      'content-type',
      response(200, {}, 'application/json; charset=UTF-8'),
      response(200, {}, 'text/html'),
      /text\/html/,
    ],
    ['success-status', response(200, {}), response(201, {}), /a success with status 201/],
    [
      'success-envelope',
      response(200, { error: false }),
      response(200, { error: 'false' }),
      /error is the text "false"/,
    ],
    ['success-envelope', response(200, { error: false, id: 1 }), response(200, { error: 0 }), /the number 0/],
    ['success-envelope', response(200, { error: false }), response(200, {}), /error is nothing/],
    ['success-error', response(200, {}), response(200, { error: 0 }), /error is the number 0/],
    ['success-error', response(200, { error: null }), response(200, { error: 'false' }), /the text "false"/],
    ['failure-status', response(404, good), response(200, good), /a refusal with status 200/],
    ['failure-status', response(500, good), response(302, ''), /a refusal with status 302/],
    ['error-true', response(404, good), response(404, { ...good, error: 'true' }), /the text "true"/],
    ['error-code', response(404, good), response(404, { ...good, error_code: '404' }), /the text "404"/],
    ['error-code', response(404, good), response(404, { error: true, errorCode: 404 }), /error_code is nothing/],
    [
      'error-code',
      response(404, { ...good, error_code: 0 }),
      response(404, { ...good, error_code: 4.5 }),
      /number 4.5/,
    ],
    ['error-message', response(404, good), response(404, { ...good, error_message: { en: 'No' } }), /is an object/],
  ];
  for (const [name, right, bad, message] of cases) {
    test(`${name}: ${bad.status} ${bad.text}`, () => {
      assert.equal(wrong(name, right), undefined);
      assert.match(wrong(name, bad) ?? '', message);
    });
  }
});

test('an envelope with a wrong member counts as an envelope, and the page of a framework does not', () => {
  for (const body of [good, { error: 'true', error_code: '1' }, { error: true }]) {
    assert.equal(isEnvelopeLike(response(404, body)), true, JSON.stringify(body));
  }
  const pages = ['<h1>Not Found</h1>', '', { detail: 'Not Found' }, { error: 'Not Found', statusCode: 404 }, [], null];
  for (const body of pages) assert.equal(isEnvelopeLike(response(404, body)), false, JSON.stringify(body));
});

test('a body that can not be understood differs from the good one by its text alone, and is not JSON', () => {
  const call: ServiceRequest = {
    api: 'v1',
    method: 'POST',
    path: 'store/delivery_method/m/pickup_points/batch_replace/',
    query: [],
    headers: [],
    body: { json: { pickup_points: [{ id: 'a', address: 'Street 1' }], is_finalization: true } },
  };
  for (const [what, broken] of Object.entries(UNPARSABLE_BODIES)) {
    assert.deepEqual(differences(asText(call), broken(call)), ['/body/raw'], what);
    const { raw } = broken(call).body as { raw: string };
    assert.throws(() => JSON.parse(raw), SyntaxError, what);
  }
});
