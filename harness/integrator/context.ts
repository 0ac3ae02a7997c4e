/** What the body of an integrator's check gets. */
import type { BrowserContext, Page } from '@playwright/test';
import { Assertions } from '../check/expect.ts';
import { type CheckSummary, Findings } from '../check/findings/index.ts';
import { Preconditions } from '../check/given/preconditions.ts';
import type { IntegratorSession } from './session.ts';

export class IntegratorContext<S extends IntegratorSession = IntegratorSession> extends Findings {
  readonly session: S;
  readonly expect = new Assertions();
  readonly given = new Preconditions();
  readonly #closing: (() => Promise<unknown>)[] = [];

  constructor(check: CheckSummary, session: S) {
    super(check);
    this.session = session;
  }

  /** Has something done when the check ends, however it ends. */
  atEnd(close: () => Promise<unknown>): void {
    this.#closing.push(close);
  }

  /** A fresh, watched browser context, closed when the check ends. */
  async browserContext(): Promise<BrowserContext> {
    const context = await this.session.browserContext();
    this.atEnd(() => context.close());
    return context;
  }

  /** A page in a browser context of its own. */
  async page(): Promise<Page> {
    return (await this.browserContext()).newPage();
  }

  /** Counts exchanges as the ones that the check rests on, each once. */
  restOn(exchanges: Iterable<number | undefined>): void {
    for (const exchange of exchanges)
      if (exchange !== undefined && exchange > 0 && !this.exchanges.includes(exchange)) this.exchanges.push(exchange);
  }

  async cleanUp(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close().catch(() => undefined);
  }
}
