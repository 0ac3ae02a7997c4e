/** Converts requests and responses of the service to a form that operators can edit, and back. */
import { parseStored } from '../../mock/http/json.ts';
import { isObject } from '../../mock/http/request.ts';
import { OPERATIONS, type Operation } from './locations/operations.ts';

export { isObject };

export type Json = Record<string, unknown>;
export type Pair = [name: string, value: string];

/** A request to one operation; a copy may be edited freely. */
export interface MutableRequest {
  readonly operation: Operation;
  readonly method: string;
  /** Values of the `{…}` segments, decoded. */
  segments: Record<string, string>;
  query: Pair[];
  /** The JSON body as parsed; undefined if the body is missing or is not a JSON object. */
  json: Json | undefined;
  /** Form fields of a POST; undefined when the body is not a form. */
  form: Pair[] | undefined;
  /** The text of the JSON body. */
  readonly written?: string;
  /** Any other body: passed on unchanged. */
  readonly raw: string | undefined;
  headers: Headers;
  readonly isMultipart: boolean;
}

/** A response; `json` is undefined when the body is not a JSON object. */
export interface Reply {
  status: number;
  headers: Headers;
  json: Json | undefined;
  text: string;
}

const patterns = OPERATIONS.map((operation) => ({
  operation,
  parts: operation.path.split('/').filter((part) => part !== ''),
}));

/** The operation that a request calls, with the values of its path; undefined for pages, unknown paths and methods. */
export function operationAt(method: string, path: string): { operation: Operation; segments: Json } | undefined {
  const given = path.split('/').filter((part) => part !== '');
  for (const { operation, parts } of patterns) {
    if (parts.length !== given.length || !operation.methods.includes(method)) continue;
    const segments: Record<string, string> = {};
    const fits = parts.every((part, at) => {
      if (!part.startsWith('{')) return part === given[at];
      segments[part.slice(1, -1)] = decoded(given[at]!);
      return true;
    });
    if (fits) return { operation, segments };
  }
  return undefined;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Reads a request for editing; undefined when it calls no operation. The request itself can still be sent. */
export async function mutableRequestOf(request: Request): Promise<MutableRequest | undefined> {
  const url = new URL(request.url);
  const found = operationAt(request.method, url.pathname);
  if (found === undefined) return undefined;
  const type = request.headers.get('content-type') ?? '';
  const copy = request.clone();
  const isMultipart = type.startsWith('multipart/form-data');
  const base = {
    operation: found.operation,
    method: request.method,
    segments: found.segments as Record<string, string>,
    query: [...url.searchParams] as Pair[],
    headers: new Headers(request.headers),
    isMultipart,
  };
  if (request.body === null) return { ...base, json: undefined, form: undefined, raw: undefined };
  if (isMultipart) {
    const form = await copy.formData().catch(() => undefined);
    const pairs = form && [...form].map(([name, value]): Pair => [name, String(value)]);
    return {
      ...base,
      json: undefined,
      form: pairs,
      raw: pairs === undefined ? await request.clone().text() : undefined,
    };
  }
  const text = await copy.text();
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { ...base, json: undefined, form: [...new URLSearchParams(text)] as Pair[], raw: undefined };
  }
  const json = objectOf(text);
  if (json === undefined) return { ...base, json, form: undefined, raw: text };
  return { ...base, json, form: undefined, raw: undefined, written: text };
}

/** A request made of an edited copy. */
export function requestOf(sent: MutableRequest, origin: string): Request {
  const path = sent.operation.path.replaceAll(/\{([a-z]+)\}/g, (_all, name: string) =>
    (sent.segments[name] ?? '').split(',').map(encodeURIComponent).join(','),
  );
  const query = new URLSearchParams(sent.query).toString();
  const headers = new Headers(sent.headers);
  let body: string | undefined = sent.raw;
  if (sent.json !== undefined) body = JSON.stringify(sent.json);
  if (sent.form !== undefined) {
    body = new URLSearchParams(sent.form).toString();
    headers.set('content-type', 'application/x-www-form-urlencoded');
  }
  headers.delete('content-length');
  const hasBody = sent.method !== 'GET' && sent.method !== 'HEAD' && body !== undefined;
  return new Request(`${origin}${path}${query === '' ? '' : `?${query}`}`, {
    method: sent.method,
    headers,
    ...(hasBody && body !== undefined ? { body } : {}),
  });
}

export async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, headers: new Headers(response.headers), json: objectOf(text), text };
}

export function responseOf({ status, headers, json, text }: Reply): Response {
  const body = status === 204 || status === 304 ? null : json === undefined ? text : JSON.stringify(json);
  return new Response(body, { status, headers });
}

/** A copy that can be edited without touching the original. */
export const copyOfSent = (sent: MutableRequest): MutableRequest => ({
  ...sent,
  segments: { ...sent.segments },
  query: sent.query.map(([name, value]): Pair => [name, value]),
  form: sent.form?.map(([name, value]): Pair => [name, value]),
  json: sent.json === undefined ? undefined : (copyOf(sent.json) as Json),
  headers: new Headers(sent.headers),
});

export const copyOfReply = (reply: Reply): Reply => ({
  ...reply,
  headers: new Headers(reply.headers),
  json: reply.json === undefined ? undefined : (copyOf(reply.json) as Json),
});

/** A deep copy; numbers beyond the precision of JavaScript keep their digits. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  const copy: Json = {};
  for (const name of Object.keys(value)) setOwn(copy, name, copyOf(value[name]));
  return copy;
}

/** Sets a member whatever its name is: `__proto__` is a name like any other in JSON. */
function setOwn(target: Json, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;

export function objectOf(text: string): Json | undefined {
  try {
    const value = parseStored(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The records in a body: the items of a list, or the one record, bare or wrapped. */
export function recordsIn({ wrapper, effect }: Operation, json: Json | undefined): Json[] {
  if (json === undefined) return [];
  if (effect === 'list' || effect === 'replace') {
    const list = json[wrapper ?? ''];
    return Array.isArray(list) ? list.filter(isObject) : [];
  }
  const inner = wrapper === undefined ? undefined : json[wrapper];
  return [isObject(inner) ? inner : json];
}

/** The value of a form or query parameter. */
export function paramOf(sent: MutableRequest, name: string): string | undefined {
  return [...sent.query, ...(sent.form ?? [])].findLast(([key]) => key === name)?.[1];
}

/** Replaces a parameter where it is; undefined removes it. */
export function setParam(sent: MutableRequest, name: string, value: string | undefined): void {
  const changed = (pairs: Pair[]): Pair[] =>
    pairs.flatMap((pair): Pair[] => (pair[0] !== name ? [pair] : value === undefined ? [] : [[name, value]]));
  sent.query = changed(sent.query);
  if (sent.form !== undefined) sent.form = changed(sent.form);
}
