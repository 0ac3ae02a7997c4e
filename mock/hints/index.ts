/**
 * An explanation for a developer who reads a refusal: the header `X-Proofmark-Hint`. It says more than
 * the envelope of a service should say to a stranger, so only a development server sends it. It contains no key and no code.
 */

import { isJsonObject } from '../../contracts/json/object.ts';
import { jsonIn } from '../../contracts/json/parse.ts';
import { APP_CALLBACK_PATH } from '../apps/installs.ts';
import { type PlainResponse, textOfBody } from '../http/messages.ts';
import { LABEL_CALLBACK_PATH } from '../orders/labels.ts';
import type { MockService } from '../types/service.ts';
import { appCallbackHint, labelCallbackHint } from './callbacks.ts';
import { appsKeyHint, deliveryKeyHint, keyIn, ownerWithKey, resellerHint } from './credentials.ts';
import { PATHS } from './paths.ts';
import { HINT_HEADER, type RefusedRequest } from './request.ts';

export { HINT_HEADER };

/** Longer texts do not help. */
const MAX_HINT_CHARACTERS = 400;

/** The hint as the value of a header; `response` is the refusal. */
export function hintFor(service: MockService, request: RefusedRequest, response: PlainResponse): string {
  const said = messageIn(textOfBody(response));
  const hint = specificHint(service, request, response) ?? said ?? PATHS.below(request.path) ?? elsewhereHint(service);
  return headerValue(hint);
}

/** A header takes printable ASCII only: other characters are written as JSON escapes, so that none is taken for another one. */
const headerValue = (text: string): string =>
  text
    .replaceAll(/\s/g, ' ')
    .replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .slice(0, MAX_HINT_CHARACTERS)
    .trim();

function specificHint(
  service: MockService,
  request: RefusedRequest,
  { status, headers }: PlainResponse,
): string | undefined {
  const { path } = request;
  if (path.startsWith(LABEL_CALLBACK_PATH.slice(0, -1))) return labelCallbackHint(service, request);
  if (path.startsWith(APP_CALLBACK_PATH)) return appCallbackHint(service, request);
  const iface = interfaceOf(path);
  if (iface === undefined) return undefined;
  if (status === 405) return methodHint(request, headers.allow);
  const odd = status === 404 ? oddSegment(path) : undefined;
  if (status === 404 && !PATHS.has(iface, path)) return odd ?? PATHS.hint(iface, path);
  if (status === 401 || status === 403) return CREDENTIAL_HINTS[iface](service, request);
  if (odd !== undefined) return odd;
  if (status === 404 && iface === 'delivery') return ownerHint(service, request);
  if (status === 404 && iface === 'reseller') return idHint(path);
  if (status === 400) return bodyHint(iface, request);
  return undefined;
}

/** A method that another one is to stand for. */
function methodHint({ method, headers, query, body }: RefusedRequest, allowed: unknown): string {
  const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override'].map((name) => headers.get(name));
  const field = /(?:^|[&"])_method(?:"\s*:\s*"|=)(\w+)/.exec(`${query}&${body}`)?.[1];
  const meant = overrides.find((value) => value !== null) ?? field;
  return meant === undefined
    ? `${method} is not a method of this path: send ${allowed ?? 'another'}`
    : `the service knows no override of methods: send the request with the method ${meant.toUpperCase().slice(0, MAX_METHOD_CHARACTERS)} itself`;
}

/** A longer word is not a method. */
const MAX_METHOD_CHARACTERS = 10;

/** A segment that was not filled in, or not encoded as it should be. */
function oddSegment(path: string): string | undefined {
  if (/\/(?:%7B|%3C|\{|<|:)[\w-]+(?=%7D|%3E|\}|>|\/|$)/i.test(path))
    return 'the path holds a placeholder: put the value in its place';
  if (/%25[\da-f]{2}/i.test(path)) return 'the path is percent-encoded twice: encode each value once';
  return path.includes('+') ? 'a plus sign in a path does not mean a space: encode a space as %20' : undefined;
}

/** A name where the path takes an id. */
function idHint(path: string): string | undefined {
  const [, website = '', domain] = /^\/api\/+website\/+([^/]+)(?:\/+domain\/+([^/]+)\/+remove)?/.exec(path) ?? [];
  if (domain !== undefined && !/^\d+$/.test(domain))
    return 'the path takes the domainID that the list of domains shows, not a name';
  return website === '' || /^\d+$/.test(website)
    ? undefined
    : 'the path takes the websiteID that the list of websites shows, not a name';
}

const CREDENTIAL_HINTS = { delivery: deliveryKeyHint, apps: appsKeyHint, reseller: resellerHint } as const;
export type HintedInterface = keyof typeof CREDENTIAL_HINTS;

function interfaceOf(path: string): HintedInterface | undefined {
  if (/^\/api(?:\/|$)/.test(path)) return 'reseller';
  if (/^\/v1\/+apps(?:\/|$)/.test(path)) return 'apps';
  return /^\/v1(?:\/|$)/.test(path) ? 'delivery' : undefined;
}

/** To every other owner, a foreign handle looks like an unknown one. */
function ownerHint(service: MockService, { path, headers }: RefusedRequest): string | undefined {
  const [, segment = '', below] = /^\/v1\/+store\/+delivery_method\/+([^/]+)(?:\/+([^/]+))?/.exec(path) ?? [];
  const handles = segment.split(/,|%2C/i);
  const takesSeveral = /^pickup_points?$/.test(below ?? '');
  if (handles.length > 1 && !takesSeveral)
    return 'this call takes one handle: several are for changes of pickup points';
  const caller = ownerWithKey(service, keyIn(headers));
  const foreign = handles.find((handle) => (service.state.methods.get(handle)?.owner ?? caller) !== caller);
  if (foreign !== undefined)
    return `the delivery method ${foreign} may belong to another key: it is visible to its owner only, and so are its points`;
  return handles.length > 1 &&
    handles.some((handle) => handle.trim() !== handle || handle === '' || handle.includes('%20'))
    ? 'a comma separates two handles, without spaces, and none comes first or last'
    : undefined;
}

/** What calls of Delivery and Apps send in their bodies. */
const BODY_FIELD = /(?:^|&)(order_uuid|snippet|data|delivery_method|pickup_points?)(?=[=[%])/;

function bodyHint(iface: HintedInterface, { headers, query, body }: RefusedRequest): string | undefined {
  const type = headers.get('content-type') ?? '';
  const inQuery = BODY_FIELD.exec(query)?.[1];
  if (inQuery !== undefined && body.trim() === '') return `${inQuery} goes into a body of JSON, not into the query`;
  if (iface === 'reseller') return undefined;
  if (UTF16.test(body)) return 'the body is UTF-16: send it as UTF-8';
  const begin = body.trimStart().slice(0, 1);
  // JSON is read whatever the content type says.
  if (begin !== '{' && /^application\/x-www-form-urlencoded|^multipart\//i.test(type))
    return `the body is JSON (Content-Type: application/json), not ${type.split(';', 1)[0]}`;
  const fault = jsonFault(body) ?? shapeFault(body);
  if (fault !== undefined) return fault;
  return begin === '['
    ? 'the body is a JSON object; a list goes under its name, as the documents at /docs show'
    : undefined;
}

/** What libraries make of lists and of nested values. */
function shapeFault(body: string): string | undefined {
  if (/^\s*\{\s*"pickup_points"\s*:\s*\{/.test(body))
    return 'pickup_points is an array, not an object with numbers as names: in PHP, array_values() makes it one';
  const [, name] = /^\s*\{\s*"(delivery_method|pickup_points?)"\s*:\s*"/.exec(body) ?? [];
  return name === undefined ? undefined : `${name} is JSON within the JSON of the body, not a text that holds JSON`;
}

/** Its byte order mark, read as UTF-8, or every other character of its beginning. */
const UTF16 = /^(?:\ufffd\ufffd|[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/;

/** Where a body stops being JSON; undefined for one that is, or that is empty. */
function jsonFault(body: string): string | undefined {
  if (body.trim() === '') return undefined;
  try {
    JSON.parse(body.replace(/^\uFEFF/, ''));
    return undefined;
  } catch (error) {
    if (/^[\w%[\].-]+=/.test(body)) return 'the body is JSON (Content-Type: application/json), not a form';
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    // The parser's own words hold a piece of the body.
    return at === undefined
      ? 'the body is not JSON, or ends before its JSON does'
      : `the body is not JSON from character ${Number(at) + 1} on`;
  }
}

const elsewhereHint = ({ origin }: MockService): string =>
  `nothing is at this address: Delivery and Apps are below ${origin}/v1/, Reseller is below ${origin}/api/, the documents at ${origin}/docs`;

function messageIn(text: string): string | undefined {
  const value = jsonIn(text);
  const message = isJsonObject(value) ? (value.error_message ?? value.errorMsg) : undefined;
  return typeof message === 'string' ? message : undefined;
}
