import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { seededWorld } from '../seed.ts';
import { Refusal } from '../server/http.ts';
import { app, profile, refused, second, secrets, send } from '../testing.ts';
import { serveApps } from './apps.ts';

test('apps: snippets on pages, data as sent, isolated installations, both credentials required', async () => {
  const pages = profile.website.pages;
  const show = async (language: string) => (await (await fetch(pages[language])).text()).split('<body>')[1]!;
  const everywhere = '<!-- "a"\r\n\t\u{1F600} & &amp; --><b>visur';
  assert.deepEqual((await app('POST', 'set_snippet/', { snippet: everywhere, language: null })).body, { error: false });
  await app('POST', 'set_snippet/', { snippet: '<i>tikai', language: 'lv' });
  refused(await app('POST', 'set_snippet/', { snippet: 'x', language: 'zz' }));
  assert.equal((await app('GET', 'get_snippet/')).body.snippet, everywhere);
  assert.equal((await app('GET', 'get_snippet/lv/')).body.snippet, '<i>tikai');
  assert.equal((await app('GET', 'get_snippet/en/')).body.snippet, '');
  assert.ok((await show('en')).includes(everywhere) && (await show('lv')).includes(everywhere));
  assert.ok((await show('lv')).includes('<i>tikai') && !(await show('en')).includes('<i>tikai'));
  for (const data of [{ a: [1, { b: null }], __proto__x: 'ā' }, 'text', [], {}]) {
    assert.deepEqual((await app('POST', 'set_data/', { data })).body, { error: false });
    assert.deepEqual((await app('GET', 'get_data/')).body.data, data);
  }
  for (const data of [7, null, undefined, true, [1]]) refused(await app('POST', 'set_data/', { data }), 422);
  assert.equal((await app('GET', 'get_data/', undefined, secrets.OTHER_AUTH_CODE!)).body.data, '');
  assert.deepEqual((await app('POST', 'installed/', '')).body, { error: false });
  assert.equal((await app('GET', 'user/')).body.user.email_confirmed, true);
  assert.deepEqual(new Set((await app('GET', 'languages/')).body.languages), new Set(['lv', 'ru', 'en']));
  assert.equal((await app('GET', 'website/')).body.website.url, pages.lv);
  const spelled = await send(
    'GET',
    `/v1/apps/user/?authcode=${encodeURIComponent(secrets.AUTH_CODE!)}`,
    secrets.APP_KEY!,
  );
  assert.equal(spelled.status, 200);
  refused(await app('GET', 'user/', undefined, `${secrets.AUTH_CODE}x`), 403);
  refused(await app('GET', 'user/', undefined, ''), 401);
  refused(await app('GET', 'user/', undefined, secrets.AUTH_CODE!, null), 401);
  refused(await app('GET', 'user/', undefined, secrets.AUTH_CODE!, secrets.STORE_KEY!), 403);
});

test('the install sequence: hashed addresses, a code after the permission, uninstalling removes data', async () => {
  const hop = (path: string, body?: object) =>
    fetch(new URL(path, second.origin), {
      redirect: 'manual',
      ...(body ? { method: 'POST', body: new URLSearchParams({ ...body }) } : {}),
    });
  const checked = (response: Response): URLSearchParams => {
    const address = response.headers.get('location')!;
    const [, hash, rest] = /\?hash=([0-9a-f]{64})&(.*)$/.exec(address)!;
    assert.equal(createHmac('sha256', secrets.APP_SECRET!).update(rest!).digest('hex'), hash);
    assert.equal(String(new URLSearchParams(rest)), rest, 'all encoders agree on it');
    return new URLSearchParams(rest);
  };
  const { appId } = profile.apps;
  await hop('/developer/', {
    app: appId,
    installUrl: 'https://a.example/i?own=1',
    settingsUrl: 'https://a.example/s',
    tabMode: 'blank',
  });
  const first = checked(await hop('/catalog/', { app: appId }));
  assert.deepEqual([first.has('authCode'), first.get('own'), first.get('appId')], [false, '1', appId]);
  const callback = first.get('callback')!;
  assert.ok(!callback.includes('?'));
  first.delete('callback');
  assert.equal((await hop(callback)).status, 400);
  const asked = await (await hop(`${callback}?${first}`)).text();
  const allow = /action="(\/permissions\/[^"]+)"/.exec(asked)![1]!;
  const code = checked(await hop(allow, {})).get('authCode')!;
  await app('POST', 'set_snippet/', { snippet: '<u>uz laiku' }, code);
  assert.deepEqual((await app('POST', 'installed/', undefined, code)).body, { error: false });
  const page = () => fetch(profile.website.pages.ru).then((response) => response.text());
  assert.ok((await page()).includes('<u>uz laiku'));
  assert.deepEqual((await app('POST', 'delete/', undefined, code)).body, { error: false });
  refused(await app('GET', 'get_data/', undefined, code), 403);
  assert.ok(!(await page()).includes('<u>uz laiku'));
});

test('the code of another app is refused, even with a valid key', () => {
  const { world, authCode } = seededWorld('http://127.0.0.1');
  const call = { method: 'GET', path: [], query: [['authCode', authCode]] as [string, string][], headers: {} };
  const ask = (index: number) => serveApps(world, world.apps[index]!, { ...call, body: Buffer.alloc(0) }, ['user']);
  assert.equal((ask(0) as { status: number }).status, 200);
  assert.throws(() => ask(1), Refusal);
});
