import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../../scripts/browser/browser.mjs';
import driver from './driver.ts';
import { selfSigned } from './server/certificate.ts';
import { newMethod, profile, second, secrets, send, store } from './testing.ts';

const { path: executablePath = '' } = (await findBrowser()) ?? {};
const options = executablePath ? {} : { skip: 'no browser was found' };

let browser: Browser;
let page: Page;
let integrator: Server;
let there: string;
/** What the integrator received, in order: the address and, for a POST, its fields. */
const received: { url: URL; fields: [string, string][] }[] = [];

/** The integrator, over https: a label page, a checkout page, and an app that redirects back to the service in step 2. */
before(async () => {
  if (!executablePath) return;
  integrator = createServer(selfSigned(), async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url!, there);
    if (url.pathname !== '/favicon.ico') received.push({ url, fields: [...new URLSearchParams(body)] });
    const query = new URLSearchParams(url.search);
    const callback = query.get('callback');
    query.delete('callback');
    query.delete('hash');
    const isFirst = url.pathname === '/install' && !query.has('authCode');
    if (isFirst) response.writeHead(302, { location: `${callback}?${query}` }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Integrator');
  });
  await new Promise<void>((resolve) => integrator.listen(0, '127.0.0.1', resolve));
  there = `https://127.0.0.1:${(integrator.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath });
  const context = await browser.newContext({ baseURL: second.origin, ignoreHTTPSErrors: true });
  context.setDefaultTimeout(5_000);
  page = await context.newPage();
});
after(async () => {
  await browser?.close();
  integrator?.closeAllConnections();
  integrator?.close();
});

const isSigned = (fields: [string, string][]) => {
  const values = fields.filter(([name]) => name !== 'signature').map(([, value]) => value);
  const expected = createHmac('sha256', secrets.STORE_KEY!).update(values.join('')).digest('base64');
  return new Map(fields).get('signature') === expected;
};

test('the driver prints labels', options, async () => {
  const hard = 'a\nb\r\nc\t"<&>\' + %41 ūńï \u{1F600} \u0001';
  const print_label_url = `${there}/label?own=1`;
  const handle = await newMethod({ print_label_url, reference: hard, title: { lv: hard } });
  const plain = await newMethod();
  await store('POST', `delivery_method/${handle}/pickup_point/`, { pickup_point: { id: 'p/1', city: 'Ogre' } });
  await driver.openOrder(page, { handle: plain });
  assert.equal(await driver.hasPrintLabel(page), false);
  const { orderUuid } = await driver.openOrder(page, { handle, pickupPointId: 'p/1' });
  assert.equal(await driver.hasPrintLabel(page), true);
  await driver.pressPrintLabel(page);
  await driver.pressPrintLabel(page);
  const [first, again] = received.splice(0);
  assert.ok(isSigned(first!.fields) && isSigned(again!.fields));
  const fields = new Map(first!.fields);
  assert.equal(fields.get('delivery_method_reference'), hard.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'));
  assert.equal(fields.get('shipping_pickup_point_id'), 'p/1');
  assert.notEqual(new Map(again!.fields).get('label_request_id'), fields.get('label_request_id'));
  const nothing = { labelUrl: null, trackingCode: null, errorMessage: null };
  assert.deepEqual(await driver.labelOf(page, orderUuid), nothing);
  const error = new URLSearchParams({ label_request_id: fields.get('label_request_id')!, error_msg: 'Nē <b>' });
  await fetch(`${fields.get('callback_url')}?${error}`);
  assert.deepEqual(await driver.labelOf(page, orderUuid), { ...nothing, errorMessage: 'Nē <b>' });
});

test('the driver goes through the checkout', options, async () => {
  const handle = await newMethod({ available_countries_from: ['LV', 'EE'], available_countries_to: ['fi', 'LV'] });
  const offered = (storeCountry: string, destinationCountry: string) =>
    driver.offeredMethods(page, { apiKey: secrets.STORE_KEY!, storeCountry, destinationCountry });
  assert.ok(!(await offered('LV', 'FI')).includes(handle), 'not before it is enabled');
  await driver.enableMethod(page, { handle });
  await driver.enableMethod(page, { handle });
  assert.ok((await offered('LV', 'FI')).includes(handle));
  assert.ok(!(await offered('LT', 'FI')).includes(handle));
  assert.ok(!(await offered('LV', 'EE')).includes(handle));
  const checkoutUrl = `${there}/checkout`;
  await driver.startDynamicCheckout(page, { apiKey: secrets.STORE_KEY!, handle, checkoutUrl });
  const [request] = received.splice(0);
  assert.equal(request!.url.pathname, '/checkout');
  assert.ok(isSigned(request!.fields));
});

for (const tabMode of ['blank', 'self'] as const) {
  test(`the driver installs an app that opens in mode ${tabMode}`, options, async () => {
    await driver.registerApp(page, { installUrl: `${there}/install?own=1`, settingsUrl: `${there}/settings`, tabMode });
    await driver.pressInstall(page);
    // The request is in the tab that the app was opened in.
    await driver.acceptPermissions(tabMode === 'blank' ? page.context().pages().at(-1)! : page);
    const [first, second_] = received.splice(0);
    const authCode = second_!.url.searchParams.get('authCode')!;
    assert.deepEqual([first!.url.searchParams.has('authCode'), second_!.url.searchParams.get('own')], [false, '1']);
    assert.deepEqual(await driver.installState(page, authCode), { known: true, installed: false });
    const call = (path: string) => send('POST', `/v1/apps/${path}/?authCode=${authCode}`, secrets.APP_KEY!);
    assert.equal((await call('installed')).status, 200);
    assert.deepEqual(await driver.installState(page, authCode), { known: true, installed: true });
    const tabs = page.context().pages().length;
    await driver.pressSettings(page, authCode);
    assert.equal(page.context().pages().length - tabs, tabMode === 'blank' ? 1 : 0);
    const settings = received.splice(0)[0]!.url;
    assert.deepEqual([settings.pathname, settings.searchParams.get('authCode')], ['/settings', authCode]);
    const [, hash, rest] = /^\?hash=([^&]*)&(.*)$/.exec(settings.search)!;
    assert.equal(createHmac('sha256', secrets.APP_SECRET!).update(rest!).digest('hex'), hash);
    assert.equal((await call('delete')).status, 200);
    assert.deepEqual(await driver.installState(page, authCode), { known: false, installed: false });
    assert.equal((await driver.installState(page, secrets.AUTH_CODE!)).installed, true);
    assert.equal(profile.apps.appId, settings.searchParams.get('appId'));
  });
}
