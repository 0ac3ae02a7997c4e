/**
 * Later pages of a list show what has changed since they were read: a service may keep the responses to them, and forget only that of
 * the first page at a change.
 */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { changedFields, METHOD_FIELDS, POINT_FIELDS } from '../steps/fields.ts';
import { deleteWithPoints } from '../steps/methods/delete-with-points.ts';
import { ownMethodWith } from '../steps/methods/filled-methods.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { idsOf, listPoints, type Method, readMethod, showsMethod, showsPoint } from '../steps/reading.ts';
import { changeOfPoint, otherCountry, pointAt } from '../steps/values.ts';
import { IDS, IN_TWOS, inPages } from './reading/in-twos.ts';
import { type FullReading, METHOD_LISTS, methodsOf, pointsOf, readList, type Spec } from './reading/index.ts';
import { leaveUnshared, readingOf, sharedMethodList, unchangedOf } from './reading/shared.ts';
import { DESCENDING_METHODS, OWN_METHODS_COUNT } from './rules.ts';

const ADDED = 'added';

/** Sends a call directly after one that is refused: what an error leaves behind for the next call shows in it. */
const afterRefusal =
  (context: Context, { delivery, handle }: Method): Context['send'] =>
  async (call, role) => {
    await context.send(delivery.readPoint(handle, context.resources.newMark()), 'probe');
    return context.send(call, role);
  };

/** The points in pages of two, each after a refused call. */
const readInTwos = (context: Context, method: Method, stopAfter?: number): Promise<FullReading> =>
  readList(
    context,
    pointsOf(method.delivery, method.handle),
    { ...IN_TWOS, ...(stopAfter === undefined ? {} : { stopAfter }) },
    undefined,
    afterRefusal(context, method),
  );

/** All of them; once more where a link was not served: it may be good once, and its response lost. */
async function readToEnd(context: Context, method: Method): Promise<FullReading> {
  const reading = await readInTwos(context, method);
  return reading.end === 'last-page' ? reading : readInTwos(context, method);
}

const ofPoints = check(
  'delivery.lists.stale-pages.points',
  'MUST show on pages of a list which points were added, deleted and updated since they were read',
  { clauses: ['delivery.point.list-agrees-with-read'], ...OWN_METHODS },
  async (context) => {
    const { delivery, expect, given, send } = context;
    // It is deleted at the end, so that no other check can use it.
    const method = await ownMethodWith(
      context,
      IDS.map((id) => pointAt(context, id)),
    );
    const before = await inPages(context, method, afterRefusal(context, method));
    const last = before?.ids.at(-1);
    if (before === undefined || last === undefined)
      throw new Skipped('the list does not show its points on several pages');
    await sameWithoutRefusals(context, method, before);
    // Pages that lose or repeat items are a matter of other checks.
    if (before.ids.toSorted().join() !== IDS.toSorted().join()) throw new Skipped('the list does not show its points');
    await given.promised(send(delivery.deletePoint(method.handle, last), 'delete'), 'delivery.point.delete-removes');
    const added = await send(delivery.addPoint(method.handle, pointAt(context, ADDED)), 'add');
    await given.accepted(added, 'delivery.point.create-stores');
    const there = [...IDS.filter((id) => id !== last), ADDED].sort();
    const isRight = (ids: readonly string[]): boolean => ids.toSorted().join() === there.join();
    const after = await readToEnd(context, method);
    if (!isRight(after.ids)) await givenOnlyPagesDiffer(context, method, last, isRight);
    expect.that(isRight(after.ids), 'pages that were read before must show the points that there are now', {
      expected: there,
      actual: after.ids,
      pointer: '/pickup_points',
      response: after.pages.at(-1)?.response,
    });
    await showsUpdate(context, method, after.ids[0]!);
    await showsNoneWhenDeleted(context, method, after.ids[0]!);
  },
);

/** Asserts that the list and a point, which were read before, are gone with their method, also directly after a refused call. */
async function showsNoneWhenDeleted(context: Context, method: Method, id: string): Promise<void> {
  const { delivery, expect, given } = context;
  await given.promised(deleteWithPoints(context, method.handle), 'delivery.method.delete-removes');
  const send = afterRefusal(context, method);
  const reads = [pointsOf(delivery, method.handle).call(IN_TWOS), delivery.readPoint(method.handle, id)];
  for (const call of reads) {
    const response = await send(call, 'read');
    // A list without points shows none of a method that is gone.
    const json = isServed(response) && isJsonObject(response.json) ? response.json : {};
    const isThere = showsPoint(response, id) || (Array.isArray(json.pickup_points) && json.pickup_points.length > 0);
    expect.that(!isThere, 'what was read before must not be shown after its method was deleted', {
      clauses: ['delivery.method.delete-removes'],
      expected: 'a refusal',
      actual: summary(response),
      response,
    });
  }
}

/** Asserts that pages which each follow a refused call are those of the same list without such calls. */
async function sameWithoutRefusals(context: Context, method: Method, walked: FullReading): Promise<void> {
  const ids = idsOf(await listPoints(context, method));
  if (isDeepStrictEqual(ids, walked.ids)) return;
  const { ids: usual } = await readList(context, pointsOf(method.delivery, method.handle), IN_TWOS);
  // Without refused calls it is not the same either: then they are not the reason.
  if (!isDeepStrictEqual(usual, ids)) return;
  context.expect.equal(walked.ids, usual, 'pages that follow a refused call must be those of the same list', {
    clauses: ['delivery.lists.every-item-once'],
    pointer: '/pickup_points',
    response: walked.pages.at(-1)?.response,
  });
}

/** Asserts that the first page, which was read before, shows an update of its first point. */
async function showsUpdate(context: Context, method: Method, id: string): Promise<void> {
  const { delivery, expect, send } = context;
  const read = () => afterRefusal(context, method)(delivery.readPoint(method.handle, id), 'read');
  await read();
  // Which fields can be changed is not stated.
  if (
    !isServed(
      await send(delivery.changePoint(method.handle, id, changeOfPoint(context, 'Changed on its page')), 'change'),
    )
  )
    return;
  const { items, pages } = await readInTwos(context, method, 1);
  const shown = items.find((item) => item.id === id);
  const alone = await context.given.resource(await read(), 'pickup_point', 'delivery.point.read-by-id');
  const differing = shown === undefined ? [] : changedFields(context, POINT_FIELDS, alone, shown);
  expect.that(differing.length === 0, `a page that was read before must show ${differing} as the point itself does`, {
    expected: alone,
    actual: shown,
    pointer: `/pickup_points/…/${differing[0]}`,
    response: pages.at(-1)?.response,
  });
}

/** States that the changes were made, and that the list in pages of another size shows them. */
async function givenOnlyPagesDiffer(
  context: Context,
  method: Method,
  deleted: string,
  isRight: (ids: readonly string[]) => boolean,
): Promise<void> {
  const { delivery, given, send } = context;
  const shows = async (id: string): Promise<boolean> =>
    showsPoint(await send(delivery.readPoint(method.handle, id), 'read'), id);
  given.holds(await shows(ADDED), 'delivery.point.create-stores', 'a new point can not be read');
  given.holds(!(await shows(deleted)), 'delivery.point.delete-removes', 'a deleted point can still be read');
  const ids = idsOf(await listPoints(context, method));
  given.holds(isRight(ids), 'delivery.point.list-contains', `the list shows ${ids.join(', ')}`);
}

/** Two methods of the run on the second page of the list, and how it was read. */
interface SecondPage {
  readonly spec: Spec;
  readonly changed: Method;
  readonly deleted: Method;
}

/** Where the shared readings show two of the methods that were created for them. */
async function secondPageOf(context: Context): Promise<SecondPage | undefined> {
  const list = await sharedMethodList(context, OWN_METHODS_COUNT);
  if (list?.own === undefined) return undefined;
  for (const spec of DESCENDING_METHODS) {
    const reading = await readingOf(context, list, [], spec);
    const [, second] = reading?.pages ?? [];
    // Methods that share a handle are a matter of other checks.
    const isAlone = (handle: string): boolean => reading?.ids.filter((one) => one === handle).length === 1;
    const onPage = unchangedOf(context, list).filter(
      ({ handle }) => second?.ids.includes(handle) === true && isAlone(handle),
    );
    const [changed, deleted] = onPage;
    if (changed !== undefined && deleted !== undefined) return { spec, changed, deleted };
  }
  return undefined;
}

const ofMethods = check(
  'delivery.lists.stale-pages.methods',
  'MUST show on later pages of the list how methods were changed and deleted since they were read',
  { clauses: ['delivery.method.list-agrees-with-read'], ...OWN_METHODS, alone: true, shares: METHOD_LISTS },
  async (context) => {
    const { delivery, expect, given, send } = context;
    const found = await secondPageOf(context);
    if (found === undefined) throw new Skipped('no later page of the list shows two methods of the run');
    const { spec, changed, deleted } = found;
    leaveUnshared(changed, deleted);
    // Not a text: clean-up knows the method by those that it was created with. Which fields can be changed is not stated.
    await send(
      delivery.changeMethod(changed.handle, { available_countries_to: [otherCountry(context, 'EE')] }),
      'change',
    );
    await given.promised(send(delivery.deleteMethod(deleted.handle), 'delete'), 'delivery.method.delete-removes');
    const { pages, items } = await readList(context, methodsOf(delivery), { ...spec, stopAfter: 2 });
    const entry = (handle: string) => items.find((item) => item.handle === handle);
    const response = pages.at(-1)?.response;
    const listed = entry(deleted.handle);
    if (listed !== undefined) await givenGone(context, deleted);
    expect.that(listed === undefined, 'a page that was read before must not show a deleted method', {
      expected: [],
      actual: listed,
      pointer: '/delivery_methods',
      response,
    });
    const shown = entry(changed.handle);
    if (shown === undefined) throw new Skipped('others have changed the list meanwhile');
    const read = await readMethod(context, changed);
    const differing = changedFields(context, METHOD_FIELDS, read, shown);
    expect.equal(differing, [], 'a page that was read before must show each field as the method itself does', {
      pointer: `/delivery_methods/…/${differing[0] ?? ''}`,
      response,
    });
  },
);

/** States that a deleted method can't be read. */
async function givenGone(context: Context, method: Method): Promise<void> {
  const read = await context.send(context.delivery.readMethod(method.handle), 'read');
  const message = `a deleted method can still be read: ${summary(read)}`;
  context.given.holds(!showsMethod(read, method.handle), 'delivery.method.delete-removes', message, { response: read });
}

export const checks: readonly Check[] = [ofPoints, ofMethods];
