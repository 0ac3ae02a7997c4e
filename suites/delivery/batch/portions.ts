/** Lists sent in portions: nothing is listed before the final portion, then exactly all points. */
import { isDeepStrictEqual } from 'node:util';
import { MAX_PORTION_ITEMS, portionsOf } from '../../../contracts/lists/portions.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { type FullReading, LARGE_PAGE_ITEMS, pointsOf, readList } from '../lists/reading/index.ts';
import { readIfServed } from '../lists/reading/page-sizes.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { type Method, readMethod, showsPoint } from '../steps/reading.ts';
import { changeOne, changeOneByOne, readsAsBefore } from './among-many.ts';
import { idsFrom, type Place, pointsAt, portion, upload, wholeList } from './calls.ts';
import { emptyMiddlePortion, emptyPortions } from './empty-portions.ts';
import { batchMethodWith, newMethod, usedBatchMethod } from './new-method.ts';
import {
  expectAccepted,
  expectListed,
  givenListed,
  givenUnlisted,
  isListedEarly,
  listedDuringUpload,
  listedPoints,
} from './points/content.ts';

const FINAL = 'delivery.batch.finalization-publishes';
const REPLACES = 'delivery.batch.replaces-all';

const unlisted = check(
  'delivery.batch.unlisted-until-final-portion',
  'MUST NOT list points of an upload before its final portion',
  {
    clauses: ['delivery.batch.unlisted-until-final-portion'],
    observations: ['delivery.batch.old-list-during-upload'],
    ...OWN_METHODS,
  },
  async (context) => {
    const method = await newMethod(context);
    const first = ['a-1', 'a-2', 'a-3', 'a-4'];
    await uploadUnseen(context, method, [['a-1', 'a-2'], ['a-3'], ['a-4']]);
    const second = ['b-1', 'b-2'];
    const seen = await uploadUnseen(context, method, [['b-1'], ['b-2']], { desc: true });
    // The final portion has to succeed: a service that stores nothing lists nothing either.
    await givenListed(context, method, { all: second }, FINAL);
    const shown = first.filter((id) => seen?.ids.includes(id)).length;
    const words = shown === first.length ? 'readable' : shown === 0 ? 'hidden' : 'partly readable';
    context.observe('delivery.batch.old-list-during-upload', seen === undefined ? 'the list is refused' : words);
    await unlessFull(context, () => fullPortionsUnseen(context));
  },
);

/** A service may publish what it collects when a buffer is full. How many points a method may have is not stated. */
async function fullPortionsUnseen(context: Context): Promise<void> {
  const method = await newMethod(context);
  const portions = portionsOf<Json>(pointsAt(context, idsFrom('full', 5 * MAX_PORTION_ITEMS + 1)));
  let areServed = true;
  for (const [at, { items }] of portions.slice(0, -1).entries())
    areServed &&= isServed(await context.send(portion(method, items, at === 0 ? 'first' : 'middle')));
  const early = areServed && (await isListedEarly(context, method, 'full-001'));
  // Ends the upload in any case, because a service may allow only one at a time.
  await context.send(wholeList(method, pointsAt(context, ['end'])), 'end');
  context.expect.that(!early, 'five full portions must not be listed before the final one', {
    pointer: '/pickup_points',
  });
}

/** Uploads portions and asserts that none of their points is listed before the final one, in one order. Returns the last list. */
async function uploadUnseen(
  context: Context,
  method: Method,
  portions: readonly (readonly string[])[],
  order: { readonly desc?: boolean } = {},
) {
  const { given, expect, send } = context;
  const all = portions.flat();
  let seen: FullReading | undefined;
  for (const [at, ids] of portions.entries()) {
    const place: Place = at === 0 ? 'first' : at === portions.length - 1 ? 'last' : 'middle';
    const response = await send(portion(method, pointsAt(context, ids), place), 'given');
    if (at > 0 && !isServed(response)) await givenReadingEndsNoUpload(context, portions.slice(0, at + 1));
    await given.accepted(response, FINAL);
    if (place === 'last') break;
    seen = await listedDuringUpload(context, method, order);
    const early = all.filter((id) => seen?.ids.includes(id));
    expect.that(
      early.length === 0,
      `points of portion ${at + 1} of ${portions.length} are listed before the final portion`,
      {
        expected: 'none of the points that are being uploaded',
        actual: early,
        pointer: '/pickup_points',
        response: seen?.pages.at(-1)?.response,
      },
    );
  }
  return seen;
}

/** The same portions without reading the list in between: if they are accepted now, reading had ended the upload. */
export async function givenReadingEndsNoUpload(
  context: Context,
  portions: readonly (readonly string[])[],
  country: { readonly country?: string } = {},
): Promise<void> {
  const method = await newMethod(context);
  for (const [at, ids] of portions.entries()) {
    const place: Place = at === 0 ? 'first' : at === portions.length - 1 ? 'last' : 'middle';
    const call = portion(method, pointsAt(context, ids, country), place, country);
    if (!isServed(await context.send(call, 'given'))) return;
  }
  const message = 'a portion is refused after something was read, and accepted when nothing was';
  context.given.holds(false, FINAL, message);
}

/** Two full portions and a half. */
const LARGE_LIST_ITEMS = 250;
/** More than 1,000, a common limit of queries and queues. */
const MAX_LIST_ITEMS = 1010;
/** Points around common limits of lists: 100, 200, 255, 500, 512, 1,000, 1,024, 2,000, 2,048 and 2,500 items. */
const READ_AGAIN: readonly number[] = [1, 101, 201, 256, 501, 513, 1001, 1025, 2001, 2049, 2501];

const publishes = check(
  'delivery.batch.finalization-publishes',
  'MUST list exactly the points of all portions after the final portion',
  { clauses: [FINAL], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    const old = wholeList(method, pointsAt(context, ['old']));
    await context.given.accepted(context.send(old, 'given'), REPLACES);
    const before = await readMethod(context, method);
    const few = idsFrom('few', 7);
    const seen = await uploadAndRead(context, method, few, 2);
    // Several reads: a list that only appears sometimes was not published.
    for (const look of ['second', 'third']) {
      const { ids } = await listedPoints(context, method);
      context.expect.equal([...ids].sort(), few, `at the ${look} read the list must still be the new one`, {
        pointer: '/pickup_points',
      });
    }
    await emptyPortions(context, method);
    await emptyMiddlePortion(context, method);
    // A list with more pages than the run may read would decide nothing, so a service with small or empty pages gets fewer points.
    const readable = Math.floor(((context.profile.limits.maxPages - 2) * few.length) / seen.pages.length);
    const count = Math.min(LARGE_LIST_ITEMS, readable);
    if (count <= few.length) return;
    const many = idsFrom('many', count);
    const size = Math.min(MAX_PORTION_ITEMS, Math.ceil(count / 2.5));
    const { ids, pages } = await uploadAndRead(context, method, many, size);
    await expectEndInSmallPages(context, method, ids);
    await changeOneByOne(context, method, many);
    await readsAsBefore(context, method, before);
    const pageItems = largestOf(pages);
    const most = count === LARGE_LIST_ITEMS ? MAX_LIST_ITEMS : LARGE_LIST_ITEMS;
    await uploadAndReadBetween(context, method, { count: most, pageItems });
    await replacesLongList(context, method, old);
  },
);

/** States that a list which was accepted before, of the point `old`, replaces a long one as well. */
async function replacesLongList(context: Context, method: Method, list: ServiceRequest): Promise<void> {
  const { given, send } = context;
  await given.promised(send(list), REPLACES);
  const { ids } = await listedPoints(context, method);
  given.holds(
    ids.length === 1 && ids[0] === 'old',
    REPLACES,
    `a list in place of a long one shows ${ids.length} points`,
  );
}

const largestOf = (pages: readonly { readonly ids: readonly string[] }[]): number =>
  Math.max(...pages.map(({ ids }) => ids.length));

/**
 * A list so long that only some of its points are read, and the list itself only where its pages are large. The number of points per
 * method is the service's choice.
 */
export async function uploadAndReadBetween(
  context: Context,
  method: Method,
  list: { readonly count: number; readonly pageItems: number },
  // Which characters an id may have is the service's choice.
  [prefix = '', ...plainer]: readonly string[] = ['Most', 'most'],
): Promise<void> {
  const { send, expect } = context;
  const ids = idsFrom(prefix, list.count);
  const portions = portionsOf<Json>(pointsAt(context, ids));
  for (const [at, { items }] of portions.entries()) {
    const place: Place = at === 0 ? 'first' : at === portions.length - 1 ? 'last' : 'middle';
    if (!isServed(await send(portion(method, items, place)))) {
      // Ends the upload: how many points a method may have is the service's choice, and so is how many uploads are open.
      if (place !== 'first') await send(portion(method, pointsAt(context, ['end']), 'last'), 'end');
      if (place !== 'first' || plainer.length === 0) return;
      return uploadAndReadBetween(context, method, list, plainer);
    }
    if (place !== 'first') continue;
    const early = await isListedEarly(context, method, ids[0]!);
    context.given.holds(
      !early,
      'delivery.batch.unlisted-until-final-portion',
      'a full first portion is listed at once',
    );
  }
  const idAt = (nth: number): string => ids[nth - 1]!;
  const places = [...READ_AGAIN.filter((nth) => nth < ids.length), ids.length];
  const readings = await eachAtOnce(places, (nth) => send(method.delivery.readPoint(method.handle, idAt(nth)), 'read'));
  for (const [at, nth] of places.entries()) {
    const [id, response] = [idAt(nth), readings[at]!];
    if (!showsPoint(response, id)) await givenIdKept(context, method, id);
    expect.that(showsPoint(response, id), `point ${nth} of ${ids.length} must be listed after the final portion`, {
      expected: id,
      actual: summary(response),
      pointer: '/id',
      response,
    });
  }
  await changeOne(context, method, idAt(ids.length), ids.length);
  if (list.pageItems < MAX_PORTION_ITEMS) return;
  const rule = `the list must contain all ${ids.length} points of an upload`;
  const { ids: listed } = await expectListed(context, method, { exactly: ids }, rule);
  await givenReversed(context, method, listed);
}

/** States that a point which is not there under its id is not there under the same id in lower case either. */
async function givenIdKept({ given, send }: Context, { delivery, handle }: Method, id: string): Promise<void> {
  const folded = id.toLowerCase();
  if (folded === id) return;
  const response = await send(delivery.readPoint(handle, folded), 'read');
  const message = `a point with the id ${id} is there as ${folded}`;
  given.holds(!showsPoint(response, folded), 'delivery.point.id-kept', message, {
    expected: id,
    actual: folded,
    pointer: '/id',
    response,
  });
}

/** States that a long list ends with what its reversed order begins with: one page shows it, and both orders whole would cost many. */
async function givenReversed(context: Context, { delivery, handle }: Method, listed: readonly string[]): Promise<void> {
  const one = { desc: true, pageSize: LARGE_PAGE_ITEMS, stopAfter: 1 };
  const { ids, pages } = await readList(context, pointsOf(delivery, handle), one);
  const wanted = listed.toReversed().slice(0, ids.length);
  const message = `the first page with desc=1 of ${listed.length} points does not show the last ones in reverse`;
  const evidence = { pointer: '/pickup_points', expected: wanted, actual: ids, response: pages[0]?.response };
  context.given.holds(isDeepStrictEqual(ids, wanted), 'delivery.lists.desc-reverses-whole-list', message, evidence);
}

/** Of these sizes the first one that is not refused. */
const SMALL_SIZES: readonly number[] = [3, 10];

/** Asserts that the end of a long list is the same in small pages: some indexes show only so many pages of a size. */
async function expectEndInSmallPages(context: Context, method: Method, listed: readonly string[]): Promise<void> {
  const source = pointsOf(method.delivery, method.handle);
  for (const pageSize of SMALL_SIZES) {
    const read = await readIfServed(context, source, { desc: true, pageSize, stopAfter: 1 }, 1);
    if (read === undefined) continue;
    const wanted = listed.toReversed().slice(0, read.ids.length);
    // Where a large page begins otherwise too, it is not the size that matters.
    if (!isDeepStrictEqual(read.ids, wanted)) await givenReversed(context, method, listed);
    const rule = `the first page with desc=1 and page_size=${pageSize} must show the last of ${listed.length} points in reverse`;
    return context.expect.equal(read.ids, wanted, rule, {
      clauses: ['delivery.lists.desc-reverses-whole-list'],
      pointer: '/pickup_points',
      response: read.pages[0]?.response,
    });
  }
}

async function uploadAndRead(context: Context, method: Method, ids: readonly string[], size: number) {
  const portions = portionsOf<Json>(pointsAt(context, ids), size);
  for (const [at, { items }] of portions.entries()) {
    const place: Place = at === 0 ? 'first' : at === portions.length - 1 ? 'last' : 'middle';
    const rule = `portion ${at + 1} of ${portions.length}`;
    await expectAccepted(context, portion(method, items, place), rule);
  }
  const rule = `after ${portions.length} portions the list must contain all their points`;
  return expectListed(context, method, { exactly: ids }, rule);
}

const discards = check(
  'delivery.batch.initialization-discards-unfinished',
  'MUST discard an unfinished upload when a new list is started',
  { clauses: ['delivery.batch.initialization-discards-unfinished'], ...OWN_METHODS },
  async (context) => {
    const { given, send } = context;
    const method = await newMethod(context);
    const unfinished = ['x-1', 'x-2', 'x-3'];
    await given.accepted(send(portion(method, pointsAt(context, ['x-1', 'x-2']), 'first'), 'given'), FINAL);
    await given.accepted(send(portion(method, pointsAt(context, ['x-3']), 'middle'), 'given'), FINAL);
    await upload(context, method, [pointsAt(context, ['y-1']), pointsAt(context, ['y-2'])]);
    const rule = 'a new upload must discard the unfinished one';
    if (context.explains) await givenListed(context, method, { all: ['y-1', 'y-2'] }, FINAL);
    await expectListed(context, method, { all: context.explains ? [] : ['y-1', 'y-2'], none: unfinished }, rule);

    await given.accepted(send(portion(method, pointsAt(context, unfinished), 'first'), 'given'), FINAL);
    const whole = wholeList(method, pointsAt(context, ['z-1']));
    await given.accepted(send(whole, 'given'), 'delivery.batch.replaces-all');
    const wholeRule = 'a whole list must discard the unfinished upload';
    if (context.explains) await givenListed(context, method, { all: ['z-1'] }, 'delivery.batch.replaces-all');
    await expectListed(context, method, { all: context.explains ? [] : ['z-1'], none: unfinished }, wholeRule);
  },
);

const apart = check(
  'delivery.batch.uploads-of-two-methods-separate',
  'MUST keep the uploads of two methods separate',
  { clauses: ['delivery.batch.other-methods-untouched'], ...OWN_METHODS },
  async (context) => {
    const { given, expect, send } = context;
    const [method, other] = [await batchMethodWith(context, []), await batchMethodWith(context, [])];
    await given.accepted(send(portion(method, pointsAt(context, ['a-1']), 'first'), 'given'), FINAL);
    await givenUnlisted(context, method, 'a-1');
    try {
      await upload(context, other, [pointsAt(context, ['b-1']), pointsAt(context, ['b-2'])]);
    } catch (error) {
      // A service with one upload at a time requires the end of this one before another begins.
      await send(wholeList(method, pointsAt(context, ['a-1'])), 'end');
      throw error;
    }
    const own = { exactly: ['b-1', 'b-2'] };
    await expectListed(context, other, own, 'the other method must list its own points');
    const early = await isListedEarly(context, method, 'a-1');
    expect.that(!early, 'a list of another method must publish nothing of an unfinished upload', {
      pointer: '/pickup_points',
    });
    // A service may allow one upload at a time, and then refuses this portion.
    const isTaken = isServed(await send(portion(method, pointsAt(context, ['a-2']), 'last')));
    const wanted = isTaken ? { exactly: ['a-1', 'a-2'] } : { none: ['b-1', 'b-2'] };
    await expectListed(context, method, wanted, 'an upload must be that of its own method, while another goes on');
    await listsAtOnce(context, [method, other]);
  },
);

/** Whole lists of two methods that arrive together: each that is served is the list of its own method. */
async function listsAtOnce(context: Context, methods: readonly Method[]): Promise<void> {
  const idOf = (at: number): string => `at-once-${at + 1}`;
  const responses = await eachAtOnce(methods, (method, at) =>
    context.send(wholeList(method, pointsAt(context, [idOf(at)])), 'change'),
  );
  for (const [at, method] of methods.entries()) {
    // A service may want one call after the other.
    if (!isServed(responses[at]!)) continue;
    const wanted = { exactly: [idOf(at)] };
    await expectListed(context, method, wanted, 'lists of two methods that arrive together must both be published');
  }
}

export const checks: readonly Check[] = [unlisted, publishes, discards, apart];
