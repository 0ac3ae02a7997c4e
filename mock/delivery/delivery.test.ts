import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  ids,
  inProcess,
  type KeyedClient,
  keyedClient,
  memoryService,
  newMethod,
  overSocket,
  type Send,
  walk,
} from '../client.fixture.ts';
import { type RunningServer, serve } from '../http/serve.ts';
import type { MockService } from '../types/service.ts';

const keyOf = (service: MockService, id: string): string => service.state.websites.get(id)!.apiKey;

for (const way of ['in process', 'over HTTP', 'over HTTPS'] as const) {
  describe(`delivery ${way}`, () => {
    let served: RunningServer | undefined;
    let service: MockService;
    let send: Send;
    let store: KeyedClient;
    let other: KeyedClient;
    before(async () => {
      served = way === 'in process' ? undefined : await serve({}, { https: way === 'over HTTPS' });
      service = served?.service ?? memoryService();
      send = served ? overSocket(served.origin, served.certificate) : inProcess(service);
      store = keyedClient(send, keyOf(service, '55001'));
      other = keyedClient(send, keyOf(service, '55002'));
    });
    after(() => served?.close());

    test('a method is created, read, changed in one field, listed and deleted', async () => {
      const sent = {
        title: { en: 'Lockers', lv: 'Skapīši' },
        reference: 'R-1',
        available_countries_from: ['LV'],
        available_countries_to: ['LV', 'ee'],
        print_label_url: 'https://labels.example/print',
      };
      const handle = await newMethod(store, { ...sent, name: 'mine', unknown: 1 });
      const read = (await store.get(`/store/delivery_method/${handle}/`)).body;
      assert.deepEqual(read, { handle, name: 'Lockers', ...sent });
      await store.put(`/store/delivery_method/${handle}/`, { delivery_method: { reference: 'R-2', name: 'other' } });
      assert.deepEqual((await store.get(`/store/delivery_method/${handle}/`)).body, { ...read, reference: 'R-2' });
      const listed = await walk(store, '/store/delivery_methods/?page_size=2', 'delivery_methods');
      assert.deepEqual(listed.items.at(-1), { ...read, reference: 'R-2' });
      assert.deepEqual((await store.delete(`/store/delivery_method/${handle}/`)).body, { error: false });
      assert.equal((await store.get(`/store/delivery_method/${handle}/`)).status, 404);
    });

    test('texts: a string changes the default language, an object the languages it names', async () => {
      const handle = await newMethod(store, { title: { en: 'a', lv: 'b' } });
      const title = async (sent: unknown): Promise<unknown> => {
        await store.put(`/store/delivery_method/${handle}/`, { delivery_method: { title: sent } });
        return (await store.get(`/store/delivery_method/${handle}/`)).body.title;
      };
      assert.deepEqual(await title('c'), { en: 'c', lv: 'b' });
      assert.deepEqual(await title({ de: 'd' }), { en: 'c', lv: 'b', de: 'd' });
      assert.equal(await title(null), null);
      assert.equal(await title('plain'), 'plain');
      assert.deepEqual(await title({ lv: 'x' }), { en: 'plain', lv: 'x' });
      const wrong = await store.put(`/store/delivery_method/${handle}/`, { delivery_method: { title: { fr: 'x' } } });
      assert.equal(wrong.status, 400);
      assert.deepEqual((await store.get(`/store/delivery_method/${handle}/`)).body.title, { en: 'plain', lv: 'x' });
      await store.delete(`/store/delivery_method/${handle}/`);
    });

    test('points keep every field, ids of any script, attributes with any keys', async () => {
      const handle = await newMethod(store);
      const id = 'Rīga/1 %?#+ü..';
      const attributes = JSON.parse(
        '{"a":{"b":[1,null,"x"]},"__proto__":{"x":1},"constructor":"c","n":12345678901234567890}',
      );
      const point = { id, title: 'T', address: 'A', city: 'C', zip: 'Z', country: 'lv', attributes };
      const raw = JSON.stringify({ pickup_point: point }).replace('12345678901234567000', '12345678901234567890');
      assert.deepEqual((await store.post(`/store/delivery_method/${handle}/pickup_point/`, raw)).body, {
        error: false,
      });
      const reply = await store.get(`/store/delivery_method/${handle}/pickup_point/${encodeURIComponent(id)}/`);
      assert.deepEqual(reply.body, point);
      assert.match(reply.text, /12345678901234567890/);
      assert.match(reply.text, /"__proto__":\{"x":1\}/);
      await store.put(`/store/delivery_method/${handle}/pickup_point/${encodeURIComponent(id)}/`, {
        pickup_point: { attributes: '' },
      });
      const changed = (await store.get(`/store/delivery_method/${handle}/pickup_points/`)).body.pickup_points;
      assert.deepEqual(changed, [{ ...point, attributes: '' }]);
      await store.delete(`/store/delivery_method/${handle}/`);
    });

    test('a duplicate id is refused within a method and accepted in another', async () => {
      const [a, b] = [await newMethod(store), await newMethod(store)];
      const add = (handles: string) =>
        store.post(`/store/delivery_method/${handles}/pickup_point/`, { pickup_point: { id: 'x' } });
      assert.equal((await add(a)).status, 200);
      assert.equal((await add(a)).status, 409);
      assert.equal((await add(`${b},${a}`)).status, 409);
      assert.deepEqual((await store.get(`/store/delivery_method/${b}/pickup_points/`)).body.pickup_points, []);
      assert.equal((await add(b)).status, 200);
    });

    test('several handles: all are changed, or none', async () => {
      const [a, b] = [await newMethod(store), await newMethod(store)];
      const lists = async () =>
        Promise.all(
          [a, b].map(
            async (handle) => (await store.get(`/store/delivery_method/${handle}/pickup_points/`)).body.pickup_points,
          ),
        );
      const both = `/store/delivery_method/${a},${b}`;
      await store.post(`${both}/pickup_point/`, { pickup_point: { id: 'x', city: 'one' } });
      await store.put(`${both}/pickup_point/x/`, { pickup_point: { city: 'two' } });
      for (const list of await lists())
        assert.deepEqual(
          list.map((point: { city: string }) => point.city),
          ['two'],
        );
      assert.equal((await store.put(`${both},nope/pickup_point/x/`, { pickup_point: { city: '3' } })).status, 404);
      assert.equal((await store.delete(`${both},honey-x/pickup_point/x/`)).status, 404);
      for (const list of await lists())
        assert.deepEqual(
          list.map((point: { city: string }) => point.city),
          ['two'],
        );
      await store.delete(`${both}/pickup_point/x/`);
      assert.deepEqual(await lists(), [[], []]);
    });

    test('lists: every item once in a stable order, reversed by desc=1, for any page size', async () => {
      const handle = await newMethod(store);
      const all = Array.from({ length: 23 }, (_, at) => `p${at}`);
      const path = `/store/delivery_method/${handle}`;
      await store.post(`${path}/pickup_points/batch_replace/`, { pickup_points: all.map((id) => ({ id })) });
      for (const size of [1, 2, 7, 20, 23, 500]) {
        const forwards = await walk(store, `${path}/pickup_points/?page_size=${size}`, 'pickup_points');
        assert.deepEqual(ids(forwards.items), all);
        assert.ok(Math.max(...forwards.pages) <= size);
        const backwards = await walk(store, `${path}/pickup_points/?desc=1&page_size=${size}`, 'pickup_points');
        assert.deepEqual(ids(backwards.items), all.toReversed());
      }
      await store.delete(`${path}/pickup_point/p3/`);
      await store.post(`${path}/pickup_point/`, { pickup_point: { id: 'p3' } });
      const after = await walk(store, `${path}/pickup_points/?page_size=5`, 'pickup_points');
      assert.deepEqual(ids(after.items), [...all.filter((id) => id !== 'p3'), 'p3']);
      assert.equal((await store.get(`${path}/pickup_points/?page_size=0`)).status, 400);
      assert.equal((await store.get(`${path}/pickup_points/?page_start=x`)).status, 400);
    });

    test('owners are isolated, and keys are compared in full', async () => {
      const handle = await newMethod(store, { title: 'mine' });
      const path = `/store/delivery_method/${handle}`;
      const before = JSON.stringify(await service.control.state());
      for (const reply of [
        await other.get(`${path}/`),
        await other.get(`${path}/pickup_points/`),
        await other.put(`${path}/`, { delivery_method: { title: 'theirs' } }),
        await other.delete(`${path}/`),
        await other.post(`${path}/pickup_point/`, { pickup_point: { id: 'x' } }),
        await other.post(`${path}/pickup_points/batch_replace/`, { pickup_points: [] }),
      ]) {
        assert.equal(reply.status, 404);
        assert.equal(reply.body.error, true);
      }
      const theirs = await walk(other, '/store/delivery_methods/', 'delivery_methods');
      assert.ok(!theirs.items.some((item) => item.handle === handle));
      const key = keyOf(service, '55001');
      const near = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
      const headers = [
        {},
        { authorization: `ApiKey ${near}` },
        { authorization: `ApiKey ${key}x` },
        { authorization: key },
      ];
      for (const header of [
        ...headers,
        { authorization: `Bearer ${key}` },
        { authorization: `ApiKey ${key.slice(0, 8)}` },
      ]) {
        const reply = await send('DELETE', `/v1${path}/`, header as Record<string, string>);
        assert.equal(reply.status, 401);
        assert.deepEqual(reply.body, { error: true, error_code: 401, error_message: 'Unauthorized' });
      }
      assert.equal(JSON.stringify(await service.control.state()), before);
    });

    test('provider settings: the values of the store of an own order, and nothing else', async () => {
      const provider = keyedClient(send, service.state.providers.get('7001')!.apiKey);
      const ask = async (order_uuid: unknown, api = provider) =>
        api.post('/store/delivery_provider_settings/', order_uuid === undefined ? {} : { order_uuid });
      const [first, second, priv, foreign] = service.state.orders.all().map(({ uuid }) => uuid);
      assert.deepEqual((await ask(first)).body.fields.client_id, 'C-77');
      assert.deepEqual((await ask(second)).body.fields.client_id, 'C-12');
      for (const uuid of [priv, foreign, 'nothing', '', 7, undefined, '__proto__']) {
        const { status, body } = await ask(uuid);
        assert.ok(status >= 400 && status < 500 && body.error === true && body.fields === undefined, String(uuid));
      }
      assert.equal((await ask(first, store)).status, 403);
    });
  });
}
