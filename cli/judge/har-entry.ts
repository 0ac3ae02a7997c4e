/** One entry of a HAR file as an exchange. Browsers leave much out; what is missing is marked as missing, never as empty. */

import { isJsonObject } from '../../contracts/json/object.ts';
import { jsonIn } from '../../contracts/json/parse.ts';
import type { BodyText, Exchange } from '../../contracts/run/events.ts';
import { headerOf } from '../../contracts/run/headers.ts';
import { instantOf, instantText } from '../../contracts/run/instants.ts';
import { unpacked } from './har-packed.ts';
import { type HarEntryText, HarError } from './har-scan.ts';

type Json = Readonly<Record<string, unknown>>;
type Header = readonly [string, string];

/** The exchange of an entry, numbered like it. Throws a `HarError` for what is not an entry of a HAR. */
export function exchangeOfEntry({ number, offset, line, text }: HarEntryText & { readonly text: string }): Exchange {
  const place = `entry ${number} at byte ${offset} (line ${line})`;
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch (error) {
    // The parser's own words hold a piece of the file, which may be a secret.
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    const inside = at === undefined ? '' : `, ${at} characters further on`;
    throw new HarError(`is not a HAR file: ${place} is not JSON${inside}`);
  }
  if (!isJsonObject(entry) || !isJsonObject(entry.request))
    throw new HarError(`is not a HAR file: ${place} has no request`);
  const { request, response } = entry;
  if (typeof request.method !== 'string' || typeof request.url !== 'string')
    throw new HarError(`is not a HAR file: the request of ${place} has no method and url`);
  const at = startOf(entry.startedDateTime);
  const recorded = headersOf(request);
  const requestBody = requestBodyOf(request, recorded);
  const recordedResponse = isJsonObject(response) ? responseOf(response) : undefined;
  const headers = withBodyType(recorded, request.postData);
  return {
    type: 'exchange',
    n: number,
    check: 'recorded',
    role: `entry ${number}`,
    direction: 'sent',
    at: Number.isNaN(at)
      ? instantText(0)
      : isWrittenAlike(entry.startedDateTime)
        ? entry.startedDateTime
        : instantText(at),
    // Without its beginning nothing can be said to have been under way at the same time.
    durationMs: Number.isNaN(at) ? 0 : Math.max(0, numberOf(entry.time)) + uncertaintyMs(entry.startedDateTime),
    request: {
      method: request.method,
      url: request.url,
      headers,
      ...(requestBody === undefined ? {} : { body: requestBody }),
    },
    ...(recordedResponse === undefined
      ? { failure: 'The recording contains no response.' }
      : { response: recordedResponse }),
  };
}

/** When an entry began: a date of any zone, or, from some exporters, the seconds or milliseconds since 1970. */
function startOf(time: unknown): number {
  const count = numberOf(time);
  const text = typeof time === 'string' ? instantOf(time) : Number.NaN;
  const at = count === 0 ? text : count > MIN_EPOCH_MS ? count : count * 1_000;
  return Math.abs(at) <= MAX_EPOCH_MS ? at : Number.NaN;
}

/** How much later an entry may have begun than its time says, where that has no part of a second: what came meanwhile overlaps with it. */
function uncertaintyMs(time: unknown): number {
  const text = String(time).trim();
  const isOfSeconds = /^\d{9,11}$/.test(text) || (/T\d\d:\d\d:\d\d/.test(text) && !/T\d\d:\d\d:\d\d[.,]\d/.test(text));
  return isOfSeconds ? LONGEST_UNSEEN_MS : 0;
}
const LONGEST_UNSEEN_MS = 999;

/** In the form of our own dates, as most browsers write it: it stays as it is. */
const isWrittenAlike = (time: unknown): time is string =>
  typeof time === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time);

/** As seconds it would be the year 5138, as milliseconds it is 1973. */
const MIN_EPOCH_MS = 100_000_000_000;
/** The last instant that a date can be. */
const MAX_EPOCH_MS = 8_640_000_000_000_000;

/**
 * Whether a browser answered the request itself, as it does for a host that it knows to serve HTTPS only (HSTS), and for extensions
 * that redirect: nothing of it was sent.
 */
export const isInternalRedirect = ({ response }: Exchange): boolean =>
  response?.status === 307 && headerOf(response.headers, 'non-authoritative-reason') !== undefined;

/** In recorded order. Names that begin with a colon are HTTP/2's own. */
function headersOf(message: Json): Header[] {
  const headers: Header[] = [];
  if (!Array.isArray(message.headers)) return headers;
  for (const header of message.headers) {
    if (!isJsonObject(header) || typeof header.name !== 'string' || header.name.startsWith(':')) continue;
    headers.push([header.name, typeof header.value === 'string' ? header.value : '']);
  }
  return headers;
}

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** The type of a form decides how it is read, and is beside it where headers were left out. That of JSON may be beside it, too. */
function withBodyType(headers: Header[], data: unknown): Header[] {
  const type = isJsonObject(data) && typeof data.mimeType === 'string' ? data.mimeType : '';
  // A recording without any header lacks the headers: none may count as missing in the request.
  const isTyped = FORM.test(type) || (headers.length > 0 && JSON_TYPE.test(type));
  return !isTyped || headerOf(headers, 'content-type') !== undefined ? headers : [...headers, ['content-type', type]];
}

/** A body of which nothing but its being there is known. */
const MISSING: BodyText = { truncated: 1 };

function requestBodyOf(request: Json, headers: readonly Header[]): BodyText | undefined {
  const size = Math.max(numberOf(request.bodySize), Number(headerOf(headers, 'content-length') ?? 0) || 0);
  const data = request.postData;
  if (!isJsonObject(data)) return size > 0 || isUnknownSize(request, headers) ? MISSING : undefined;
  const type = typeof data.mimeType === 'string' ? data.mimeType : (headerOf(headers, 'content-type') ?? '');
  if (typeof data.text === 'string' && data.text !== '') {
    const coding = headerOf(headers, 'content-encoding');
    return unpacked(isBase64(data) ? bytesOf(data.text) : withRest(data.text, size), coding);
  }
  const params = Array.isArray(data.params) ? data.params.filter(isJsonObject) : [];
  if (params.length === 0) return size > 0 ? MISSING : undefined;
  // Files of a multipart form are not recorded, and nothing else shows how its parts were written.
  if (!/urlencoded/i.test(type)) return MISSING;
  const pairs = params.map(({ name, value }) => [String(name), String(value ?? '')] as const);
  const [sent, encoded] = [
    joined(pairs),
    joined(pairs.map(([name, value]) => [formEncoded(name), formEncoded(value)])),
  ];
  if (!mayBeEncoded(pairs)) return { text: encoded };
  // Its length decides between the two, where it is known.
  if (size === sent.length) return { text: sent };
  return size === encoded.length ? { text: encoded } : MISSING;
}

const joined = (pairs: ReadonlyArray<readonly [string, string]>): string =>
  pairs.map((pair) => pair.join('=')).join('&');
const formEncoded = (text: string): string => new URLSearchParams([['', text.toWellFormed()]]).toString().slice(1);

/** The specification gives responses a member for it; some tools write it, or one of their own, into requests as well. */
const isBase64 = ({ encoding, _encoding }: Json): boolean =>
  [encoding, _encoding].some((name) => typeof name === 'string' && name.toLowerCase() === 'base64');

/** Text that says it is base64 and is not, shows nothing of the body. */
const bytesOf = (text: string): BodyText => (/^[\w+/\s-]*(?:={1,2}\s*)?$/.test(text) ? { base64: text } : MISSING);

/** -1 is how recorders say that they do not know. What does not have a body by its method has none. */
const isUnknownSize = (request: Json, headers: readonly Header[]): boolean =>
  request.bodySize === -1 &&
  headerOf(headers, 'content-length') === undefined &&
  !/^(?:GET|HEAD|DELETE|OPTIONS|CONNECT|TRACE)$/i.test(String(request.method));

/** Some recorders write parameters as they were sent, others decoded: where both are possible, the values are unknown. */
const mayBeEncoded = (pairs: ReadonlyArray<readonly [string, string]>): boolean =>
  pairs.some((pair) => pair.some((text) => /%[0-9a-f]{2}|\+/i.test(text))) &&
  pairs.every((pair) => pair.every((text) => /^[\w.*+%~!'()-]*$/.test(text)));

function responseOf(response: Json): Exchange['response'] {
  const status = numberOf(response.status);
  if (status === 0) return undefined;
  const content = isJsonObject(response.content) ? response.content : {};
  const headers = withLocation(headersOf(response), response.redirectURL);
  const type = typeof content.mimeType === 'string' ? content.mimeType : '';
  const isTyped = headerOf(headers, 'content-type') !== undefined || /^$|^x-unknown$/.test(type);
  const body = responseBodyOf(response, content, headers, status);
  return {
    status,
    headers: isTyped || headers.length === 0 ? headers : [...headers, ['content-type', type] as const],
    ...(body === undefined ? {} : { body }),
  };
}

/** Recorders that leave headers out still say where a redirect leads. */
const withLocation = (headers: Header[], to: unknown): Header[] =>
  typeof to !== 'string' || to === '' || headerOf(headers, 'location') !== undefined
    ? headers
    : [...headers, ['location', to]];

function responseBodyOf(
  response: Json,
  content: Json,
  headers: readonly Header[],
  status: number,
): BodyText | undefined {
  const size = numberOf(content.size);
  if (typeof content.text === 'string' && content.text !== '') {
    const coding = headerOf(headers, 'content-encoding');
    return unpacked(isBase64(content) ? bytesOf(content.text) : withRest(content.text, size), coding);
  }
  if (status === 204 || status === 304 || (status >= 300 && status < 400)) return undefined;
  const length = Number(headerOf(headers, 'content-length') ?? 0) || 0;
  const isLeftOut = size > 0 || numberOf(response.bodySize) > 0 || length > 0 || typeof content.text !== 'string';
  return isLeftOut && !isSurelyEmpty(content, headers) ? MISSING : undefined;
}

/** A recorder that keeps bodies says of an empty one that it has no bytes. */
const isSurelyEmpty = (content: Json, headers: readonly Header[]): boolean =>
  content.size === 0 && headerOf(headers, 'content-length') === '0';

/**
 * A text that is shorter than the body was cut: some recorders do so without a word. Others count the bytes before they were
 * unpacked or decoded; an object or a list that ends where it should is whole.
 */
function withRest(text: string, size: number): BodyText {
  const missing = size - Buffer.byteLength(text, 'utf8');
  return missing > 0 && !isWholeJson(text) ? { text, truncated: missing } : { text };
}

function isWholeJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return false;
  return jsonIn(text) !== undefined;
}

/** Some exporters write numbers as texts. */
function numberOf(value: unknown): number {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}
