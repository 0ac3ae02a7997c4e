/**
 * The envelopes of responses (spec: Errors; Endpoints, "Common rules for A and B"). Delivery and Apps (`v1`) and Reseller (`api`)
 * name the parts of an error differently; success is `error: false` in both.
 */

import { isJsonObject } from '../json/object.ts';
import { jsonIn } from '../json/parse.ts';
import { pointerOf } from '../json/pointer.ts';
import { inWords } from '../json/words.ts';
import type { Fault, FaultLevel } from '../run/fault.ts';

/** `v1`: Delivery and Apps interface; `api`: Reseller interface. */
export type InterfaceName = 'v1' | 'api';

/** How each interface names code and message of an error. */
export const ERROR_NAMES = {
  v1: { code: 'error_code', message: 'error_message' },
  api: { code: 'errorCode', message: 'errorMsg' },
} as const satisfies Record<InterfaceName, { code: string; message: string }>;

export interface SuccessOptions {
  /**
   * `required`: `error: false` has to be there (calls that answer with the success envelope, and every call of `api`);
   * `optional`: a resource or list may be bare; `error: false` beside it is fine, and needed when there is nothing else.
   * Default: `optional` for `v1`, `required` for `api`.
   */
  readonly envelope?: 'required' | 'optional';
}

/**
 * The faults of a response that must be a success: status 200, JSON, an object, `error` false if present.
 *
 * @param body the parsed JSON value; a string is taken as text that was not parsed; undefined for no body
 * @example judgeSuccess('v1', 200, 'application/json', { error: false })   // []
 * @example judgeSuccess('v1', 200, 'application/json', { handle: 'x' })    // []
 * @example judgeSuccess('v1', 200, 'application/json', { error: 'false' }) // [{ rule: 'success.error-is-false', pointer: '/error', … }]
 */
export function judgeSuccess(
  of: InterfaceName,
  status: number,
  contentType: string | null | undefined,
  body: unknown,
  options: SuccessOptions = {},
): Fault[] {
  const faults: Fault[] = [];
  if (status !== 200) {
    faults.push(fault('success.status', `A successful call has status 200, not ${status}.`, 'status', 200, status));
  }
  const response = readBody(body, contentType, faults);
  if (response === undefined) return faults;
  if (response.error === true) {
    const message = 'The response contains the error envelope where a success was expected.';
    return [...faults, fault('success.error-is-false', message, '/error', false, true)];
  }
  const required = (options.envelope ?? (of === 'api' ? 'required' : 'optional')) === 'required';
  if (!Object.hasOwn(response, 'error')) {
    if (required)
      faults.push(fault('success.error-is-false', 'The response lacks `error: false`.', '/error', false, undefined));
    else if (Object.keys(response).length === 0) {
      const message = 'The response is an empty object; a success without data is `error: false`.';
      faults.push(fault('success.error-is-false', message, '/error', false, undefined));
    }
  } else if (response.error !== false) {
    const message = `\`error\` is ${inWords(response.error)}; a success contains the boolean false.`;
    faults.push(fault('success.error-is-false', message, '/error', false, response.error));
  }
  return faults;
}

/**
 * The faults of a response that must be an error: status 4XX or 5XX, JSON, an object with `error` true, an integer code and a
 * message text under the names of that interface. The value of the code is not judged.
 *
 * @param body the parsed JSON value; a string is taken as text that was not parsed; undefined for no body
 * @example judgeError('v1', 401, 'application/json', { error: true, error_code: 401, error_message: 'Unauthorized' }) // []
 * @example judgeError('api', 401, 'application/json', { error: true, error_code: 401, error_message: 'Unauthorized' })
 * // [{ rule: 'error.code', message: '`errorCode` is missing; it is called `error_code` in the Delivery and Apps …', … }, …]
 */
export function judgeError(
  of: InterfaceName,
  status: number,
  contentType: string | null | undefined,
  body: unknown,
): Fault[] {
  const faults: Fault[] = [];
  if (status < 400 || status > 599) {
    const message = `A failed call has a 4XX or 5XX status, not ${status}.`;
    faults.push(fault('error.status', message, 'status', '4XX or 5XX', status));
  }
  const response = readBody(body, contentType, faults);
  if (response === undefined) return faults;
  if (response.error !== true) {
    const message = `\`error\` is ${inWords(response.error)}; an error contains the boolean true.`;
    faults.push(fault('error.error-is-true', message, '/error', true, response.error));
  }
  faults.push(...errorPart(of, 'code', response, (value) => Number.isInteger(value), 'an integer'));
  faults.push(...errorPart(of, 'message', response, (value) => typeof value === 'string', 'a string'));
  return faults;
}

/** True for the error envelope of an interface, whatever the status. */
export function isErrorEnvelope(of: InterfaceName, body: unknown): boolean {
  if (!isJsonObject(body) || body.error !== true) return false;
  const { code, message } = ERROR_NAMES[of];
  return Number.isInteger(body[code]) && typeof body[message] === 'string';
}

/** True for an object that says `error: false`, alone or beside data. */
export function isSuccessEnvelope(body: unknown): boolean {
  return isJsonObject(body) && body.error === false;
}

/** What a resource is known by: it shows which of two objects it is where a further field has the name of a wrapper. */
const KNOWN_BY: Readonly<Record<string, string>> = { delivery_method: 'handle', pickup_point: 'id' };

/**
 * The single resource in a response: wrapped under its own name, bare, or bare beside `error: false`; undefined when there is
 * none (an error, nothing but the envelope, a null under its name, no object).
 *
 * @example resourceOf({ error: false, pickup_point: { id: 'a' } }, 'pickup_point') // { id: 'a' }
 * @example resourceOf({ error: false, id: 'a' }, 'pickup_point')                   // { id: 'a' }
 * @example resourceOf({ error: false }, 'pickup_point')                            // undefined
 * @example resourceOf({ id: 'a', pickup_point: 'indoors' }, 'pickup_point')        // { id: 'a', pickup_point: 'indoors' }
 */
export function resourceOf(body: unknown, name: string): unknown {
  if (!isJsonObject(body) || body.error === true) return undefined;
  const { error: _, ...bare } = body;
  const wrapped = body[name];
  const key = KNOWN_BY[name];
  const isBare =
    key !== undefined && Object.hasOwn(body, key) && !(isJsonObject(wrapped) && Object.hasOwn(wrapped, key));
  if (isBare) return bare;
  if (isJsonObject(wrapped)) return wrapped;
  if (Object.hasOwn(body, name) && wrapped === null) return undefined;
  return Object.keys(bare).length > 0 ? bare : undefined;
}

/** True for `application/json` and types such as `application/problem+json`, with any parameters. */
export function isJsonContentType(contentType: string | null | undefined): boolean {
  return /^\s*application\/(?:[a-z0-9!#$&^_.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

/** The response as an object; undefined, with the fault noted, if it is not an object. */
function readBody(
  body: unknown,
  contentType: string | null | undefined,
  faults: Fault[],
): Readonly<Record<string, unknown>> | undefined {
  const value = typeof body === 'string' ? jsonIn(body.replace(/^\uFEFF/, '')) : body;
  if (value === undefined) {
    const message = `The response is not JSON: its body is ${typeof body === 'string' && body !== '' ? inWords(body) : 'empty'}.`;
    faults.push(fault('body.json', message, '', 'a JSON object', body));
    return undefined;
  }
  if (!isJsonContentType(contentType)) {
    const message = `The response is JSON, but its content type is ${inWords(contentType ?? undefined)} instead of application/json.`;
    faults.push(fault('content-type', message, 'content-type', 'application/json', contentType ?? null, 'SHOULD'));
  }
  if (isJsonObject(value)) return value;
  faults.push(
    fault('body.object', `The response is ${inWords(value)} instead of a JSON object.`, '', 'a JSON object', value),
  );
  return undefined;
}

const FULL_NAMES = { v1: 'Delivery and Apps interfaces', api: 'Reseller interface' } as const;

function errorPart(
  of: InterfaceName,
  part: 'code' | 'message',
  response: Readonly<Record<string, unknown>>,
  isRight: (value: unknown) => boolean,
  type: string,
): Fault[] {
  const name = ERROR_NAMES[of][part];
  const value = response[name];
  if (isRight(value)) return [];
  const rule = `error.${part}`;
  if (Object.hasOwn(response, name)) {
    return [fault(rule, `\`${name}\` is ${inWords(value)} instead of ${type}.`, pointerOf(name), type, value)];
  }
  const other: InterfaceName = of === 'v1' ? 'api' : 'v1';
  const otherName = ERROR_NAMES[other][part];
  const hint = Object.hasOwn(response, otherName) ? `; it is called \`${otherName}\` in the ${FULL_NAMES[other]}` : '';
  return [fault(rule, `\`${name}\` is missing${hint}.`, pointerOf(name), type, undefined)];
}

function fault(
  rule: string,
  message: string,
  pointer: string,
  expected: unknown,
  actual: unknown,
  level: FaultLevel = 'MUST',
): Fault {
  return { rule, level, message, pointer, expected, actual };
}
