/**
 * Requests and responses as plain values with their whole bodies. The service handles these, because objects of the web with
 * their streams cost more than all else in a small call. Deviations and pages, which read and build `Request` and `Response`,
 * get them by conversion.
 */

/** Reads headers by name, in any case; repeated ones are joined as `Headers` joins them. */
export interface HeaderReader {
  get(name: string): string | null;
  has(name: string): boolean;
}

export interface PlainRequestParts {
  readonly method: string;
  /** What the request line names: path and query as they were sent, or the whole address. */
  readonly target: string;
  readonly headers: HeaderReader & Iterable<[string, string]>;
  readonly body: Uint8Array;
  /** For a target that is a path: `http://127.0.0.1:4010`. */
  readonly origin: string;
}

export class PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: PlainRequestParts['headers'];
  /** Empty without a body, as in GET and HEAD. */
  readonly body: Uint8Array;
  readonly origin: string;
  /** As sent, from its first slash. */
  readonly path: string;
  /** As sent, without the question mark; '' when there is none. */
  readonly query: string;

  constructor({ method, target, headers, body, origin }: PlainRequestParts) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.body = method === 'GET' || method === 'HEAD' ? NO_BODY : body;
    this.origin = origin;
    const { path, query } = splitTarget(target);
    this.path = path;
    this.query = query;
  }

  /** Reads a request of the web. `target`: as it was on the wire, where the caller knows it: a Request has already lost `..`. */
  static async from(request: Request, target = request.url): Promise<PlainRequest> {
    const { method, headers, url } = request;
    const body = request.body === null ? NO_BODY : new Uint8Array(await request.arrayBuffer());
    return new PlainRequest({ method, target, headers, body, origin: new URL(url).origin });
  }

  /** The whole address, normalized. */
  get url(): URL {
    const { target } = this;
    const url = (target.startsWith('/') ? URL.parse(this.origin + target) : URL.parse(target)) ?? new URL(this.origin);
    // `Request` takes no address with a user.
    url.username = '';
    url.password = '';
    return url;
  }

  webHeaders(): Headers {
    return new Headers([...this.headers]);
  }

  toRequest(): Request {
    const { method, url, body } = this;
    return new Request(url, {
      method,
      headers: this.webHeaders(),
      body: body.length > 0 ? new Uint8Array(body) : null,
    });
  }

  /** The same request with other headers. */
  withHeaders(headers: Headers): PlainRequest {
    const { method, target, body, origin } = this;
    return new PlainRequest({ method, target, headers, body, origin });
  }
}

const NO_BODY = new Uint8Array();

function splitTarget(target: string): { path: string; query: string } {
  // A proxy's request line names the whole address.
  const whole = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = whole.indexOf('#');
  const shown = end < 0 ? whole : whole.slice(0, end);
  const cut = shown.indexOf('?');
  return cut < 0
    ? { path: shown || '/', query: '' }
    : { path: shown.slice(0, cut) || '/', query: shown.slice(cut + 1) };
}

/** Headers as Node lists them, without spaces around values: name, value, name, value. A few are read by most calls, all of them by hardly any. */
export class RawHeaders implements HeaderReader {
  readonly #list: readonly string[];

  constructor(list: readonly string[]) {
    this.#list = list;
  }

  get(name: string): string | null {
    const list = this.#list;
    const wanted = name.toLowerCase();
    let found: string | null = null;
    for (let at = 0; at < list.length; at += 2) {
      const own = list[at]!;
      if (own.length !== wanted.length || own.toLowerCase() !== wanted) continue;
      const value = list[at + 1]!;
      found = found === null ? value : `${found}${wanted === 'cookie' ? '; ' : ', '}${value}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    const headers = new Headers();
    for (let at = 0; at < this.#list.length; at += 2) headers.append(this.#list[at]!, this.#list[at + 1]!);
    return headers[Symbol.iterator]();
  }
}

export interface PlainResponse {
  readonly status: number;
  /** By name in lower case; only cookies have several values. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** The body as text, without checking it. */
export function textOfBody({ body }: Pick<PlainRequest | PlainResponse, 'body'>): string {
  if (body === null || typeof body === 'string') return body ?? '';
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

export async function plainResponseOf(response: Response): Promise<PlainResponse> {
  const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: headersOf(response), body };
}

function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) };
}

export function responseOf({ status, headers, body }: PlainResponse): Response {
  const pairs = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new Response(body, { status, headers: pairs });
}

export type Serve = (request: PlainRequest) => Promise<PlainResponse>;

/** Puts a handler of requests and responses of the web in front. */
export function inFront(
  handle: (request: Request, next: (request: Request) => Promise<Response>, target: string) => Promise<Response>,
  next: Serve,
): Serve {
  return async (plain) => {
    const request = plain.toRequest();
    const passOn = async (passed: Request): Promise<Response> => {
      // What was on the wire holds only for the request that came.
      const isSame = passed === request;
      return responseOf(await next(isSame ? plain.withHeaders(passed.headers) : await PlainRequest.from(passed)));
    };
    return plainResponseOf(await handle(request, passOn, plain.target));
  };
}
