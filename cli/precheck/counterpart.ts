/** The embedded mock as the service that an integrator meets: in this process, with what arrives seen at once. */
import type { Counterpart, Interference, Received } from '../../harness/integrator/counterpart.ts';
import type { Recorder } from '../../harness/target/recorder.ts';
import { UsageError } from '../../harness/usage-error.ts';
import driver from '../../mock/driver.ts';
import type { Fixtures } from '../../mock/fixtures/fixtures.ts';
import { APP_CALLBACK_PATH } from '../../mock/installs.ts';
import { LABEL_CALLBACK_PATH } from '../../mock/labels.ts';
import { type Served, serve } from '../../mock/serve.ts';
import type { MockService } from '../../mock/service.ts';

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
  /** PEM of the self-signed certificate; undefined over HTTP. */
  readonly certificate: string | undefined;
  /** Requests that were not recorded any more, because there were too many. */
  readonly unrecorded: number;
  close(): Promise<void>;
}

/** What is remembered of what arrived, and what of it is written into the record: an app in a loop would fill both. */
const MOST_REMEMBERED = 20_000;
const MOST_RECORDED = 2_000;
const MOST_BODY_CHARACTERS = 256 * 1024;

/** Starts the mock and listens in on it. Throws a UsageError for a port that is not to be had. */
export async function openCounterpart(options: CounterpartOptions): Promise<OpenCounterpart> {
  const served = await started(options);
  const { service } = served;
  const received: Received[] = [];
  const rules = new Set<Interference>();
  const counts = { arrivals: 0, recorded: 0, unrecorded: 0 };

  const serveAsUsual = service.fetch.bind(service);
  service.fetch = async (request, target) => {
    const arrived = await receivedOf(request, target);
    counts.arrivals += 1;
    received.push(arrived);
    if (received.length > MOST_REMEMBERED) received.splice(0, received.length - MOST_REMEMBERED);
    const started = performance.now();
    const listed = isOfInterest(arrived.path);
    const response = (listed ? await interfered(rules, arrived) : undefined) ?? (await serveAsUsual(request, target));
    arrived.durationMs = performance.now() - started;
    arrived.status = response.status;
    if (!listed) return response;
    const answer = await response.clone().text();
    arrived.answer = answer.slice(0, MOST_BODY_CHARACTERS);
    if (counts.recorded >= MOST_RECORDED) {
      counts.unrecorded += 1;
      return response;
    }
    counts.recorded += 1;
    arrived.exchange = options.recorder.record({
      role: 'integrator',
      direction: 'received',
      at: arrived.at,
      durationMs: performance.now() - started,
      request: {
        method: arrived.method,
        url: served.origin + arrived.target,
        headers: Object.entries(arrived.headers),
        ...(arrived.body === '' ? {} : { body: arrived.body }),
      },
      response: { status: response.status, headers: [...response.headers], ...(answer === '' ? {} : { body: answer }) },
    });
    return response;
  };

  return {
    origin: served.origin,
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
    service,
    certificate: served.certificate,
    close: () => served.close(),
  };
}

async function started({ port, https, publicUrl, fixtures }: CounterpartOptions): Promise<Served> {
  try {
    return await serve({ fixtures, ...(publicUrl === undefined ? {} : { origin: publicUrl }) }, { port, https });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is in use: choose another one with --port.`);
    if (code === 'EACCES')
      throw new UsageError(`Port ${port} is not open to this user: choose one above 1023 with --port.`);
    throw error;
  }
}

/** Calls and callbacks: what an integrator sends, or has the browser send. The rest are the service's own pages. */
const isOfInterest = (path: string): boolean =>
  /^\/(?:v1|api)(?:\/|$)/.test(path) ||
  [APP_CALLBACK_PATH, LABEL_CALLBACK_PATH].some((callback) => path.startsWith(callback.slice(0, -1)));

async function receivedOf(request: Request, target: string | undefined): Promise<Received> {
  const whole = (target ?? request.url).replace(/^https?:\/\/[^/?#]*/i, '');
  const [path, ...rest] = (whole.split('#')[0] ?? '').split('?') as [string, ...string[]];
  const body = request.body === null ? '' : await request.clone().text();
  return {
    at: Date.now(),
    method: request.method,
    target: whole,
    path: path === '' ? '/' : path,
    query: rest.join('?'),
    headers: Object.fromEntries(request.headers),
    body: body.slice(0, MOST_BODY_CHARACTERS),
    status: undefined,
    durationMs: undefined,
    answer: undefined,
    exchange: undefined,
  };
}

async function interfered(rules: ReadonlySet<Interference>, request: Received): Promise<Response | undefined> {
  for (const rule of rules) {
    const answer = await rule(request);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
