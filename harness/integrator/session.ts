/** What the checks of one precheck share: the service's side, one browser, one redaction, and why something is not there. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Attribution } from '../../contracts/verdicts.ts';
import { Inconclusive } from '../failures.ts';
import type { Redaction } from '../redaction.ts';
import type { IntegratorDriver } from '../target/integrator-driver.ts';
import type { Recorder } from '../target/recorder.ts';
import { Secret } from '../target/secret.ts';
import { type BrowserWatch, createBrowserWatch } from './browser-watch.ts';
import type { Counterpart } from './counterpart.ts';
import type { Fetcher } from './fetcher.ts';
import { createPagePool, type PagePool } from './page-pool.ts';

/** Why checks that need something can't run: `not-applicable` where nobody asked for it. */
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
  /** Starts a browser, or hands on one that somebody else closes; missing where there is none. */
  readonly launchBrowser?: () => Promise<Browser>;
  /** Values that must reach no browser. */
  readonly secrets: readonly Secret[];
}

/** No page of an integrator may take longer for one step of a browser. */
const PAGE_TIMEOUT_MS = 15_000;

export class IntegratorSession<C extends Counterpart = Counterpart> {
  readonly counterpart: C;
  readonly redaction: Redaction;
  readonly recorder: Recorder;
  readonly fetcher: Fetcher;
  readonly driver: IntegratorDriver;
  readonly watch: BrowserWatch;
  /** By the names that checks need: `browser`, `app`, `label-page`. */
  readonly unusable = new Map<string, Unusable>();
  /** Clean pages for many short visits. */
  readonly pages: PagePool;
  readonly #launch: (() => Promise<Browser>) | undefined;
  #browser: Promise<Browser> | undefined;
  #signedIn: Promise<StorageState> | undefined;

  constructor(options: SessionOptions<C>) {
    this.counterpart = options.counterpart;
    this.redaction = options.redaction;
    this.recorder = options.recorder;
    this.fetcher = options.fetcher;
    this.driver = options.driver ?? {};
    this.#launch = options.launchBrowser;
    // A page that was signed in can't be cleaned without signing it out.
    this.pages = createPagePool(() => this.browserContext(), { reuse: this.driver.signIn === undefined });
    this.watch = createBrowserWatch({
      serviceOrigin: options.counterpart.origin,
      secrets: options.secrets,
      recorder: options.recorder,
    });
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
   * Whoever asks for it closes it.
   */
  async browserContext(): Promise<BrowserContext> {
    if (this.driver.signIn !== undefined) this.#signedIn ??= this.#signIn(this.driver.signIn.bind(this.driver));
    return this.#newContext(await this.#signedIn);
  }

  async #newContext(storageState?: StorageState): Promise<BrowserContext> {
    if (this.#launch === undefined) throw new Inconclusive(NO_BROWSER, 'configuration');
    this.#browser ??= this.#launch();
    const browser = await this.#browser;
    // Certificates of addresses that are not of this machine were verified before the first check.
    const context = await browser.newContext({
      baseURL: this.counterpart.origin,
      ignoreHTTPSErrors: true,
      ...(storageState === undefined ? {} : { storageState }),
    });
    context.setDefaultTimeout(PAGE_TIMEOUT_MS);
    this.watch.attach(context);
    return context;
  }

  async #signIn(signIn: (page: Page) => Promise<void>): Promise<StorageState> {
    const context = await this.#newContext();
    try {
      await signIn(await context.newPage());
      return await context.storageState({ indexedDB: true });
    } catch (error) {
      const sentence = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
      throw new Inconclusive(`the driver's signIn() failed: ${sentence}`, 'configuration');
    } finally {
      await context.close().catch(() => undefined);
    }
  }
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

const NO_BROWSER = 'there is no browser here: run `npm run setup`, or set PROOFMARK_BROWSER to a Chromium';
