import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isErrorEnvelope,
  isJsonContentType,
  isSuccessEnvelope,
  judgeError,
  judgeSuccess,
  resourceOf,
} from './index.ts';

test('a body may be given parsed or as text', () => {
  assert.deepEqual(judgeSuccess('v1', 200, 'application/json', '{"error":false}'), []);
  assert.deepEqual(judgeSuccess('v1', 200, 'application/json', '\uFEFF{"error":false}'), []);
  assert.deepEqual(
    judgeSuccess('v1', 200, 'application/json', '').map(({ rule }) => rule),
    ['body.json'],
  );
});

test('all faults of an answer are found at once', () => {
  const rules = judgeError('api', 200, 'text/html', { error: 'true', error_code: 401 }).map(({ rule }) => rule);
  assert.deepEqual(rules, ['error.status', 'content-type', 'error.error-is-true', 'error.code', 'error.message']);
});

test('the names of the other interface are recognised', () => {
  const faults = judgeError('v1', 401, 'application/json', { error: true, errorCode: 401, errorMsg: 'no' });
  assert.equal(faults[0]?.message, '`error_code` is missing; it is called `errorCode` in the Reseller interface.');
  assert.equal(faults[1]?.message, '`error_message` is missing; it is called `errorMsg` in the Reseller interface.');
});

test('an error where a success was due is one fault, not several', () => {
  const body = { error: true, error_code: 404, error_message: 'Not found' };
  assert.deepEqual(
    judgeSuccess('v1', 200, 'application/json', body).map(({ rule }) => rule),
    ['success.error-is-false'],
  );
});

test('error envelopes are those of their interface', () => {
  const v1 = { error: true, error_code: 1, error_message: '' };
  const api = { error: true, errorCode: 1, errorMsg: '' };
  assert.deepEqual([isErrorEnvelope('v1', v1), isErrorEnvelope('api', v1)], [true, false]);
  assert.deepEqual([isErrorEnvelope('v1', api), isErrorEnvelope('api', api)], [false, true]);
  for (const body of [null, [], 'x', {}, { ...v1, error: 'true' }, { ...v1, error_code: '1' }]) {
    assert.equal(isErrorEnvelope('v1', body), false);
  }
});

test('success envelopes have the boolean false', () => {
  assert.equal(isSuccessEnvelope({ error: false, apiToken: 'x' }), true);
  for (const body of [{ error: 'false' }, { error: 0 }, {}, null, [false]])
    assert.equal(isSuccessEnvelope(body), false);
});

test('a single resource is found bare, beside the envelope and wrapped', () => {
  const point = { id: 'a', title: 'A' };
  assert.deepEqual(resourceOf(point, 'pickup_point'), point);
  assert.deepEqual(resourceOf({ error: false, ...point }, 'pickup_point'), point);
  assert.deepEqual(resourceOf({ pickup_point: point }, 'pickup_point'), point);
  assert.deepEqual(resourceOf({ error: false, pickup_point: point, extra: 1 }, 'pickup_point'), point);
});

test('no resource is made up', () => {
  for (const body of [
    { error: false },
    {},
    { error: true, id: 'a' },
    { pickup_point: null },
    null,
    [],
    'x',
    undefined,
  ]) {
    assert.equal(resourceOf(body, 'pickup_point'), undefined, JSON.stringify(body));
  }
});

test('JSON content types', () => {
  for (const type of [
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/vnd.api+json',
    ' application/json ',
  ]) {
    assert.equal(isJsonContentType(type), true, type);
  }
  for (const type of ['text/json', 'application/jsonp', 'text/html', '', null, undefined]) {
    assert.equal(isJsonContentType(type), false, String(type));
  }
});
