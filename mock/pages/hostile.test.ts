/** Hostile content and hostile requests: content is shown as text, and no request causes status 500. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from '@playwright/test';
import { findBrowser } from '../../scripts/browser/browser.mjs';
import { type RunningServer, serve } from '../http/serve.ts';
import { loginUrlFor } from '../reseller/editor.ts';
import { Visitor } from './visitor.fixture.ts';

const HOSTILE = `</title></textarea></style><script>alert(1)</script><img src=x onerror=alert(2)>"' onclick="alert(3)`;
/** Markup that must not be in a page; escaped text contains none of these. */
const MARKS = ['<script>alert', '<img src=x', '</textarea></style>', `" onclick="`, `' onclick="`];

const { path: executablePath = '' } = (await findBrowser()) ?? {};
const skip = executablePath === '' && 'no browser was found: set PROOFMARK_BROWSER to one';

let served: RunningServer;
before(async () => {
  served = await serve({});
  plantHostileTexts();
});
after(() => served.close());

function plantHostileTexts(): void {
  const { service } = served;
  const { state } = service;
  service.change(() => {
    const site = state.websites.get('55001')!;
    state.websites.patch('55001', {
      brandname: HOSTILE,
      seller: { name: HOSTILE, id: HOSTILE, vat: HOSTILE, address: HOSTILE },
      user: { ...site.user, name: HOSTILE, email: HOSTILE },
      deliverySettings: { 7001: { client_id: HOSTILE, api_login: HOSTILE, [HOSTILE]: HOSTILE } },
    });
    for (const method of state.methods.all()) {
      state.methods.patch(method.handle, { name: HOSTILE, title: { en: HOSTILE }, reference: HOSTILE });
    }
    for (const order of state.orders.all()) {
      state.orders.patch(order.uuid, {
        invoiceId: HOSTILE,
        method: { ...order.method, title: HOSTILE },
        shipping: { ...order.shipping, firstName: HOSTILE, company: HOSTILE, phone: HOSTILE },
        cart: [{ ...order.cart[0]!, name: HOSTILE, sku: HOSTILE }],
        label: { url: `javascript:${HOSTILE}`, trackingCode: HOSTILE, trackingUrl: HOSTILE, error: HOSTILE },
      });
    }
    const provider = state.providers.get('7001')!;
    state.providers.patch('7001', {
      manifest: {
        ...provider.manifest,
        app_title: HOSTILE,
        delivery_api_data_fields: [{ id: HOSTILE, title: { en: HOSTILE }, type: 'text' }],
        delivery_service_info: { info_url: `javascript:${HOSTILE}` },
      },
    });
    const app = state.apps.get('3001')!;
    const texts = { app_title: HOSTILE, app_display_title: HOSTILE, app_description_short: HOSTILE };
    const manifest = { ...app.manifest, ...texts, app_icon: `javascript:${HOSTILE}`, app_screenshots: 'javascript:1' };
    const vendor = {
      ...(app.manifest.app_vendor as object),
      company_name: HOSTILE,
      company_url: `javascript:${HOSTILE}`,
    };
    state.apps.patch('3001', {
      manifest: { ...manifest, app_vendor: vendor },
      pending: { ...manifest, app_vendor: vendor, app_version: HOSTILE },
    });
    const lockers = state.points.of('honey-lockers');
    lockers.rewrite(lockers.all().map((point) => ({ ...point, title: HOSTILE, address: HOSTILE })));
  });
}

async function everyRole(): Promise<Visitor> {
  const { service } = served;
  const visitor = new Visitor(served);
  await visitor.post('/admin/sign-in', { website: '55001' });
  await visitor.post('/portal/sign-in', { email: 'developers@chat-corner.example' });
  await visitor.get(new URL(service.change(() => loginUrlFor(service, service.state.websites.get('55001')!))).pathname);
  return visitor;
}

test('a browser runs none of their scripts, even on pages without a content security policy', { skip }, async () => {
  const visitor = await everyRole();
  const browser = await chromium.launch({ executablePath });
  try {
    const context = await browser.newContext();
    // Nothing is loaded: only the content of the pages counts.
    await context.route('**/*', (route) => route.abort());
    const page = await context.newPage();
    const ran: string[] = [];
    await page.exposeFunction('alert', (what: unknown) => ran.push(String(what)));
    for (const path of PAGES) {
      await page.setContent((await visitor.get(path)).text, { waitUntil: 'domcontentloaded' });
      // Click everything that can be clicked.
      await page.evaluate(() => {
        for (const element of document.querySelectorAll<HTMLElement>('*')) {
          if (element.onclick !== null || element.hasAttribute('onclick')) element.click();
        }
      });
      const links = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('a[href],form[action],[formaction],img[src],iframe[src]')].map(
          (element) => ['href', 'action', 'formaction', 'src'].map((name) => element.getAttribute(name) ?? '').join(''),
        ),
      );
      assert.deepEqual(
        links.filter((link) => /^\s*(?:javascript|data|vbscript):/i.test(link)),
        [],
        path,
      );
    }
    assert.deepEqual(ran, []);
    // The test can fail: a page with such a script triggers it.
    await page.setContent('<img src="data:," onerror="alert(\'sprung\')">');
    const end = Date.now() + 60_000;
    while (ran.length === 0 && Date.now() < end) await page.waitForTimeout(20);
    assert.deepEqual(ran, ['sprung']);
  } finally {
    await browser.close();
  }
});

const ORDER = '5b0f6f0e-3b1c-4a55-9d0e-2f6f3f6c0a01';
const PAGES = [
  '/',
  '/admin/',
  '/admin/sign-in',
  '/admin/methods/',
  '/admin/methods/honey-courier',
  '/admin/methods/parcel-home',
  '/admin/orders/',
  '/admin/orders/new',
  `/admin/orders/${ORDER}/`,
  '/admin/delivery-settings/',
  '/catalog/',
  '/catalog/3001/',
  '/catalog/installation',
  '/checkout/nordic-honey/',
  '/checkout/nordic-honey/?destination_country=LV',
  '/portal/',
  '/portal/apps/',
  '/portal/apps/3001',
  '/portal/delivery/',
  '/operator/',
  '/site/nordic-honey/',
  '/site/nordic-honey/lv/contact/',
  '/editor/',
];

test('foreign texts are never markup, only allowed scripts run, and foreign addresses are web addresses', async () => {
  const visitor = await everyRole();
  const stranger = new Visitor(served);
  const seen = [
    ...(await Promise.all(PAGES.map(async (path) => ({ path, ...(await visitor.get(path)) })))),
    ...(await Promise.all(['/admin/', '/portal/'].map(async (path) => ({ path, ...(await stranger.get(path)) })))),
    { path: 'press', ...(await visitor.post(`/admin/orders/${ORDER}/print-label`)) },
  ];
  for (const { path, status, text, headers } of seen) {
    assert.ok(status === 200 || status === 401, `${path} ${status}`);
    for (const mark of MARKS) assert.ok(!text.includes(mark), `${path} holds ${mark}`);
    assert.ok(!/(?:href|src|action)="javascript:/i.test(text), `${path} links to a script`);
    assert.match(text, /^<!doctype html>\n<html lang="[a-z]{2}">/);
    if (!path.startsWith('/site/')) assert.match(headers.get('content-security-policy') ?? '', /script-src 'sha256-/);
  }
  const shown = seen.filter(({ text }) => text.includes('&lt;script&gt;alert(1)')).map(({ path }) => path);
  assert.ok(shown.length >= 15, `hostile texts are shown, as text, on ${shown.length} pages`);
});

test('every input has a label, every page a heading and a language', async () => {
  const visitor = await everyRole();
  for (const path of PAGES) {
    const { text } = await visitor.get(path);
    assert.equal(text.match(/<h1>/g)?.length, 1, path);
    for (const [tag] of text.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)) {
      if (/type="(?:hidden|radio|checkbox)"/.test(tag)) continue;
      const id = /\bid="([^"]+)"/.exec(tag)?.[1];
      assert.ok(id !== undefined && text.includes(`<label for="${id}">`), `${path}: ${tag}`);
    }
    const ids = [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, `${path}: ids are unique`);
  }
});

test('an unknown path or a wrong method shows an error page', async () => {
  const visitor = await everyRole();
  for (const path of ['/nope', '/admin/nope', '/site/', '/v2/', '/admin/orders/%00/', '/login/']) {
    const seen = await visitor.get(path);
    assert.equal(seen.status, 404, path);
    assert.match(seen.headers.get('content-type') ?? '', /^text\/html/);
  }
  const wrong = await visitor.post('/admin/');
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'GET');
  assert.equal((await visitor.get('/admin/sign-out')).status, 405);
  assert.equal((await visitor.send('/operator/', { method: 'DELETE' })).status, 405);
  assert.match((await visitor.get('/v1/nope')).headers.get('content-type') ?? '', /^application\/json/);
});

const FORMS = [
  '/admin/sign-in',
  '/admin/orders/',
  `/admin/orders/${ORDER}/print-label`,
  '/admin/methods/honey-courier/enable',
  '/admin/methods/honey-courier/checkout-address',
  '/admin/methods/honey-courier/try',
  '/admin/methods/parcel-home/try',
  '/admin/delivery-settings/7001',
  '/catalog/3001/install',
  '/catalog/nothing/install',
  '/catalog/installation',
  '/catalog/settings',
  '/catalog/uninstall',
  '/catalog/permissions/x/accept',
  '/catalog/permissions/x/decline',
  '/checkout/nordic-honey/',
  '/checkout/nobody/',
  '/portal/sign-in',
  '/portal/apps/',
  '/portal/apps/3001/manifest',
  '/portal/apps/3001/key',
  '/portal/apps/3001/submit',
  '/portal/delivery/',
  '/portal/delivery/7001/manifest',
  '/operator/approve',
  '/operator/refuse',
  '/editor/brandname',
];

test('no bad input causes an error of the service', async () => {
  const visitor = await everyRole();
  const bodies: RequestInit[] = [
    { body: '' },
    { body: '%', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { body: Buffer.from([0xff, 0xfe, 0x00, 0x3d]), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { body: '{"a":1}', headers: { 'content-type': 'application/json' } },
    { body: 'nonsense', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    { body: 'nonsense', headers: { 'content-type': 'multipart/form-data' } },
    {
      body: `manifest=${'['.repeat(5000)}&method=%00&api_key=%F0%9F&auth_code=__proto__&kind=__proto__&id=__proto__`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    { body: `manifest=${'x'.repeat(1024 * 1024)}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ];
  for (const path of FORMS) {
    for (const [at, init] of bodies.entries()) {
      const seen = await visitor.send(path, { method: 'POST', ...init });
      assert.ok(seen.status < 500, `${path} body ${at}: ${seen.status} ${seen.text}`);
      if (seen.status >= 400) assert.match(seen.headers.get('content-type') ?? '', /^text\/html/, `${path} body ${at}`);
    }
  }
  for (const path of [
    '/app_callback/x?a=%zz',
    '/app_callback/?',
    '/checkout/nordic-honey/?destination_country=<b>',
    '/catalog/%FF/',
  ]) {
    const seen = await visitor.get(path);
    assert.ok(seen.status >= 400 && seen.status < 500, `${path}: ${seen.status}`);
  }
});
