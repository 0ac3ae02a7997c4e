import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceResponse } from '../../target/client/types.ts';
import { LatestResponses } from './latest-responses.ts';

const response = (exchange: number, method: string, json: unknown): ServiceResponse =>
  ({ exchange, json, request: { method, url: '/' } }) as unknown as ServiceResponse;

test('a finding rests on the latest response that shows its value, else on the latest read', () => {
  const latest = new LatestResponses();
  assert.equal(latest.showing('any'), undefined);
  latest.add(response(1, 'POST', { error: false }));
  assert.equal(latest.showing(undefined)?.exchange, 1, 'nothing was read');
  latest.add(response(2, 'GET', { methods: [{ title: { en: 'old' } }, { title: { en: 'other' } }] }));
  latest.add(response(3, 'GET', { methods: [] }));
  latest.add(response(4, 'DELETE', { error: false }));
  assert.equal(latest.showing('old')?.exchange, 2, 'a text');
  assert.equal(latest.showing({ title: { en: 'other' } })?.exchange, 2, 'a record');
  assert.equal(latest.showing([])?.exchange, 3, 'an empty list');
  assert.equal(latest.showing('never returned')?.exchange, 3, 'what no response shows');
  assert.equal(latest.showing(undefined)?.exchange, 3, 'nothing that was found');
  for (let more = 5; more < 40; more += 1) latest.add(response(more, 'GET', {}));
  assert.equal(latest.showing('old')?.exchange, 39, 'only the latest are kept');
});
