/** The embedded mock as the service that an integrator meets: in this process, with what arrives seen at once. */

import type { Recorder } from '../../../harness/evidence/recorder.ts';
import {
  type Counterpart,
  type Interference,
  lacksVersion,
  type Received,
} from '../../../harness/integrator/counterpart.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { APP_CALLBACK_PATH } from '../../../mock/apps/installs.ts';
import driver from '../../../mock/driver.ts';
import type { Fixtures } from '../../../mock/fixtures/fixtures.ts';
import { inFront } from '../../../mock/http/messages.ts';
import { type RunningServer, serve } from '../../../mock/http/serve.ts';
import { LABEL_CALLBACK_PATH } from '../../../mock/orders/labels.ts';
import type { MockService } from '../../../mock/types/service.ts';
import { ArrivedRequests, receivedOf } from './arrived-requests.ts';
import { createPageAccess } from './page-access.ts';

export interface CounterpartOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly https: boolean;
  /** Where the integrator reaches the service from outside (a tunnel), without a slash at the end. */
  readonly publicUrl?: string;
  readonly fixtures: Fixtures;
  readonly recorder: Recorder;
}

export interface OpenCounterpart extends Counterpart {
  readonly service: MockService;
  /** A page's address for a person to open, with the token of the run. */
  pageAddress(path: string): string;
  /** Adds pages at addresses of their own; `undefined` where the rule has none. */
  show(rule: PageRule): void;
  /** PEM of the self-signed certificate; undefined over HTTP. */
  readonly certificate: string | undefined;
  /** Requests that were not recorded any more, because there were too many. */
  readonly unrecorded: number;
  close(): Promise<void>;
}

/** A page of the precheck itself, by its path. */
export type PageRule = (path: string) => Response | undefined;

/** Starts the mock and listens in on it. Throws a UsageError for a port that is not to be had. */
export async function openCounterpart(options: CounterpartOptions): Promise<OpenCounterpart> {
  const served = await started(options);
  const { service } = served;
  const access = createPageAccess(served.localOrigin);
  const ownPages: PageRule[] = [];
  const arrivals = new ArrivedRequests(options.recorder);
  const rules = new Set<Interference>();

  const pageFor = async (request: Request, usual: () => Promise<Response>): Promise<Response> => {
    const refusal = access.refuse(request);
    if (refusal !== undefined) return refusal;
    const { pathname } = new URL(request.url);
    for (const rule of ownPages) {
      const own = rule(pathname);
      if (own !== undefined) return own;
    }
    return confined(pathname, await usual());
  };
  service.serve = inFront(async (request, serveAsUsual, target) => {
    const arrived = await receivedOf(request, target);
    arrivals.add(arrived);
    const started = performance.now();
    const listed = isOfInterest(arrived.path, new URL(request.url).pathname);
    const usual = (): Promise<Response> => serveAsUsual(request);
    const response = listed ? ((await interfered(rules, arrived)) ?? (await usual())) : await pageFor(request, usual);
    arrived.durationMs = performance.now() - started;
    arrived.status = response.status;
    if (!listed && !lacksVersion(arrived.path)) return response;
    arrivals.record(arrived, response, { url: served.origin + arrived.target, text: await response.clone().text() });
    return response;
  }, service.serve);

  return {
    origin: served.origin,
    pagesOrigin: served.localOrigin,
    pageCookie: access.cookie,
    pageAddress: access.addressOf,
    show: (rule) => void ownPages.push(rule),
    base: `${served.origin}/v1/`,
    control: service.control,
    driver: driver as OpenCounterpart['driver'],
    received: arrivals.received,
    get arrivals() {
      return arrivals.arrivals;
    },
    get unrecorded() {
      return arrivals.unrecorded;
    },
    interfere: (rule) => {
      rules.add(rule);
      return () => void rules.delete(rule);
    },
    beginForgeries: () => arrivals.beginForgeries(),
    service,
    certificate: served.certificate,
    close: () => served.close(),
  };
}

async function started({ port, https, publicUrl, fixtures }: CounterpartOptions): Promise<RunningServer> {
  try {
    return await serve(
      {
        fixtures,
        pages: 'precheck',
        remembersRequests: false,
        ...(publicUrl === undefined ? {} : { origin: publicUrl }),
      },
      { port, https },
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is in use: choose another one with --port.`);
    if (code === 'EACCES')
      throw new UsageError(`Port ${port} is not open to this user: choose one above 1023 with --port.`);
    throw error;
  }
}

/** Calls and callbacks: what an integrator sends, or has the browser send. The rest are the service's own pages. */
const isOfInterest = (path: string, normalized: string): boolean =>
  /^\/(?:v1|api)(?:\/|$)/.test(path) ||
  // A page that is written as a callback with `..` in it is a page.
  [APP_CALLBACK_PATH, LABEL_CALLBACK_PATH].some((callback) =>
    [path, normalized].every((one) => `${one}/`.startsWith(callback)),
  );

/** Snippets of the app run on the pages of websites: they get no access to the other pages of this origin. */
function confined(path: string, response: Response): Response {
  if (!path.startsWith('/site/')) return response;
  const headers = new Headers(response.headers);
  headers.append('content-security-policy', 'sandbox allow-scripts allow-forms allow-popups allow-modals');
  return new Response(response.body, { status: response.status, headers });
}

async function interfered(rules: ReadonlySet<Interference>, request: Received): Promise<Response | undefined> {
  // A rule of a check comes before those that hold for the whole precheck.
  for (const rule of [...rules].reverse()) {
    const response = await rule(request);
    if (response !== undefined) return response;
  }
  return undefined;
}
