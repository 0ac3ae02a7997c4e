/**
 * A correct app: it puts a greeting on the websites that install it. `correct.php` and `correct.py` are the same app.
 * Each step of the contract is a separate method, so a faulty app is this one with one method changed (`faults/`).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { escaped, page, redirect } from '../support/http.ts';
import type { Settings } from '../support/settings.ts';

/** The three requests that have a hash: the install address without and with authCode, and the settings address. */
export type Load = 'first' | 'second' | 'settings';

/** The service's response to a call, or null if it refused, failed or did not respond in time. */
export type CallResult = Readonly<Record<string, unknown>> | null;

const CALL_TIMEOUT_MS = 5_000;

/** A white square of 80 x 80 pixels. */
const ICON_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAFAAAABQAQAAAACmas8AAAAAFElEQVR42mP4DwcMo8xR5iiTtkwA9KcdDlRXsv0AAAAASUVORK5CYII=';
const VENDOR_PAGES = ['/company', '/help', '/privacy', '/terms'];

export class App {
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  async respond(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const query = new URLSearchParams(search);
    if (pathname === '/install') return this.install(query);
    if (pathname === '/settings') return this.settingsLoad(query);
    // The manifest contains the secret: a real app sends it to the portal and never serves it. This one serves on loopback only.
    if (pathname === '/manifest.json') return Response.json(this.manifest());
    if (pathname === '/icon.png') return this.icon();
    if (VENDOR_PAGES.includes(pathname)) return page('Greeting', '<p>Example Apps Ltd</p>');
    return page('Not found', '', { status: 404 });
  }

  // --- The two loads of the install address, and the settings address ---

  async install(query: URLSearchParams): Promise<Response> {
    const load: Load = query.get('authCode') ? 'second' : 'first';
    if (!this.accepts(query, load)) return this.refused();
    return load === 'first' ? this.firstLoad(query) : this.secondLoad(query, query.get('authCode') ?? '');
  }

  async firstLoad(query: URLSearchParams): Promise<Response> {
    return redirect(this.returnRedirect(query));
  }

  async secondLoad(query: URLSearchParams, authCode: string): Promise<Response> {
    if ((await this.finish(authCode)) === null) return this.unfinished(query);
    await this.setUp(authCode, query.get('language') ?? '');
    return this.settings.tabMode === 'self' ? redirect(this.returnRedirect(query)) : this.finished(query);
  }

  async settingsLoad(query: URLSearchParams): Promise<Response> {
    const authCode = query.get('authCode');
    if (authCode === null || !this.accepts(query, 'settings')) return this.refused();
    const stored = await this.call('GET', 'apps/get_data/', authCode);
    const greeting = (stored?.data as { greeting?: unknown } | undefined)?.greeting;
    return this.panel(query, typeof greeting === 'string' ? greeting : 'not set yet');
  }

  /** The address in `callback`, with everything that was received except `callback` and `hash`. Only for requests that were accepted. */
  returnRedirect(query: URLSearchParams): string {
    return `${query.get('callback')}?${this.returned(query)}`;
  }

  returned(query: URLSearchParams): URLSearchParams {
    const rest = new URLSearchParams(query);
    rest.delete('callback');
    rest.delete('hash');
    return rest;
  }

  // --- Whether a request comes from the service ---

  accepts(query: URLSearchParams, _load: Load): boolean {
    const received = query.get('hash');
    return received !== null && this.matches(received, this.hash(this.hashed(query)));
  }

  /** What the hash is computed over: all parameters except `hash`, in the order received. */
  hashed(query: URLSearchParams): string {
    const rest = new URLSearchParams(query);
    rest.delete('hash');
    return rest.toString();
  }

  hash(message: string): string {
    return createHmac('sha256', this.settings.appSecret).update(message).digest('hex');
  }

  matches(received: string, right: string): boolean {
    const [a, b] = [Buffer.from(received), Buffer.from(right)];
    return a.length === b.length && timingSafeEqual(a, b);
  }

  // --- Calls to the service ---

  finish(authCode: string): Promise<CallResult> {
    return this.call('POST', 'apps/installed/', authCode);
  }

  /** What each new installation gets: its own greeting, stored as data and shown on its pages. */
  async setUp(authCode: string, language: string): Promise<void> {
    const greeting = language === 'lv' ? 'Sveiki!' : 'Hello!';
    await this.call('POST', 'apps/set_data/', authCode, this.dataFor(greeting));
    await this.call('POST', 'apps/set_snippet/', authCode, this.snippetFor(greeting));
  }

  dataFor(greeting: string): object {
    return { data: { greeting } };
  }

  snippetFor(greeting: string): object {
    return { snippet: `<p class="greeting">${escaped(greeting)}</p>` };
  }

  async call(method: 'GET' | 'POST', path: string, authCode: string, body?: object): Promise<CallResult> {
    try {
      const response = await fetch(this.addressOf(path, authCode), {
        method,
        headers: this.headersOf(path, body),
        body: body === undefined ? null : this.written(body),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      const reply: unknown = await response.json();
      const isResponse = response.ok && typeof reply === 'object' && reply !== null;
      return isResponse && !('error' in reply && reply.error === true) ? { ...reply } : null;
    } catch {
      return null;
    }
  }

  addressOf(path: string, authCode: string): string {
    return `${this.settings.base}${path}?${new URLSearchParams({ authCode })}`;
  }

  headersOf(_path: string, body?: object): Record<string, string> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return { authorization: `ApiKey ${this.settings.apiKey}`, ...type };
  }

  written(body: object): string {
    return JSON.stringify(body);
  }

  // --- Pages ---

  finished(_query: URLSearchParams): Response {
    return page('Greeting is installed', '<p>Visitors of your website are greeted from now on.</p>');
  }

  unfinished(_query: URLSearchParams): Response {
    const advice = '<p>The installation could not be finished. Please install the app once more.</p>';
    return page('Greeting is not installed', advice, { status: 502 });
  }

  panel(_query: URLSearchParams, greeting: string): Response {
    return page('Settings of Greeting', `<p>Your greeting: ${escaped(greeting)}</p>`);
  }

  refused(): Response {
    return page('Bad request', '<p>This request does not come from the website.</p>', { status: 400 });
  }

  // --- What is submitted to the app setup portal ---

  manifest(): Record<string, unknown> {
    const { origin, appSecret, tabMode } = this.settings;
    return {
      app_type: 'APP',
      app_title: 'Greeting',
      app_display_title: { en: 'Greeting', lv: 'Sveiciens' },
      app_icon: `${origin}/icon.png`,
      app_version: '1.0.0',
      app_description_short: { en: 'Greets your visitors', lv: 'Sveicina jūsu apmeklētājus' },
      app_description_full: {
        en: 'Shows a friendly line on every page of your website.',
        lv: 'Parāda draudzīgu rindu katrā jūsu vietnes lapā.',
      },
      app_vendor: {
        company_name: 'Example Apps Ltd',
        support_email: 'support@apps.example',
        support_phone: '+371 60000000',
        developer_email: 'developers@apps.example',
        company_url: `${origin}/company`,
        support_url: `${origin}/help`,
        privacy_url: `${origin}/privacy`,
        tos_url: `${origin}/terms`,
      },
      app_permissions: ['FULL'],
      app_tab_mode: tabMode,
      app_install_url: `${origin}/install`,
      app_settings_url: `${origin}/settings`,
      app_secret: appSecret,
    };
  }

  icon(): Response {
    return new Response(Buffer.from(ICON_PNG, 'base64'), { headers: { 'content-type': 'image/png' } });
  }
}

export default App;
