/**
 * The country of the store in place of the one that checks write, and the reverse. Which countries a service takes is not stated, but for
 * that of the store: in a store elsewhere, a check that was refused runs once more as if the store were in the country of the check.
 */
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import { COUNTRY_FIELDS } from './codes.ts';

/** The country of most points and methods in checks. */
export const COUNTRY_OF_CHECKS = 'LV';

const HOLDERS: ReadonlySet<string> = new Set(COUNTRY_FIELDS);
/** What they hold is their owner's affair. */
const OPAQUE: ReadonlySet<string> = new Set(['attributes', 'fields', 'data']);

export class HomeCountry {
  readonly #own: string;

  /** `own`: the country of the store. */
  constructor(own: string) {
    this.#own = own.toUpperCase();
  }

  /** The call with the store's country wherever the check has its own. */
  sent(call: ServiceRequest): ServiceRequest {
    const { body } = call;
    return body !== undefined && 'json' in body
      ? { ...call, body: { ...body, json: this.exchanged(body.json) } }
      : call;
  }

  /** A value with the one country in place of the other in each of its fields that hold countries. */
  exchanged(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.exchanged(one));
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([name, member]) => {
      if (OPAQUE.has(name)) return [name, member];
      return [name, HOLDERS.has(name) ? this.#codes(member) : this.exchanged(member)];
    });
    return Object.fromEntries(members);
  }

  #codes(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#codes(one));
    if (typeof value !== 'string') return value;
    const upper = value.toUpperCase();
    const other = upper === this.#own ? COUNTRY_OF_CHECKS : upper === COUNTRY_OF_CHECKS ? this.#own : undefined;
    if (other === undefined) return value;
    return value === upper ? other : other.toLowerCase();
  }
}

/** That of a store which is not in the country of the checks; undefined where it is, or its country is not known. */
export const homeOf = (country: string | undefined): HomeCountry | undefined =>
  country === undefined || country.toUpperCase() === COUNTRY_OF_CHECKS ? undefined : new HomeCountry(country);

/** Whether a call names another country than this one in a field that holds countries. */
export function namesOtherCountry({ body }: ServiceRequest, own: string): boolean {
  const isOther = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isOther) : typeof value === 'string' && value.toUpperCase() !== own.toUpperCase();
  const isIn = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(isIn);
    if (!isJsonObject(value)) return false;
    return Object.entries(value).some(
      ([name, member]) => !OPAQUE.has(name) && (HOLDERS.has(name) ? isOther(member) : isIn(member)),
    );
  };
  return body !== undefined && 'json' in body && isIn(body.json);
}
