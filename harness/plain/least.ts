/**
 * What a check can ask less of. The contract does not say how many methods a call may name beyond one, which fields can be changed once
 * they are given, or which countries a store knows beside its own: where a target refuses such a call, the check runs once more and
 * asks for two methods, another field, and one country.
 */
import { isJsonObject } from '../../contracts/run/fault.ts';
import type { ServiceRequest } from '../target/client/request.ts';

/** Whether a call that was refused can be put so that it asks for less. `country` is that of the store. */
export function couldAskLess({ api, method, path, body }: ServiceRequest, country: string): boolean {
  if (api !== 'v1') return false;
  if (method === 'PUT' || /^store\/delivery_method\/[^/]*(?:,|%2C)[^/]*(?:,|%2C)/i.test(path)) return true;
  return body !== undefined && 'json' in body && countriesIn(body.json).some((code) => code.toUpperCase() !== country);
}

/** The codes of countries in a body, wherever they are. */
function countriesIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return /countr/.test(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => countriesIn(one, name));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, one]) => countriesIn(one, key)) : [];
}
