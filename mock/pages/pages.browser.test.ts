/** The driver, end to end in a real browser: an installation, a label, a checkout. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { type Browser, chromium, type Page } from '@playwright/test';
import { installHash } from '../../contracts/install-hash/index.ts';
import { sign } from '../../contracts/signing/index.ts';
import { findBrowser } from '../../scripts/browser/browser.mjs';
import driver from '../driver.ts';
import { type RunningServer, serve } from '../http/serve.ts';

const { path: executablePath = '' } = (await findBrowser()) ?? {};
const skip = executablePath === '' && 'no browser was found: set PROOFMARK_BROWSER to one';
const SHOTS = process.env.PROOFMARK_SCREENSHOTS;

interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly fields: readonly (readonly [string, string])[];
}

/** The pages of integrators: an app that installs itself, a label page that prints at once, a checkout page. */
class Integrator {
  readonly arrived: Arrived[] = [];
  readonly #server: Server;
  origin = '';
  tabMode: 'blank' | 'self' = 'self';
  labelReport: (id: string) => readonly (readonly [string, string])[] = () => [];

  constructor(service: () => RunningServer) {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', async () => {
        const [path = '', query = ''] = (request.url ?? '').split('?');
        if (path === '/favicon.ico') return response.writeHead(404).end();
        const arrived = { method: request.method ?? '', path, query, fields: [...new URLSearchParams(body)] };
        this.arrived.push(arrived);
        const location = await this.#response(service(), arrived);
        if (location) return response.writeHead(302, { location }).end();
        if (path === '/nothing') return response.writeHead(204).end();
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<title>${path}</title><h1>Integrator ${path}</h1>`);
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #response({ service }: RunningServer, { path, query, fields }: Arrived): Promise<string | undefined> {
    const params = new URLSearchParams(query);
    if (path === '/install') {
      const back = new URLSearchParams([...params].filter(([name]) => name !== 'callback' && name !== 'hash'));
      const code = params.get('authCode');
      if (code !== null) {
        const app = service.state.apps.get(params.get('appId') ?? '');
        const headers = { authorization: `ApiKey ${app?.apiKey}` };
        await fetch(`${service.origin}/v1/apps/installed/?authCode=${code}`, { method: 'POST', headers });
      }
      return code === null || this.tabMode === 'self' ? `${params.get('callback')}?${back}` : undefined;
    }
    if (path === '/label') {
      const field = (name: string): string => fields.find(([key]) => key === name)?.[1] ?? '';
      const sent = this.labelReport(field('label_request_id'));
      if (sent.length > 0)
        await fetch(`${field('callback_url')}?${new URLSearchParams(sent.map(([name, value]) => [name, value]))}`);
    }
    return undefined;
  }
}

let browser: Browser;
let served: RunningServer;
let integrator: Integrator;
let page: Page;

before(async () => {
  if (skip) return;
  browser = await chromium.launch({ executablePath });
  served = await serve({});
  integrator = new Integrator(() => served);
  await integrator.listen();
});

after(async () => {
  if (skip) return;
  await browser.close();
  integrator.close();
  await served.close();
});

beforeEach(async (context) => {
  if (skip) return;
  await served.service.control.reset();
  integrator.arrived.length = 0;
  integrator.labelReport = () => [];
  await page?.context().close();
  page = await (await browser.newContext({ baseURL: served.origin })).newPage();
  page.on('pageerror', (error) => assert.fail(`${context.name}: ${error.message}`));
});

const store = () => served.service.state.websites.get('55001')!;
const provider = () => served.service.state.providers.get('7001')!;
const onlyNew = (before: ReadonlySet<string>) =>
  served.service.state.installations.all().find(({ authCode }) => !before.has(authCode))!;

async function shot(name: string, from: Page = page): Promise<void> {
  if (SHOTS) await from.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

for (const tabMode of ['self', 'blank'] as const) {
  test(`an app in tab mode ${tabMode}: registered, installed with permission, its settings opened`, {
    skip,
  }, async () => {
    integrator.tabMode = tabMode;
    const codes = new Set(served.service.state.installations.all().map(({ authCode }) => authCode));
    const installUrl = `${integrator.origin}/install?own=1`;
    await driver.registerApp(page, { installUrl, settingsUrl: `${integrator.origin}/settings`, tabMode });
    await driver.pressInstall(page);
    const tab = page.context().pages().at(-1)!;
    assert.equal(page.context().pages().length, tabMode === 'blank' ? 2 : 1);
    assert.match(tab.url(), /\/app_callback\/[^?]+\?own=1&appId=3001&/);
    await shot(`permissions-${tabMode}`, tab);
    await driver.acceptPermissions(tab);
    const installation = onlyNew(codes);
    assert.deepEqual(await driver.installState(page, installation.authCode), { known: true, installed: true });
    assert.match(tab === page ? '' : tab.url(), tabMode === 'blank' ? /\/install\?own=1&authCode=/ : /^$/);

    const loads = integrator.arrived.filter(({ path }) => path === '/install');
    assert.deepEqual(
      loads.map(({ query }) => query.includes('authCode=')),
      [false, true],
    );
    const secret = served.service.state.apps.get('3001')!.manifest.app_secret;
    for (const { query } of loads) assert.equal(new URLSearchParams(query).get('hash'), installHash(query, secret));

    await driver.pressSettings(page, installation.authCode);
    const settings = integrator.arrived.at(-1)!;
    assert.equal(settings.path, '/settings');
    assert.equal(new URLSearchParams(settings.query).get('authCode'), installation.authCode);
    const arrived = await served.service.control.arrived();
    const ours = arrived.filter(({ target }) => !target.startsWith('/v1/') && !target.startsWith('/app_callback/'));
    assert.ok(
      ours.every(({ target }) => !target.includes(installation.authCode)),
      'no address of ours contains the code',
    );
  });
}

test('an installation that was declined or is unknown', { skip }, async () => {
  await driver.registerApp(page, {
    installUrl: `${integrator.origin}/install`,
    settingsUrl: `${integrator.origin}/settings`,
    tabMode: 'self',
  });
  const before = served.service.state.installations.size;
  await driver.pressInstall(page);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('heading', { name: 'App catalog' }).waitFor();
  assert.equal(served.service.state.installations.size, before);
  assert.deepEqual(await driver.installState(page, 'nobody'), { known: false, installed: false });
});

test('a label: the button only for methods with a label address, a new id for each press, the reported label is shown', {
  skip,
}, async () => {
  const { apiKey } = provider();
  const method = served.service.state.methods.get('parcel-lockers')!;
  const labelUrl = `${integrator.origin}/label`;
  served.service.change(() => served.service.state.methods.patch(method.handle, { print_label_url: labelUrl }));

  const { orderUuid } = await driver.openOrder(page, { apiKey, handle: 'parcel-lockers', pickupPointId: 'LV-1002' });
  assert.equal(served.service.state.orders.get(orderUuid)?.pickupPointId, 'LV-1002');
  assert.equal(await driver.hasPrintLabel(page), true);
  await shot('order');
  integrator.labelReport = (id) => {
    const sent = [
      ['label_request_id', id],
      ['label_url', 'https://labels.example/1.pdf'],
      ['tracking_code', 'none'],
    ] as const;
    return [...sent, ['signature', sign(sent, apiKey)]];
  };
  await driver.pressPrintLabel(page);
  assert.equal(page.url(), labelUrl);
  const posted = integrator.arrived.at(-1)!;
  assert.equal(posted.method, 'POST');
  const signature = posted.fields.find(([name]) => name === 'signature')?.[1];
  assert.equal(
    signature,
    sign(
      posted.fields.filter(([name]) => name !== 'signature'),
      apiKey,
    ),
  );
  assert.deepEqual(await driver.labelOf(page, orderUuid), {
    labelUrl: 'https://labels.example/1.pdf',
    trackingCode: 'none',
    errorMessage: null,
    trackingUrl: null,
  });
  await shot('order-labelled');

  integrator.labelReport = (id) => [
    ['label_request_id', id],
    ['error_msg', 'No <b>paper</b>'],
  ];
  await driver.pressPrintLabel(page);
  assert.equal((await driver.labelOf(page, orderUuid)).errorMessage, 'No <b>paper</b>');
  const ids = integrator.arrived.map(({ fields }) => fields.find(([name]) => name === 'label_request_id')?.[1]);
  assert.equal(new Set(ids).size, 2);

  served.service.change(() => served.service.state.methods.patch(method.handle, { print_label_url: null }));
  await driver.openOrder(page, { apiKey, handle: 'parcel-lockers' });
  assert.equal(await driver.hasPrintLabel(page), false);
});

test('values that browsers rewrite are signed as they arrive', { skip }, async () => {
  const title = 'a\nb\r\nc\rd "<i>" \u0000 é 🐝 &amp; +%20';
  served.service.change(() =>
    served.service.state.methods.patch('honey-courier', {
      title,
      reference: '\n\nx\n',
      print_label_url: `${integrator.origin}/label`,
    }),
  );
  await driver.openOrder(page, { apiKey: store().apiKey, handle: 'honey-courier', otherBuyerAddress: true });
  await driver.pressPrintLabel(page);
  const { fields } = integrator.arrived.at(-1)!;
  const value = (name: string) => fields.find(([key]) => key === name)?.[1];
  assert.equal(value('delivery_method_title'), 'a\r\nb\r\nc\r\nd "<i>" \u{fffd} é 🐝 &amp; +%20');
  assert.equal(value('delivery_method_reference'), '\r\n\r\nx\r\n');
  assert.ok(value('buyer_street'));
  assert.equal(
    value('signature'),
    sign(
      fields.filter(([name]) => name !== 'signature'),
      store().apiKey,
    ),
  );
});

test('an empty or unreachable label page still ends the press', { skip }, async () => {
  for (const address of [`${integrator.origin}/nothing`, 'http://127.0.0.1:9/label']) {
    served.service.change(() => served.service.state.methods.patch('honey-courier', { print_label_url: address }));
    await driver.openOrder(page, { apiKey: store().apiKey, handle: 'honey-courier' });
    await driver.pressPrintLabel(page);
  }
  assert.equal(served.service.state.labelRequests.size, 2);
});

test('the checkout offers enabled methods between their countries', { skip }, async () => {
  const { apiKey } = store();
  served.service.change(() =>
    served.service.state.methods.set('to-finland', {
      ...served.service.state.methods.get('honey-courier')!,
      handle: 'to-finland',
      available_countries_from: ['EE'],
      available_countries_to: ['FI'],
    }),
  );
  const offered = (storeCountry: string, destinationCountry: string) =>
    driver.offeredMethods(page, { apiKey, storeCountry, destinationCountry });
  assert.ok(!(await offered('EE', 'FI')).includes('to-finland'), 'not before it is switched on');
  await driver.enableMethod(page, { apiKey, handle: 'to-finland' });
  await driver.enableMethod(page, { apiKey, handle: 'to-finland' });
  assert.ok((await offered('EE', 'FI')).includes('to-finland'));
  await shot('checkout');
  assert.ok(!(await offered('LV', 'FI')).includes('to-finland'));
  assert.ok(!(await offered('EE', 'LV')).includes('to-finland'));
});

test('a dynamic method sends the buyer to the provider with a signed POST', { skip }, async () => {
  const { apiKey } = provider();
  const checkoutUrl = `${integrator.origin}/checkout`;
  await driver.startDynamicCheckout(page, { apiKey, handle: 'parcel-lockers', checkoutUrl });
  assert.equal(page.url(), checkoutUrl);
  const { method, fields } = integrator.arrived.at(-1)!;
  assert.equal(method, 'POST');
  const signature = fields.find(([name]) => name === 'signature')?.[1];
  assert.equal(
    signature,
    sign(
      fields.filter(([name]) => name !== 'signature'),
      apiKey,
    ),
  );

  // A buyer also gets there through the shop, and without scripts.
  const plain = await (await browser.newContext({ baseURL: served.origin, javaScriptEnabled: false })).newPage();
  await plain.goto('/checkout/nordic-honey/?destination_country=LV');
  await plain.getByRole('radio', { name: 'Baltic Parcel lockers' }).check();
  await plain.getByRole('button', { name: 'Buy' }).click();
  await plain.getByRole('button', { name: 'Continue to the provider' }).waitFor();
  await shot('hand-over', plain);
  await plain.getByRole('button', { name: 'Continue to the provider' }).click();
  await plain.waitForURL(checkoutUrl);
  await plain.context().close();
});

test('refusals are reported with the sentence of the service', { skip }, async () => {
  await assert.rejects(driver.openOrder(page, { apiKey: 'key of no store’s', handle: 'x' }), /does not open a store/);
  const order = { apiKey: store().apiKey, handle: 'honey-lockers', pickupPointId: 'nowhere' };
  await assert.rejects(driver.openOrder(page, order), /no such pickup point/);
  await assert.rejects(driver.labelOf(page, 'nothing'), /No store of the service has the order/);
  const checkout = { apiKey: store().apiKey, handle: 'honey-courier', checkoutUrl: 'http://shop.example/' };
  await assert.rejects(driver.startDynamicCheckout(page, checkout), /must be https/);
});
