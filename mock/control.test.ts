import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CONTROL_HEADER } from '../contracts/control.ts';
import { inProcess, keyedClient, memoryService, newMethod, overSocket } from './client.fixture.ts';
import { serve } from './http/serve.ts';

describe('control', () => {
  test('the state is complete and equal after a reset; reading and signing in do not change it', async () => {
    const service = memoryService();
    const before = await service.control.state();
    const send = inProcess(service);
    const api = keyedClient(send, service.state.websites.get('55001')!.apiKey);
    await api.get('/store/delivery_methods/');
    const { email, password } = service.state.resellers.get('9001')!;
    await send('GET', `/api/authorize/?${new URLSearchParams({ email, password })}`, {});
    assert.deepEqual(await service.control.state(), before);
    const handle = await newMethod(api);
    await api.post(`/store/delivery_method/${handle}/pickup_point/`, { pickup_point: { id: 'x' } });
    assert.notDeepEqual(await service.control.state(), before);
    await service.control.reset();
    assert.deepEqual(await service.control.state(), before);
  });

  test('deviations are switched on and off, and an unknown one changes nothing', async () => {
    const service = memoryService();
    const api = keyedClient(inProcess(service), service.state.websites.get('55001')!.apiKey);
    const wrapped = async () => 'delivery_method' in (await api.get('/store/delivery_method/honey-courier/')).body;
    await service.control.deviate(['resources.wrapped']);
    assert.equal(await wrapped(), true);
    await assert.rejects(service.control.deviate(['resources.error-false', 'nothing.at-all']));
    assert.equal(await wrapped(), true);
    await service.control.deviate([]);
    assert.equal(await wrapped(), false);
    await service.control.deviate(['site.one-language']);
    assert.deepEqual(service.state.websites.get('55001')!.languages, ['en']);
  });

  test('an http deviation intercepts every request', async () => {
    const service = memoryService({
      deviations: [
        {
          id: 'test.teapot',
          about: 'Refuses to brew.',
          http: async (request, next) => {
            const response = await next(request);
            return request.url.includes('teapot') ? new Response('short and stout', { status: 418 }) : response;
          },
        },
      ],
    });
    assert.equal((await inProcess(service)('GET', '/teapot', {})).status, 418);
    assert.equal((await inProcess(service)('GET', '/v1/', {})).status, 404);
  });

  test('received requests are recorded, truncated and counted', async () => {
    const service = memoryService();
    const api = keyedClient(inProcess(service), 'some key');
    await api.post('/store/delivery_method/?a=%20b', '{"x":"ā"}');
    const [request] = await service.control.arrived();
    assert.deepEqual(
      [request!.method, request!.target, request!.body, request!.status, request!.headers.authorization],
      ['POST', '/v1/store/delivery_method/?a=%20b', '{"x":"ā"}', 401, 'ApiKey some key'],
    );
    await api.post('/store/delivery_method/', `"${'y'.repeat(100_000)}"`);
    assert.equal((await service.control.arrived())[1]!.body.length, 64 * 1024);
    for (let at = 0; at < 700; at += 1) await api.post('/x', 'z'.repeat(64 * 1024));
    const all = await service.control.arrived();
    assert.ok(all.length > 400 && all.length < 600, `${all.length}`);
  });

  test('over HTTP only with the token', async () => {
    const served = await serve({ controlToken: 'a token of the test' });
    const closed = await serve({});
    try {
      const send = overSocket(served.origin);
      const right = { [CONTROL_HEADER]: 'a token of the test' };
      for (const headers of [{}, { [CONTROL_HEADER]: '' }, { [CONTROL_HEADER]: 'a token of the tesx' }]) {
        assert.equal((await send('GET', '/_control/state', headers as Record<string, string>)).status, 404);
      }
      assert.equal((await overSocket(closed.origin)('GET', '/_control/state', { [CONTROL_HEADER]: '' })).status, 404);
      assert.ok((await send('GET', '/_control/state', right)).body.websites['55001']);
      assert.equal((await send('POST', '/_control/deviate', right, '{"ids":["resources.wrapped"]}')).status, 200);
      assert.equal((await send('POST', '/_control/deviate', right, '{"ids":["nothing"]}')).status, 400);
      assert.equal((await send('POST', '/_control/reset', right)).status, 200);
      assert.deepEqual((await send('GET', '/_control/arrived', right)).body, []);
      assert.equal((await send('GET', '/_control/nothing', right)).status, 404);
    } finally {
      await served.close();
      await closed.close();
    }
  });
});
