/**
 * The driver of the embedded service: reaches the parts without an API. What is judged (buttons, offers, labels, installations) is
 * read and pressed on the service's pages, as a person would do it; what only prepares that sends the forms of these pages,
 * because a page load takes ten times as long. Keys and codes are entered only into forms.
 */
import type { APIResponse, BrowserContext, Locator, Page, Request, Response } from '@playwright/test';
import type { BuyerEntries } from './orders/orders.ts';

/** The time limit for a page of the service, far above what a busy machine needs. */
const PAGE_TIMEOUT_MS = 10_000;
/** The time limit for an integrator's page after a click. */
const PRESS_TIMEOUT_MS = 15_000;
/** After a response without a document (204, a broken connection) no page follows, unless another one is already loading. */
const NO_PAGE_GRACE_MS = 1_000;
/** For an app that redirects the user by a script: the click before has already waited for the app's page. */
const PERMISSION_TIMEOUT_MS = 3_000;

/** Store keys by order, so that the page of an order can be opened again in another browser. */
const keyOfOrder = new Map<string, string>();

/** The signed-in users by browser, so that a second step in the same browser does not sign in again. */
const keyOfBrowser = new WeakMap<BrowserContext, string>();

// Images of apps may be slow or unreachable, so only the document is waited for.
const open = (page: Page, address: string) =>
  page.goto(address, { waitUntil: 'domcontentloaded', timeout: PAGE_TIMEOUT_MS });

/** By the keyboard: a click first waits for two painted frames and takes four times as long. */
const strike = (button: Locator): Promise<void> =>
  button.press('Enter', { timeout: PAGE_TIMEOUT_MS, noWaitAfter: true });

/**
 * Presses a button and waits for the result: a document whose address `arrived` accepts, or the certainty that no
 * document comes. Never throws for what an integrator's page does.
 */
async function press(page: Page, button: Locator, arrived: (address: string) => boolean = () => true): Promise<void> {
  let finish = (): void => {};
  const settled = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let grace: NodeJS.Timeout | undefined;
  const limit = setTimeout(finish, PRESS_TIMEOUT_MS);
  const onDocument = (): void => {
    if (arrived(page.url())) finish();
  };
  const onNoDocument = (request: Request): void => {
    if (request.isNavigationRequest() && arrived(request.url())) grace ??= setTimeout(finish, NO_PAGE_GRACE_MS);
  };
  const onResponse = (response: Response): void => {
    if (response.status() === 204 || response.status() === 205) onNoDocument(response.request());
  };
  page.on('domcontentloaded', onDocument).on('response', onResponse).on('requestfailed', onNoDocument);
  page.on('download', finish).on('close', finish);
  try {
    await strike(button);
    await settled;
  } finally {
    clearTimeout(limit);
    clearTimeout(grace);
    page.off('domcontentloaded', onDocument).off('response', onResponse).off('requestfailed', onNoDocument);
    page.off('download', finish).off('close', finish);
  }
}

/** Presses a button whose form may open a new tab; returns when the page in that tab, or in this one, has loaded. */
async function pressIntoApp(page: Page, button: Locator): Promise<void> {
  const form = page.locator('form').filter({ has: button });
  if ((await form.getAttribute('target', { timeout: PAGE_TIMEOUT_MS })) !== '_blank') return press(page, button);
  const opened = page.context().waitForEvent('page', { timeout: PAGE_TIMEOUT_MS });
  await Promise.all([opened, strike(button)]);
  await (await opened).waitForLoadState('domcontentloaded', { timeout: PRESS_TIMEOUT_MS }).catch(() => {});
}

const buttonNamed = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

/** Throws the sentence of the service if the open page shows an error. */
async function refuseAlert(page: Page, doing: string): Promise<void> {
  const alert = page.getByRole('alert');
  if ((await alert.count()) > 0)
    throw new Error(`${doing}: the service says “${((await alert.first().textContent()) ?? '').trim()}”`);
}

/** The sentence of an error page, as a person reads it. */
function alertIn(html: string): string | undefined {
  const [, alert] = /role="alert"[^>]*>([\s\S]*?)<\/section>/.exec(html) ?? [];
  return alert
    ?.replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/**
 * Sends the form of a page in the session of the browser, without loading the page: for steps that only prepare something. Throws the
 * sentence of the service if it refuses.
 */
async function sendForm(
  page: Page,
  address: string,
  form: Record<string, string>,
  doing: string,
): Promise<APIResponse> {
  const response = await page.request.post(address, { form, maxRedirects: 0, timeout: PAGE_TIMEOUT_MS });
  const refusal = response.status() === 303 ? undefined : alertIn(await response.text());
  if (refusal !== undefined) throw new Error(`${doing}: the service says “${refusal}”`);
  return response;
}

/** Signs a store (or a delivery provider, into its demo store) in. */
async function signIn(page: Page, apiKey: string): Promise<void> {
  if (keyOfBrowser.get(page.context()) === apiKey) return;
  keyOfBrowser.delete(page.context());
  await sendForm(page, '/admin/sign-in', { api_key: apiKey }, 'Signing in to the store');
  keyOfBrowser.set(page.context(), apiKey);
}

/** Sends a request to the admin of a store; a session that the service no longer knows is opened again. */
async function inStore(page: Page, apiKey: string, send: () => Promise<APIResponse>): Promise<APIResponse> {
  await signIn(page, apiKey);
  const response = await send();
  if (response.status() !== 401) return response;
  keyOfBrowser.delete(page.context());
  await signIn(page, apiKey);
  return send();
}

interface OrderWish {
  apiKey: string;
  handle: string;
  pickupPointId?: string;
  otherBuyerAddress?: boolean;
  buyer?: Partial<BuyerEntries>;
}

/** What a buyer should enter, by the fields of the form. */
const entriesOf = ({ buyer = {} }: OrderWish): Record<string, string> =>
  Object.fromEntries(
    Object.entries(buyer).flatMap(([name, text]) => (text === undefined ? [] : [[`buyer_${name}`, text]])),
  );

/** The fields of label requests that have to hold what the buyer has entered. */
function fieldsEntered({ buyer = {}, pickupPointId }: OrderWish): Record<string, string> {
  // An order that is collected goes to the address of the point.
  const address = pickupPointId === undefined ? 'shipping' : 'buyer';
  const fields = {
    shipping_first_name: buyer.firstName,
    shipping_last_name: buyer.lastName,
    shipping_company: buyer.company,
    shipping_email: buyer.email,
    shipping_phone: buyer.phone,
    [`${address}_street`]: buyer.street,
    [`${address}_city`]: buyer.city,
    [`${address}_zip`]: buyer.zip,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
}

/** What the order page says that the order amounts to. */
async function totalsOn(page: Page): Promise<Record<string, string>> {
  const line = (await page.locator('#order-total').textContent({ timeout: PAGE_TIMEOUT_MS })) ?? '';
  const [, amount, currency, weight] = /^Total ([\d.]+) ([A-Z]{3}), (\d+) g$/.exec(line.trim()) ?? [];
  return amount === undefined || currency === undefined || weight === undefined ? {} : { amount, currency, weight };
}

/** What the order page says of the shop, by the fields of label requests. */
async function shopOn(page: Page): Promise<Record<string, string>> {
  const shown = await page
    .locator('[data-field]')
    .evaluateAll((all) => all.map((one) => [one.getAttribute('data-field') ?? '', one.textContent ?? '']));
  return Object.fromEntries(shown);
}

async function openOrder(
  page: Page,
  order: OrderWish,
): Promise<{ orderUuid: string; labelFields: Record<string, string> }> {
  const form = {
    method: order.handle,
    ...(order.pickupPointId === undefined ? {} : { pickup_point_id: order.pickupPointId }),
    ...(order.otherBuyerAddress ? { other_buyer_address: 'on' } : {}),
    ...entriesOf(order),
  };
  const placed = await inStore(page, order.apiKey, () => sendForm(page, '/admin/orders/', form, 'Placing an order'));
  await open(page, placed.headers().location ?? '');
  const orderUuid = ((await page.locator('#order-uuid').textContent({ timeout: PAGE_TIMEOUT_MS })) ?? '').trim();
  keyOfOrder.set(orderUuid, order.apiKey);
  return { orderUuid, labelFields: { ...fieldsEntered(order), ...(await totalsOn(page)), ...(await shopOn(page)) } };
}

async function hasPrintLabel(page: Page): Promise<boolean> {
  return (await buttonNamed(page, 'Print Label').count()) > 0;
}

const PRINT_LABEL_PATH = /^\/admin\/orders\/[^/]+\/print-label$/;
const TRY_CHECKOUT_PATH = /^\/admin\/methods\/[^/]+\/try$/;

/** Presses a button that returns a self-posting form for the provider; returns the page after that post. */
async function pressThrough(page: Page, button: Locator, handOver: RegExp, doing: string): Promise<void> {
  const origin = new URL(page.url()).origin;
  const left = (address: string): boolean =>
    !URL.canParse(address) || new URL(address).origin !== origin || !handOver.test(new URL(address).pathname);
  let refused = false;
  const onResponse = (response: Response): void => {
    if (!left(response.url()) && response.status() >= 400) refused = true;
  };
  page.on('response', onResponse);
  try {
    await press(page, button, (address) => refused || left(address));
  } finally {
    page.off('response', onResponse);
  }
  if (refused) await refuseAlert(page, doing);
}

async function pressPrintLabel(page: Page): Promise<void> {
  await pressThrough(page, buttonNamed(page, 'Print Label'), PRINT_LABEL_PATH, 'Pressing Print Label');
}

/** Opens an order's page, signed in to the store that it belongs to. */
async function openOrderPage(page: Page, orderUuid: string): Promise<void> {
  const address = `/admin/orders/${encodeURIComponent(orderUuid)}/`;
  const isThere = async (): Promise<boolean> => (await page.locator('#label-url').count()) > 0;
  await open(page, address);
  if (await isThere()) return;
  const key = keyOfOrder.get(orderUuid);
  if (key !== undefined) {
    keyOfBrowser.delete(page.context());
    await signIn(page, key);
    await open(page, address);
    if (await isThere()) return;
  }
  keyOfBrowser.delete(page.context());
  await open(page, '/admin/sign-in');
  const owners = await buttonNamed(page, /^Continue as the owner of /).count();
  for (let at = 0; at < owners; at += 1) {
    await open(page, `/admin/sign-in?next=${encodeURIComponent(address)}`);
    await press(page, buttonNamed(page, /^Continue as the owner of /).nth(at));
    if (await isThere()) return;
  }
  throw new Error(`No store of the service has the order ${orderUuid}.`);
}

async function labelOf(
  page: Page,
  orderUuid: string,
): Promise<{
  labelUrl: string | null;
  trackingCode: string | null;
  errorMessage: string | null;
  trackingUrl: string | null;
}> {
  await openOrderPage(page, orderUuid);
  // Only a stored value has the mark, so a code with the text "none" is not mistaken for a missing one.
  const read = (id: string): Promise<string | null> =>
    page.locator(`#${id} [data-stored]`).evaluateAll((found) => found[0]?.textContent ?? null);
  return {
    labelUrl: await read('label-url'),
    trackingCode: await read('tracking-code'),
    errorMessage: await read('label-error'),
    trackingUrl: await read('tracking-url'),
  };
}

async function enableMethod(page: Page, method: { apiKey: string; handle: string }): Promise<void> {
  const address = `/admin/methods/${encodeURIComponent(method.handle)}/enable`;
  await inStore(page, method.apiKey, () => sendForm(page, address, {}, 'Switching the delivery method on'));
}

async function offeredMethods(
  page: Page,
  query: { apiKey: string; storeCountry: string; destinationCountry: string },
): Promise<string[]> {
  const { apiKey, storeCountry, destinationCountry } = query;
  const options = { maxRedirects: 0, timeout: PAGE_TIMEOUT_MS };
  const { location = '' } = (await inStore(page, apiKey, () => page.request.get('/admin/checkout', options))).headers();
  const countries = new URLSearchParams({ store_country: storeCountry, destination_country: destinationCountry });
  await open(page, `${location}?${countries}`);
  await refuseAlert(page, 'Asking the checkout for delivery methods');
  return page.getByRole('radio').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
}

async function startDynamicCheckout(
  page: Page,
  query: { apiKey: string; handle: string; checkoutUrl: string },
): Promise<void> {
  const address = `/admin/methods/${encodeURIComponent(query.handle)}`;
  const form = { checkout_url: query.checkoutUrl };
  await inStore(page, query.apiKey, () =>
    sendForm(page, `${address}/checkout-address`, form, 'Setting the checkout address'),
  );
  await open(page, address);
  const button = buttonNamed(page, 'Try the dynamic checkout');
  await pressThrough(page, button, TRY_CHECKOUT_PATH, 'Starting the dynamic checkout');
}

interface AppWish {
  installUrl: string;
  settingsUrl: string;
  tabMode?: 'blank' | 'self';
}

/** The pages of the live apps that were opened, by browser. */
const appPages = new WeakMap<BrowserContext, string>();

/** Opens the page of the first live app, in its developer's account. */
async function openLiveApp(page: Page): Promise<void> {
  const known = appPages.get(page.context());
  if (known !== undefined) return void (await open(page, known));
  await open(page, '/portal/apps/');
  const account = buttonNamed(page, /^Continue as /);
  if ((await account.count()) > 0) await press(page, account.first());
  const row = page.getByRole('row').filter({ hasText: 'approved, live' }).first();
  await press(page, row.getByRole('link'));
  appPages.set(page.context(), page.url());
}

/**
 * Changes the manifest of the first live app in its developer's account, and approves the change as the operator. Returns what
 * was registered before, so that it can be put back.
 */
async function registerApp(page: Page, app: AppWish): Promise<AppWish> {
  await openLiveApp(page);
  const manifest = page.getByLabel('Manifest');
  const before = JSON.parse(await manifest.inputValue({ timeout: PAGE_TIMEOUT_MS }));
  const edited = {
    ...before,
    app_install_url: app.installUrl,
    app_settings_url: app.settingsUrl,
    ...(app.tabMode === undefined ? {} : { app_tab_mode: app.tabMode }),
  };
  const { pathname } = new URL(page.url());
  const changed = { manifest: JSON.stringify(edited) };
  await sendForm(page, `${pathname}/manifest`, changed, 'Changing the app’s manifest');
  await sendForm(page, '/operator/approve', { kind: 'app', id: pathname.split('/').at(-1)! }, 'Approving the app');
  return {
    installUrl: before.app_install_url,
    settingsUrl: before.app_settings_url,
    tabMode: before.app_tab_mode,
  };
}

async function pressInstall(page: Page): Promise<void> {
  await open(page, '/catalog/');
  const owner = buttonNamed(page, /^Continue as the owner of /);
  if ((await owner.count()) > 0) {
    keyOfBrowser.delete(page.context());
    await press(page, owner.first());
  }
  await pressIntoApp(page, buttonNamed(page, /^Install /).first());
}

async function acceptPermissions(page: Page): Promise<void> {
  const accept = buttonNamed(page, 'Accept');
  const isAsked = await accept.waitFor({ timeout: PERMISSION_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
  if (!isAsked)
    throw new Error('This page does not ask for permissions: the app did not send the user back through the callback.');
  await press(page, accept);
}

async function findInstallation(page: Page, authCode: string): Promise<void> {
  // The page that shows an installation also asks for the next code.
  if (URL.parse(page.url())?.pathname !== '/catalog/installation') await open(page, '/catalog/installation');
  await page.getByLabel('Installation code').fill(authCode, { timeout: PAGE_TIMEOUT_MS });
  await press(page, buttonNamed(page, 'Show the installation'));
}

async function pressSettings(page: Page, authCode: string): Promise<void> {
  await findInstallation(page, authCode);
  await refuseAlert(page, 'Opening the settings of an app');
  await pressIntoApp(page, buttonNamed(page, /^Settings of /));
}

async function installState(page: Page, authCode: string): Promise<{ known: boolean; installed: boolean }> {
  await findInstallation(page, authCode);
  const state = page.locator('[data-installed]');
  if ((await state.count()) === 0) return { known: false, installed: false };
  return { known: true, installed: (await state.first().getAttribute('data-installed')) === 'yes' };
}

export default {
  openOrder,
  hasPrintLabel,
  pressPrintLabel,
  labelOf,
  enableMethod,
  offeredMethods,
  startDynamicCheckout,
  registerApp,
  pressInstall,
  acceptPermissions,
  pressSettings,
  installState,
};
