/** Setup portals and the operator's page, over real HTTP. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type RunningServer, serve } from '../../http/serve.ts';
import { Visitor } from '../visitor.fixture.ts';

let served: RunningServer;
before(async () => {
  served = await serve({});
});
after(() => served.close());
beforeEach(() => served.service.control.reset());

const state = () => served.service.state;

async function developer(email: string): Promise<Visitor> {
  const visitor = new Visitor(served);
  await visitor.post('/portal/sign-in', { email });
  return visitor;
}

const EMAIL = 'dev@new.example';
const appManifest = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  app_type: 'APP',
  app_title: 'New app',
  app_icon: 'https://new.example/icon.png',
  app_version: '1.0.0',
  app_description_short: 'Short',
  app_description_full: 'Full',
  app_vendor: {
    company_name: 'New Ltd',
    support_email: 'help@new.example',
    support_phone: '+371 20000000',
    developer_email: EMAIL,
    company_url: 'https://new.example/',
    support_url: 'https://new.example/help',
    privacy_url: 'https://new.example/privacy',
    tos_url: 'https://new.example/terms',
  },
  app_permissions: ['FULL'],
  app_tab_mode: 'self',
  app_install_url: 'https://new.example/install',
  app_settings_url: 'https://new.example/settings',
  app_secret: 'a-secret-of-32-characters-1234567',
  ...changes,
});
const providerManifest = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  app_type: 'DELIVERY_SERVICE',
  app_title: 'New parcels',
  app_vendor: {
    company_name: 'New Ltd',
    support_email: 'help@new.example',
    support_phone: '+371 20000000',
    developer_email: EMAIL,
  },
  ...changes,
});

const KINDS = [
  { kind: 'delivery', base: '/portal/delivery/', manifest: providerManifest, rows: () => state().providers.all() },
  { kind: 'apps', base: '/portal/apps/', manifest: appManifest, rows: () => state().apps.all() },
] as const;

for (const { kind, base, manifest, rows } of KINDS) {
  test(`${kind}: a wrong manifest is refused, and every fault is listed`, async () => {
    const visitor = await developer(EMAIL);
    const before = rows().length;
    const wrong = manifest({ app_type: 'OTHER', app_title: 5, app_vendor: { developer_email: EMAIL } });
    const seen = await visitor.post(base, { manifest: JSON.stringify(wrong) });
    assert.equal(seen.status, 400);
    for (const pointer of ['/app_type', '/app_title', '/app_vendor/company_name', '/app_vendor/support_phone']) {
      assert.ok(seen.text.includes(`<code>${pointer}</code>`), pointer);
    }
    assert.ok(seen.text.includes('&quot;OTHER&quot;'), 'the text stays in the form');
    for (const text of ['', '{', '[]', 'null', '"x"', '{"app_type":1,"app_type":2}']) {
      assert.equal((await visitor.post(base, { manifest: text })).status, 400, text);
    }
    assert.equal(rows().length, before);
  });

  test(`${kind}: submitted, key shown exactly once, approved by the operator`, async () => {
    const visitor = await developer(EMAIL);
    const details = (await visitor.post(base, { manifest: JSON.stringify(manifest()) })).location!;
    const row = () => rows().at(-1)!;
    assert.equal(row().status, 'draft');
    assert.ok(!(await visitor.get(details)).text.includes(row().apiKey), 'not shown by itself');
    const shown = await visitor.post(`${details}/key`);
    assert.ok(shown.text.includes(`<pre id="key">${row().apiKey}</pre>`));
    assert.equal(shown.headers.get('cache-control'), 'no-store');
    const again = await visitor.post(`${details}/key`);
    assert.equal(again.status, 410);
    assert.ok(!again.text.includes(row().apiKey));
    assert.ok(!(await visitor.get(details)).text.includes(row().apiKey));

    await visitor.post(`${details}/submit`);
    assert.equal(row().status, 'submitted');
    const judge = new Visitor(served);
    const page = (await judge.get('/operator/')).text;
    assert.ok(page.includes(`Refuse ${row().manifest.app_title}`));
    const fields = { kind: kind === 'apps' ? 'app' : 'delivery', id: String(row().id) };
    await judge.post('/operator/refuse', fields);
    assert.equal(row().status, 'refused');
    await visitor.post(`${details}/submit`);
    await judge.post('/operator/approve', fields);
    assert.equal(row().status, 'approved');
    assert.equal((await judge.post('/operator/approve', fields)).status, 409);
  });

  test(`${kind}: an account sees its own integrations only`, async () => {
    const details = (await (await developer(EMAIL)).post(base, { manifest: JSON.stringify(manifest()) })).location!;
    const stranger = await developer('stranger@other.example');
    const before = JSON.stringify(rows());
    assert.ok(!(await stranger.get(base)).text.includes(details));
    assert.equal((await stranger.get(details)).status, 404);
    for (const action of ['key', 'submit', 'manifest']) {
      assert.equal((await stranger.post(`${details}/${action}`, { manifest: JSON.stringify(manifest()) })).status, 404);
    }
    const stolen = manifest({ app_vendor: { ...(manifest().app_vendor as object), developer_email: 'x@y.example' } });
    assert.equal((await stranger.post(base, { manifest: JSON.stringify(stolen) })).status, 400);
    assert.equal(JSON.stringify(rows()), before);
  });
}

test('a delivery manifest is changed at once', async () => {
  const visitor = await developer(EMAIL);
  const details = (await visitor.post('/portal/delivery/', { manifest: JSON.stringify(providerManifest()) })).location!;
  const seen = await visitor.post(`${details}/manifest`, {
    manifest: JSON.stringify(providerManifest({ app_title: 'Newer' })),
  });
  assert.equal(seen.status, 200);
  assert.equal(state().providers.all().at(-1)?.manifest.app_title, 'Newer');
});

test('a live app keeps its approved manifest until the changes are approved', async () => {
  const app = state().apps.get('3001')!;
  const email = (app.manifest.app_vendor as { developer_email: string }).developer_email;
  const visitor = await developer(email);
  const changed = JSON.stringify({ ...app.manifest, app_version: '9.9.9' });
  assert.equal((await visitor.post('/portal/apps/3001/manifest', { manifest: changed })).status, 200);
  assert.equal(state().apps.get('3001')?.manifest.app_version, app.manifest.app_version);
  const judge = new Visitor(served);
  const page = (await judge.get('/operator/')).text;
  assert.ok(page.includes('changes to <code>app_version</code>'));
  assert.ok(!page.includes(app.manifest.app_secret), 'the secret is the developer’s');
  await judge.post('/operator/approve', { kind: 'app', id: '3001' });
  assert.equal(state().apps.get('3001')?.manifest.app_version, '9.9.9');
  assert.equal(state().apps.get('3001')?.pending, null);

  await visitor.post('/portal/apps/3001/manifest', {
    manifest: JSON.stringify({ ...app.manifest, app_version: '0.0.1' }),
  });
  await judge.post('/operator/refuse', { kind: 'app', id: '3001' });
  assert.equal(state().apps.get('3001')?.manifest.app_version, '9.9.9');
  assert.equal(state().apps.get('3001')?.status, 'approved');
});

test('the portals require an account, and signing in returns to the requested page', async () => {
  const visitor = new Visitor(served);
  for (const path of ['/portal/delivery/', '/portal/apps/', '/portal/apps/3001']) {
    const seen = await visitor.get(path);
    assert.equal(seen.status, 401);
    assert.ok(seen.text.includes(`name="next" value="${path}"`));
  }
  const elsewhere = await visitor.post('/portal/sign-in', { email: EMAIL, next: '//evil.example/' });
  assert.equal(elsewhere.location, '/portal/');
  assert.equal((await visitor.post('/portal/sign-in', { email: 'no address' })).status, 400);
});

test('the portal accepts a new secret of an app, and never shows the current one', async () => {
  const visitor = await developer(EMAIL);
  const details = (await visitor.post('/portal/apps/', { manifest: JSON.stringify(appManifest()) })).location!;
  const secret = () => state().apps.all().at(-1)?.manifest.app_secret;
  const shown = async (): Promise<string> => {
    const { text } = await visitor.get(details);
    assert.ok(!text.includes(secret() ?? ''));
    return text;
  };
  const mask = /app_secret&quot;: &quot;([^&]+)&quot;/.exec(await shown())?.[1];
  const kept = await visitor.post(`${details}/manifest`, {
    manifest: JSON.stringify(appManifest({ app_title: 'Renamed', app_secret: mask })),
  });
  assert.equal(kept.status, 200);
  assert.equal(secret(), appManifest().app_secret);
  assert.equal(state().apps.all().at(-1)?.manifest.app_title, 'Renamed');
  const next = 'another-secret-of-32-characters-12';
  const changed = await visitor.post(`${details}/manifest`, {
    manifest: JSON.stringify(appManifest({ app_secret: next })),
  });
  assert.ok(!changed.text.includes(next));
  assert.equal(secret(), next);
  await shown();
});
