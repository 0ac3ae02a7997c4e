/**
 * Which deviations in front of the service would change a request or its response. Each is called beside the correct service:
 * it gets the request and the response that were, and what it makes of them is compared and thrown away. So a fault that waits
 * for one kind of body is not tried by every check that sends another kind to the same path.
 */
import { touches } from '../../mock/service.ts';
import type { Deviation, Http } from '../../mock/types/deviation.ts';
import type { MockService } from '../../mock/types/service.ts';

type Serve = (request: Request) => Promise<Response>;
type Intercepting = Deviation & { readonly http: Http };

/** What a deviation may read of a service. Whatever else it uses would change something, or could not be repeated. */
const READ_ONLY: ReadonlySet<string | symbol> = new Set(['state', 'rules', 'now', 'origin', 'pagesOrigin']);

/** Calls deviations beside the correct service. */
export class Interceptions {
  readonly #deviations: readonly Intercepting[];
  /** One for each service: deviations keep what they remember by service. */
  readonly #views = new WeakMap<MockService, MockService>();

  constructor(deviations: readonly Deviation[]) {
    this.#deviations = deviations.filter((one): one is Intercepting => one.http !== undefined);
  }

  /**
   * Serves a request with `next`, once; the id of each deviation that would have treated it differently is added to `noticed`. One
   * that is in there already is not tried again.
   */
  async serve(request: Request, next: Serve, service: MockService, noticed: Set<string>): Promise<Response> {
    const path = new URL(request.url).pathname;
    const meant = this.#deviations.filter(
      ({ id, only, http }) =>
        !noticed.has(id) &&
        (only === undefined || touches(only, path)) &&
        (http.isAbout?.(request.method, path) ?? true),
    );
    // What came before is different in a row that runs other checks.
    for (const { id, http } of meant) if (http.remembers === true) noticed.add(id);
    const tried = meant.filter(({ http }) => http.remembers !== true);
    if (tried.length === 0) return next(request);
    const sent = { request, ...(await messageOf(copyOf(request))) };
    const trials = tried.map(({ http }) => new Trial(http, sent, this.#viewOf(service)));
    // What a deviation reads before it passes a request on, it reads of the state before the request.
    await Promise.all(trials.map(({ untilPassedOn }) => untilPassedOn));
    const response = await next(request);
    const usual = { status: response.status, ...(await messageOf(response.clone())) };
    let given = responseOf(usual);
    for (const [at, trial] of trials.entries()) {
      const isDifferent = await trial.endsDifferently(usual, given);
      if (isDifferent) noticed.add(tried[at]!.id);
      // Most deviations pass on what they were given, so that the next one can have it.
      if (isDifferent || given.bodyUsed) given = responseOf(usual);
    }
    return response;
  }

  #viewOf(service: MockService): MockService {
    const known = this.#views.get(service);
    if (known !== undefined) return known;
    const view = new Proxy(service, {
      get: (target, name) => {
        if (READ_ONLY.has(name)) return Reflect.get(target, name, target);
        throw new Error(`It uses ${String(name)} of the service.`);
      },
    });
    this.#views.set(service, view);
    return view;
  }
}

/** A message that can be sent and compared several times. */
interface Message {
  readonly headers: [string, string][];
  /** The headers as one text. */
  readonly shown: string;
  readonly body: Uint8Array<ArrayBuffer> | null;
}
type Sent = Message & { readonly request: Request };
type Usual = Message & { readonly status: number };

/** One deviation with one request. */
class Trial {
  /** The request was passed on, or will not be. */
  readonly untilPassedOn: Promise<unknown>;
  readonly #sent: Sent;
  readonly #given: Request;
  readonly #passedOn = Promise.withResolvers<void>();
  readonly #usual = Promise.withResolvers<Response>();
  readonly #result: Promise<Response>;
  #passes = 0;
  /** It passed on another request, or a second one. */
  #isDifferent = false;

  constructor(http: Http, sent: Sent, service: MockService) {
    this.#sent = sent;
    const given = requestOf(sent);
    this.#given = given;
    this.#result = (async () => http(given, (request) => this.#pass(request), service))();
    const ended = this.#result.catch(() => {
      this.#isDifferent = true;
    });
    this.untilPassedOn = Promise.race([this.#passedOn.promise, ended]);
  }

  /** Whether its response to the request differs from the usual one, which it is `given`. */
  async endsDifferently(usual: Usual, given: Response): Promise<boolean> {
    this.#usual.resolve(given);
    try {
      const made = await this.#result;
      if (this.#isDifferent || this.#passes !== 1) return true;
      if (made === given && !made.bodyUsed) return shown([...made.headers]) !== usual.shown;
      return made.status !== usual.status || !isSame(usual, await messageOf(made));
    } catch {
      return true;
    }
  }

  async #pass(request: Request): Promise<Response> {
    this.#passes += 1;
    try {
      if (this.#passes > 1 || !(await this.#isAsSent(request))) throw new Error('It passes another request on.');
    } catch (error) {
      this.#isDifferent = true;
      throw error;
    } finally {
      this.#passedOn.resolve();
    }
    return this.#usual.promise;
  }

  async #isAsSent(request: Request): Promise<boolean> {
    const { request: sent } = this.#sent;
    // Of a request that is passed on as it came only the headers can be other ones.
    if (request === this.#given) return shown([...request.headers]) === this.#sent.shown;
    if (request.method !== sent.method || request.url !== sent.url) return false;
    return isSame(this.#sent, await messageOf(request));
  }
}

const copyOf = (request: Request): Request => (request.body === null ? request : request.clone());

/** A request without a body can be given to all; a body is read once. */
const requestOf = ({ request, headers, body }: Sent): Request =>
  body === null ? request : new Request(request.url, { method: request.method, headers, body });

const responseOf = ({ status, headers, body }: Usual): Response => new Response(body, { status, headers });

async function messageOf(message: Request | Response): Promise<Message> {
  const headers = [...message.headers];
  const body = message.body === null ? null : new Uint8Array(await message.arrayBuffer());
  return { headers, shown: shown(headers), body };
}

/** The length is that of the body: it need not be compared, and a changed request leaves it out. */
const shown = (headers: [string, string][]): string =>
  JSON.stringify(headers.filter(([name]) => name !== 'content-length'));

const isSame = (a: Message, b: Message): boolean =>
  a.shown === b.shown && Buffer.compare(a.body ?? NOTHING, b.body ?? NOTHING) === 0;

const NOTHING = new Uint8Array();
