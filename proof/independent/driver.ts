// Clicks through the service's own pages. The context's base address is the service, so addresses are host-rooted.
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';

/** How long a page of the app or the provider may take to load before the driver continues without it. */
const ARRIVAL_MS = 15_000;

const row = (page: Page, attribute: string, value: string) =>
  page.locator(`[data-${attribute}=${JSON.stringify(value)}]`);

/** Opens one of our pages. Throws a sentence that names the page if it does not load. */
async function open(page: Page, path: string): Promise<void> {
  // A tab that was opened later is in front, and a hidden page renders no frames for a click.
  await page.bringToFront();
  const response = await page.goto(path);
  if (!response?.ok())
    throw new Error(`The page ${path} answered ${response?.status()}: ${await page.textContent('body')}`);
}

/** Presses a button that opens a new tab or navigates in this one, and waits until the page has loaded. */
async function pressAndArrive(page: Page, button: ReturnType<Page['locator']>): Promise<void> {
  const opensTab = (await button.locator('xpath=ancestor::form').getAttribute('target')) === '_blank';
  const arrival = opensTab
    ? page.context().waitForEvent('page', { timeout: ARRIVAL_MS })
    : page.waitForEvent('framenavigated', { timeout: ARRIVAL_MS }).then(() => page);
  // An app that never answers is the harness's finding, not a broken driver.
  const settled = arrival.then(settle).catch(() => undefined);
  await page.bringToFront();
  await button.click({ noWaitAfter: true });
  await settled;
}

/** Waits until a tab has loaded a page that is not one of our own redirecting pages. */
async function settle(shown: Page): Promise<void> {
  await shown.waitForURL((url) => url.href !== 'about:blank' && !leadsOn(url), { timeout: ARRIVAL_MS });
  await shown.waitForLoadState('load', { timeout: ARRIVAL_MS });
}

const leadsOn = (url: URL) => /^\/(admin\/orders\/[^/]+\/label|checkout\/continue)$/.test(url.pathname);

/** What each order of this service is for, with the same data for every buyer. */
const BOUGHT = {
  shipping_first_name: 'Jānis',
  shipping_last_name: "O'Bērziņš-Žīgurs",
  shipping_company: 'Ķīmija & Co <50% +1>',
  shipping_company_id: '',
  shipping_email: 'janis+order@mail.example',
  amount: '45.90',
  currency: 'EUR',
  weight: '1250',
};

const driver = {
  async openOrder(page: Page, order: { handle: string; pickupPointId?: string; otherBuyerAddress?: boolean }) {
    await open(page, `/admin/orders/new?handle=${encodeURIComponent(order.handle)}`);
    if (order.pickupPointId !== undefined) await page.getByLabel('Pickup point id').fill(order.pickupPointId);
    if (order.otherBuyerAddress) await page.getByLabel('The buyer lives elsewhere').check();
    await pressAndArrive(page, page.getByRole('button', { name: 'Place order' }));
    const shown = page.locator('[data-order]');
    if ((await shown.count()) === 0) throw new Error(`No order was made: ${await page.textContent('body')}`);
    return { orderUuid: (await shown.getAttribute('data-order')) ?? '', labelFields: BOUGHT };
  },

  async hasPrintLabel(page: Page): Promise<boolean> {
    return (await page.getByRole('button', { name: 'Print Label' }).count()) > 0;
  },

  async pressPrintLabel(page: Page): Promise<void> {
    await pressAndArrive(page, page.getByRole('button', { name: 'Print Label' }));
  },

  async labelOf(page: Page, orderUuid: string) {
    await open(page, `/admin/orders/${orderUuid}/`);
    const fact = async (name: string): Promise<string | null> => {
      const shown = page.locator(`[data-fact="${name}"]`);
      return (await shown.count()) ? await shown.textContent() : null;
    };
    return {
      labelUrl: await fact('Label'),
      trackingCode: await fact('Tracking code'),
      errorMessage: await fact('Label error'),
    };
  },

  async enableMethod(page: Page, method: { handle: string }): Promise<void> {
    await open(page, '/admin/delivery/');
    const own = row(page, 'handle', method.handle);
    if ((await own.count()) === 0) throw new Error(`No store can enable the delivery method ${method.handle}.`);
    const enable = own.getByRole('button', { name: 'Enable' });
    if (await enable.count()) await enable.click();
    await own.getByText('Enabled').waitFor();
  },

  async offeredMethods(
    page: Page,
    q: { apiKey: string; storeCountry: string; destinationCountry: string },
  ): Promise<string[]> {
    await open(page, '/checkout/');
    await page.getByLabel('Delivery key').fill(q.apiKey);
    await page.getByLabel('Country of the store').fill(q.storeCountry);
    await page.getByLabel('Country of the destination').fill(q.destinationCountry);
    await page.getByRole('button', { name: 'Show delivery methods' }).click();
    await page.locator('#offered').waitFor({ state: 'attached' });
    const rows = await page.locator('#offered > li').all();
    return Promise.all(rows.map(async (shown) => (await shown.getAttribute('data-handle')) ?? ''));
  },

  async startDynamicCheckout(page: Page, q: { apiKey: string; handle: string; checkoutUrl: string }): Promise<void> {
    await open(page, '/provider/checkout-address/');
    await page.getByLabel('Delivery key').fill(q.apiKey);
    await page.getByLabel('Delivery method').fill(q.handle);
    await page.getByLabel('Checkout address').fill(q.checkoutUrl);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('#saved').waitFor();
    await driver.enableMethod(page, q);
    await driver.offeredMethods(page, { apiKey: q.apiKey, storeCountry: '', destinationCountry: '' });
    const choose = row(page, 'handle', q.handle).getByRole('button', { name: 'Choose' });
    if ((await choose.count()) === 0)
      throw new Error(`The checkout does not offer ${q.handle} in the store's country.`);
    await pressAndArrive(page, choose);
  },

  async registerApp(
    page: Page,
    app: { installUrl: string; settingsUrl: string; tabMode?: 'blank' | 'self' },
  ): Promise<{ installUrl: string; settingsUrl: string; tabMode: 'blank' | 'self' }> {
    await open(page, '/developer/');
    const form = row(page, 'approved', 'true');
    const before = {
      installUrl: await form.getByLabel('Install address').inputValue(),
      settingsUrl: await form.getByLabel('Settings address').inputValue(),
      tabMode: (await form.getByLabel('Opens in').inputValue()) as 'blank' | 'self',
    };
    await form.getByLabel('Install address').fill(app.installUrl);
    await form.getByLabel('Settings address').fill(app.settingsUrl);
    if (app.tabMode) await form.getByLabel('Opens in').selectOption(app.tabMode);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.locator('#saved').waitFor();
    return before;
  },

  async pressInstall(page: Page): Promise<void> {
    await open(page, '/catalog/');
    await pressAndArrive(page, page.getByRole('button', { name: 'Install' }));
  },

  async acceptPermissions(page: Page): Promise<void> {
    const button = page.getByRole('button', { name: 'Allow' });
    if ((await button.count()) === 0) throw new Error(`No permission request is open, but ${page.url()}.`);
    await pressAndArrive(page, button);
  },

  async pressSettings(page: Page, authCode: string): Promise<void> {
    await open(page, '/admin/apps/');
    await pressAndArrive(page, installation(page, authCode).getByRole('button', { name: 'Settings' }));
  },

  async installState(page: Page, authCode: string): Promise<{ known: boolean; installed: boolean }> {
    await open(page, '/admin/apps/');
    const shown = installation(page, authCode);
    if ((await shown.count()) === 0) return { known: false, installed: false };
    return { known: true, installed: (await shown.locator('.state').textContent()) === 'Installed' };
  },
};

export default driver;

/** The row of an installation; the page names it by the first half of the code's digest, never by the code. */
function installation(page: Page, authCode: string) {
  const digest = createHash('sha256').update(authCode, 'utf8').digest('hex');
  return row(page, 'installation', digest.slice(0, 16));
}
