/** The hostile examples do harm as they say, each in a few seconds at most. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from './index.ts';
import { serveLocally } from './support/http.ts';
import { probeApp } from './testing/app-probes.ts';
import { API_KEY, APP_SECRET } from './testing/in-process.ts';
import { startStub } from './testing/stub.ts';

const SHORT_MS = 300;
/** For a response that has to come, on a busy machine too. */
const patiently = (): RequestInit => ({ signal: AbortSignal.timeout(20_000) });
const hostile = (await examples()).filter(({ sort }) => sort === 'hostile');

/** Serves a hostile example, and asks it with the given request; undefined when nothing came in time. */
async function ask(id: string, path: string, init: RequestInit = {}): Promise<Response | undefined> {
  const example = hostile.find((one) => one.id === id);
  assert.ok(example, `there is no ${id}`);
  const stub = await startStub();
  const served = await serveLocally(0, (origin) => {
    const settings = { origin, base: `${stub.origin}/v1/`, apiKey: API_KEY, appSecret: APP_SECRET, tabMode: 'blank' };
    const made = example.make(settings);
    return (request) => made.respond(request);
  });
  try {
    const address = `${served.origin}${path}`;
    const response = await fetch(address, { signal: AbortSignal.timeout(SHORT_MS), ...init }).catch(() => undefined);
    // Read before the server is gone.
    return (
      response &&
      new Response(response.status === 303 || response.status === 307 ? null : await response.text(), response)
    );
  } finally {
    await served.close();
    await stub.close();
  }
}

test('never answers', async () => {
  for (const [id, path, init] of [
    ['app.hostile.never-responds', '/install', {}],
    ['app.hostile.never-responds', '/settings', {}],
    ['label.hostile.never-responds', '/label', { method: 'POST', body: new URLSearchParams() }],
  ] as const) {
    assert.equal(await ask(id, path, init), undefined, `${id} ${path}`);
  }
  assert.equal((await ask('app.hostile.never-responds', '/manifest.json', patiently()))?.status, 200);
});

test('redirects to itself without end', async () => {
  for (const [id, path, init] of [
    ['app.hostile.redirect-loop', '/install?a=1', {}],
    ['label.hostile.redirect-loop', '/label', { method: 'POST', body: new URLSearchParams({ a: '1' }) }],
  ] as const) {
    const response = await ask(id, path, { ...patiently(), ...init, redirect: 'manual' });
    assert.equal(new URL(response?.headers.get('location') ?? '', 'http://x').pathname, path.split('?')[0]);
  }
});

test('is down: nothing listens at the addresses in the manifest', async () => {
  const response = (await ask('app.hostile.unreachable', '/manifest.json', patiently())) ?? new Response('{}');
  const { app_install_url: address } = (await response.json()) as { app_install_url: string };
  assert.match(address, /^http:\/\/127\.0\.0\.2:\d+\/install$/);
  await assert.rejects(fetch(address, { signal: AbortSignal.timeout(SHORT_MS) }));
});

test('calls 1,000 times', async () => {
  const example = hostile.find(({ id }) => id === 'app.hostile.calls-1000-times');
  const stub = await startStub();
  const served = await serveLocally(0, (origin) => {
    const settings = { origin, base: `${stub.origin}/v1/`, apiKey: API_KEY, appSecret: APP_SECRET, tabMode: 'blank' };
    const made = example!.make(settings);
    return (request) => made.respond(request);
  });
  const seen = await probeApp({ origin: served.origin, apiKey: API_KEY, appSecret: APP_SECRET, stub });
  assert.ok((seen['second load of code-a']?.split('POST installed/').length ?? 0) > 1_000);
  await served.close();
  await stub.close();
});
