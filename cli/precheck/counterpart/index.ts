/** The embedded mock as the service that an integrator meets: in this process, with what arrives seen at once. */

import { AMID_FORGERIES } from '../../../contracts/run/events.ts';
import type { Recorder } from '../../../harness/evidence/recorder.ts';
import {
  type Counterpart,
  type Interference,
  lacksVersion,
  type Received,
} from '../../../harness/integrator/counterpart.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { wallClockMs } from '../../../harness/process/wall-clock.ts';
import { APP_CALLBACK_PATH } from '../../../mock/apps/installs.ts';
import driver from '../../../mock/driver.ts';
import type { Fixtures } from '../../../mock/fixtures/fixtures.ts';
import { inFront } from '../../../mock/http/messages.ts';
import { type RunningServer, serve } from '../../../mock/http/serve.ts';
import { LABEL_CALLBACK_PATH } from '../../../mock/orders/labels.ts';
import type { MockService } from '../../../mock/types/service.ts';
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

/** What is remembered of what arrived, and what of it is written into the record: an app in a loop would fill both. */
const MAX_REMEMBERED = 20_000;
/** In characters of addresses, bodies and responses; one at least is remembered. */
export const MAX_REMEMBERED_CHARACTERS = 32 * 1024 * 1024;
const MAX_RECORDED = 2_000;
/** Until the record is open, what is to be written into it is in memory, too. */
const MAX_RECORDED_CHARACTERS = 32 * 1024 * 1024;
const MAX_BODY_CHARACTERS = 256 * 1024;

/** Starts the mock and listens in on it. Throws a UsageError for a port that is not to be had. */
export async function openCounterpart(options: CounterpartOptions): Promise<OpenCounterpart> {
  const served = await started(options);
  const { service } = served;
  const access = createPageAccess(served.localOrigin);
  const ownPages: PageRule[] = [];
  const received: Received[] = [];
  const rules = new Set<Interference>();
  const sizes = new Map<Received, number>();
  let held = 0;
  const grow = (request: Received, characters: number): void => {
    sizes.set(request, (sizes.get(request) ?? 0) + characters);
    held += characters;
    while (received.length > MAX_REMEMBERED || (held > MAX_REMEMBERED_CHARACTERS && received.length > 1)) {
      const oldest = received.shift() as Received;
      held -= sizes.get(oldest) ?? 0;
      sizes.delete(oldest);
    }
  };
  const counts = { arrivals: 0, recorded: 0, recordedCharacters: 0, unrecorded: 0 };
  const forgeries = new Set<symbol>();

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
    counts.arrivals += 1;
    received.push(arrived);
    grow(arrived, arrived.target.length + arrived.body.length);
    const started = performance.now();
    const listed = isOfInterest(arrived.path, new URL(request.url).pathname);
    const usual = (): Promise<Response> => serveAsUsual(request);
    const response = listed ? ((await interfered(rules, arrived)) ?? (await usual())) : await pageFor(request, usual);
    arrived.durationMs = performance.now() - started;
    arrived.status = response.status;
    if (!listed && !lacksVersion(arrived.path)) return response;
    const responseText = await response.clone().text();
    arrived.responseText = responseText.slice(0, MAX_BODY_CHARACTERS);
    if (sizes.has(arrived)) grow(arrived, arrived.responseText.length);
    const characters = arrived.target.length + arrived.body.length + arrived.responseText.length;
    if (counts.recorded >= MAX_RECORDED || counts.recordedCharacters + characters > MAX_RECORDED_CHARACTERS) {
      counts.unrecorded += 1;
      return response;
    }
    counts.recorded += 1;
    counts.recordedCharacters += characters;
    arrived.exchange = options.recorder.record({
      role: forgeries.size === 0 ? 'integrator' : AMID_FORGERIES,
      direction: 'received',
      at: arrived.at,
      durationMs: performance.now() - started,
      request: {
        method: arrived.method,
        url: served.origin + arrived.target,
        headers: Object.entries(arrived.headers),
        ...(arrived.body === '' ? {} : { body: arrived.body }),
      },
      response: {
        status: response.status,
        headers: [...response.headers],
        ...(responseText === '' ? {} : { body: responseText }),
      },
    });
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
    received,
    get arrivals() {
      return counts.arrivals;
    },
    get unrecorded() {
      return counts.unrecorded;
    },
    interfere: (rule) => {
      rules.add(rule);
      return () => void rules.delete(rule);
    },
    beginForgeries: () => {
      const one = Symbol('forgeries');
      forgeries.add(one);
      return () => void forgeries.delete(one);
    },
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

/** With the byte order mark, which `text()` would leave out: whether one was sent is judged. */
const AS_SENT = new TextDecoder('utf-8', { ignoreBOM: true });

async function receivedOf(request: Request, target: string): Promise<Received> {
  const whole = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path, ...rest] = (whole.split('#')[0] ?? '').split('?') as [string, ...string[]];
  const body = request.body === null ? '' : AS_SENT.decode(await request.clone().arrayBuffer());
  return {
    at: wallClockMs(),
    method: request.method,
    target: whole,
    path: path === '' ? '/' : path,
    query: rest.join('?'),
    headers: Object.fromEntries(request.headers),
    body: body.slice(0, MAX_BODY_CHARACTERS),
    status: undefined,
    durationMs: undefined,
    responseText: undefined,
    exchange: undefined,
  };
}

async function interfered(rules: ReadonlySet<Interference>, request: Received): Promise<Response | undefined> {
  // A rule of a check comes before those that hold for the whole precheck.
  for (const rule of [...rules].reverse()) {
    const response = await rule(request);
    if (response !== undefined) return response;
  }
  return undefined;
}
