/** The embedded service: one fetch-style handler over one state. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { CONTROL_PATH, type MockControl } from '../contracts/control.ts';
import { appRoutes } from './apps/apps.ts';
import { Arrivals, serveControl, snapshot } from './control.ts';
import { APPS_PATH, deliveryRoutes } from './delivery/routes.ts';
import { deviationsById } from './deviations.ts';
import { defaultFixtures, type Fixtures, insertFixtures } from './fixtures/fixtures.ts';
import { HINT_HEADER, hintFor } from './hints/index.ts';
import { serveInterface, serveMisspelled } from './http/interface.ts';
import {
  inFront,
  PlainRequest,
  type PlainResponse,
  plainResponseOf,
  responseOf,
  type Serve,
  textOfBody,
} from './http/messages.ts';
import { LABEL_CALLBACK_PATH, serveLabelCallback } from './orders/labels.ts';
import { mountPages, type PageLink, type PageSet } from './pages/index.ts';
import { resellerRoutes } from './reseller/reseller.ts';
import { createRules } from './rules/index.ts';
import { createTables, type State } from './state/state.ts';
import { PointLists } from './storage/point-list.ts';
import { openStore, type Store } from './storage/store.ts';
import { Journal } from './storage/table.ts';
import type { Deviation, Http, Part } from './types/deviation.ts';
import type { Rules } from './types/rules.ts';
import type { MockService, SentRequest } from './types/service.ts';

export interface ServiceOptions {
  /** The address of the service, without a trailing slash: `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** The origin of its pages if it differs from `origin`, because a tunnel exposes only the interfaces. */
  readonly pagesOrigin?: string;
  /** `precheck` leaves out the setup portals, the operator and the editor. All pages by default. */
  readonly pages?: PageSet;
  readonly fixtures?: Fixtures;
  /** SQLite file for the state; without it the state is in memory. A file with a state overrides fixtures. */
  readonly db?: string;
  readonly clock?: () => Date;
  readonly deviations?: readonly Deviation[];
  /** A source of random bytes, for a service with reproducible ids. */
  readonly random?: (bytes: number) => Buffer;
  /** Adds an explanation to each refusal in the header `X-Proofmark-Hint`, for development only. */
  readonly hints?: boolean;
  /** Further pages that the home page links to. */
  readonly links?: readonly PageLink[];
  /** Opens `/_control/` over HTTP to callers who send it. */
  readonly controlToken?: string;
  /** Keeps the latest requests for `control.arrived()`, which a server does; false by default. */
  readonly remembersRequests?: boolean;
}

/** Makes a service. Throws a StoreError, with one sentence, when the database file can't be used. */
export function createService(options: ServiceOptions): MockService {
  return new Service(options);
}

/** What was received, for the requests that pages get: a Request has already lost `..`. */
const received = new WeakMap<Request, PlainRequest>();

class Service implements MockService {
  readonly origin: string;
  readonly pagesOrigin: string;
  readonly isRestored: boolean;
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
  readonly control: MockControl;
  state: State;
  #rules: Rules;
  readonly #usualRules = createRules();
  #only: Part | undefined;
  /** Whether the deviations apply to the request that is being served. */
  readonly #isDeviating = new AsyncLocalStorage<boolean>();
  readonly #fixtures: Fixtures;
  readonly #store: Store | undefined;
  readonly #arrivals: Arrivals | undefined;
  readonly #controlToken: string | undefined;
  readonly #hints: boolean;
  onSent: ((sent: SentRequest) => void) | undefined;
  readonly #app = new Hono();
  #journal: Journal;
  #handler: Serve;

  constructor(options: ServiceOptions) {
    this.origin = options.origin;
    this.pagesOrigin = options.pagesOrigin ?? options.origin;
    this.now = options.clock ?? (() => new Date());
    this.random = options.random ?? randomBytes;
    this.#fixtures = options.fixtures ?? defaultFixtures;
    this.#controlToken = options.controlToken;
    this.#hints = options.hints ?? false;
    this.#arrivals = options.remembersRequests === true ? new Arrivals() : undefined;
    this.#store = options.db === undefined ? undefined : openStore(options.db);
    this.#journal = new Journal(this.#store);
    this.state = emptyState(this.#journal);
    this.isRestored = this.#store !== undefined && !this.#store.isNew;
    if (this.#store && this.isRestored) this.#store.load(this.state);
    else this.#plant(options.deviations ?? []);
    this.#only = partOf(options.deviations ?? []);
    this.#rules = createRules(options.deviations);
    this.#handler = this.#deviated(options.deviations ?? []);
    this.control = this.#createControl();
    this.#mount(options.pages ?? 'all', options.links ?? []);
  }

  get rules(): Rules {
    if (this.#only === undefined) return this.#rules;
    return this.#isDeviating.getStore() === true ? this.#rules : this.#usualRules;
  }

  change<T>(body: () => T): T {
    return this.#journal.change(body);
  }

  serve: Serve = async (request) => {
    if (request.path.startsWith(CONTROL_PATH))
      return plainResponseOf(await serveControl(this.control, this.#controlToken, request.toRequest()));
    const at = this.now();
    const response = this.#hints ? await this.#explained(request) : await this.#handler(request);
    this.#arrivals?.note(at, request, response.status);
    return response;
  };

  async fetch(request: Request, target?: string): Promise<Response> {
    return responseOf(await this.serve(await PlainRequest.from(request, target)));
  }

  async #explained(request: PlainRequest): Promise<PlainResponse> {
    const response = await this.#handler(request);
    if (response.status < 400) return response;
    const { method, path, query } = request;
    const hint = hintFor(
      this,
      { method, path, query, headers: request.webHeaders(), body: textOfBody(request) },
      response,
    );
    return hint === '' ? response : { ...response, headers: { ...response.headers, [HINT_HEADER]: hint } };
  }

  close(): void {
    this.#store?.close();
  }

  #mount(pages: PageSet, links: readonly PageLink[]): void {
    const callback = ({ req }: { req: { raw: Request } }): Response =>
      responseOf(serveLabelCallback(this, received.get(req.raw)!));
    this.#app.all(LABEL_CALLBACK_PATH, callback).all(LABEL_CALLBACK_PATH.slice(0, -1), callback);
    mountPages(this.#app, this, pages, links);
  }

  /** Requests below a base go to that interface, which parses the raw path itself; all others go to the pages. */
  async #serve(request: PlainRequest): Promise<PlainResponse> {
    const { path } = request;
    if (under(path, APPS_PATH)) return serveInterface(this, appRoutes, request);
    if (under(path, deliveryRoutes.base)) return serveInterface(this, deliveryRoutes, request);
    if (under(path, resellerRoutes.base)) return serveInterface(this, resellerRoutes, request);
    const [, base] = NEARLY_BASE.exec(path) ?? [];
    if (base !== undefined)
      return serveMisspelled(this, base.toLowerCase() === 'v1' ? deliveryRoutes : resellerRoutes, request);
    const asked = request.toRequest();
    received.set(asked, request);
    return plainResponseOf(await this.#app.fetch(asked));
  }

  #deviated(deviations: readonly Deviation[]): Serve {
    let handler: Serve = (request) => this.#serve(request);
    for (const { http } of deviations) if (http) handler = this.#intercepted(http, handler);
    const only = this.#only;
    if (only === undefined) return handler;
    return (request) => {
      const isMeant = touches(only, request.path);
      return this.#isDeviating.run(isMeant, () => (isMeant ? handler(request) : this.#serve(request)));
    };
  }

  #intercepted(http: Http, next: Serve): Serve {
    const intercepting = inFront((request, passOn) => http(request, passOn, this), next);
    const { isAbout } = http;
    if (isAbout === undefined) return intercepting;
    return (request) => (isAbout(request.method, request.url.pathname) ? intercepting(request) : next(request));
  }

  #replant(deviations: readonly Deviation[]): void {
    this.#store?.wipe();
    this.#journal = new Journal(this.#store);
    this.state = emptyState(this.#journal);
    this.#plant(deviations);
  }

  #plant(deviations: readonly Deviation[]): void {
    const fixtures = deviations.reduce((rows, deviation) => deviation.fixtures?.(rows) ?? rows, this.#fixtures);
    insertFixtures(this.state, fixtures, (body) => this.change(body));
  }

  #createControl(): MockControl {
    return {
      state: async () => snapshot(this.state),
      deviate: async (ids) => {
        const deviations = deviationsById(ids);
        if (deviations.some(({ fixtures }) => fixtures)) this.#replant(deviations);
        this.#only = partOf(deviations);
        this.#rules = createRules(deviations);
        this.#handler = this.#deviated(deviations);
      },
      reset: async () => {
        this.#replant([]);
        this.#arrivals?.clear();
        this.#only = undefined;
        this.#rules = createRules();
        this.#handler = this.#deviated([]);
      },
      arrived: async () => this.#arrivals?.all() ?? [],
    };
  }
}

/** The part to which all deviations are limited; undefined if one has no limit or if the parts differ. */
function partOf(deviations: readonly Deviation[]): Part | undefined {
  const [first, ...others] = deviations;
  return others.every(({ only }) => only === first?.only) ? first?.only : undefined;
}

/** The base of an interface with more slashes, other ones, or in capitals: a client that joins addresses sends it. */
const NEARLY_BASE = /^[/\\]+(v1|api)(?=[/\\%;]|$)/i;

const BASES = { delivery: deliveryRoutes.base, apps: APPS_PATH, reseller: resellerRoutes.base } as const;
/** Public pages that show the effect of calls: websites, and the editor behind login links. */
const SHOWN_ON = { delivery: [], apps: ['/site'], reseller: ['/site', '/login'] } as const;

/** Whether a path belongs to a part: a call of the interface, a page that shows its effect, or for pages anything else. */
export function touches(part: Part, path: string): boolean {
  if (part === 'pages') return !Object.values(BASES).some((base) => under(path, base));
  if (part === 'delivery' && under(path, APPS_PATH)) return false;
  return [BASES[part], ...SHOWN_ON[part]].some((base) => under(path, base));
}

function emptyState(journal: Journal): State {
  return { ...createTables(journal), points: new PointLists(journal) };
}

function under(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}
