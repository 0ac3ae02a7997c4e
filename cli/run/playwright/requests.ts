/** Which interface an exchange belongs to: for the counts that say where the requests of a run go. */
import type { Exchange } from '../../../contracts/run/events.ts';

/** `pages` is everything else: label and app pages that the target fetched from the harness, pages of the shop. */
export type Interface = 'delivery' | 'apps' | 'reseller' | 'pages';

/** Bases end with a slash; Apps is a part of the first. */
export function interfaceOf(
  { request }: Pick<Exchange, 'request'>,
  { v1, api }: { readonly v1?: string | undefined; readonly api?: string | undefined },
): Interface {
  if (v1 !== undefined && request.url.startsWith(`${v1}apps/`)) return 'apps';
  if (v1 !== undefined && request.url.startsWith(v1)) return 'delivery';
  return api !== undefined && request.url.startsWith(api) ? 'reseller' : 'pages';
}

/** Counts of exchanges by interface, in the order in which they were met. */
export class RequestCounts {
  readonly #bases: Parameters<typeof interfaceOf>[1];
  readonly #counts: Partial<Record<Interface, number>> = {};

  constructor(bases: Parameters<typeof interfaceOf>[1]) {
    this.#bases = bases;
  }

  add(exchange: Pick<Exchange, 'request'>): void {
    const found = interfaceOf(exchange, this.#bases);
    this.#counts[found] = (this.#counts[found] ?? 0) + 1;
  }

  get counts(): Readonly<Partial<Record<Interface, number>>> {
    return { ...this.#counts };
  }
}
