/** One walk over a list, kept page by page, for the rules of lists. */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../../../harness/check/failures.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { ServiceRequest } from '../../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Delivery, Json, ListOptions } from '../../../../harness/target/interfaces/delivery.ts';
import { follow, type Walk } from '../../../../harness/target/list-walk.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';

/** Names the readings that checks on points share, or those that checks on methods share. */
export const POINT_LISTS = 'lists of points';
export const METHOD_LISTS = 'the list of methods';

/** The parameters of a list. `stopAfter`: the number of pages after which the walk stops on purpose. */
export interface Spec extends ListOptions {
  readonly stopAfter?: number;
}

export interface ReadPage {
  readonly ids: readonly string[];
  readonly response?: ServiceResponse | undefined;
}

/** A walk as the input of the judge. */
export interface Reading {
  readonly spec: Spec;
  readonly pages: readonly ReadPage[];
  /** Of all pages, in their order. */
  readonly ids: readonly string[];
  /** `stopped`: stopped on purpose before its end. */
  readonly end: Walk['end'] | 'stopped';
  readonly endReason: string;
  /** Items that were added or deleted in the meantime are removed, so pages may look empty. */
  readonly disturbed?: boolean;
}

/** A reading with the items themselves. */
export interface FullReading extends Reading {
  readonly items: readonly Json[];
}

/** A list of the interface: its call, and the key of its items. */
export interface ListSource {
  readonly name: 'delivery_methods' | 'pickup_points';
  /** For sentences, in the singular. */
  readonly item: string;
  readonly key: 'handle' | 'id';
  /** The clause under which each item carries its key as a text. */
  readonly keyClause: string;
  call(options: ListOptions): ServiceRequest;
}

export const methodsOf = (delivery: Delivery): ListSource => ({
  name: 'delivery_methods',
  item: 'delivery method',
  key: 'handle',
  keyClause: 'delivery.method.handle-string',
  call: (options) => delivery.listMethods(options),
});

export const pointsOf = (delivery: Delivery, handle: string): ListSource => ({
  name: 'pickup_points',
  item: 'pickup point',
  key: 'id',
  keyClause: 'delivery.point.id-kept',
  call: (options) => delivery.listPoints(handle, options),
});

/**
 * Walks a list. A refused first page is a failed precondition (`isSizeRefusal` reports one that a page size may have
 * caused); a list that continues after `limits.maxPages` with new items is inconclusive.
 *
 * @param atMost pages after which a walk over a list of known length counts as endless
 * @param send requests each page
 */
export async function readList(
  context: Context,
  source: ListSource,
  spec: Spec,
  atMost?: number,
  send: Context['send'] = context.send,
): Promise<FullReading> {
  const { resources, given } = context;
  const { maxPages } = resources.profile.limits;
  const most = Math.min(maxPages, spec.stopAfter ?? atMost ?? maxPages);
  const { stopAfter, ...options } = spec;
  const walked = await follow(send, resources, source.call(options), source.name, most);
  const idOf = (item: unknown, response: ServiceResponse): string => {
    const id = isJsonObject(item) ? item[source.key] : undefined;
    const reason = `a ${source.item} in the list has no string as ${source.key}`;
    given.holds(typeof id === 'string', source.keyClause, reason, { response });
    return id as string;
  };
  const pages = walked.pages.map(({ response, items }) => ({
    response,
    ids: items.map((item) => idOf(item, response)),
  }));
  const reading = {
    spec,
    pages,
    ids: pages.flatMap(({ ids }) => ids),
    items: walked.items as readonly Json[],
    end: walked.end === 'too-many-pages' && stopAfter === most ? ('stopped' as const) : walked.end,
    endReason: walked.endReason,
  };
  if (reading.end === 'too-many-pages' && most === maxPages && bringsNews(pages)) {
    throw new Inconclusive(`${reading.endReason}: raise limits.maxPages or shorten the list`, 'configuration');
  }
  return reading;
}

/** Whether the later half of a walk still showed items that the first half had not. */
function bringsNews(pages: readonly ReadPage[]): boolean {
  const half = Math.floor(pages.length / 2);
  const seen = new Set(pages.slice(0, half).flatMap(({ ids }) => ids));
  return pages.slice(half).some(({ ids }) => ids.some((id) => !seen.has(id)));
}

/** Whether a first page was refused as a call: a service may refuse sizes above its limit. */
export function isSizeRefusal(error: unknown): error is GivenFailure {
  return error instanceof GivenFailure && error.evidence.response !== undefined && !isServed(error.evidence.response);
}

/** A common limit of page sizes, equal to the contract's limit of a batch: one page shows all points of one call. */
export const LARGE_PAGE_ITEMS = 100;

/** Targets that refuse the large page, so that it is requested only once. */
const refusesLargePages = new WeakSet<Resources>();

/** Walks a list in as few pages as the service allows. */
export async function readCompleteList(
  context: Context,
  source: ListSource,
  spec: Spec = {},
  atMost?: number,
): Promise<FullReading> {
  const { resources } = context;
  if (!refusesLargePages.has(resources)) {
    try {
      return await readList(context, source, { ...spec, pageSize: LARGE_PAGE_ITEMS }, atMost);
    } catch (error) {
      if (!isSizeRefusal(error)) throw error;
      const reading = await readList(context, source, spec, atMost);
      refusesLargePages.add(resources);
      return reading;
    }
  }
  return readList(context, source, spec, atMost);
}
