// Shared by all interfaces: the received call, the response, and the only way to refuse.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** The longest request body that is read into memory; 100 pickup points with large attributes need a small part of it. */
const MAX_BODY_BYTES = 2_000_000;
/** A longer body is still drained up to here, so that its sender can read the refusal instead of a broken pipe. */
const MAX_DRAINED_BYTES = 64_000_000;
/** The deepest nesting of a JSON body; prevents a stack overflow in recursive functions. */
const MAX_JSON_LEVELS = 400;

/** One request. `path` holds the decoded segments (a trailing slash adds none), `query` the pairs in the order sent. */
export interface ServiceRequest {
  method: string;
  path: string[];
  query: [string, string][];
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** One response: status, headers, and the body as text. */
export interface ServiceResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The only exception that is part of normal work: the caller gets the envelope of the interface it called. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly headers: Record<string, string>;

  constructor(status: number, code: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** A JSON response. The charset is spelled out and in capitals, which is as legal as leaving it out. */
export function json(body: object, status = 200, headers: Record<string, string> = {}): ServiceResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** Redirects the browser with a GET. */
export function redirect(address: string, headers: Record<string, string> = {}): ServiceResponse {
  return { status: 303, headers: { location: address, 'referrer-policy': 'no-referrer', ...headers }, body: '' };
}

/** Compares two secrets in constant time. */
export function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Reads a whole request. Throws a {@link Refusal} for a path that can't be decoded or a body that is too long. */
export async function readCall(request: IncomingMessage): Promise<ServiceRequest> {
  const body = await readBody(request);
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  const [rawPath = '/', ...rest] = target.split('?');
  return {
    method: request.method ?? 'GET',
    path: decodedSegments(rawPath),
    query: [...new URLSearchParams(rest.join('?'))],
    headers: request.headers,
    body,
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let lengthBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    lengthBytes += chunk.length;
    if (lengthBytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (lengthBytes > MAX_DRAINED_BYTES) break;
  }
  if (lengthBytes > MAX_BODY_BYTES) {
    throw new Refusal(413, 1013, `The body is longer than ${MAX_BODY_BYTES} bytes.`, { connection: 'close' });
  }
  return Buffer.concat(chunks);
}

function decodedSegments(rawPath: string): string[] {
  const raw = rawPath.split('/').slice(1);
  if (raw.at(-1) === '') raw.pop();
  try {
    return raw.map(decodeURIComponent);
  } catch {
    throw new Refusal(400, 1014, 'The address holds a percent sign that encodes nothing.');
  }
}

/** Writes a response. Node leaves the body out by itself when the request was a HEAD. */
export function writeResponse(response: ServerResponse, result: ServiceResponse): void {
  response.writeHead(result.status, {
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(result.body),
    ...result.headers,
  });
  response.end(result.body);
}

export type Handler<Context> = (
  context: Context,
  call: ServiceRequest,
  captured: string[],
) => ServiceResponse | Promise<ServiceResponse>;

/** A row of a routing table: the segments of the path (`*` captures one) and the handler of each method. */
export interface Route<Context> {
  path: string;
  verbs: Record<string, Handler<Context>>;
}

/**
 * Finds the handler of a call. HEAD is served as GET and OPTIONS lists the methods only where `safeGets` says that a
 * GET changes nothing. Throws a 404 for an unknown path and a 405 for a method that the path does not have.
 */
export function route<Context>(
  routes: Route<Context>[],
  context: Context,
  call: ServiceRequest,
  path: string[],
  options: { safeGets: boolean },
): ServiceResponse | Promise<ServiceResponse> {
  for (const candidate of routes) {
    const captured = capture(candidate.path.split('/'), path);
    if (!captured) continue;
    const verb = options.safeGets && call.method === 'HEAD' ? 'GET' : call.method;
    const handler = Object.hasOwn(candidate.verbs, verb) ? candidate.verbs[verb] : undefined;
    if (handler) return handler(context, call, captured);
    const allow = Object.keys(candidate.verbs).join(', ');
    if (options.safeGets && verb === 'OPTIONS') return json({ error: false }, 200, { allow });
    throw new Refusal(405, 1005, `This address takes ${allow}, not ${call.method}.`, { allow });
  }
  throw new Refusal(404, 1004, 'There is nothing at this address.');
}

function capture(shape: string[], path: string[]): string[] | null {
  if (shape.length !== path.length) return null;
  const captured: string[] = [];
  for (const [index, segment] of shape.entries()) {
    const given = path[index] ?? '';
    if (segment === '*') {
      if (given === '') return null;
      captured.push(given);
    } else if (segment !== given) return null;
  }
  return captured;
}

/**
 * The body of an A or B call as an object; an empty body is an empty object, whatever its content type says.
 * Throws a 400 for bytes that are not JSON and a 422 for JSON that is not an object.
 */
export function jsonObject(call: ServiceRequest): Record<string, unknown> {
  if (call.headers['content-encoding'] && call.headers['content-encoding'] !== 'identity') {
    throw new Refusal(415, 1015, 'Compressed bodies are not read here; send the JSON as it is.');
  }
  const text = utf8(call.body).trim();
  if (text === '') return {};
  if (deepestLevel(text) > MAX_JSON_LEVELS) {
    throw new Refusal(400, 1016, `The body is nested deeper than ${MAX_JSON_LEVELS} levels.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, 1016, 'The body is not well-formed JSON.');
  }
  if (!isObject(value)) throw new Refusal(422, 1017, 'The body has to be a JSON object.');
  if (!allNumbersFinite(value)) throw new Refusal(422, 1017, 'The body holds a number beyond what can be kept.');
  return value;
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 1016, 'The body is not UTF-8.');
  }
}

function deepestLevel(text: string): number {
  let level = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === 0x5c) at += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) deepest = Math.max(deepest, ++level);
    else if (unit === 0x7d || unit === 0x5d) level -= 1;
  }
  return deepest;
}

function allNumbersFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(allNumbersFinite);
}

/** True for a JSON object: not null, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The parameters of a reseller call or of a page's form, from the query, the form body (urlencoded or
 * multipart) or a flat JSON object. A name in both places takes the body's value.
 */
export async function parameters(call: ServiceRequest): Promise<Map<string, string>> {
  const found = new Map(call.query);
  if (call.body.length === 0) return found;
  const type = call.headers['content-type'] ?? '';
  if (/^application\/json\b/i.test(type)) {
    for (const [name, value] of Object.entries(jsonObject(call))) {
      if (typeof value === 'object' && value !== null) {
        throw new Refusal(422, 1017, `The parameter ${name} has to be a single value.`);
      }
      found.set(name, value === null ? '' : String(value));
    }
  } else if (/^multipart\/form-data\b/i.test(type)) {
    try {
      const form = await new Response(new Uint8Array(call.body), { headers: { 'content-type': type } }).formData();
      for (const [name, value] of form) if (typeof value === 'string') found.set(name, value);
    } catch {
      throw new Refusal(400, 1016, 'The multipart body could not be read.');
    }
  } else {
    for (const [name, value] of new URLSearchParams(utf8(call.body))) found.set(name, value);
  }
  return found;
}
