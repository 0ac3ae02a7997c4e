import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Send } from '../check/expect.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServiceRequest } from './client/request.ts';
import type { ServiceResponse } from './client/types.ts';
import { walk } from './list-walk.ts';

const BASE = 'https://shop.example/v1/';
const RESOURCES = { base: () => BASE, profile: { limits: { maxPages: 9 } } } as unknown as Resources;
const answered = (status: number, json: unknown) =>
  ({ status, json, text: JSON.stringify(json), headers: [] }) as unknown as ServiceResponse;
const LIST = { api: 'v1', method: 'GET', path: 'store/delivery_methods/', query: [] } as unknown as ServiceRequest;

/** A service of two pages that refuses the link to the second one so many times. */
function serviceThatRefuses(times: number): { readonly send: Send; readonly sent: () => number } {
  let sent = 0;
  let refused = 0;
  const send: Send = async ({ path }) => {
    sent += 1;
    const isSecond = path.includes('after=a');
    if (isSecond && refused < times) {
      refused += 1;
      return answered(400, { error: true, error_code: 400, error_message: 'gone' });
    }
    const json = isSecond
      ? { delivery_methods: ['b'] }
      : { delivery_methods: ['a'], next_page_uri: `${BASE}store/delivery_methods/?after=a` };
    return answered(200, json);
  };
  return { send, sent: () => sent };
}

test('a walk begins again where a link is refused, because others may have deleted the item at which it begins', async () => {
  const { send, sent } = serviceThatRefuses(2);
  const { items } = await walk(send, RESOURCES, LIST, 'delivery_methods');
  assert.deepEqual([items, sent()], [['a', 'b'], 6]);
});

test('a link that is always refused ends it', async () => {
  const { send, sent } = serviceThatRefuses(99);
  await assert.rejects(walk(send, RESOURCES, LIST, 'delivery_methods'), /could not be walked/);
  assert.equal(sent(), 6);
});

test('a link to another host says what to do if it is another address of the service', async () => {
  const next_page_uri = 'https://tunnel.example/v1/store/delivery_methods/?after=a';
  const send: Send = async () => answered(200, { delivery_methods: ['a'], next_page_uri });
  await assert.rejects(
    walk(send, RESOURCES, LIST, 'delivery_methods'),
    /leads to tunnel\.example instead of shop\.example; it was not followed\. .* write the one of its links as "v1" in the profile/,
  );
});
