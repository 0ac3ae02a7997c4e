import type { App, Domain, Installation, Method, Order, Point, Provider, Reseller, Website } from './state.ts';

/** Rows that a service starts with. */
export interface Fixtures {
  readonly websites: readonly Website[];
  readonly providers: readonly Provider[];
  readonly apps: readonly App[];
  readonly installations: readonly Installation[];
  readonly methods: readonly Method[];
  /** By method handle. */
  readonly points: Readonly<Record<string, readonly Point[]>>;
  readonly orders: readonly Order[];
  readonly resellers: readonly Reseller[];
  readonly domains: readonly Domain[];
}
