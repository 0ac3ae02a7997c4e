/**
 * Countries that clients wrote in another form than the contract's. Whether a service refuses them is its own choice (design:
 * Reading the spec); one that shows them shows what it was sent.
 */
import { isCountryCode } from '../../fields/scalars.ts';
import { isJsonObject } from '../../json/object.ts';
import type { ServiceRequest } from '../call.ts';
import { Memory } from '../memory.ts';
import { parametersOf } from '../reading/parameters.ts';

/** The fields of countries that clients write: the case that the contract fixes for a code, and whether a field lists several. */
const COUNTRIES: Readonly<Record<string, { readonly letterCase: 'lower' | 'any'; readonly isList: boolean }>> = {
  available_countries_from: { letterCase: 'any', isList: true },
  available_countries_to: { letterCase: 'any', isList: true },
  country: { letterCase: 'any', isList: false },
  addrCountry: { letterCase: 'lower', isList: false },
};

/** More and longer texts than a usual client writes are not kept. */
const MAX_TEXTS = 1000;
const MAX_CHARACTERS = 100;

export class SentCountries {
  readonly #sent = new Memory<true>({ entries: MAX_TEXTS });

  /** Takes a call before its response is judged. */
  note({ seen, document }: ServiceRequest): void {
    if (document === 'api') {
      for (const [name, value] of parametersOf(seen)) this.#noteValue(name, value);
      return;
    }
    const body = seen.requestBody.kind === 'json' ? seen.requestBody.value : undefined;
    if (!isJsonObject(body)) return;
    const { delivery_method: method, pickup_point: point, pickup_points: points } = body;
    for (const fields of [method, point, ...(Array.isArray(points) ? points : [])])
      if (isJsonObject(fields)) for (const name of Object.keys(COUNTRIES)) this.#noteValue(name, fields[name]);
  }

  #noteValue(name: string, value: unknown): void {
    for (const text of oddTextsIn(name, value) ?? [])
      if (text.length <= MAX_CHARACTERS) this.#sent.set(keyOf(name, text), true);
  }

  /** Whether all that is wrong with the value of a field was sent like that. */
  explains(name: string, value: unknown): boolean {
    const odd = oddTextsIn(name, value);
    return odd !== undefined && odd.length > 0 && odd.every((text) => this.#sent.get(keyOf(name, text)) === true);
  }
}

/** The texts of a field of countries that are not codes; undefined for another field, or a value of another type. */
function oddTextsIn(name: string, value: unknown): string[] | undefined {
  const field = Object.hasOwn(COUNTRIES, name) ? COUNTRIES[name] : undefined;
  if (field === undefined || Array.isArray(value) !== field.isList) return undefined;
  const texts: unknown[] = [value].flat();
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  return texts.filter((text) => !isCountryCode(text, field.letterCase));
}

const keyOf = (name: string, text: string): string => `${name} ${text}`;
