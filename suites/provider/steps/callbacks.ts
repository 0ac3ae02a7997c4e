/** What came back for a label request: requests to its own callback address, read as reports of success or failure. */

import { type Pairs, pairsOf } from '../../../contracts/install-hash/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { jsonIn } from '../../../contracts/json/parse.ts';
import { SIGNATURE_FIELD } from '../../../contracts/signing/index.ts';
import { formFields, isFormType } from '../../../contracts/traffic/form.ts';
import { TRACKING } from '../../../contracts/traffic/integrator/labels/tracking.ts';
import type { Received } from '../../../harness/integrator/counterpart.ts';
import type { DeliverySession, LabelRequest } from '../session.ts';

export interface Callback {
  readonly received: Received;
  /** From the query; from the body where it was no GET. */
  readonly pairs: Pairs;
  /** It reports a failure; anything else claims success. */
  readonly isError: boolean;
}

/** Every callback to the address of a request, in order, by whatever method, and in whatever letter case. */
export const callbacksOf = (session: DeliverySession, request: Pick<LabelRequest, 'token'>): Callback[] =>
  allCallbacks(session).filter(({ received }) => isFor(received, request));

const isFor = ({ path }: Received, { token }: Pick<LabelRequest, 'token'>): boolean =>
  path.includes(token) || path.toLowerCase().includes(token.toLowerCase());

/** Every callback of the precheck, for whatever request. */
export const allCallbacks = ({ counterpart }: DeliverySession): Callback[] =>
  counterpart.received
    .filter(({ path, method }) => method !== 'OPTIONS' && method !== 'HEAD' && isCallbackPath(path))
    .map(readCallback);

const isCallbackPath = (path: string): boolean => path.startsWith('/label_callback');

function readCallback(received: Received): Callback {
  const pairs = parametersOf(received);
  const isError = pairs.some(([name]) => name === 'error_msg') && !parameterOf(pairs, 'label_url');
  return { received, pairs, isError };
}

function parametersOf({ method, query, body, headers }: Received): Pairs {
  const inQuery = pairsOf(query);
  if (method === 'GET' || body === '') return inQuery;
  const type = headers['content-type'];
  if (isFormType(type)) return [...inQuery, ...(formFields(body, type) ?? [])];
  const value = jsonIn(body);
  if (!isJsonObject(value)) return inQuery;
  return [...inQuery, ...Object.entries(value).map(([name, one]) => [name, String(one)] as const)];
}

const PARAMETERS: readonly string[] = ['label_request_id', 'label_url', 'error_msg', ...TRACKING, SIGNATURE_FIELD];

/** A request without any parameter of a report is not a report: a link, or a page that refuses its user, may lead back to the store by that address. */
export const isReport = ({ pairs }: Callback): boolean => pairs.some(([name]) => PARAMETERS.includes(name));

/** The value of a parameter; the first one where it is repeated. */
export const parameterOf = (pairs: Pairs, name: string): string | undefined =>
  pairs.find(([other]) => other === name)?.[1];

/** The store in which the order of a request was bought; empty where the request does not name it. */
export const storeOf = ({ fields }: Pick<LabelRequest, 'fields'>): string => parameterOf(fields, 'website_alias') ?? '';

/** Reports of success for a request, authentic or forged. */
export const successesOf = (session: DeliverySession, request: Pick<LabelRequest, 'token'>): Callback[] =>
  callbacksOf(session, request).filter(({ isError }) => !isError);

/**
 * A second report of another request, which had been reported before `since` (milliseconds since 1970): where the request at hand
 * gets none, the page takes it for that one.
 */
export function repeatOfAnother(
  session: DeliverySession,
  request: Pick<LabelRequest, 'token'>,
  since: number,
): Callback | undefined {
  const others = allCallbacks(session).filter(({ received }) => !isFor(received, request));
  const earlier = new Set(others.filter(({ received }) => received.at < since).map(({ received }) => received.path));
  return others.find(({ received }) => received.at >= since && earlier.has(received.path));
}
