/** Who is served what during a precheck: strangers at the port or the tunnel get the interface and the callbacks, no page. */
import assert from 'node:assert/strict';
import { request as send } from 'node:http';
import { test } from 'node:test';
import { judgeAppManifest } from '../../../contracts/manifests/index.ts';
import { createRecorder } from '../../../harness/evidence/recorder.ts';
import { createRedaction } from '../../../harness/evidence/redaction/index.ts';
import { Secret } from '../../../harness/target/secrets/secret.ts';
import { startInstall } from '../../../mock/apps/installs.ts';
import { defaultFixtures } from '../../../mock/fixtures/fixtures.ts';
import { registerApp } from '../app/counterpart.ts';
import { MAX_REMEMBERED_CHARACTERS } from './arrived-requests.ts';
import { type OpenCounterpart, openCounterpart } from './index.ts';

const SECRET = 'Secret-of-the-real-app-77aE01';
const EMAIL = 'dev@app.example';
const TUNNEL = 'https://tunnel.example';
const APP_ID = '9001';

interface Test {
  after(end: () => Promise<unknown>): void;
}

async function opened(t: Test, publicUrl?: string): Promise<OpenCounterpart> {
  const recorder = createRecorder({ check: () => 'test', spool: () => undefined, redaction: createRedaction() });
  const counterpart = await openCounterpart({
    port: 0,
    https: false,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    fixtures: { ...defaultFixtures, apps: [], installations: [] },
    recorder,
  });
  t.after(() => counterpart.close());
  const manifest = { app_title: 'App', app_vendor: { developer_email: EMAIL }, app_secret: SECRET };
  registerApp(counterpart, {
    manifest,
    source: 'manifest.json',
    lineOf: () => 1,
    faults: judgeAppManifest(manifest),
    installUrl: 'https://app.example/install',
    settingsUrl: 'https://app.example/settings',
    tabMode: 'self',
    secret: new Secret('APP_SECRET', SECRET),
    apiKey: new Secret('API_KEY', 'key-of-the-app-1234'),
    appId: APP_ID,
  });
  return counterpart;
}

interface Ask {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request as it is, with any Host header. */
function ask(counterpart: OpenCounterpart, path: string, { method = 'GET', host, headers = {}, body = '' }: Ask = {}) {
  const { port, host: own } = new URL(counterpart.pagesOrigin);
  return new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const form = body === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const request = send(
      { host: '127.0.0.1', port, path, method, agent: false, headers: { host: host ?? own, ...form, ...headers } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const asPerson = ({ pageCookie }: OpenCounterpart) => ({ cookie: `${pageCookie.name}=${pageCookie.value}` });

test('the portals, the operator and the editor are not there, and no page shows the secret of the app', async (t) => {
  const counterpart = await opened(t);
  const headers = asPerson(counterpart);
  const signIn = await ask(counterpart, '/portal/sign-in', { method: 'POST', headers, body: `email=${EMAIL}` });
  assert.equal(signIn.status, 404);
  for (const path of [
    '/portal/',
    '/portal/apps/',
    `/portal/apps/${APP_ID}`,
    '/portal/delivery/',
    '/operator/',
    '/login/x',
  ])
    assert.equal((await ask(counterpart, path, { headers })).status, 404, path);
  const store = await ask(counterpart, '/admin/sign-in', { method: 'POST', headers, body: 'website=55001' });
  const session = `${headers.cookie}; ${String(store.headers['set-cookie']).split(';')[0]}`;
  for (const path of ['/', '/catalog/', `/catalog/${APP_ID}/`, '/admin/']) {
    const seen = await ask(counterpart, path, { headers: { cookie: session } });
    assert.equal(seen.status, 200, path);
    assert.ok(!seen.text.includes(SECRET) && !/\/portal\/|\/operator\//.test(seen.text), path);
  }
});

test('a request that names another host is refused: a stranger’s page may point its name here', async (t) => {
  const counterpart = await opened(t);
  const { port } = new URL(counterpart.pagesOrigin);
  const headers = asPerson(counterpart);
  for (const host of [
    `evil.example:${port}`,
    'evil.example',
    `127.0.0.1.evil.example:${port}`,
    'localhost.evil.example',
  ])
    for (const path of ['/catalog/', '/v1/app/status/', '/app_callback/x', '/_control/state'])
      assert.ok([400, 421].includes((await ask(counterpart, path, { host, headers })).status), `${host} ${path}`);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'LOCALHOST'])
    assert.equal((await ask(counterpart, '/', { host, headers })).status, 200, host);
});

test('pages are for those who have the token of the run; the interface and the callbacks are for all', async (t) => {
  const counterpart = await opened(t);
  for (const path of [
    '/',
    '/catalog/',
    '/admin/',
    '/site/honey-shop/',
    '/precheck/hand-over/x',
    '/app_callback/../catalog/',
  ])
    for (const headers of [{}, { cookie: `${counterpart.pageCookie.name}=${'0'.repeat(48)}` }])
      assert.equal((await ask(counterpart, path, { headers })).status, 403, path);
  assert.equal((await ask(counterpart, '/v1/app/status/')).headers['content-type'], 'application/json');
  assert.match((await ask(counterpart, '/app_callback/unknown')).text, /no such visit/);

  const address = new URL(counterpart.pageAddress('/catalog/'));
  const entered = await ask(counterpart, address.pathname + address.search);
  assert.equal(entered.status, 303);
  assert.equal(entered.headers.location, '/catalog/');
  const cookie = String(entered.headers['set-cookie']);
  assert.match(cookie, /HttpOnly; SameSite=Lax/);
  assert.equal((await ask(counterpart, '/', { headers: { cookie: cookie.split(';')[0] ?? '' } })).status, 200);
});

test('through a tunnel there are the interface and the callbacks, and no page, token or not', async (t) => {
  const counterpart = await opened(t, TUNNEL);
  const headers = asPerson(counterpart);
  const ways = [
    { host: 'tunnel.example', headers },
    // Some tunnels change the Host header to the one that they connect to.
    { headers: { ...headers, 'x-forwarded-host': 'tunnel.example' } },
  ];
  for (const way of ways) {
    for (const path of ['/', '/catalog/', '/admin/', '/site/honey-shop/', '/catalog/permissions/x'])
      assert.equal((await ask(counterpart, path, way)).status, 404, path);
    assert.equal((await ask(counterpart, '/v1/app/status/', way)).headers['content-type'], 'application/json');
  }
  assert.equal((await ask(counterpart, '/', { headers })).status, 200, 'on this machine a person sees the pages');

  const { token, url } = startInstall(counterpart.service, { appId: APP_ID, websiteId: 55001 });
  const callback = new URL(`${TUNNEL}/app_callback/${token}`);
  const back = await ask(counterpart, callback.pathname + new URL(url).search, ways[0]);
  assert.equal(back.status, 200);
  const onward = `${counterpart.pagesOrigin}/catalog/permissions/${token}`;
  assert.equal(back.headers.refresh, `0; url=${onward}`);
  assert.ok(!back.text.includes('>Accept<'));
  const asked = await ask(counterpart, new URL(onward).pathname, { headers });
  assert.match(asked.text, /Accept/);
});

test('what an integrator sends fills the memory up to a bound, and the newest is kept', async (t) => {
  const counterpart = await opened(t);
  const body = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 150; at += 1)
    await counterpart.service.fetch(new Request(`${counterpart.origin}/v1/none/?at=${at}`, { method: 'POST', body }));
  const characters = counterpart.received.reduce(
    (sum, one) => sum + one.body.length + (one.responseText ?? '').length,
    0,
  );
  assert.ok(characters > MAX_REMEMBERED_CHARACTERS / 2 && characters <= MAX_REMEMBERED_CHARACTERS, String(characters));
  assert.equal(counterpart.received.at(-1)?.query, 'at=149');
  assert.equal(counterpart.arrivals, 150);
  // 256 KiB of each body are remembered, and 32 MiB of all of them are written down.
  assert.ok(counterpart.unrecorded > 15 && counterpart.unrecorded < 40, String(counterpart.unrecorded));
  assert.deepEqual(await counterpart.control.arrived(), [], 'the embedded service keeps no copy of its own');
});
