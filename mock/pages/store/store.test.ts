/** Store admin, settings forms, checkout, catalog, websites and editor, over real HTTP. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sign } from '../../../contracts/signing/index.ts';
import { type RunningServer, serve } from '../../http/serve.ts';
import { loginUrlFor } from '../../reseller/editor.ts';
import { Visitor } from '../visitor.fixture.ts';

let served: RunningServer;
before(async () => {
  served = await serve({});
});
after(() => served.close());
beforeEach(() => served.service.control.reset());

const state = () => served.service.state;
const store = (id = '55001') => state().websites.get(id)!;
const provider = () => state().providers.get('7001')!;

async function signedIn(apiKey = store().apiKey): Promise<Visitor> {
  const visitor = new Visitor(served);
  assert.equal((await visitor.post('/admin/sign-in', { api_key: apiKey })).status, 303);
  return visitor;
}

const inputsOf = (page: string): [string, string][] =>
  [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
    name,
    value
      .replaceAll('&#13;', '\r')
      .replaceAll('&#10;', '\n')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  ]);

test('a store is entered with its key, which never appears in an address; the session is an HttpOnly cookie', async () => {
  const visitor = new Visitor(served);
  assert.equal((await visitor.get('/admin/')).status, 401);
  for (const wrong of ['', 'x', `${store().apiKey}x`, store().apiKey.slice(1)]) {
    assert.equal((await visitor.post('/admin/sign-in', { api_key: wrong })).status, 401, wrong);
  }
  assert.equal(visitor.setCookies.length, 0);
  const seen = await visitor.post('/admin/sign-in', { api_key: store().apiKey });
  assert.equal(seen.location, '/admin/');
  assert.match(visitor.setCookies[0]!, /; HttpOnly; SameSite=Lax$/);
  assert.ok(!visitor.setCookies[0]!.includes(store().apiKey));
  assert.match((await visitor.get('/admin/')).text, /<h1>Nordic Honey<\/h1>/);
  const next = await visitor.post('/admin/sign-in', { api_key: store().apiKey, next: 'https://evil.example/admin/' });
  assert.equal(next.location, '/admin/');
  await visitor.post('/admin/sign-out');
  assert.equal((await visitor.get('/admin/')).status, 401);
});

test('a cookie that the service did not sign is not a session', async () => {
  const visitor = await signedIn();
  const [[name, value] = ['', '']] = visitor.cookies();
  const [, seal] = value.split('.');
  const forged = Buffer.from('55002').toString('base64url');
  for (const cookie of [`${forged}.${seal}`, forged, `${value}x`, '.', 'x.y.z', '']) {
    visitor.setCookie(name, cookie);
    assert.equal((await visitor.get('/admin/')).status, 401, cookie);
  }
});

test('Print Label: only where the method has an address, signed, a new id at each press', async () => {
  const visitor = await signedIn();
  const place = async (handle: string) => (await visitor.post('/admin/orders/', { method: handle })).location!;
  const without = await place('honey-lockers');
  assert.ok(!(await visitor.get(without)).text.includes('Print Label'));
  assert.equal((await visitor.post(`${without}print-label`)).status, 400);
  assert.equal(state().labelRequests.size, 0);

  const order = await place('honey-courier');
  assert.match((await visitor.get(order)).text, /<button class="">Print Label<\/button>/);
  const ids = new Set<string>();
  for (let press = 0; press < 3; press += 1) {
    const page = await visitor.post(`${order}print-label`);
    assert.equal(page.status, 200);
    assert.ok(page.text.includes('<form method="post" action="https://labels.nordic-honey.example/print"'));
    const fields = inputsOf(page.text);
    assert.equal(fields.at(-1)?.[0], 'signature');
    assert.equal(fields.at(-1)?.[1], sign(fields.slice(0, -1), store().apiKey));
    ids.add(fields[0]![1]);
  }
  assert.equal(ids.size, 3);
  assert.equal(state().labelRequests.size, 3);
});

test('orders of all kinds can be placed; invalid orders are refused', async () => {
  const visitor = await signedIn();
  const form = (await visitor.get('/admin/orders/new')).text;
  const kinds = [...form.slice(form.indexOf('Kind of order')).matchAll(/<option value="([a-z-]+)"/g)].map(
    ([, kind]) => kind!,
  );
  assert.ok(kinds.includes('pickup-point') && kinds.includes('unicode') && kinds.includes('long-cart'));
  for (const kind of kinds.filter((kind) => kind.length > 2)) {
    const seen = await visitor.submit('/admin/orders/', { method: 'parcel-lockers', kind });
    assert.equal(seen.status, 200, kind);
  }
  const before = state().orders.size;
  const bad = [{ method: 'nobody' }, { method: 'saule-post' }, { method: 'honey-courier', kind: 'toString' }, {}];
  for (const fields of [...bad, { method: 'honey-lockers', pickup_point_id: 'nowhere' }]) {
    const { status } = await visitor.post('/admin/orders/', fields);
    assert.ok(status === 400 || status === 404, JSON.stringify(fields));
  }
  assert.equal(state().orders.size, before);
  const foreign = '/admin/orders/5b0f6f0e-3b1c-4a55-9d0e-2f6f3f6c0a02/';
  assert.equal((await visitor.get(foreign)).status, 404);
  assert.equal((await visitor.post(`${foreign}print-label`)).status, 404);
});

test('a delivery provider tries its methods out in a demo store, also before it is approved', async () => {
  const visitor = await signedIn(state().providers.get('7002')!.apiKey);
  assert.ok((await visitor.get('/admin/')).text.includes('Demo store of Fast Fox'));
  assert.ok((await visitor.get('/admin/orders/new')).text.includes('value="fox-home"'));
  assert.ok(!(await visitor.get('/admin/')).text.includes(store().apiKey), 'no provider sees the store’s key');
  const owner = await signedIn();
  assert.ok(!(await owner.get('/admin/orders/new')).text.includes('value="fox-home"'));
});

test('methods of providers are shown to stores of their countries, and switched on and off', async () => {
  const visitor = await signedIn(store('55004').apiKey);
  const page = (await visitor.get('/admin/methods/')).text;
  assert.ok(page.indexOf('Not for stores in NO') > 0);
  assert.ok(page.indexOf('parcel-lockers') > page.indexOf('Not for stores in NO'));
  const owner = await signedIn();
  await owner.post('/admin/methods/parcel-home/disable');
  assert.ok(!store().enabledMethods.includes('parcel-home'));
  assert.equal(
    (await owner.post('/admin/methods/parcel-home/enable', { from: 'method' })).location,
    '/admin/methods/parcel-home',
  );
  assert.ok(store().enabledMethods.includes('parcel-home'));
  assert.equal((await owner.post('/admin/methods/fox-home/enable')).status, 404);
  const address = { checkout_url: 'https://evil.example/' };
  assert.equal((await owner.post('/admin/methods/parcel-home/checkout-address', address)).status, 403);
});

test('settings of a provider are kept, checked, and answered for the store’s orders', async () => {
  const visitor = await signedIn();
  const form = { client_id: 'Ć-1', api_login: 'a@b.example', api_password: '', express: '1' };
  assert.equal((await visitor.post('/admin/delivery-settings/7001', form)).status, 303);
  const page = (await visitor.get('/admin/delivery-settings/')).text;
  assert.ok(page.includes('value="Ć-1"'));
  assert.ok(!page.includes('hunter-of-bees-77'), 'a password is not shown');
  const response = await fetch(`${served.origin}/v1/store/delivery_provider_settings/`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${provider().apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ order_uuid: '5b0f6f0e-3b1c-4a55-9d0e-2f6f3f6c0a01' }),
  });
  const { fields } = (await response.json()) as { fields: Record<string, unknown> };
  assert.deepEqual(fields, {
    client_id: 'Ć-1',
    api_login: 'a@b.example',
    api_password: 'hunter-of-bees-77',
    express: true,
  });
  const before = store().deliverySettings;
  for (const wrong of [
    { ...form, client_id: ' ' },
    { ...form, api_login: 'nobody' },
  ]) {
    assert.equal((await visitor.post('/admin/delivery-settings/7001', wrong)).status, 400, JSON.stringify(wrong));
  }
  assert.equal((await visitor.post('/admin/delivery-settings/7002', form)).status, 404);
  assert.equal(store().deliverySettings, before);
});

test('a shop sells only what it offers', async () => {
  const visitor = new Visitor(served);
  const buy = (fields: Record<string, string>) =>
    visitor.post('/checkout/nordic-honey/', { destination_country: 'LV', ...fields });
  const placed = await buy({ method: 'honey-lockers', 'point honey-lockers': 'VNT-02' });
  assert.equal(placed.status, 200);
  const uuid = /id="order-uuid">([^<]+)</.exec(placed.text)?.[1] ?? '';
  assert.equal(state().orders.get(uuid)?.pickupPointId, 'VNT-02');
  const before = state().orders.size;
  const refused = [
    { method: 'saule-post' },
    { method: 'fox-home' },
    { method: 'parcel-home', destination_country: 'DE' },
    { method: 'honey-courier', destination_country: 'Latvia' },
    { method: 'honey-lockers', 'point honey-lockers': 'x' },
    {},
  ];
  for (const fields of refused) {
    const { status } = await buy(fields as Record<string, string>);
    assert.ok(status === 400 || status === 404, JSON.stringify(fields));
  }
  assert.equal(state().orders.size, before);
  const dynamic = await buy({ method: 'parcel-home' });
  const fields = inputsOf(dynamic.text);
  assert.equal(fields.at(-1)?.[1], sign(fields.slice(0, -1), provider().apiKey));
  assert.ok(dynamic.text.includes('every field beside <code>signature</code> is our choice'));
  assert.equal((await visitor.get('/checkout/nordic-honey/?destination_country=%00')).status, 400);
});

test('uninstalling an app removes its snippets from the pages; codes never appear in addresses', async () => {
  const installation = state().installations.find(({ websiteId }) => websiteId === 55001)!;
  served.service.change(() =>
    state().installations.patch(installation.authCode, { snippets: { '*': '<i id="all">&</i>', lv: '<b>lv</b>' } }),
  );
  const visitor = await signedIn();
  const catalog = (await visitor.get('/catalog/')).text;
  assert.ok(catalog.includes(`name="auth_code" value="${installation.authCode}"`));
  assert.ok(!/(?:href|action)="[^"]*authCode/i.test(catalog));
  for (const page of ['', 'about/', 'contact/']) {
    const english = (await visitor.get(`/site/nordic-honey/${page}`)).text;
    const latvian = (await visitor.get(`/site/nordic-honey/lv/${page}`)).text;
    assert.match(english, /<body>[\s\S]*<i id="all">&<\/i>[\s\S]*<\/body>/);
    assert.ok(!english.includes('<b>lv</b>'));
    assert.ok(latvian.includes('<i id="all">&</i>') && latvian.includes('<b>lv</b>'));
    assert.match(latvian, /<html lang="lv">/);
  }
  await visitor.post('/catalog/uninstall', { auth_code: installation.authCode });
  assert.ok(!state().installations.has(installation.authCode));
  assert.ok(!(await visitor.get('/site/nordic-honey/lv/')).text.includes('<b>lv</b>'));
  assert.equal((await visitor.post('/catalog/uninstall', { auth_code: installation.authCode })).status, 404);
  assert.equal((await visitor.post('/catalog/settings', { auth_code: installation.authCode })).status, 404);
});

test('websites: every page in every language, no unknown page, and none of a disabled website', async () => {
  const visitor = new Visitor(served);
  for (const path of ['', 'about', 'contact/', 'lv', 'de/about/', 'en/contact/']) {
    assert.equal((await visitor.get(`/site/nordic-honey/${path}`)).status, 200, path);
  }
  for (const path of ['fr/', 'lv/nothing/', 'about/lv/', '%00', '%E0%A4%A']) {
    assert.equal((await visitor.get(`/site/nordic-honey/${path}`)).status, 404, path);
  }
  served.service.change(() => state().websites.patch('55001', { status: 0 }));
  assert.equal((await visitor.get('/site/nordic-honey/')).status, 404);
  assert.equal((await visitor.get('/checkout/nordic-honey/')).status, 404);
});

test('a login link opens the editor once', async () => {
  const { service } = served;
  const link = new URL(service.change(() => loginUrlFor(service, store()))).pathname;
  const visitor = new Visitor(served);
  assert.equal((await visitor.get('/editor/')).status, 401);
  assert.equal((await visitor.send(link, { method: 'HEAD' })).status, 200, 'a preview uses nothing up');
  const opened = await visitor.get(link);
  assert.equal(opened.location, '/editor/');
  assert.match((await visitor.get('/editor/')).text, /Editor of Nordic Honey/);
  const second = new Visitor(served);
  assert.equal((await second.get(link)).status, 410);
  assert.equal((await second.get('/editor/')).status, 401);
  assert.equal((await second.get('/login/unknown')).status, 404);
  assert.equal((await second.post('/editor/brandname', { brandname: 'Mine' })).status, 401);
  await visitor.post('/editor/brandname', { brandname: 'Nordic & Honey' });
  assert.equal(store().brandname, 'Nordic & Honey');
});
