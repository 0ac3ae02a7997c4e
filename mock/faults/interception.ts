/** Building blocks for faults and variants: changed responses, intercepted calls, and rows that are changed without a call. */

import { jsonIn } from '../../contracts/json/parse.ts';
import { OPERATIONS, type OperationsOf, type ServiceInterface } from '../../contracts/operations/index.ts';
import type { CallName, Interface, ServiceRequest } from '../http/call.ts';
import { isObject } from '../http/request.ts';
import type { ServiceResponse } from '../rules/common.ts';
import type { Deviation, Http } from '../types/deviation.ts';
import type { Rules } from '../types/rules.ts';
import type { MockService } from '../types/service.ts';

/** How long a write takes where another one is to arrive meanwhile. */
export const MOMENT_MS = 2;

export type Json = Record<string, unknown>;
type MakesRules = NonNullable<Deviation['rules']>;

/** The path of an operation below the origin; its groups catch the values in it. */
export const pathOfOperation = (id: OperationsOf<ServiceInterface>): RegExp => {
  const { iface, template } = OPERATIONS[id];
  return new RegExp(`^/${iface === 'reseller' ? 'api' : 'v1'}${template.replace(/\{\w+\}/g, '([^/]+)')}$`);
};

/** Paths below the origin; groups capture the segments that a fault may need. */
export const PATHS = {
  methods: pathOfOperation('listMethods'),
  newMethod: pathOfOperation('addMethod'),
  method: pathOfOperation('readMethod'),
  points: pathOfOperation('listPoints'),
  newPoint: pathOfOperation('addPoint'),
  point: pathOfOperation('readPoint'),
  batch: pathOfOperation('batchReplace'),
  settings: pathOfOperation('readProviderSettings'),
  anyDelivery: /^\/v1\/store\//,
  anyApps: /^\/v1\/apps\//,
} as const;

/** Rules that change the responses of an interface's operations: other interfaces have operations of the same name. */
export function responsesOf(
  iface: Interface,
  isMeant: (operation: CallName) => boolean,
  change: (response: ServiceResponse, call: ServiceRequest) => ServiceResponse,
): (correct: Rules) => Partial<Rules> {
  return (correct) => ({
    finish: (call, response) => {
      const usual = correct.finish(call, response);
      return call.iface === iface && isMeant(call.operation) ? change(usual, call) : usual;
    },
  });
}

/** Rules that change the responses of these operations of Delivery. */
export const responses = (
  operations: readonly CallName[],
  change: (response: ServiceResponse, call: ServiceRequest) => ServiceResponse,
): ((correct: Rules) => Partial<Rules>) =>
  responsesOf('delivery', (operation) => operations.includes(operation), change);

/** Rules that change the body of every successful response of these operations of an interface. */
export const bodiesOf = (
  iface: Interface,
  operations: readonly CallName[],
  change: (body: Json, call: ServiceRequest) => unknown,
): MakesRules =>
  responsesOf(
    iface,
    (operation) => operations.includes(operation),
    (response, call) =>
      response.status === 200 ? { ...response, body: change(response.body, call) as Json } : response,
  );

/** Rules that change the body of every successful response of these operations. */
export function bodies(
  operations: readonly CallName[],
  change: (body: Json, call: ServiceRequest) => Json,
): MakesRules {
  return responses(operations, (response, call) =>
    response.status === 200 ? { ...response, body: change(response.body, call) } : response,
  );
}

/** Rules that change the items of a list on each of its pages. */
export function listed(name: 'delivery_methods' | 'pickup_points', change: (items: Json[]) => unknown): MakesRules {
  const operation: CallName = name === 'delivery_methods' ? 'listMethods' : 'listPoints';
  return bodies([operation], (body) => ({ ...body, [name]: change((body[name] ?? []) as Json[]) }));
}

/** A call that is intercepted before the service sees it. */
export interface InterceptedRequest {
  readonly request: Request;
  readonly service: MockService;
  /** The captured segments of the path, decoded. */
  readonly parts: readonly string[];
  /** The body; `undefined` if it is not a JSON object. */
  readonly body: Json | undefined;
  /** Passes the call on, with changes if given. */
  pass(changed?: Changed): Promise<Response>;
}

export interface Changed {
  readonly method?: string;
  readonly body?: unknown;
  readonly path?: string;
  /** The query with its question mark, or ''. */
  readonly search?: string;
  /** An urlencoded body that replaces the received one. */
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Intercepts the calls with this method and path; others pass. */
export function intercepts(method: string, path: RegExp, serve: (met: InterceptedRequest) => Promise<Response>): Http {
  const isAbout = (of: string, pathname: string): boolean => (method === '*' || of === method) && path.test(pathname);
  const http: Http = async (request, next, service) => {
    const url = new URL(request.url);
    const found = isAbout(request.method, url.pathname) ? path.exec(url.pathname) : null;
    if (found === null) return next(request);
    const text = request.body === null ? undefined : await request.clone().text();
    let body: { readonly sent: Json | undefined } | undefined;
    return serve({
      request,
      service,
      parts: found.slice(1).map(decoded),
      // Most faults look at something else, and a body may hold a hundred points.
      get body() {
        body ??= { sent: objectIn(text) };
        return body.sent;
      },
      // The service knows what is behind the request that it handed out, which can be passed on as often as needed.
      pass: (changed) => next(changed === undefined ? request : altered(request, text, changed)),
    });
  };
  return Object.assign(http, { isAbout });
}

function altered(request: Request, text: string | undefined, changed: Changed): Request {
  const url = new URL(request.url);
  const { pathname, origin } = url;
  const { method = request.method, path = pathname, search = url.search } = changed;
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(changed.headers ?? {})) headers.set(name, value);
  headers.delete('content-length');
  const body = changed.form ?? (changed.body === undefined ? text : JSON.stringify(changed.body));
  const carries = body !== undefined && method !== 'GET';
  return new Request(`${origin}${path}${search}`, { method, headers, ...(carries ? { body } : {}) });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function objectIn(text: string | undefined): Json | undefined {
  const value = jsonIn(text ?? '');
  return isObject(value) ? value : undefined;
}

/** Changes the pages of the service. */
export const pages =
  (change: (html: string) => string): Http =>
  async (request, next) => {
    const response = await next(request);
    if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) return response;
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(change(await response.text()), { status: response.status, headers });
  };

/** The snippets of all installations. */
export const siteSnippets = ({ state }: MockService): string[] =>
  state.installations.all().flatMap(({ snippets }) => Object.values(snippets).filter((text) => text !== ''));

/** A page of the fault's own. */
export const page = (words: string, status = 200): Response =>
  new Response(`<!doctype html><title>${words}</title><h1>${words}</h1>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

/** An interception that keeps something from one request to the next. */
export const remembering = (make: () => Http): Http => Object.assign(make(), { remembers: true as const });

/** The memory of a fault, separate for each service. */
export function memory<T>(begin: () => T): (service: MockService) => T {
  const kept = new WeakMap<MockService, T>();
  return (service) => {
    const known = kept.get(service) ?? begin();
    kept.set(service, known);
    return known;
  };
}

/** Rules that also see the handles of the call that is being served. */
export const seeingHandles =
  (rules: (correct: Rules, handles: () => readonly string[]) => Partial<Rules>): MakesRules =>
  (correct) => {
    let handles: string[] = [];
    return {
      handlesOf: (segment) => {
        handles = correct.handlesOf(segment);
        return handles;
      },
      ...rules(correct, () => handles),
    };
  };

/** A response of the fault's own. */
export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

export const success = (): Response => json({ error: false });

/** A refusal in the envelope of Delivery and Apps. */
export const refused = (status: number, message = 'Refused.'): Response =>
  json({ error: true, error_code: status, error_message: message }, status);

export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Replaces letters outside ASCII by question marks, as some databases do. */
export const questionMarks = (text: string): string => text.replaceAll(/[^\x20-\x7e]/gu, '?');
