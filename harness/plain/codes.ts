/** Ids and references as codes: which forms there are, and which calls carry one. */
import { isJsonObject } from '../../contracts/run/fault.ts';
import type { ServiceRequest } from '../target/client/request.ts';

/** Forms of ids and references that some services insist on: numbers of terminals, codes in capitals. */
export const CODE_FORMS = ['digits', 'capitals'] as const;
export type CodeForm = (typeof CODE_FORMS)[number];

export const IN_FORM: Readonly<Record<CodeForm, RegExp>> = {
  digits: /^[1-9]\d{0,9}$/,
  capitals: /^[A-Z][A-Z\d]{0,9}$/,
};

/** The id in a path of one point. */
export const POINT_PATH = /^(store\/delivery_method\/[^/]+\/pickup_point\/)([^/]+)(\/)$/;

/** Whether a call names a point, or sends ids of points, the reference of a method, or a snippet. */
export function carriesCodes({ api, path, body }: ServiceRequest): boolean {
  if (api !== 'v1') return false;
  if (POINT_PATH.test(path)) return true;
  const json = body !== undefined && 'json' in body && isJsonObject(body.json) ? body.json : {};
  const { delivery_method: method, pickup_point: point, pickup_points: points, snippet } = json;
  if (typeof snippet === 'string' && snippet !== '') return true;
  const isNewMethod = isJsonObject(method) && path === 'store/delivery_method/';
  return isNewMethod || isJsonObject(point) || Array.isArray(points) || (isJsonObject(method) && 'reference' in method);
}

/** Nine digits for as many letters, the first of them not 0. */
export function digitsOf(letters: string): string {
  const number = [...letters].reduce((sum, letter) => (sum * 26 + letter.charCodeAt(0) - 65) % 900_000_000, 0);
  return String(100_000_000 + number);
}
