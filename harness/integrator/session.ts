/** What the checks of one precheck share: the service's side, one browser, one redaction, and why something is not there. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Attribution } from '../../contracts/run/verdicts.ts';
import { areLocalAddresses, explainCertificateError } from '../browser/browser-trust.ts';
import type { StepRecorder } from '../browser/steps/step-recorder.ts';
import { Inconclusive } from '../check/failures.ts';
import type { Recorder } from '../evidence/recorder.ts';
import type { Redaction } from '../evidence/redaction/index.ts';
import { pause, within } from '../process/until.ts';
import type { IntegratorDriver } from '../target/driver/integrator-driver.ts';
import { Secret } from '../target/secrets/secret.ts';
import { type Counterpart, isServiceAddress } from './counterpart.ts';
import type { Fetcher } from './fetch/fetcher.ts';
import { BrowserWatch } from './page/browser-watch.ts';
import { createPagePool, type PagePool } from './page/page-pool.ts';
import { documentsIn, rateLimits } from './page/visit.ts';
import { RateLimit } from './rate-limit.ts';
import { searchingRedirects } from './traffic/redirects.ts';

/** Why checks that need something can't run: `not-applicable` where it was not requested. */
export interface Unusable {
  readonly verdict: 'inconclusive' | 'not-applicable';
  readonly attribution: Attribution;
  readonly reason: string;
}

export interface SessionOptions<C extends Counterpart = Counterpart> {
  readonly counterpart: C;
  readonly redaction: Redaction;
  readonly recorder: Recorder;
  readonly fetcher: Fetcher;
  /** The integrator's own steps on its pages. */
  readonly driver?: IntegratorDriver;
  /** Starts a browser, or returns one that the caller closes; undefined if no browser is installed. */
  readonly launchBrowser?: () => Promise<Browser>;
  /** Keeps traces of browser steps that failed; without it none are kept. */
  readonly steps?: StepRecorder | undefined;
  /** The integrator's pages: their certificates are verified unless all of them are on this machine; so they are without any. */
  readonly addresses?: readonly string[];
  /** Values that must reach no browser. */
  readonly secrets: readonly Secret[];
}

/** No page of an integrator may take longer for one step of a browser. */
export const PAGE_TIMEOUT_MS = 15_000;

export class IntegratorSession<C extends Counterpart = Counterpart> {
  readonly counterpart: C;
  readonly redaction: Redaction;
  readonly recorder: Recorder;
  readonly fetcher: Fetcher;
  readonly driver: IntegratorDriver;
  readonly watch: BrowserWatch;
  readonly steps: StepRecorder | undefined;
  readonly rateLimit = new RateLimit();
  /** By the names that checks need: `browser`, `app`, `label-page`. */
  readonly unusable = new Map<string, Unusable>();
  /** Clean pages for many short visits. */
  readonly pages: PagePool;
  readonly #launch: (() => Promise<Browser>) | undefined;
  /** Every browser that was started; the last one is in use. */
  /** Browsers that do not answer any more. */
  readonly #ended = new Set<Browser>();
  readonly #browsers: Promise<Browser>[] = [];
  #signedIn: Promise<StorageState> | undefined;
  readonly #takesAnyCertificate: boolean;

  constructor(options: SessionOptions<C>) {
    this.counterpart = options.counterpart;
    this.redaction = options.redaction;
    this.recorder = options.recorder;
    this.driver = options.driver ?? {};
    this.#launch = options.launchBrowser;
    this.steps = options.steps;
    this.#takesAnyCertificate = areLocalAddresses(options.addresses ?? []);
    // A page that was signed in can't be cleaned without signing it out.
    this.pages = createPagePool(() => this.browserContext(), {
      reuse: this.driver.signIn === undefined,
      prepare: (context) => this.#openPages(context),
      begin: async (context) => this.steps?.watch(context),
    });
    this.watch = new BrowserWatch({
      isService: (url) => isServiceAddress(options.counterpart, url),
      secrets: options.secrets,
      recorder: options.recorder,
    });
    this.fetcher = searchingRedirects(options.fetcher, this.watch, options.counterpart);
    if (options.launchBrowser === undefined) {
      this.unusable.set('browser', {
        verdict: 'inconclusive',
        attribution: 'configuration',
        reason: NO_BROWSER,
      });
    }
  }

  /** A value that must not be printed, known to the redaction from now on. */
  secret(name: string, value: string): Secret {
    this.redaction.add({ name, value });
    return new Secret(name, value);
  }

  /**
   * A fresh, watched browser context whose `baseURL` is the service, signed in to the integrator where its driver can do that.
   * The caller closes it.
   */
  async browserContext(): Promise<BrowserContext> {
    if (this.driver.signIn !== undefined) this.#signedIn ??= this.#signIn(this.driver.signIn.bind(this.driver));
    const context = await this.#newContext(await this.#signedIn);
    await this.steps?.watch(context);
    return context;
  }

  /**
   * Whether the browser in use has come to its end before Proofmark closed it: what went on in it says nothing about a page.
   * `asked`: it is asked, for one that is about to end counts as connected for a moment.
   */
  async hasLostBrowser(asked = false): Promise<boolean> {
    const browser = await this.#browsers.at(-1)?.catch(() => undefined);
    if (browser === undefined) return false;
    if (asked && this.#isUsable(browser)) {
      const probe = browser.newContext().then((context) => context.close());
      await probe.catch(() => this.#ended.add(browser));
    }
    return !this.#isUsable(browser);
  }

  #isUsable(browser: Browser): boolean {
    return browser.isConnected() && !this.#ended.has(browser);
  }

  get browsersStarted(): number {
    return this.#browsers.length;
  }

  /** Whether a lost browser may be started again; one that is lost again and again is not. */
  get mayLaunch(): boolean {
    return this.browsersStarted < MAX_BROWSERS;
  }

  async close(): Promise<void> {
    await this.pages.close();
    for (const browser of this.#browsers) await (await browser.catch(() => undefined))?.close().catch(() => undefined);
  }

  async #browser(launch: () => Promise<Browser>): Promise<Browser> {
    const last = this.#browsers.at(-1);
    if (last !== undefined && this.#isUsable(await last)) return last;
    // An earlier caller has started one already.
    if (this.#browsers.at(-1) !== last) return this.#browser(launch);
    if (!this.mayLaunch) throw new Inconclusive(LOST_BROWSER, 'harness');
    const started = launch();
    this.#browsers.push(started);
    return started;
  }

  async #newContext(storageState?: StorageState): Promise<BrowserContext> {
    if (this.#launch === undefined) throw new Inconclusive(NO_BROWSER, 'configuration');
    const browser = await this.#browser(this.#launch);
    const context = await browser.newContext({
      baseURL: this.counterpart.pagesOrigin,
      ignoreHTTPSErrors: this.#takesAnyCertificate,
      ...(storageState === undefined ? {} : { storageState }),
    });
    context.setDefaultTimeout(PAGE_TIMEOUT_MS);
    acceptDialogs(context);
    await this.#openPages(context);
    this.watch.attach(context);
    rateLimits.set(context, this.rateLimit);
    documentsIn(context);
    return context;
  }

  /** Makes the browser unusable, with the reason, when it does not take the certificate of an address of the integrator. */
  async checkTrust(address: string): Promise<void> {
    const isVerified = !this.#takesAnyCertificate && address.startsWith('https:');
    if (!isVerified || this.unusable.has('browser')) return;
    const context = await this.#newContext();
    try {
      const page = await context.newPage();
      await page.goto(new URL('/favicon.ico', address).href, { waitUntil: 'commit' });
    } catch (error) {
      const reason = explainCertificateError(error);
      if (reason !== undefined)
        this.unusable.set('browser', { verdict: 'inconclusive', attribution: 'configuration', reason });
    } finally {
      await context.close().catch(() => undefined);
    }
  }

  /** The service's pages are for this browser, not for any caller that reaches its port. */
  #openPages(context: BrowserContext): Promise<void> {
    return context.addCookies([{ ...this.counterpart.pageCookie, httpOnly: true, sameSite: 'Lax' }]);
  }

  async #signIn(signIn: (page: Page) => Promise<void>): Promise<StorageState> {
    const context = await this.#newContext();
    try {
      const page = await context.newPage();
      const done = signIn(page).then(() => true);
      if (!(await within(done, SIGN_IN_TIMEOUT_MS, () => false)))
        throw new Error(`it took more than ${SIGN_IN_TIMEOUT_MS / 1000} s`);
      return await context.storageState({ indexedDB: true });
    } catch (error) {
      const sentence = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
      throw new Inconclusive(`the driver's signIn() failed: ${sentence}`, 'configuration');
    } finally {
      await context.close().catch(() => undefined);
    }
  }
}

/** A driver of the integrator's that answers a dialog itself does so within this time. */
const DIALOG_MS = 100;

/**
 * “Connect your store?”, “Print this label?” are answered as a person would who wants it: a dialog that nothing listens to is
 * dismissed by the browser's tooling, which reads as a refusal.
 */
function acceptDialogs(context: BrowserContext): void {
  context.on('dialog', (dialog) => void pause(DIALOG_MS).then(() => dialog.accept().catch(() => undefined)));
}

/** Slow pages, one after another; a driver that waits for something that never comes would hold up every check. */
const SIGN_IN_TIMEOUT_MS = 60_000;

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A browser may be ended from outside, or by a page that takes all memory; a third one would fare no better. */
const MAX_BROWSERS = 3;
export const LOST_BROWSER = 'the browser crashed several times: check the free memory of the machine, and run again';
const NO_BROWSER =
  'no browser is available: run `npx playwright install chromium`, or set PROOFMARK_BROWSER to a Chromium';
