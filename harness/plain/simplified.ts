/**
 * What a check can ask less of. The contract does not say how many methods a call may name beyond one, which fields can be changed once
 * they are given, which countries a store knows beside its own, or which label pages it accepts: where a target refuses such a call, the
 * check runs once more and asks for two methods, another field, one country, and no label page.
 */
import { isJsonObject } from '../../contracts/json/object.ts';
import type { ServiceRequest } from '../target/client/request.ts';

/** Whether a call that was refused can be put so that it asks for less. `country` is that of the store. */
export function canBeSimplified({ api, method, path, body }: ServiceRequest, country: string): boolean {
  // A password that is refused for its form goes out longer.
  if (api !== 'v1') return path === 'password/';
  if (method === 'PUT' || /^store\/delivery_method\/[^/]*(?:,|%2C)[^/]*(?:,|%2C)/i.test(path)) return true;
  if (body === undefined || !('json' in body)) return false;
  return hasLabelAddress(body.json) || countriesIn(body.json).some((code) => code.toUpperCase() !== country);
}

/** Whether a call names a label page for its method. */
export const carriesLabelAddress = ({ body }: ServiceRequest): boolean =>
  body !== undefined && 'json' in body && hasLabelAddress(body.json);

/** Whether a body has a method with the address of a label page. */
export function hasLabelAddress(body: unknown): boolean {
  const method = isJsonObject(body) ? body.delivery_method : undefined;
  const address = isJsonObject(method) ? method.print_label_url : undefined;
  return typeof address === 'string' && address !== '';
}

/** The codes of countries in a body, wherever they are. */
function countriesIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return /countr/.test(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => countriesIn(one, name));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, one]) => countriesIn(one, key)) : [];
}
