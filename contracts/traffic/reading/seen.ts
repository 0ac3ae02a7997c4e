/** An exchange as the rules read it: address taken apart, bodies read once and only when a rule asks. */

import { type Pairs, pairsOf } from '../../install-hash/query.ts';
import type { BodyText, Exchange } from '../../run/events.ts';
import { headerOf } from '../../run/headers.ts';
import { instantOf } from '../../run/instants.ts';
import type { Fields } from '../../signing/index.ts';
import { formFields, isFormType } from '../form.ts';
import type { JsonTexts } from './json-texts.ts';
import { mayBeRedacted } from './redacted.ts';

/** What is known of a body. `unknown` is not a fault: it was recorded in part, or a value in it was taken out. */
export type SeenBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes' };

const ADDRESS = /^(https?):\/\/(?:[^/?#@]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i;

export class SeenExchange {
  readonly exchange: Exchange;
  readonly n: number;
  /** In capitals. */
  readonly method: string;
  /** `https` or `http`; empty if it is not a web address. */
  readonly scheme: string;
  /** Scheme and host, in lower case, without the default port and without a slash at the end. */
  readonly origin: string;
  /** As sent. */
  readonly path: string;
  readonly rawQuery: string;
  #query: Pairs | undefined;
  #request: SeenBody | undefined;
  #response: SeenBody | undefined;
  #fields: Fields | undefined | null = null;
  #startMs: number | undefined;
  readonly #texts: Pick<JsonTexts, 'parse'>;

  /** `texts`: JSON texts of the exchanges before. */
  constructor(exchange: Exchange, texts: Pick<JsonTexts, 'parse'> = JSON) {
    this.exchange = exchange;
    this.#texts = texts;
    this.n = exchange.n;
    this.method = exchange.request.method.toUpperCase();
    const [, scheme = '', host = '', path = '', query = ''] = ADDRESS.exec(exchange.request.url) ?? [];
    this.scheme = scheme.toLowerCase();
    this.origin = scheme === '' ? '' : originOf(scheme, host);
    this.path = path === '' ? '/' : path;
    this.rawQuery = query;
  }

  /** The parameters of the address, decoded, in their order. */
  get query(): Pairs {
    this.#query ??= pairsOf(this.rawQuery);
    return this.#query;
  }

  /** A parameter of the address; the last one where it is repeated. */
  parameter(name: string): string | undefined {
    return this.query.findLast(([other]) => other === name)?.[1];
  }

  header(name: string): string | undefined {
    return headerOf(this.exchange.request.headers, name);
  }

  responseHeader(name: string): string | undefined {
    return headerOf(this.exchange.response?.headers ?? [], name);
  }

  /** Status of the response; 0 when none came. */
  get status(): number {
    return this.exchange.response?.status ?? 0;
  }

  get requestBody(): SeenBody {
    this.#request ??= bodyOf(this.exchange.request.body, this.#texts);
    return this.#request;
  }

  get responseBody(): SeenBody {
    this.#response ??= bodyOf(this.exchange.response?.body, this.#texts);
    return this.#response;
  }

  /** The fields of a form in the request, in their order; undefined if the request has no form or it was not recorded whole. */
  get form(): Fields | undefined {
    if (this.#fields === null) this.#fields = this.#readForm();
    return this.#fields;
  }

  /** Milliseconds since 1970; NaN when the recording does not say. */
  get startMs(): number {
    this.#startMs ??= instantOf(this.exchange.at);
    return this.#startMs;
  }

  get endMs(): number {
    return this.startMs + this.exchange.durationMs;
  }

  #readForm(): Fields | undefined {
    const { body } = this.exchange.request;
    const type = this.header('content-type');
    if (body === undefined || !isFormType(type) || (body.truncated ?? 0) > 0) return undefined;
    const text = textOf(body);
    return text === undefined ? undefined : formFields(text, type);
  }
}

/** What follows a base in the path of an exchange, which has the same beginning. */
export const behindBase = ({ path }: SeenExchange, base: string): string =>
  path.slice((ADDRESS.exec(base)?.[3] || '/').length);

/** As it is compared: some recorders write the default port out. */
export function originOf(scheme: string, host: string): string {
  const lower = `${scheme}://${host}`.toLowerCase();
  const port = lower.startsWith('https:') ? ':443' : ':80';
  return lower.endsWith(port) ? lower.slice(0, -port.length) : lower;
}

/**
 * An address for comparisons: without what recorders add or leave out.
 *
 * @example comparable('https://u:p@Host.example:443/a?b#c') // 'https://host.example/a?b'
 */
export function comparable(address: string): string {
  const [, scheme, host = '', path = '', query] = ADDRESS.exec(address) ?? [];
  if (scheme === undefined) return address;
  return `${originOf(scheme, host)}${path === '' ? '/' : path}${query === undefined ? '' : `?${query}`}`;
}

/** The text of a body; undefined when its bytes are not UTF-8. */
function textOf(body: BodyText): string | undefined {
  if (body.text !== undefined) return body.text;
  if (body.base64 === undefined) return '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body.base64, 'base64'));
  } catch {
    return undefined;
  }
}

function bodyOf(body: BodyText | undefined, texts: Pick<JsonTexts, 'parse'>): SeenBody {
  if (body === undefined) return { kind: 'none' };
  const isCut = (body.truncated ?? 0) > 0;
  const text = textOf(body);
  if (text === undefined) return isCut ? CUT : { kind: 'bytes' };
  if (text === '') return isCut ? CUT : { kind: 'none' };
  const trimmed = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    const value = texts.parse(trimmed);
    // The beginning of a number or of a list of lines is JSON, too; of an object it never is.
    return isCut && typeof value !== 'object' ? CUT : { kind: 'json', value, text: trimmed };
  } catch {
    if (isCut) return CUT;
    // A number that was a secret leaves a name without quotes behind.
    if (/^\s*[[{]/.test(trimmed) && mayBeRedacted(trimmed)) {
      return { kind: 'unknown', why: 'values in its body were redacted before it was recorded' };
    }
    return { kind: 'text', text };
  }
}

const CUT: SeenBody = { kind: 'unknown', why: 'its body was not recorded completely' };
