/** What the faults of lists change: the items of a page, its link, and the number of methods. */

import type { Fixtures } from '../../../fixtures/fixtures.ts';
import type { ServiceRequest } from '../../../http/call.ts';
import type { Page } from '../../../rules/common.ts';
import type { Listing } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { bodies, type Json } from '../../interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

export interface Cut<Item> {
  readonly list: Listing<Item>;
  readonly after: string | null;
  readonly size: number;
  readonly backwards: boolean;
  readonly usual: (after: string | null, size: number, backwards: boolean) => Page<Item>;
}

/** Cuts pages differently. `usual` cuts them correctly. */
export const cut =
  (page: <Item>(of: Cut<Item>) => Page<Item>): MakesRules =>
  (correct) => ({
    pageOf: (list, after, size, backwards) =>
      page({ list, after, size, backwards, usual: (...asked) => correct.pageOf(list, ...asked) }),
  });

/** Changes the link of each page; null removes it. */
export const links = (change: (link: string, name: string, call: ServiceRequest) => string | null): MakesRules =>
  bodies(['listMethods', 'listPoints'], (body, call) => {
    const { next_page_uri: link, ...rest } = body;
    if (typeof link !== 'string') return body;
    const changed = change(link, 'delivery_methods' in body ? 'delivery_methods' : 'pickup_points', call);
    return { ...rest, ...(changed === null ? {} : { next_page_uri: changed }) };
  });

/** A link, in whatever form, without one of its parameters. */
export function without(link: string, parameter: string): string {
  const [path = '', query = ''] = link.split('?');
  const parameters = new URLSearchParams(query);
  parameters.delete(parameter);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** The body of a list without some of its items; the link to its next page stays. */
export const withoutItems = (body: Json, isLeftOut: (item: Json) => boolean): Json =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((item: Json) => !isLeftOut(item)) : value,
    ]),
  );

/** The first store with so many methods that their list has pages. */
export function withMoreMethods(fixtures: Fixtures): Fixtures {
  const [model] = fixtures.methods;
  if (model === undefined) return fixtures;
  const more = [101, 102, 103, 104].map((number) => ({ ...model, handle: `courier-${number}`, number }));
  return { ...fixtures, methods: [...fixtures.methods, ...more] };
}
