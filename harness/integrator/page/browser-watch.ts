/**
 * What the browser of a precheck sees: every document of the integrator is recorded as an exchange, and everything that
 * reaches the browser (addresses, headers, cookies, documents, scripts, answers to scripts) is searched for secrets.
 */
import type { BrowserContext, Page, Request, Response } from '@playwright/test';
import type { Recorder } from '../../evidence/recorder.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import { createLeakSearch, type Leak } from '../traffic/leaks.ts';
import { frameOf } from './visit.ts';

export interface WatchOptions {
  /** Whether an address is the service's own: its contents are no leak, its address may be one. */
  readonly isService: (url: string) => boolean;
  readonly secrets: readonly Secret[];
  readonly recorder: Recorder;
}

/** A page of 50 MB is not read again only to be searched. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Documents of the integrator that are written into the record; a page in a loop would fill it. */
const MAX_RECORDED = 1_500;
/** Findings that are kept; one is enough for a verdict. */
const MAX_LEAKS = 50;
/** Source maps that are fetched and searched. One leak is enough for a verdict, and a page may have a map for each of hundreds of modules. */
const MAX_SOURCE_MAPS = 10;
const SOURCE_MAP = /^[ \t]*(?:\/\/|\/\*)[#@][ \t]*sourceMappingURL=([^\s*]+)/m;

const KINDS: Readonly<Record<string, string>> = {
  document: 'a page',
  script: 'a script',
  stylesheet: 'a style sheet',
  xhr: 'a response to a script',
  fetch: 'a response to a script',
};

/** Events come by them, or whatever a script reads bit by bit. */
const READ_BY_SCRIPTS = ['eventsource', 'fetch', 'xhr'];

/** Records what a browser receives and sends, and searches it for the secrets of the integrator. */
export class BrowserWatch {
  readonly #options: WatchOptions;
  readonly #search: ReturnType<typeof createLeakSearch>;
  readonly #leaks: Leak[] = [];
  readonly #sourceMaps = new Set<string>();
  readonly #redirecting = new Set<string>();
  readonly #open = new Set<Promise<void>>();
  /** Requests that were answered and have not ended: a script that does not read a response keeps it open. */
  readonly #unread = new Map<Request, Promise<Head>>();
  #searched = 0;
  #recorded = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#search = createLeakSearch(options.secrets);
  }

  get leaks(): readonly Leak[] {
    return this.#leaks;
  }

  /** Addresses of the source maps that scripts and style sheets named: no page loads them, every developer tool does. */
  get sourceMaps(): ReadonlySet<string> {
    return this.#sourceMaps;
  }

  /** Paths of redirects that may have a body, which no browser gives away. */
  get redirecting(): ReadonlySet<string> {
    return this.#redirecting;
  }

  /** Texts that were searched: none means that nothing can be said about leaks. */
  get searched(): number {
    return this.#searched;
  }

  /** Begins to watch a browser context; call it before its first page. */
  attach(context: BrowserContext): void {
    context.on('request', (request) => this.snapshot('an address', request.url(), request.url()));
    context.on('response', (response) => {
      // A page that is closed does not report its requests any more.
      if (/^https?:/.test(response.url())) this.#unread.set(response.request(), headOf(response.request(), response));
    });
    context.on('requestfinished', (request) => this.#later(this.#ended(request)));
    context.on('requestfailed', (request) =>
      this.#later(this.#ended(request, request.failure()?.errorText ?? 'failed')),
    );
    context.on('console', (message) => {
      const url = message.page()?.url() ?? '';
      if (!this.#options.isService(url)) this.snapshot('a message in the console', message.text(), url);
    });
    context.on('page', (page) => {
      page.on('websocket', (socket) => {
        this.snapshot('the address of a web socket', socket.url(), socket.url());
        const read = ({ payload }: { payload: string | Buffer }): void =>
          this.snapshot('a web socket', payload.toString(), socket.url());
        socket.on('framereceived', read).on('framesent', read);
      });
    });
  }

  /**
   * Searches a text that a browser received, or would have received. Of a document whose script leads on at once a browser keeps
   * nothing to be read, so that responses to plain requests reveal more.
   */
  snapshot(where: string, text: string, url: string, exchange?: number): void {
    this.#searched += 1;
    for (const secret of this.#search(text)) {
      if (this.#leaks.length < MAX_LEAKS)
        this.#leaks.push({ secret, where, url, ...(exchange === undefined ? {} : { exchange }) });
    }
  }

  /** Addresses that scripts of a page read from by GET, and whose responses have not ended. */
  openStreamsOf(page: Page): readonly string[] {
    return [...this.#unread.keys()]
      .filter((request) => request.method() === 'GET' && READ_BY_SCRIPTS.includes(request.resourceType()))
      .filter((request) => frameOf(request)?.page() === page && !this.#options.isService(request.url()))
      .map((request) => request.url());
  }

  /** Waits for the bodies that are still being read. */
  async settle(): Promise<void> {
    await Promise.all([...this.#open]);
    const left = [...this.#unread];
    this.#unread.clear();
    for (const [request, reading] of left) {
      const head = await reading;
      this.#searchSent(request, head);
      this.#searchReceived(request, head);
    }
  }

  #later(work: Promise<void>): void {
    const done = work.catch(() => undefined).finally(() => this.#open.delete(done));
    this.#open.add(done);
  }

  async #ended(request: Request, failure?: string): Promise<void> {
    const url = request.url();
    if (!/^https?:/.test(url)) return;
    const reading = this.#unread.get(request);
    this.#unread.delete(request);
    const response = await request.response().catch(() => null);
    const head = await (reading ?? headOf(request, response));
    this.#searchSent(request, head);
    if (this.#options.isService(url)) return;
    const body = response === null ? undefined : await bodyOf(request, response);
    const exchange = this.#record(request, response, { headers: head.received, body, failure });
    this.#searchReceived(request, head, exchange);
    if (isRedirect(response) && head.received.every(mayHaveBody)) this.#redirecting.add(new URL(url).pathname);
    if (body === undefined) return;
    const text = body.toString('utf8');
    this.snapshot(KINDS[request.resourceType()] ?? 'an answer', text, url, exchange);
    this.#noteSourceMap(response?.headers().sourcemap ?? SOURCE_MAP.exec(text)?.[1], url);
  }

  #noteSourceMap(named: string | undefined, url: string): void {
    const map = named === undefined ? null : URL.parse(named, url);
    if (map !== null && /^https?:$/.test(map.protocol) && this.#sourceMaps.size < MAX_SOURCE_MAPS)
      this.#sourceMaps.add(map.href);
  }

  #searchSent(request: Request, { sent }: Head): void {
    const url = request.url();
    // A script may put together what no response contained. On the service's own pages the key is entered into a form.
    const own = this.#options.isService(url);
    for (const [name, value] of Object.entries(sent))
      if (!own || name === 'authorization') this.snapshot(`the header ${name} of a request`, value, url);
    if (!own) this.snapshot('the body of a request', request.postData() ?? '', url);
  }

  #searchReceived(request: Request, { received }: Head, exchange?: number): void {
    const url = request.url();
    if (this.#options.isService(url)) return;
    for (const { name, value } of received)
      this.snapshot(name.toLowerCase() === 'set-cookie' ? 'a cookie' : `the header ${name}`, value, url, exchange);
  }

  /** Writes a document of the integrator into the record; returns the number of its exchange. */
  #record(request: Request, response: Response | null, { headers, body, failure }: Received): number | undefined {
    if (request.resourceType() !== 'document' || this.#recorded >= MAX_RECORDED) return undefined;
    this.#recorded += 1;
    const { startTime, responseEnd } = request.timing();
    return this.#options.recorder.record({
      role: 'browser',
      at: startTime > 0 ? startTime : Date.now(),
      durationMs: Math.max(0, responseEnd),
      request: {
        method: request.method(),
        url: request.url(),
        headers: Object.entries(request.headers()),
        ...(request.postData() === null ? {} : { body: request.postData() ?? '' }),
      },
      ...(response === null
        ? {}
        : {
            response: {
              status: response.status(),
              headers: headers.map(({ name, value }) => [name, value] as const),
              ...(body === undefined ? {} : { body }),
            },
          }),
      ...(failure === undefined ? {} : { failure: `The browser failed: ${failure}.` }),
    });
  }
}

/** What came of a request: headers of the response and its body, or why the browser gave up. */
interface Received {
  readonly headers: Head['received'];
  readonly body: Buffer | undefined;
  readonly failure: string | undefined;
}

/** The headers of a request and of its response. */
interface Head {
  readonly sent: Readonly<Record<string, string>>;
  readonly received: readonly { readonly name: string; readonly value: string }[];
}

async function headOf(request: Request, response: Response | null): Promise<Head> {
  const [sent, received] = await Promise.all([
    request.allHeaders().catch(() => ({})),
    response?.headersArray().catch(() => []),
  ]);
  return { sent, received: received ?? [] };
}

const isRedirect = (response: Response | null): boolean =>
  response !== null && response.status() >= 300 && response.status() < 400;

/** Whether a header leaves open that its response has a body. */
const mayHaveBody = ({ name, value }: { readonly name: string; readonly value: string }): boolean =>
  name.toLowerCase() !== 'content-length' || value !== '0';

/** Pictures in SVG are texts, as is whatever else comes instead of a picture. */
const WRITTEN_AS_TEXT = /svg|text|json|xml/i;

/** The body of a response, unless it is too large or a picture of pixels. No browser gives away that of a redirect. */
async function bodyOf(request: Request, response: Response): Promise<Buffer | undefined> {
  const isBinary = ['image', 'media', 'font'].includes(request.resourceType());
  if (isBinary && !WRITTEN_AS_TEXT.test(response.headers()['content-type'] ?? '')) return undefined;
  if (isRedirect(response)) return undefined;
  const sizes = await request.sizes().catch(() => undefined);
  if (sizes === undefined || sizes.responseBodySize > MAX_BODY_BYTES) return undefined;
  return response.body().catch(() => undefined);
}
