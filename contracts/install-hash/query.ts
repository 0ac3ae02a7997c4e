/** Reading the query string of an install or settings request (spec: Installation and settings requests). */
import { LOAD_ROWS, type LoadParameterName } from '../fields/catalogue/app-load.ts';

/** The parameter that carries the hash and is never part of the hashed query. */
export const HASH_PARAMETER = 'hash';

/** The parameters that the contract names besides `hash`, in its order; everything else in the query is the address's own. */
export const INSTALL_PARAMETERS: readonly LoadParameterName[] = LOAD_ROWS.map(([name]) => name);

/** Decoded name and value of each parameter, in received order; a name may occur more than once. */
export type Pairs = ReadonlyArray<readonly [name: string, value: string]>;

/**
 * The raw query of an address: what is between the first `?` and the fragment.
 * A full address, an address without host (`/install?…`) and a bare query (with or without `?`) are understood.
 *
 * @example queryOf('https://app.example/install?appId=7#top') // 'appId=7'
 */
export function queryOf(address: string): string {
  if (address.startsWith('?')) return address.slice(1);
  if (!/^(?:[a-z][a-z0-9+.-]*:\/\/|\/)/i.test(address)) return address;
  const [withoutFragment] = address.split('#', 1) as [string];
  const start = withoutFragment.indexOf('?');
  return start < 0 ? '' : withoutFragment.slice(start + 1);
}

/** The parts of a raw query between its `&`, without empty ones, as received. */
export function rawPartsOf(query: string): string[] {
  return query.split('&').filter((part) => part !== '');
}

/** One part decoded: `+` and `%20` are spaces, bytes are UTF-8, a broken percent sign is literal. */
export function decodePart(part: string): readonly [name: string, value: string] {
  // Most parts are not encoded, and the parser is slow.
  const end = part.indexOf('=');
  if (!/[%+?&]|[^ -~]/.test(part)) return end < 0 ? [part, ''] : [part.slice(0, end), part.slice(end + 1)];
  // A leading "?" would be dropped by the parser: here it is part of the name.
  const [pair] = new URLSearchParams(part.replace(/^\?/, '%3F'));
  return pair ?? ['', ''];
}

/** All parameters of a raw query, decoded, in received order. */
export function pairsOf(query: string): Pairs {
  return rawPartsOf(query).map(decodePart);
}

/** The parts of a raw query without `hash`, however that name was encoded. */
export function rawPartsWithoutHash(query: string): string[] {
  return rawPartsOf(query).filter((part) => decodePart(part)[0] !== HASH_PARAMETER);
}
