/** Parses path, query, form fields and JSON of a request strictly, without guessing. */
import type { OperationId } from '../../contracts/operations/index.ts';
import type { Interface, Pairs, ServiceRequest } from './call.ts';
import { parseSent } from './json.ts';
import type { PlainRequest } from './messages.ts';
import { boundParts } from './multipart.ts';
import { Refusal, refuse } from './refusal.ts';

/** Larger than any portion of 100 points with attributes, and small enough to be read at once. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** A path of the contract, and what serves it. */
export interface Route<Run> {
  readonly operation: OperationId;
  readonly methods: readonly string[];
  /** `/store/delivery_method/{handle}/`; the slash at the end may be missing in a request. */
  readonly path: string;
  readonly run: Run;
}

/** Decodes a segment of a path once. Refuses a segment that a proxy or client could read as another path. */
function segmentOf(raw: string): string {
  if (raw === '') return refuse('malformed', 'The path has an empty segment: it has two slashes in a row.');
  const segment = decoded(raw, 'path');
  if (segment === '.' || segment === '..')
    return refuse('malformed', 'The path has a segment of dots, which means a parent.');
  return segment;
}

function decoded(raw: string, where: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return refuse(
      'malformed',
      `The ${where} has a percent sign that is not followed by the digits of a UTF-8 character.`,
    );
  }
}

/** Segments of a path below a base such as `/v1`, decoded. */
export function segmentsOf(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  return inner === '' ? [] : inner.split('/').map(segmentOf);
}

/** Far more than the fields of any call: each costs more memory than its bytes. */
const MAX_PAIRS = 10_000;

/** Names and values of a query string or of an urlencoded form, decoded, in order. */
export function pairsOf(query: string, where = 'query'): Pairs {
  const parts = query.split('&', MAX_PAIRS + 1).filter((part) => part !== '');
  if (parts.length > MAX_PAIRS) return refuse('too-many', `The ${where} has more than ${MAX_PAIRS} fields.`);
  return parts.map((part) => {
    const cut = part.indexOf('=');
    const [name, value] = cut < 0 ? [part, ''] : [part.slice(0, cut), part.slice(cut + 1)];
    return [decoded(name.replaceAll('+', ' '), where), decoded(value.replaceAll('+', ' '), where)] as const;
  });
}

/** The route of a path and method. Refuses an unknown path, and a known one with another method. */
export function routeOf<Run>(
  routes: readonly Route<Run>[],
  method: string,
  segments: readonly string[],
): { route: Route<Run>; values: Record<string, string> } {
  const allowed = new Set<string>();
  for (const route of routes) {
    const values = matched(route.path, segments);
    if (!values) continue;
    if (route.methods.includes(method)) return { route, values };
    for (const name of route.methods) allowed.add(name);
  }
  if (allowed.size === 0) return refuse('not-found', 'There is no such path in this interface.');
  const names = [...allowed].join(', ');
  throw new Refusal('wrong-method', `This path takes ${names}.`, { allow: names });
}

const split = new Map<string, readonly string[]>();

function patternOf(path: string): readonly string[] {
  const known = split.get(path);
  if (known !== undefined) return known;
  const pattern = path.split('/').filter((part) => part !== '');
  split.set(path, pattern);
  return pattern;
}

function matched(path: string, segments: readonly string[]): Record<string, string> | null {
  const pattern = patternOf(path);
  if (pattern.length !== segments.length) return null;
  const values: Record<string, string> = {};
  for (let at = 0; at < pattern.length; at += 1) {
    const part = pattern[at] as string;
    const segment = segments[at] as string;
    if (part.startsWith('{')) values[part.slice(1, -1)] = segment;
    else if (part !== segment) return null;
  }
  return values;
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The body as text; '' when there is none. Refuses bodies above the limit and bodies that are not UTF-8. */
export function textOf(request: PlainRequest): string {
  return request.body.length === 0 ? '' : decodedBody(bytesOf(request));
}

function decodedBody(bytes: Uint8Array): string {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    return refuse('malformed', 'The body is not UTF-8.');
  }
}

/** The body. Refuses bodies above the limit, and compressed ones: the contract does not promise that a service unpacks them. */
function bytesOf(request: PlainRequest): Uint8Array {
  const coding = (request.headers.get('content-encoding') ?? '').trim();
  if (coding !== '' && coding.toLowerCase() !== 'identity') return unsupportedCoding(coding);
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) return tooLarge();
  return request.body.length > MAX_BODY_BYTES ? tooLarge() : request.body;
}

/** A longer coding is not a real one. */
const MAX_SHOWN_CODING_CHARACTERS = 40;

function unsupportedCoding(coding: string): never {
  const shown = JSON.stringify(coding.slice(0, MAX_SHOWN_CODING_CHARACTERS));
  const message = `The content coding ${shown} is not supported: send the body uncompressed, without Content-Encoding.`;
  throw new Refusal('coded', message, { 'accept-encoding': 'identity' });
}

const tooLarge = (): never => refuse('too-large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);

/** A body as a JSON object. An empty one counts as an object without fields, whatever its content type says. */
export function objectOf(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  const value = parseSent(text);
  if (!isObject(value)) return refuse('invalid', 'The body must be a JSON object.');
  return value;
}

/** Whether a value is a JSON object (and not an array, null or a number kept with its digits). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value);
}

const { isRawJSON: isRawJson } = JSON as unknown as { isRawJSON: (value: unknown) => boolean };

/** A longer content type is not a real one. */
const MAX_SHOWN_TYPE_CHARACTERS = 60;

const EMPTY_JSON = /^\s*(?:\{\s*\}|\[\s*\]|null|"")\s*$/;

/** Fields of a form body, urlencoded or multipart. An empty body of any type has none. */
export async function formOf(request: PlainRequest): Promise<Pairs> {
  const type = (request.headers.get('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
  if (type === 'multipart/form-data') return multipartOf(request);
  const text = textOf(request);
  if (text === '') return [];
  // A JSON library writes an empty list of parameters as a body, too.
  if (/\bjson$/.test(type) && EMPTY_JSON.test(text)) return [];
  if (type !== 'application/x-www-form-urlencoded' && type !== '') {
    const sent = type.slice(0, MAX_SHOWN_TYPE_CHARACTERS);
    return refuse(
      'invalid',
      `Parameters are taken from the query and from form fields (urlencoded or multipart), not from ${sent}.`,
    );
  }
  return pairsOf(text, 'form');
}

async function multipartOf(request: PlainRequest): Promise<Pairs> {
  const type = request.headers.get('content-type') ?? '';
  const body = bytesOf(request);
  boundParts(body, type);
  // The parser replaces other bytes; files, which may hold any, are refused.
  decodedBody(body);
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    return refuse('malformed', 'The multipart form is not well formed.');
  }
  return [...form].map(([name, value]) =>
    typeof value === 'string' ? ([name, value] as const) : refuse('invalid', 'Files are not accepted.'),
  );
}

/** A call before it is parsed, for errors that occur earlier. */
export function unknownCall(iface: Interface, request: PlainRequest, path: string): ServiceRequest {
  return {
    iface,
    operation: 'unknown',
    method: request.method,
    path,
    segments: {},
    params: [],
    headers: request.headers,
    body: {},
  };
}
