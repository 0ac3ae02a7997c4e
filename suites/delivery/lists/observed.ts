/** Observations of lists where the contract leaves the choice to the service: sizes, order, links, and odd parameter values. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { idsFrom, pointsAt, replacePoints } from '../batch/calls.ts';
import { methodWithPoints } from '../steps/methods/filled-methods.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { shuffledIds } from './ids.ts';
import {
  isSizeRefusal,
  type ListSource,
  methodsOf,
  pointsOf,
  type ReadPage,
  readCompleteList,
  readList,
} from './reading/index.ts';
import { maxPagesFor, readIfServed } from './reading/page-sizes.ts';

/** One more than the limit of a batch call, so that a limit of 100 shows. */
const MANY_POINTS = 101;
/** Larger than any reasonable page. */
const HUGE_PAGE_ITEMS = 10_000;

const sizesSeen = check(
  'delivery.lists.observed-sizes',
  'OBSERVES the default page size and how a too large page_size is handled',
  {
    clauses: [],
    observations: ['delivery.lists.default-page-size', 'delivery.lists.maximum-page-size'],
    ...OWN_METHODS,
  },
  async (context) => {
    const method = await methodWithPoints(context);
    await replacePoints(context, method, pointsAt(context, idsFrom('p', MANY_POINTS)));
    const source = pointsOf(method.delivery, method.handle);
    context.observe('delivery.lists.default-page-size', await firstPageItems(context, source));
    context.observe('delivery.lists.maximum-page-size', await firstPageItems(context, source, HUGE_PAGE_ITEMS));
    await givenRestIsLinked(context, source);
  },
);

/** `20`, `at least 101`, or how it was refused. */
async function firstPageItems(context: Context, source: ListSource, pageSize?: number): Promise<unknown> {
  try {
    const size = pageSize === undefined ? {} : { pageSize };
    const { ids, end } = await readList(context, source, { ...size, stopAfter: 1 });
    return end === 'stopped' ? ids.length : `at least ${ids.length}`;
  } catch (error) {
    if (isSizeRefusal(error) && error.evidence.response !== undefined) return refusalOf(error.evidence.response);
    throw error;
  }
}

/** A service that returns smaller pages than requested has to continue where the page ends, not where the requested one would. */
async function givenRestIsLinked(context: Context, source: ListSource): Promise<void> {
  const way = { pageSize: HUGE_PAGE_ITEMS };
  const reading = await readIfServed(context, source, way, maxPagesFor(MANY_POINTS));
  if (reading === undefined) return;
  const count = new Set(reading.ids).size;
  const message = `with page_size=${HUGE_PAGE_ITEMS} the pages contain ${count} of ${MANY_POINTS} points`;
  context.given.holds(count === MANY_POINTS, 'delivery.lists.every-item-once', message, {
    expected: MANY_POINTS,
    actual: count,
    response: reading.pages[0]?.response,
  });
}

const FEW = 9;

const orderSeen = check(
  'delivery.lists.observed-order-and-links',
  'OBSERVES the default order of a list and the form of its links',
  { clauses: [], observations: ['delivery.lists.default-order', 'delivery.lists.link-style'], ...OWN_METHODS },
  async (context) => {
    const method = await methodWithPoints(context);
    const sent = shuffledIds(FEW);
    await replacePoints(context, method, pointsAt(context, sent));
    const source = pointsOf(method.delivery, method.handle);
    const { ids } = await readCompleteList(context, source);
    const orders: Record<string, readonly string[]> = {
      'as sent': sent,
      'as sent, last first': sent.toReversed(),
      'by id': sent.toSorted(),
      'by id, last first': sent.toSorted().toReversed(),
    };
    const known = Object.entries(orders).find(([, order]) => order.join() === ids.join());
    context.observe('delivery.lists.default-order', known?.[0] ?? 'another order');
    const pages = await severalPages(context, source);
    // A service may refuse pages that are so small, and larger ones hold the whole list.
    if (pages === undefined) return;
    const [first, last] = [pages[0]?.response, pages.at(-1)?.response];
    const base = new URL(context.resources.base('v1')).pathname;
    context.observe('delivery.lists.link-style', {
      link: linkStyle(linkIn(first), base),
      lastPage: linkIn(last) === undefined ? 'left out' : JSON.stringify(linkIn(last)),
      lastPageIsEmpty: pages.at(-1)?.ids.length === 0,
    });
  },
);

/** The list in the smallest pages that are served, if these are several. */
async function severalPages(context: Context, source: ListSource): Promise<readonly ReadPage[] | undefined> {
  for (const pageSize of [2, 5]) {
    const reading = await readIfServed(context, source, { pageSize }, maxPagesFor(FEW));
    if (reading !== undefined) return reading.pages;
  }
  return undefined;
}

const linkIn = (response: ServiceResponse | undefined): unknown =>
  isJsonObject(response?.json) ? response.json.next_page_uri : undefined;

/** In which of the known ways a link is written. */
export function linkStyle(link: unknown, basePath: string): string {
  if (typeof link !== 'string') return 'none';
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return 'full address';
  if (link.startsWith('//')) return 'full address without its scheme';
  if (link.startsWith(basePath)) return 'from the root of the host';
  if (link.startsWith('/')) return 'relative to the base, with a leading slash';
  if (link.startsWith('?')) return 'query alone';
  return 'relative';
}

const parametersSeen = check(
  'delivery.lists.observed-parameters',
  'OBSERVES how invalid values of page_size and desc are handled',
  {
    clauses: [],
    observations: ['delivery.lists.invalid-page-size', 'delivery.lists.other-desc-values'],
    ...OWN_METHODS,
    effects: 'read',
  },
  async (context) => {
    const source = methodsOf(context.delivery);
    const ask = async (name?: string, value = '') =>
      seenOf(await context.send({ ...source.call({}), query: name === undefined ? [] : [[name, value]] }, 'list'));
    const sizes: Record<string, unknown> = {};
    for (const value of ['0', '-1', '1.5', 'many', '']) {
      const seen = await ask('page_size', value);
      sizes[value] = Array.isArray(seen) ? `a page of ${seen.length}` : seen;
    }
    context.observe('delivery.lists.invalid-page-size', sizes);
    const [usual, reversed] = [await ask(), await ask('desc', '1')];
    const orders: Record<string, unknown> = {};
    for (const value of ['0', '2', 'true', '']) {
      const seen = await ask('desc', value);
      orders[value] = Array.isArray(seen) ? direction(seen, usual, reversed) : seen;
    }
    context.observe('delivery.lists.other-desc-values', orders);
  },
);

/** The handles of a page, or how it was refused. */
function seenOf(response: ServiceResponse): unknown {
  const list = isServed(response) && isJsonObject(response.json) ? response.json.delivery_methods : undefined;
  return Array.isArray(list) ? list.map((item) => (isJsonObject(item) ? item.handle : item)) : refusalOf(response);
}

function direction(seen: readonly unknown[], usual: unknown, reversed: unknown): string {
  if (JSON.stringify(usual) === JSON.stringify(reversed)) return 'unknown: both orders are the same here';
  if (JSON.stringify(seen) === JSON.stringify(usual)) return 'the same as without it';
  return JSON.stringify(seen) === JSON.stringify(reversed) ? 'as desc=1' : 'another order';
}

const refusalOf = (response: ServiceResponse): string => {
  const code = isJsonObject(response.json) ? response.json.error_code : undefined;
  return `refused: status ${response.status}${typeof code === 'number' ? `, error_code ${code}` : ''}`;
};

export const checks: readonly Check[] = [sizesSeen, orderSeen, parametersSeen];
