/**
 * An explanation for a developer who reads a refusal: the header `X-Proofmark-Hint`. It says more than
 * the envelope of a service should say to a stranger, so only a development server sends it. It contains no key and no code.
 */

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
  const hint = specificHint(service, request, response) ?? said ?? elsewhereHint(service);
  return headerValue(hint);
}

/** A header takes printable ASCII only. */
const headerValue = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, (character) => (/\s/.test(character) ? ' ' : ''))
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
  if (status === 405) return `${request.method} is not a method of this path: send ${headers.allow ?? 'another'}`;
  if (status === 404 && !PATHS.has(iface, path)) return PATHS.hint(iface, path);
  if (status === 401 || status === 403) return CREDENTIAL_HINTS[iface](service, request);
  if (status === 404 && iface === 'delivery') return ownerHint(service, request);
  if (status === 400) return bodyHint(iface, request);
  return undefined;
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

function bodyHint(iface: HintedInterface, { headers, body }: RefusedRequest): string | undefined {
  const type = headers.get('content-type') ?? '';
  if (iface === 'reseller') return undefined;
  if (UTF16.test(body)) return 'the body is UTF-16: send it as UTF-8';
  const begin = body.trimStart().slice(0, 1);
  // JSON is read whatever the content type says.
  if (begin !== '{' && /^application\/x-www-form-urlencoded|^multipart\//i.test(type))
    return `the body is JSON (Content-Type: application/json), not ${type.split(';', 1)[0]}`;
  const fault = jsonFault(body);
  if (fault !== undefined) return fault;
  return begin === '['
    ? 'the body is a JSON object; a list goes under its name, as the documents at /docs show'
    : undefined;
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
  try {
    const { error_message: v1, errorMsg: api } = JSON.parse(text) as Record<string, unknown>;
    const message = v1 ?? api;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
