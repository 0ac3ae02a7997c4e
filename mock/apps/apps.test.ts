import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { inProcess, memoryService, type Send } from '../client.fixture.ts';
import { snippetsForPage } from '../state/sites.ts';
import type { MockService } from '../types/service.ts';

describe('apps', () => {
  let service: MockService;
  let send: Send;
  let key: string;
  let codes: string[];
  beforeEach(() => {
    service = memoryService();
    send = inProcess(service);
    key = service.state.apps.get('3001')!.apiKey;
    codes = service.state.installations.all().map(({ authCode }) => authCode);
  });
  const call = (method: string, path: string, body?: unknown, code = codes[0], spelling = 'authCode') =>
    send(
      method,
      `/v1/apps${path}?${spelling}=${code}`,
      { authorization: `ApiKey ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    );

  test('snippets are kept byte for byte, for every page and for a language, and shown on the right pages', async () => {
    const html = '<script>/* ä ž 🐝 */ "x" \\ </script>\r\n\t';
    assert.deepEqual((await call('POST', '/set_snippet/', { snippet: html })).body, { error: false });
    await call('POST', '/set_snippet/', { snippet: '<b>lv</b>', language: 'lv' });
    assert.equal((await call('GET', '/get_snippet/')).body.snippet, html);
    assert.equal((await call('GET', '/get_snippet/lv/')).body.snippet, '<b>lv</b>');
    assert.equal((await call('GET', '/get_snippet/de/')).body.snippet, '');
    const website = service.state.websites.get('55001')!;
    assert.deepEqual(snippetsForPage(service, website, 'lv'), [html, '<b>lv</b>']);
    assert.deepEqual(snippetsForPage(service, website, 'en'), [html]);
    assert.deepEqual(snippetsForPage(service, service.state.websites.get('55002')!, 'en'), []);
    for (const wrong of [
      {},
      { snippet: null },
      { snippet: 7 },
      { snippet: 'x', language: 'fr' },
      { snippet: 'x', language: 7 },
    ]) {
      assert.equal((await call('POST', '/set_snippet/', wrong)).status, 400, JSON.stringify(wrong));
    }
    assert.equal((await call('GET', '/get_snippet/fr/')).status, 400);
    assert.equal((await call('GET', '/get_snippet/')).body.snippet, html);
  });

  test('data is kept as sent and replaced whole', async () => {
    for (const data of ['', 'text', {}, { a: { b: [1, null, 'x'] } }, { c: 1 }, [], [1]]) {
      assert.deepEqual((await call('POST', '/set_data/', { data })).body, { error: false });
      assert.deepEqual((await call('GET', '/get_data/')).body, { data });
    }
    for (const data of [null, 7, true]) assert.equal((await call('POST', '/set_data/', { data })).status, 400);
    assert.equal((await call('POST', '/set_data/')).status, 400);
    assert.deepEqual((await call('GET', '/get_data/')).body, { data: [1] });
    assert.deepEqual((await call('GET', '/get_data/', undefined, codes[1])).body, { data: null });
  });

  test('user, website and languages', async () => {
    assert.deepEqual((await call('GET', '/user/')).body, {
      user: { email: 'ilze@nordic-honey.example', email_confirmed: true },
    });
    assert.deepEqual((await call('GET', '/website/')).body, {
      website: { url: `${service.origin}/site/nordic-honey/`, brandname: 'Nordic Honey' },
    });
    assert.deepEqual((await call('GET', '/languages/')).body, { languages: ['en', 'lv', 'de'] });
  });

  test('an installation is finished, and deleted with all its data', async () => {
    service.change(() => service.state.installations.patch(codes[0]!, { installed: false }));
    await call('POST', '/installed/');
    assert.equal(service.state.installations.get(codes[0]!)?.installed, true);
    await call('POST', '/set_snippet/', { snippet: 'x' });
    assert.deepEqual((await call('POST', '/delete/')).body, { error: false });
    assert.deepEqual(snippetsForPage(service, service.state.websites.get('55001')!, 'en'), []);
    assert.equal((await call('GET', '/get_snippet/')).status, 401);
    assert.equal((await call('GET', '/get_snippet/', undefined, codes[1])).status, 200);
  });

  test('requests as real clients send them are served', async () => {
    const json = { authorization: `ApiKey ${key}`, 'content-type': 'application/json', 'content-length': '0' };
    assert.equal((await send('POST', `/v1/apps/installed/?authcode=${codes[0]}`, json)).status, 200);
    assert.equal((await send('GET', `/v1/apps/user/?authcode=${codes[0]}`, json)).status, 200);
    assert.equal((await call('POST', '/set_snippet/', { snippet: 'x', language: null })).status, 200);
    assert.equal((await call('GET', '/get_snippet/')).body.snippet, 'x');
  });

  test('key and code are both required, complete, and of the same installation', async () => {
    const code = codes[0]!;
    const near = (secret: string): string => `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    const otherKey = service.state.apps.get('3002')!.apiKey;
    const storeKey = service.state.websites.get('55001')!.apiKey;
    const attempts: [string | null, string | null][] = [
      [null, null],
      [key, null],
      [null, code],
      [near(key), code],
      [key, near(code)],
      [key, code.slice(0, 8)],
      [key, ''],
      [otherKey, code],
      [storeKey, code],
    ];
    for (const [withKey, withCode] of attempts) {
      const query = withCode === null ? '' : `?authCode=${withCode}`;
      const headers = withKey === null ? {} : { authorization: `ApiKey ${withKey}` };
      const reply = await send('GET', `/v1/apps/user/${query}`, headers as Record<string, string>);
      assert.deepEqual([reply.status, reply.body.error, reply.body.error_code], [401, true, 401]);
    }
  });
});
