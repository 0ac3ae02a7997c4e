/**
 * Records the browser steps of each check as a Playwright trace, and keeps the trace of one that failed. Recorded are actions, their
 * logs, console messages, errors of pages and the names of requests: what a passing check hardly pays for (docs/decisions/traces.md).
 * What is recorded lies in the private folder of the browser until it ends; only a trace without secrets is written elsewhere.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page, Request, Response } from '@playwright/test';
import { type CheckTrace, TRACES_FOLDER } from '../../../contracts/run/events.ts';
import type { Redaction } from '../../evidence/redaction/index.ts';
import { packTrace } from '../../evidence/trace/pack.ts';
import type { RawRequest, RawTrace } from '../../evidence/trace/raw-trace.ts';
import { within } from '../../process/until.ts';
import { tracesFolderOf } from '../launch.ts';

export interface StepRecorderOptions {
  readonly redaction: Redaction;
  readonly showPersonalData: boolean;
  /** Where traces of findings are written: the folder of the reports. Made when there is one. */
  readonly outDir: string;
}

/** The browser steps of one check. */
export interface Steps {
  readonly check: string;
  readonly recordings: Recording[];
  /** Steps of earlier checks whose outcome this check shares. */
  readonly restsOn: Set<Steps>;
  /** The trace of exactly these, once it is written. */
  written?: CheckTrace;
  /** Whether the pages as these have left them are shown by a finding already. */
  arePictured?: boolean;
}

interface Recording {
  /** Of Playwright's lines. */
  readonly file: string;
  readonly requests: SeenRequest[];
}

interface SeenRequest {
  readonly request: Request;
  readonly at: number;
  response?: Response;
  endedAt?: number;
}

/** Of the traces of one process. */
const MAX_BYTES = 20 * 1024 * 1024;
/** Of the pictures of one process: they are in the record and in the report. */
const MAX_PICTURE_BYTES = 8 * 1024 * 1024;
/** A page in a loop has no end of requests. */
const MAX_REQUESTS = 2_000;
/** Recording needs nothing from the page, so only a browser that is about to end takes longer. */
const STOP_TIMEOUT_MS = 5_000;

export class StepRecorder {
  readonly #options: StepRecorderOptions;
  readonly #attached = new WeakSet<BrowserContext>();
  /** The contexts that are recorded for the check that runs. */
  readonly #recorded = new Map<BrowserContext, Recording>();
  /** Whose steps were the last in each open context: its pages are as these have left them. */
  readonly #lastIn = new Map<BrowserContext, Steps>();
  #current: Steps | undefined;
  #names = 0;
  #bytes = 0;
  #screenshotBytes = 0;

  constructor(options: StepRecorderOptions) {
    this.#options = options;
  }

  /** From now on steps belong to this check. */
  begin(check: string): void {
    this.#current = { check, recordings: [], restsOn: new Set() };
  }

  /** The steps of the check that runs, for what it makes and shares; undefined between checks. */
  get current(): Steps | undefined {
    return this.#current;
  }

  /** States that the check that runs rests on what these steps made. */
  restOn(steps: Steps | undefined): void {
    if (steps !== undefined && steps !== this.#current) this.#current?.restsOn.add(steps);
  }

  /** Records what is done in this context until the check ends. Never throws: a trace is worth no verdict. */
  async watch(context: BrowserContext): Promise<void> {
    const steps = this.#current;
    const browser = context.browser();
    const folder = browser === null ? undefined : tracesFolderOf(browser);
    if (steps === undefined || folder === undefined || this.#recorded.has(context)) return;
    this.#names += 1;
    const name = `steps-${process.pid}-${this.#names}`;
    const recording: Recording = { file: join(folder, `${name}.trace`), requests: [] };
    this.#recorded.set(context, recording);
    this.#lastIn.set(context, steps);
    steps.recordings.push(recording);
    this.#attach(context);
    // A driver may record a trace of its own, which is its affair.
    await context.tracing.start({ name, screenshots: false, snapshots: false }).catch(() => undefined);
  }

  /**
   * The open pages as the steps of the check that runs have left them, or those that it rests on where none came after: of these
   * once, for the first finding that rests on them.
   */
  pagesToPicture(): Page[] {
    const behind = this.#current === undefined ? [] : stepsBehind(this.#current);
    const shown = [...this.#lastIn].filter(
      ([, steps]) => behind.includes(steps) && (steps === this.#current || steps.arePictured !== true),
    );
    for (const [, steps] of shown) steps.arePictured = true;
    return shown.flatMap(([context]) => context.pages()).filter((page) => !page.isClosed());
  }

  /** Whether a picture of this size is kept. */
  takesPicture(bytes: number): boolean {
    if (this.#screenshotBytes + bytes > MAX_PICTURE_BYTES) return false;
    this.#screenshotBytes += bytes;
    return true;
  }

  /** Ends the steps of the check that runs; of a finding it writes the trace. Never throws. */
  async end(isFinding: boolean): Promise<CheckTrace | undefined> {
    const steps = this.#current;
    this.#current = undefined;
    await Promise.all([...this.#recorded.keys()].map((context) => this.#stop(context)));
    if (steps === undefined || !isFinding) return undefined;
    const [first, ...others] = stepsBehind(steps);
    if (first === undefined) return undefined;
    if (others.length > 0) return this.#written(steps.check, [first, ...others]);
    // Checks that rest on the same steps name the same trace.
    first.written ??= this.#written(steps.check, [first]);
    return first.written;
  }

  #attach(context: BrowserContext): void {
    if (this.#attached.has(context)) return;
    this.#attached.add(context);
    const seen = (request: Request): SeenRequest | undefined =>
      this.#recorded.get(context)?.requests.findLast((one) => one.request === request);
    context.on('request', (request) => {
      const requests = this.#recorded.get(context)?.requests;
      if (requests !== undefined && requests.length < MAX_REQUESTS) requests.push({ request, at: Date.now() });
    });
    context.on('response', (response) => {
      const one = seen(response.request());
      if (one !== undefined) one.response = response;
    });
    for (const end of ['requestfinished', 'requestfailed'] as const)
      context.on(end as 'requestfinished', (request) => {
        const one = seen(request);
        if (one !== undefined) one.endedAt = Date.now();
      });
    // What a context has recorded is complete only when its trace was stopped before it closes.
    const close = context.close.bind(context);
    context.close = async (options) => {
      await this.#stop(context);
      this.#lastIn.delete(context);
      await close(options);
    };
  }

  async #stop(context: BrowserContext): Promise<void> {
    if (!this.#recorded.delete(context)) return;
    const stopped = context.tracing.stop().catch(() => undefined);
    await within(stopped, STOP_TIMEOUT_MS, () => undefined);
  }

  #written(check: string, all: readonly Steps[]): CheckTrace {
    try {
      const traces = all.flatMap(({ recordings }) => recordings).map(rawTrace);
      const packed = packTrace(traces, this.#options);
      if ('omitted' in packed) return packed;
      if (this.#bytes + packed.zip.length > MAX_BYTES)
        return {
          omitted: `the trace of the browser steps was not kept, because earlier ones have ${MAX_MEGABYTES} MB`,
        };
      this.#bytes += packed.zip.length;
      const folder = join(this.#options.outDir, TRACES_FOLDER);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${check}.zip`), packed.zip);
      return { file: `${TRACES_FOLDER}/${check}.zip` };
    } catch (error) {
      // A full disk, say. The message may quote what was recorded; the code does not.
      const { code } = error as { readonly code?: unknown };
      return {
        omitted: `the trace of the browser steps could not be written${typeof code === 'string' ? ` (${code})` : ''}`,
      };
    }
  }
}

const MAX_MEGABYTES = MAX_BYTES / 1024 / 1024;

/** The steps of a check and of all that it rests on, the earliest first, without those that used no browser. */
function stepsBehind(steps: Steps, seen = new Set<Steps>()): Steps[] {
  if (seen.has(steps)) return [];
  seen.add(steps);
  const before = [...steps.restsOn].flatMap((one) => stepsBehind(one, seen));
  return [...before, ...(steps.recordings.length > 0 ? [steps] : [])];
}

function rawTrace({ file, requests }: Recording): RawTrace {
  return { lines: readOf(file), requests: requests.map(rawRequest) };
}

/** A browser that was ended from outside has taken its folder with it. */
function readOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function rawRequest({ request, at, response, endedAt }: SeenRequest): RawRequest {
  const failure = request.failure()?.errorText;
  return {
    at,
    method: request.method(),
    url: request.url(),
    kind: request.resourceType(),
    headers: request.headers(),
    ...(response === undefined
      ? {}
      : {
          response: { status: response.status(), statusText: response.statusText(), headers: response.headers() },
        }),
    ...(endedAt === undefined ? {} : { durationMs: endedAt - at }),
    ...(failure === undefined ? {} : { failure }),
  };
}
