/** Replacing the whole list of a method in one call. */
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { idsBesideA1 } from '../steps/awkward-values/similar-ids.ts';
import { keptTexts } from '../steps/fields.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { addPoints, listedIds, type Method, readPoint, showsPoint } from '../steps/reading.ts';
import { reusedAfterLists } from '../steps/reused-id.ts';
import { otherCountry, pointAt } from '../steps/values.ts';
import { pointsAt, replacePoints, wholeList } from './calls.ts';
import { usedBatchMethod } from './new-method.ts';
import { handlingOf } from './observed.ts';
import {
  byId,
  expectAccepted,
  expectAcceptedLike,
  expectListed,
  expectUnchanged,
  givenListed,
} from './points/content.ts';

/** Asserts that a first list is accepted. A refusal counts where the method takes the same list as soon as it has a point. */
async function expectFirstList(context: Context, method: Method, points: readonly Json[]): Promise<void> {
  const { expect, send } = context;
  const list = wholeList(method, points);
  const response = await send(list);
  if (!isServed(response)) {
    const add = method.delivery.addPoint(method.handle, pointAt(context, 'alone'));
    const isAdded = isServed(await send(add, 'control'));
    if (isAdded && isServed(await send(list, 'control')))
      expect.served(response, 'a first list must be accepted as it is when the method has a point');
  }
  expect.accepted(response, 'a first list');
}

/** Two places in one building: points that differ in nothing but their ids, which a service may refuse. */
async function keepsEqualPoints(context: Context, method: Method, fields: Json): Promise<void> {
  const ids = ['alike-1', 'alike-2'];
  if (!isServed(await context.send(wholeList(method, pointsAt(context, ids, fields))))) return;
  await expectListed(context, method, { exactly: ids }, 'points that differ only in their ids must all be listed');
}

const replacesWholeList = check(
  'delivery.batch.replaces-all',
  'MUST replace the whole list of points with the one in the last complete batch call',
  { clauses: ['delivery.batch.replaces-all'], ...OWN_METHODS },
  async (context) => {
    const { given, expect, send } = context;
    const method = await usedBatchMethod(context);
    await expectFirstList(context, method, pointsAt(context, ['old-1', 'stays', 'old-2']));
    const before = byId(await expectListed(context, method, { exactly: ['old-1', 'stays', 'old-2'] }, 'a first list'));
    const wasKept = before.get('stays')?.address === 'Street of stays';
    given.holds(wasKept, 'delivery.batch.fields-kept', 'the address of a point was not kept');

    // A point that was added alone is part of the list too.
    await addPoints(context, method, pointsAt(context, ['alone']));
    await readPoint(context, method, 'stays');
    // Refused: the refusal must not outlive the list that adds the point.
    await send(method.delivery.readPoint(method.handle, 'new-1'), 'read');
    const address = 'Another street of stays';
    const title = given.text('Words of stays');
    const next = [
      ...pointsAt(context, ['stays'], { address, title }),
      ...pointsAt(context, ['new-1', 'new-2'], { address }),
    ];
    const fresh = wholeList(method, pointsAt(context, ['new-3', 'new-4'], { address }));
    const like = [['one with ids that the method does not have', fresh]] as const;
    await expectAcceptedLike(context, wholeList(method, next), like, 'a second list');
    const rule = 'the second list must replace the first';
    const after = byId(await expectListed(context, method, { exactly: ['stays', 'new-1', 'new-2'] }, rule));
    expect.equal(after.get('stays')?.address, address, 'a point in both lists must have the values of the second', {
      pointer: '/pickup_points',
    });
    const stays = await readPoint(context, method, 'stays');
    expect.equal(stays.address, address, 'a point in both lists, read by its id, must have the values of the second', {
      pointer: '/address',
    });
    const fromList = await send(method.delivery.readPoint(method.handle, 'new-1'), 'read');
    expect.that(showsPoint(fromList, 'new-1'), 'a point that only the second list has must be readable by its id', {
      expected: 'new-1',
      actual: summary(fromList),
      response: fromList,
      clauses: ['delivery.point.read-by-id'],
    });
    for (const id of ['old-1', 'alone']) {
      const response = await send(method.delivery.readPoint(method.handle, id), 'read');
      expect.that(
        !showsPoint(response, id),
        `the point ${id}, which the second list omitted, must no longer be readable`,
        {
          expected: 'a refusal',
          actual: summary(response),
          response,
        },
      );
    }
    const again = await send(method.delivery.addPoint(method.handle, pointsAt(context, ['old-1'])[0]!), 'add');
    // A service may refuse every id that was used before.
    if (isServed(again) || (await takesUsedId(context, method))) {
      expect.accepted(again, 'the id of a point that the second list omitted must be usable for another point');
      const added = { all: ['old-1', 'stays', 'new-1', 'new-2'] };
      await expectListed(context, method, added, 'a new point with an omitted id must be listed');
    }
    // The same call as the last one, but not the same list as now. A service may refuse what it takes for a repetition.
    if (isServed(await context.send(wholeList(method, next)))) {
      const same = 'a list that is sent again must replace what was added since';
      await expectListed(context, method, { exactly: ['stays', 'new-1', 'new-2'] }, same);
    }
    await replacedWithout(context, method, title);
    await keepsEqualPoints(context, method, { address, title });
    await reusedAfterLists(context, method);
    // Different ids for services that distinguish them.
    const similar = ['a1', ...(await idsBesideA1(context))];
    if (similar.length > 1) {
      await expectAccepted(context, wholeList(method, pointsAt(context, similar)), 'a list with spellings of an id');
      await expectListed(
        context,
        method,
        { exactly: similar },
        'ids that are different when added alone must be different in a batch',
      );
    }
    await isOneOfTwo(context, method);
  },
);

/** Whether the id of a point that was deleted alone is accepted for another one. */
async function takesUsedId(context: Context, { delivery, handle }: Method): Promise<boolean> {
  const { send } = context;
  const [point] = pointsAt(context, ['used']);
  const add = delivery.addPoint(handle, point!);
  return (
    isServed(await send(add, 'control')) &&
    isServed(await send(delivery.deletePoint(handle, 'used'), 'control')) &&
    isServed(await send(add, 'control'))
  );
}

/** Of two lists of one method that arrive together, one is the list, whichever came last. A service may refuse one of them. */
async function isOneOfTwo(context: Context, method: Method): Promise<void> {
  const lists = [
    ['one-1', 'one-2'],
    ['two-1', 'two-2'],
  ];
  const send = (ids: readonly string[]) => context.send(wholeList(method, pointsAt(context, ids)), 'change');
  const served = (await eachAtOnce(lists, send)).map(isServed);
  const possible = lists.filter((_, at) => served[at]).map((ids) => ids.join());
  if (possible.length === 0) return;
  const isRight = (ids: readonly string[]): boolean => possible.includes(ids.toSorted().join());
  const ids = await listedIds(context, method, isRight);
  context.expect.that(isRight(ids), 'of two lists of one method that arrive together, one must be the whole list', {
    expected: possible.join(' or '),
    actual: ids.join(),
    pointer: '/pickup_points',
  });
}

/** A point of a new list has no values of the old point with its id, if the service accepts a point without attributes. */
async function replacedWithout(context: Context, method: Method, former: unknown): Promise<void> {
  const bare = pointsAt(context, ['stays']).map(({ attributes: _, ...rest }) => rest);
  if (!isServed(await context.send(wholeList(method, bare)))) return;
  const { attributes, title } = await readPoint(context, method, 'stays');
  const kept = keptTexts(context, former, title);
  context.expect.equal(kept, [], 'texts that the new list omits must not keep their old values', {
    pointer: `/title/${kept[0] ?? ''}`,
  });
  const isNone = isUnset(attributes) || (isJsonObject(attributes) && Object.keys(attributes).length === 0);
  context.expect.that(isNone, 'attributes that the new list omits must not keep their old values', {
    expected: 'no attributes',
    actual: attributes,
    pointer: '/attributes',
  });
}

const emptyList = check(
  'delivery.batch.empty-list',
  'MUST remove all points when it accepts an empty list',
  {
    clauses: ['delivery.batch.empty-list'],
    observations: ['delivery.batch.empty-list-handling'],
    ...OWN_METHODS,
  },
  async (context) => {
    const method = await usedBatchMethod(context);
    await replacePoints(context, method, pointsAt(context, ['a', 'b']));
    await givenListed(context, method, { exactly: ['a', 'b'] }, 'delivery.batch.replaces-all');
    const response = await context.send(wholeList(method, []));
    context.observe('delivery.batch.empty-list-handling', handlingOf(response));
    if (isServed(response)) {
      await expectListed(context, method, { exactly: [] }, 'an empty list must leave no point');
      // Once more: a service may skip a call that it takes for a repetition of an earlier one.
      await replacePoints(context, method, pointsAt(context, ['c', 'd']));
      if (isServed(await context.send(wholeList(method, []))))
        await expectListed(context, method, { exactly: [] }, 'a second empty list must leave no point either');
      return;
    }
    // A service may refuse an empty list: then the rule does not apply, provided that it is a real refusal.
    await givenListed(context, method, { exactly: ['a', 'b'] }, 'envelope.delivery.refusal-changes-nothing');
    context.expect.that(true, 'a refused empty list must leave the points');
  },
);

const forgottenList = check(
  'delivery.batch.missing-list-keeps-points',
  'SHOULD keep the points of a method when a batch call has no list',
  {
    clauses: ['delivery.batch.missing-list-keeps-points'],
    observations: ['delivery.batch.missing-list-handling'],
    ...OWN_METHODS,
  },
  async (context) => {
    const method = await usedBatchMethod(context);
    const flags = { is_initialization: true, is_finalization: true };
    const { delivery, handle } = method;
    await replacePoints(context, method, pointsAt(context, ['a', 'b']));
    if (context.explains) await givenListed(context, method, { exactly: ['a', 'b'] }, 'delivery.batch.replaces-all');
    const without = await context.send(delivery.batchReplace(handle, flags));
    const withNull = await context.send(delivery.batchReplace(handle, { ...flags, pickup_points: null }));
    context.observe('delivery.batch.missing-list-handling', {
      'left out': handlingOf(without),
      null: handlingOf(withNull),
    });
    await expectListed(context, method, { exactly: ['a', 'b'] }, 'a call without a list must not empty a method');
  },
);

const otherMethods = check(
  'delivery.batch.other-methods-keep-points',
  'MUST keep the points of every method that a batch call does not name',
  { clauses: ['delivery.batch.other-methods-untouched'], ...OWN_METHODS },
  async (context) => {
    const [other, method] = [await usedBatchMethod(context), await usedBatchMethod(context)];
    const ids = ['a', 'b'];
    await replacePoints(context, other, pointsAt(context, ids));
    const before = await givenListed(context, other, { exactly: ids }, 'delivery.batch.replaces-all');
    // The same ids in each method, so that a service that ignores the method fails.
    const address = 'Elsewhere';
    await replacePoints(context, method, pointsAt(context, ['a', 'c'], { address }));
    const country = { country: otherCountry(context, 'EE') };
    const byCountry = wholeList(method, pointsAt(context, ['b', 'd'], { ...country, address }), country);
    await context.given.accepted(context.send(byCountry, 'given'), 'delivery.batch.country-replaces');
    const after = await expectListed(context, other, { exactly: ids }, 'the other method must still list its points');
    expectUnchanged(context, before, after, ids);
  },
);

export const checks: readonly Check[] = [replacesWholeList, emptyList, forgottenList, otherMethods];
