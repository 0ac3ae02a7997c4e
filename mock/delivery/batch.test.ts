import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  ids,
  inProcess,
  type KeyedClient,
  keyedClient,
  memoryService,
  newMethod,
  points,
  walk,
} from '../client.fixture.ts';
import type { MockService } from '../types/service.ts';

describe('batch replace', () => {
  let service: MockService;
  let store: KeyedClient;
  let handle: string;
  beforeEach(async () => {
    service = memoryService();
    store = keyedClient(inProcess(service), service.state.websites.get('55001')!.apiKey);
    handle = await newMethod(store);
  });
  const send = (body: Record<string, unknown>, handles = handle) =>
    store.post(`/store/delivery_method/${handles}/pickup_points/batch_replace/`, body);
  const listed = async (of = handle) =>
    ids((await walk(store, `/store/delivery_method/${of}/pickup_points/?page_size=100`, 'pickup_points')).items);
  const first = { is_initialization: true, is_finalization: false };
  const middle = { is_initialization: false, is_finalization: false };
  const last = { is_initialization: false, is_finalization: true };

  test('replaces the list; both flags are true by default, and null counts as absent', async () => {
    await send({ pickup_points: points(3) });
    await send({ pickup_points: points(2, 7), is_initialization: null, is_finalization: null, country: null });
    assert.deepEqual(await listed(), ['P-7', 'P-8']);
    await send({ pickup_points: [] });
    assert.deepEqual(await listed(), []);
  });

  test('names the point that it refuses', async () => {
    const { body } = await send({ pickup_points: [...points(3), { id: 'P-9', zip: 1010 }] });
    assert.equal(body.error_message, 'pickup_points[3]: zip must be a string.');
  });

  test('takes 100 and refuses 101 without changing anything', async () => {
    assert.equal((await send({ pickup_points: points(100) })).status, 200);
    const before = await service.control.state();
    assert.equal((await send({ pickup_points: points(101) })).status, 400);
    assert.deepEqual(await service.control.state(), before);
  });

  test('portions are listed after the final one, and the old list until then', async () => {
    await send({ pickup_points: points(2, 900) });
    await send({ pickup_points: points(100), ...first });
    await send({ pickup_points: points(100, 101), ...middle });
    assert.deepEqual(await listed(), ['P-900', 'P-901']);
    await send({ pickup_points: points(50, 201), ...last });
    assert.deepEqual(
      await listed(),
      points(250).map(({ id }) => id),
    );
  });

  test('a new first portion discards an unfinished list', async () => {
    await send({ pickup_points: points(5), ...first });
    await send({ pickup_points: points(1, 50), ...first });
    await send({ pickup_points: [], ...last });
    assert.deepEqual(await listed(), ['P-50']);
  });

  test('a portion without an open list is refused', async () => {
    for (const flags of [middle, last]) assert.equal((await send({ pickup_points: points(1), ...flags })).status, 409);
    await send({ pickup_points: points(1) });
    assert.equal((await send({ pickup_points: points(1, 5), ...last })).status, 409);
    assert.deepEqual(await listed(), ['P-1']);
  });

  test('a country replaces only its own points, in any letter case', async () => {
    await send({ pickup_points: [...points(2, 1, { country: 'LV' }), ...points(2, 11, { country: 'EE' })] });
    await send({ pickup_points: points(1, 21, { country: 'lv' }), country: 'LV' });
    assert.deepEqual(await listed(), ['P-11', 'P-12', 'P-21']);
    await send({ pickup_points: [], country: 'ee' });
    assert.deepEqual(await listed(), ['P-21']);
  });

  test('a country in portions', async () => {
    await send({ pickup_points: [...points(2, 1, { country: 'LV' }), ...points(1, 11, { country: 'EE' })] });
    await send({ pickup_points: points(1, 21, { country: 'LV' }), country: 'LV', ...first });
    assert.equal((await send({ pickup_points: [], country: 'EE', ...middle })).status, 409);
    assert.deepEqual(await listed(), ['P-1', 'P-2', 'P-11']);
    await send({ pickup_points: points(1, 22, { country: 'LV' }), country: 'LV', ...last });
    assert.deepEqual(await listed(), ['P-11', 'P-21', 'P-22']);
  });

  test('an id is never listed twice: within a call, across portions, or across countries', async () => {
    const twice = [{ id: 'x' }, { id: 'x' }];
    assert.equal((await send({ pickup_points: twice })).status, 409);
    await send({ pickup_points: [{ id: 'x' }], ...first });
    assert.equal((await send({ pickup_points: [{ id: 'x' }], ...last })).status, 409);
    assert.equal((await send({ pickup_points: [{ id: 'y' }], ...last })).status, 200);
    assert.deepEqual(await listed(), ['x', 'y']);
    await send({ pickup_points: [{ id: 'a', country: 'EE' }] });
    assert.equal((await send({ pickup_points: [{ id: 'a' }], country: 'LV' })).status, 409);
    await send({ pickup_points: [{ id: 'b' }], country: 'LV', ...first });
    await store.post(`/store/delivery_method/${handle}/pickup_point/`, { pickup_point: { id: 'b', country: 'EE' } });
    assert.equal((await send({ pickup_points: [], country: 'LV', ...last })).status, 409);
    assert.deepEqual(await listed(), ['a', 'b']);
  });

  test('several handles have separate uploads; a refusal for the last one changes none', async () => {
    const other = await newMethod(store);
    const both = `${handle},${other}`;
    await send({ pickup_points: points(2), ...first }, both);
    await send({ pickup_points: points(1, 3), ...last }, both);
    assert.deepEqual(
      [await listed(), await listed(other)],
      [points(3).map(({ id }) => id), points(3).map(({ id }) => id)],
    );
    await send({ pickup_points: points(1, 9), ...first }, handle);
    const before = await service.control.state();
    assert.equal((await send({ pickup_points: points(1, 10), ...last }, both)).status, 409);
    assert.deepEqual(await service.control.state(), before);
  });

  test('a wrong point refuses the whole portion and keeps the upload as it was', async () => {
    await send({ pickup_points: points(1), ...first });
    for (const wrong of [
      null,
      7,
      'x',
      [],
      {},
      { id: 7 },
      { id: '' },
      { id: '.' },
      { id: '..' },
      { id: 'z', title: { fr: 'x' } },
    ]) {
      const reply = await send({ pickup_points: [{ id: 'fine' }, wrong], ...last });
      assert.equal(reply.status, 400, JSON.stringify(wrong));
      assert.equal(reply.body.error, true);
    }
    await send({ pickup_points: [{ id: 'fine' }], ...last });
    assert.deepEqual(await listed(), ['P-1', 'fine']);
  });
});
