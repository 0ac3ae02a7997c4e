/** One request to an interface, parsed and checked for its form, before any decision about it. */

import type { OperationId, ServiceInterface } from '../../contracts/operations/index.ts';
import type { HeaderReader } from './messages.ts';

export type Interface = ServiceInterface;

/** The operation of a call; `unknown` if the contract has none. */
export type CallName = OperationId | 'unknown';

/** Names and values in the order in which they came. */
export type Pairs = readonly (readonly [string, string])[];

export interface ServiceRequest {
  readonly iface: Interface;
  /** Which operation of the contract: `listMethods`, `addPoint`, `listWebsites`, …; `unknown` when none. */
  readonly operation: CallName;
  readonly method: string;
  /** Path below the interface's base, as sent: `/store/delivery_methods/`. */
  readonly path: string;
  /** Values of the `{…}` segments, decoded once. */
  readonly segments: Readonly<Record<string, string>>;
  /** Query parameters; for the reseller interface also those of the form, which come last. */
  readonly params: Pairs;
  readonly headers: HeaderReader;
  /** The JSON object that was sent; empty when there was no body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The last value of a parameter, or null. */
export function param(pairs: Pairs, name: string): string | null {
  return pairs.findLast(([key]) => key === name)?.[1] ?? null;
}
