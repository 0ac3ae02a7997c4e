import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceRequest } from './client/request.ts';
import type { ServiceResponse } from './client/types.ts';
import { deletePoints } from './delete-points.ts';
import { Delivery } from './interfaces/delivery.ts';
import { Secret } from './secrets/secret.ts';

/** A method with these points in pages of two. `kept` can't be deleted. Returns what is left, and the number of calls. */
async function leftOf(ids: string[], kept: readonly string[] = []): Promise<[string[], number]> {
  let left = ids;
  let calls = 0;
  const send = async ({ method, path }: ServiceRequest): Promise<ServiceResponse> => {
    calls += 1;
    const id = path.split('/').at(-2) ?? '';
    if (method === 'DELETE') left = left.filter((one) => one !== id || kept.includes(id));
    const json =
      method === 'DELETE'
        ? { error: kept.includes(id) }
        : {
            pickup_points: left.slice(0, 2).map((one) => ({ id: one })),
            next_page_uri: left.length > 2 ? '?page=2' : null,
          };
    return { status: 200, json, text: JSON.stringify(json) } as unknown as ServiceResponse;
  };
  await deletePoints(send, new Delivery('private', new Secret('key', 'key')), 'm');
  return [left, calls];
}

test('deletes the points of all pages', async () => {
  assert.deepEqual(await leftOf(['a', 'b', 'c', 'd', 'e']), [[], 8]);
  assert.deepEqual(await leftOf([]), [[], 1]);
});

test('ends when the points of a page can not be deleted', async () => {
  assert.deepEqual(await leftOf(['a', 'b', 'c'], ['a', 'b']), [['a', 'b', 'c'], 3]);
});
