import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Received } from '../../../../harness/integrator/counterpart.ts';
import type { DeliverySession, LabelRequest } from '../../session.ts';
import type { Forgery } from './forgery.ts';
import { reportedByServer } from './index.ts';

const TOKEN = 'token-of-this-request';
const arrived = (query: string, agent: string): Received =>
  ({
    method: 'GET',
    path: `/label_callback/${TOKEN}/`,
    query,
    body: '',
    headers: { 'user-agent': agent },
  }) as unknown as Received;

const FORGERY: Forgery = {
  change: 'another label_request_id',
  request: { token: TOKEN } as LabelRequest,
  fields: [],
  isServedBy: ({ pairs }) => pairs.some(([name, value]) => name === 'label_request_id' && value === 'other'),
};

const reported = (...received: Received[]): Received[] =>
  reportedByServer({ counterpart: { received } } as unknown as DeliverySession, FORGERY);

const REFUSAL = 'label_request_id=other&error_msg=The+signature+is+wrong';

test('a refusal that a server reports is one, and the report of an authentic request to the same address is not', () => {
  const printed = arrived('label_request_id=used&label_url=https%3A%2F%2Flabels.example%2F1.pdf&signature=x', 'node');
  assert.deepEqual(reported(printed), []);
  const refused = arrived(REFUSAL, 'node');
  assert.deepEqual(reported(printed, refused), [refused]);
});

test('a failure of the authentic request with the same address is not one of the forgery', () => {
  assert.deepEqual(reported(arrived('label_request_id=used&error_msg=The+label+is+not+ready', 'node')), []);
});

test('a refusal made by the browser does not count as one of the server', () => {
  assert.deepEqual(reported(arrived(REFUSAL, 'Mozilla/5.0 (X11; Linux x86_64)')), []);
});
