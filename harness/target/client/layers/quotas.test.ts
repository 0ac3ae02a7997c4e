import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutgoingRequest, ServiceResponse } from '../types.ts';
import { Quotas } from './quotas.ts';

const BASE = 'https://store.example/v1/store';
const request = (method: string, path: string) => ({ method, url: `${BASE}/${path}` }) as OutgoingRequest;
const CREATE = request('POST', 'delivery_method/');
const DELETE = request('DELETE', 'delivery_method/dm1/');
const DELETE_POINT = request('DELETE', 'delivery_method/dm1/pickup_point/a/');
const UPLOAD = request('POST', 'delivery_method/dm1/pickup_points/batch_replace/');
const OK = { status: 200 };

function throttled(retryAfter?: string): ServiceResponse {
  const json = { error: true, error_code: 429, error_message: 'Too many.' };
  const header = (name: string) => (name === 'retry-after' ? retryAfter : 'application/json');
  return { status: 429, header, json, body: { text: JSON.stringify(json) } } as unknown as ServiceResponse;
}

test('only a create of a method that is answered 429 without a time to wait may be refused for a quota', () => {
  assert.equal(Quotas.mayRefuse(CREATE, throttled()), true);
  assert.equal(Quotas.mayRefuse(CREATE, throttled('2')), false);
  assert.equal(Quotas.mayRefuse(UPLOAD, throttled()), false);
  assert.equal(Quotas.mayRefuse(DELETE, throttled()), false);
});

test('a create that is served directly after a method was deleted shows a quota', () => {
  const quotas = new Quotas();
  quotas.suspect();
  assert.equal(quotas.hasRoom(CREATE), false);
  quotas.answered(DELETE, OK);
  assert.deepEqual([quotas.hasRoom(CREATE), quotas.hasRoom(UPLOAD), quotas.isKnown], [true, false, false]);
  quotas.answered(CREATE, OK);
  assert.deepEqual([quotas.isKnown, quotas.hasRoom(CREATE)], [true, false]);
});

test('a create that is served without a deleted method shows none, whatever else was deleted or refused', () => {
  const quotas = new Quotas();
  quotas.answered(DELETE, OK);
  quotas.suspect();
  quotas.answered(DELETE_POINT, OK);
  quotas.answered(DELETE, { status: 404 });
  quotas.answered(UPLOAD, OK);
  quotas.answered(CREATE, OK);
  assert.equal(quotas.isKnown, false);
});
