/**
 * `proofmark mock` as a development server: it adds a log of what the service received, pages and an interface of
 * its own, the documents, CORS and latency. The service itself answers as always; none of this is there when it is judged.
 */
import { isUtf8 } from 'node:buffer';
import { setTimeout as wait } from 'node:timers/promises';
import { PATHS } from '../../../mock/hints/paths.ts';
import { HINT_HEADER } from '../../../mock/hints/request.ts';
import { inFront } from '../../../mock/http/messages.ts';
import type { RunningServer } from '../../../mock/http/serve.ts';
import { refusalOf } from './access.ts';
import { API_PATH, type DevParts, serveApi } from './api.ts';
import { type LogEntry, RequestLog } from './log.ts';
import { openApiOf } from './openapi.ts';
import { contractPage } from './pages/contract.ts';
import { logPage, logRows, statePage } from './pages/log.ts';
import { plain } from './pages/shell.ts';
import { createSender } from './sending.ts';

export interface DevOptions {
  /** Origins whose pages may read the interfaces from a browser; `*` for all. None by default. */
  readonly cors?: readonly string[];
  readonly latencyMs?: number;
  /** Faults and variants that the service was started with. */
  readonly active?: readonly string[];
  /** Called with every request to an interface, and every callback. */
  readonly logged?: (entry: LogEntry) => void;
}

export interface DevServer {
  /** The page with the log. */
  readonly address: string;
  readonly parts: DevParts;
}

/** Calls of the interfaces and callbacks: what integrators send. Pages for people are not logged. */
const IS_CALL = /^[/\\]+(?:v1|api|label_callback|app_callback)(?=[/\\%;]|$)/i;

/** Also a call whose base is missing or another one. */
const isLogged = (path: string): boolean => IS_CALL.test(path) || PATHS.below(path) !== undefined;

/** Puts the development server in front of a service that listens. */
export function attachDevServer(
  { service, localOrigin, earlyRefusals }: RunningServer,
  options: DevOptions = {},
): DevServer {
  const log = new RequestLog(service);
  const sending = createSender(service, log.redaction);
  const settings = { active: options.active ?? [], latencyMs: options.latencyMs ?? 0 };
  const parts: DevParts = { service, log, sending, settings };

  service.serve = inFront(async (request, serveAsUsual, target) => {
    const whole = target.replace(/^https?:\/\/[^/?#]*/i, '');
    const path = whole.split(/[?#]/, 1)[0] ?? '';
    if (!isLogged(path)) return (await ownPage(parts, path, request, localOrigin)) ?? serveAsUsual(request);
    const cors = corsHeaders(request, options.cors ?? []);
    if (cors !== undefined && isPreflight(request)) return new Response(null, { status: 204, headers: cors });
    const body = request.body === null ? '' : textOrBytes(await request.clone().bytes());
    const at = new Date();
    const began = performance.now();
    // A response that waits does not keep a stopped service alive.
    if (settings.latencyMs > 0) await wait(settings.latencyMs, undefined, { ref: false });
    const response = await serveAsUsual(request);
    if (isPreflight(request) && response.status === 405) response.headers.set(HINT_HEADER, preflightHint(request));
    const durationMs = performance.now() - began;
    const responseText = await response.clone().text();
    const { method, headers } = request;
    const entry = log.add({ at, durationMs, method, target: whole, headers, body, response, responseText });
    options.logged?.(entry);
    for (const [name, value] of Object.entries(cors ?? {})) response.headers.set(name, value);
    return response;
  }, service.serve);
  earlyRefusals.heard = (refusal) => void log.addEarly(refusal).then((entry) => options.logged?.(entry));
  return { address: `${localOrigin}/_dev/`, parts };
}

/** A text, unless its bytes are not UTF-8: to replace them would hide the mistake. */
const textOrBytes = (bytes: Uint8Array): string | Uint8Array => (isUtf8(bytes) ? Buffer.from(bytes).toString() : bytes);

/** A page of the development server; undefined for every address of the service. */
async function ownPage(parts: DevParts, path: string, request: Request, origin: string): Promise<Response | undefined> {
  const isOwn = /^\/_dev(?:\/|$)/.test(path) || path === '/docs' || path === '/docs/' || path === '/openapi.json';
  if (!isOwn) return undefined;
  const refusal = refusalOf(request, origin);
  if (refusal !== undefined) return plain(refusal.status, refusal.message);
  if (path.startsWith(API_PATH)) return serveApi(parts, request);
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Request this page by GET.');
  if (path === '/openapi.json') return Response.json(openApiOf(parts.service.origin));
  if (path.startsWith('/docs')) return contractPage(openApiOf(parts.service.origin));
  const query = new URL(request.url).searchParams;
  if (path === '/_dev' || path === '/_dev/') return logPage(parts);
  if (path === '/_dev/rows') return logRows(parts, Number(query.get('after') ?? 0));
  if (path === '/_dev/state') return statePage(parts);
  return plain(404, 'This page does not exist: start at /_dev/.');
}

/** Without it, the hint would say that the path does not take OPTIONS, which the developer of a page never sent. */
function preflightHint(request: Request): string {
  const origin = URL.parse(request.headers.get('origin') ?? '')?.origin ?? 'ORIGIN';
  return `a browser asks whether a page of ${origin} may read this: start the service with --cors ${origin}`;
}

const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method');

/** Headers that let a page of an allowed origin read the response; undefined for others. */
function corsHeaders(request: Request, allowed: readonly string[]): Record<string, string> | undefined {
  const origin = request.headers.get('origin');
  if (origin === null || !(allowed.includes('*') || allowed.includes(origin))) return undefined;
  return {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers':
      request.headers.get('access-control-request-headers') ?? 'authorization, content-type',
    'access-control-expose-headers': HINT_HEADER,
    'access-control-max-age': '600',
  };
}
