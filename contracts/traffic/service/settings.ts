/** Custom field values that are returned for no order (spec: Endpoints, delivery_provider_settings). */
import { isUnset } from '../../fields/unset.ts';
import { isJsonObject } from '../../json/object.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../call.ts';
import { named } from './responses.ts';

const CLAUSE = 'delivery.settings.unknown-order';
export const SETTINGS_CLAUSES_BROKEN = [CLAUSE];

/** Judges a call whose body names no order; which orders exist is not in the traffic. */
export function judgeSettings(call: ServiceRequest, { notes }: RuleContext): void {
  const { seen, operation } = call;
  if (operation?.id !== 'readProviderSettings' || responseKind(call) !== 'served') return;
  const { requestBody, responseBody } = seen;
  if (requestBody.kind !== 'json' || !isJsonObject(requestBody.value) || !isUnset(requestBody.value.order_uuid)) return;
  // A service may take it from the address as well.
  if (seen.parameter('order_uuid') !== undefined) return;
  const response = responseBody.kind === 'json' ? responseBody.value : undefined;
  const fields = isJsonObject(response) && isJsonObject(response.fields) ? response.fields : {};
  const returned = Object.keys(fields).find((name) => !isUnset(fields[name]));
  if (returned === undefined) return;
  notes.breaks(CLAUSE, seen.n, {
    message: `${named(call)} returns values without an order_uuid`,
    pointer: '/fields',
    expected: 'a refusal, or no value',
    actual: returned,
  });
}
