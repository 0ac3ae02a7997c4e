/**
 * A call is a request as plain data, before it is sent: refusals are proved by sending one call and its control request that
 * differs in exactly one place.
 */
import { Secret } from '../secrets/secret.ts';
import { escapedJson } from './escaped-json.ts';

export type CallValue = string | Secret;
export type Pairs = ReadonlyArray<readonly [string, CallValue]>;

export type CallBody =
  /**
   * `escaped`: letters beyond ASCII and slashes are written as escapes, which say the same (`withEscapes`). `namesCharset`: the content
   * type names the charset of the form.
   */
  | { readonly json: unknown; readonly escaped?: boolean }
  | { readonly form: Pairs; readonly plusForSpaces?: boolean; readonly namesCharset?: true }
  | { readonly raw: string | Uint8Array; readonly contentType: string | null };

export interface ServiceRequest {
  /** Which base address it is relative to. */
  readonly api: 'v1' | 'api';
  readonly method: string;
  /** Relative to the base, without a leading slash, segments encoded once. */
  readonly path: string;
  readonly query: Pairs;
  readonly headers: Pairs;
  readonly body?: CallBody;
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

const reveal = (value: CallValue): string => (value instanceof Secret ? value.reveal() : value);

/** As browsers write a form: a bare quote would end the value for a search in the text, as redaction does. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27');

/** Servers take addresses of about 8,000 characters. */
const MAX_QUERY_CHARS = 7_500;

/** Whether these parameters fit into the query of an address; longer ones fit into a form only. */
export const fitsInQuery = (pairs: Pairs): boolean => encodePairs(pairs).length <= MAX_QUERY_CHARS;

/** `name=value&…`, UTF-8, each side encoded once, a space as `%20`. */
export function encodePairs(pairs: Pairs): string {
  return pairs.map(([name, value]) => `${encoded(name)}=${encoded(reveal(value))}`).join('&');
}

/** The address of a call on the given base (which ends with a slash). */
export function addressOf(call: ServiceRequest, base: string): string {
  const query = encodePairs(call.query);
  return `${base}${call.path}${query === '' ? '' : `${call.path.includes('?') ? '&' : '?'}${query}`}`;
}

/** The body's bytes or text with its content type; `undefined` when the call has none. */
export function bodyOf(call: ServiceRequest): { content: string | Uint8Array; contentType: string | null } | undefined {
  const body = call.body;
  if (body === undefined) return undefined;
  if ('json' in body) {
    const content = JSON.stringify(body.json);
    return { content: body.escaped === true ? escapedJson(content) : content, contentType: 'application/json' };
  }
  if ('form' in body) {
    const content = encodePairs(body.form);
    const spaced = body.plusForSpaces === true ? content.replaceAll('%20', '+') : content;
    return { content: spaced, contentType: body.namesCharset === true ? `${FORM_TYPE}; charset=UTF-8` : FORM_TYPE };
  }
  return { content: body.raw, contentType: body.contentType };
}

/** The call with its JSON body written with escapes; it says exactly the same. A call without a JSON body stays as it is. */
export function withEscapes(call: ServiceRequest): ServiceRequest {
  if (call.body === undefined || !('json' in call.body)) return call;
  return { ...call, body: { ...call.body, escaped: true } };
}

/** The call with the spaces of its form written as plus signs, as browsers and most libraries do. Another call stays as it is. */
export function withPlusForSpaces(call: ServiceRequest): ServiceRequest {
  if (call.body === undefined || !('form' in call.body)) return call;
  return { ...call, body: { ...call.body, plusForSpaces: true } };
}

/** The call with one query parameter, header or form field set (`undefined` removes it). */
export function withPair(
  call: ServiceRequest,
  place: 'query' | 'headers' | 'form',
  name: string,
  value: CallValue | undefined,
): ServiceRequest {
  const change = (pairs: Pairs): Pairs => {
    const at = pairs.findIndex(([n]) => n.toLowerCase() === name.toLowerCase());
    if (value === undefined) return pairs.filter((_, i) => i !== at);
    if (at < 0) return [...pairs, [name, value]];
    return pairs.map((pair, i) => (i === at ? [name, value] : pair));
  };
  if (place === 'form') {
    const form = call.body !== undefined && 'form' in call.body ? call.body.form : [];
    return { ...call, body: { form: change(form) } };
  }
  return { ...call, [place]: change(call[place]) };
}

/**
 * A call with `name[$ne]` instead of a parameter. Some frameworks read that as an object, which some databases take for "not equal" and
 * some languages cannot compare with a text.
 */
export function withOperator(call: ServiceRequest, place: 'query' | 'form', name: string): ServiceRequest {
  const change = (pairs: Pairs): Pairs =>
    pairs.map((pair) => (pair[0] === name ? [`${name}[$ne]`, 'proofmark'] : pair));
  if (place === 'query') return { ...call, query: change(call.query) };
  const form = call.body !== undefined && 'form' in call.body ? call.body.form : [];
  return { ...call, body: { form: change(form) } };
}

/** The places in which two calls differ, as short names (`headers authorization`, `body /pickup_points/100`). */
export function differences(a: ServiceRequest, b: ServiceRequest): string[] {
  const found: string[] = [];
  const walk = (x: unknown, y: unknown, at: string): void => {
    const left = x instanceof Secret ? x.reveal() : x;
    const right = y instanceof Secret ? y.reveal() : y;
    if (Object.is(left, right)) return;
    if (Array.isArray(left) && Array.isArray(right) && isPairs(left) && isPairs(right)) {
      pairDifferences(left, right, at, found, walk);
    } else if (isObjectOrList(left) && isObjectOrList(right)) {
      for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
        walk(left[key], right[key], `${at}/${key}`);
    } else {
      found.push(at);
    }
  };
  walk(a, b, '');
  return found;
}

const isObjectOrList = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

const isPairs = (value: readonly unknown[]): value is Pairs =>
  value.every((pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string');

/** A removed or added pair is one difference, however many pairs follow it. */
function pairDifferences(
  a: Pairs,
  b: Pairs,
  at: string,
  found: string[],
  walk: (x: unknown, y: unknown, at: string) => void,
): void {
  if (a.length === 0 || b.length === 0 || a.length !== b.length) {
    const names = new Set([...a, ...b].map(([name]) => name.toLowerCase()));
    for (const name of names) {
      const of = (pairs: Pairs) => pairs.filter(([n]) => n.toLowerCase() === name).map(([, value]) => reveal(value));
      if (JSON.stringify(of(a)) !== JSON.stringify(of(b))) found.push(`${at}/${name}`);
    }
    return;
  }
  a.forEach(([name, value], i) => {
    const [otherName, otherValue] = b[i]!;
    if (name !== otherName) found.push(`${at}/${name}`);
    else walk(value, otherValue, `${at}/${name}`);
  });
}
