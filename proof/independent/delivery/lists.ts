// Pages of a list: newest first, continued by the position of an item, a last link that leads to an empty page.
import { Refusal, type ServiceRequest } from '../server/http.ts';

const DEFAULT_PAGE_ITEMS = 3;
const MAX_PAGE_ITEMS = 5;

/**
 * One page of `ascending`, which is sorted by `seq`, oldest first.
 *
 * `path` is the list's own address below the base; the link to the next page repeats it without the version prefix, to
 * be read relative to the base. Throws a 422 for a `page_size` below 1 and for a position that this service never gave.
 */
export function pageOf<Item extends { seq: number }>(
  ascending: Item[],
  path: string,
  call: ServiceRequest,
): { items: Item[]; link: { next_page_uri?: string } } {
  const query = new Map(call.query);
  const asked = query.get('page_size');
  const size = asked === undefined || asked === '' ? DEFAULT_PAGE_ITEMS : pageSize(asked);
  const oldestFirst = query.get('desc') === '1';
  const after = query.get('after');
  let items: Item[];
  if (oldestFirst) {
    const start = after === undefined ? 0 : countUpTo(ascending, position(after));
    items = ascending.slice(start, start + size);
  } else {
    const end = after === undefined ? ascending.length : countUpTo(ascending, position(after) - 1);
    items = ascending.slice(Math.max(0, end - size), end).reverse();
  }
  const last = items.at(-1);
  if (!last) return { items, link: {} };
  const next = new URLSearchParams();
  if (oldestFirst) next.set('desc', '1');
  if (asked) next.set('page_size', String(size));
  next.set('after', token(last.seq));
  return { items, link: { next_page_uri: `${path}?${next}` } };
}

function pageSize(asked: string): number {
  if (!/^\d{1,9}$/.test(asked) || Number(asked) < 1) {
    throw new Refusal(422, 1012, 'page_size has to be a whole number of 1 or more.');
  }
  return Math.min(Number(asked), MAX_PAGE_ITEMS);
}

/** The number of items whose `seq` is at most `seq`; a binary search, so that late pages cost no more than the first. */
function countUpTo(ascending: { seq: number }[], seq: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]!.seq <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Positions are opaque, so that no client computes them. */
const token = (seq: number): string => Buffer.from(`at/${seq}`).toString('base64url');

function position(after: string): number {
  const seq = /^at\/(\d{1,15})$/.exec(Buffer.from(after, 'base64url').toString('latin1'))?.[1];
  if (seq === undefined) throw new Refusal(422, 1012, 'This continuation was not issued here.');
  return Number(seq);
}
