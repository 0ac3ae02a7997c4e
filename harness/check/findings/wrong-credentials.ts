/**
 * Calls of Delivery and Apps that were served although a credential was missing or was a near miss of the right one (spec: Authentication).
 * Whatever check sent such a call, and for whatever purpose: the response shows the breach.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { matchPath } from '../../../contracts/operations/match.ts';
import type { Breach } from '../../../contracts/run/events.ts';
import type { CallValue, Pairs, ServiceRequest } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { isServed } from '../../target/response/judge-response.ts';
import { Secret } from '../../target/secrets/secret.ts';

/**
 * What such a response breaks; undefined where the call had its credentials or was refused. Not of Reseller: a logout with a token that
 * is not valid may say that there is nothing to end.
 */
export function servedWithoutCredentials(call: ServiceRequest, response: ServiceResponse): Breach | undefined {
  const operation = call.api === 'v1' ? matchPath('v1', call.path)?.operations.get(call.method) : undefined;
  if (operation === undefined || !isServed(response) || !isJsonObject(response.json)) return undefined;
  const isOfApps = call.path.startsWith('apps/');
  const wrong =
    wrongValue('key', call.headers, 'authorization') ??
    (isOfApps ? wrongValue('authCode', call.query, 'authcode') : undefined);
  if (wrong === undefined) return undefined;
  const isRead = call.method === 'GET' || operation.id === 'readProviderSettings';
  return {
    clause: `${isOfApps ? 'apps' : 'delivery'}.credentials.${isRead ? 'every-read' : 'every-write'}`,
    exchange: response.exchange,
    reason: `${call.method} ${operation.template} was served with ${wrong}`,
    pointer: 'status',
    expected: '4XX or 5XX',
    actual: response.status,
  };
}

/** In words what is wrong with a credential of a call. */
function wrongValue(what: string, pairs: Pairs, name: string): string | undefined {
  const values = pairs.flatMap(([key, value]) => (key.toLowerCase() === name ? [value] : []));
  if (values.length === 0) return `no ${what}`;
  return values.every(isNearMiss) ? `a near miss of the right ${what}` : undefined;
}

/** As `Context.nearMiss` and `Context.nearMisses` name them. */
const isNearMiss = (value: CallValue): boolean => value instanceof Secret && /_NEAR_MISS(_\d+)?$/.test(value.name);
