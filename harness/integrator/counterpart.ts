/**
 * The service as an integrator meets it during a precheck: the embedded mock, handed in by the command, since suites never
 * import it. It runs in this process, so what arrives is known at once and responses can be made to fail.
 */
import type { Page } from '@playwright/test';
import type { MockControl } from '../../contracts/control.ts';
import type { OpenedOrder, OrderRequest, TargetDriver } from '../target/driver/target-driver.ts';

/** One request as it reached the service, of any interface or page; the response's fields are there once it was answered. */
export interface Received {
  /** Milliseconds since 1970, when it had arrived whole. */
  readonly at: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  status: number | undefined;
  /** Until it was answered. */
  durationMs: number | undefined;
  /** The response's body, of interfaces and callbacks only. */
  responseText: string | undefined;
  /** Number of the recorded exchange; `undefined` for what is not recorded (the service's own pages). */
  exchange: number | undefined;
}

/** Answers a request instead of the service, or `undefined` to let the service answer. */
export type Interference = (request: Received) => Promise<Response> | undefined;

/** The driver of the embedded service, whose buyers enter the usual values. */
type OwnDriver = Omit<Required<TargetDriver>, 'openOrder'> & {
  openOrder(page: Page, order: Omit<OrderRequest, 'buyer'>): Promise<OpenedOrder>;
};

export interface Counterpart {
  /** Without a slash at the end. */
  readonly origin: string;
  /** Where its pages for people are: always this machine, also where a tunnel leads to the interface. */
  readonly pagesOrigin: string;
  /** The cookie without which these pages are not served. */
  readonly pageCookie: { readonly name: string; readonly value: string; readonly url: string };
  /** Base of Delivery and Apps, ends with `/v1/`. */
  readonly base: string;
  readonly control: MockControl;
  /** Clicks through the service's own pages. */
  readonly driver: OwnDriver;
  /** Everything that arrived, oldest first, from the moment it arrives; the oldest are forgotten beyond some thousands. */
  readonly received: readonly Received[];
  /** How many requests have arrived in all. */
  readonly arrivals: number;
  /** Lets a rule answer requests of interfaces and callbacks, until the returned function is called. */
  interfere(rule: Interference): () => void;
  /** What arrives is recorded as what came amid forged requests, until the returned function is called. */
  beginForgeries(): () => void;
}

/** Whether an address is one of the service's own, interface or page. */
export const isServiceAddress = (
  { origin, pagesOrigin }: Pick<Counterpart, 'origin' | 'pagesOrigin'>,
  url: string,
): boolean => [origin, pagesOrigin].some((own) => url.startsWith(`${own}/`));

/** Whether a path is one of Delivery or Apps without the version in front, or with another one: a call beside the base. */
export const lacksVersion = (path: string): boolean =>
  /^(?:\/(?!v1\/)[vV]\d[\w.]*)?\/(?:store\/delivery_|apps\/)/.test(path);

/** Whether a request is a call of the Delivery or Apps interface. */
export const isCall = (request: Received): boolean => request.path === '/v1' || request.path.startsWith('/v1/');
