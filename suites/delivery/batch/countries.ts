/** Replacing the points of one country. */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { addPoints, type Method, showsPoint } from '../steps/reading.ts';
import { replacedInCountry } from '../steps/reused-id.ts';
import { ownCountry, pointAt } from '../steps/values.ts';
import { idsFrom, type Place, pointsAt, portion, replacePoints, wholeList } from './calls.ts';
import { emptyPortions } from './empty-portions.ts';
import { usedBatchMethod } from './new-method.ts';
import {
  byId,
  expectAcceptedLike,
  expectListed,
  expectUnchanged,
  givenListed,
  givenUnlisted,
  type Likeness,
  listedPoints,
} from './points/content.ts';
import { givenReadingEndsNoUpload } from './portions.ts';

const SEVERAL = 'delivery.batch.several-handles';
const LV = { country: 'LV' };
const EE = { country: 'EE' };
const LT = { country: 'LT' };

const countryReplaces = check(
  'delivery.batch.country-replaces',
  'MUST replace the points of the country that a batch call names',
  { clauses: ['delivery.batch.country-replaces'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    const ofOther = context.hasOneCountry ? [] : pointsAt(context, ['ee-1'], EE);
    const old = [...pointsAt(context, ['lv-1', 'lv-2'], LV), ...ofOther];
    await replacePoints(context, method, old);
    await givenListed(context, method, { all: ['lv-1', 'lv-2'] }, 'delivery.batch.replaces-all');
    const next = pointsAt(context, ['lv-2', 'lv-3'], LV);
    const like: readonly Likeness[] = [
      ['one with ids that the method does not have', wholeList(method, pointsAt(context, ['lv-5', 'lv-6'], LV), LV)],
      ['the same list without a country', wholeList(method, next)],
    ];
    await expectAcceptedLike(context, wholeList(method, next, LV), like, 'a list for one country');
    const wanted = { all: ['lv-2', 'lv-3'], none: ['lv-1'] };
    await expectListed(context, method, wanted, 'the points of the country must be those of the call');
    // On a service that accepts only one country, no list can be the first of another one, and no point can move.
    if (!context.hasOneCountry) {
      await firstOfCountry(context, method);
    }
    if (!context.sendsMinimum) await countryOfCall(context, method);
    if (!context.hasOneCountry) await unlessFull(context, () => movedPoints(context));
    const other = await unlessFull(context, () => usedBatchMethod(context));
    if (other !== undefined) await replacedInCountry(context, other);
    // A service may refuse an empty list; after an accepted one, no point of the country may remain.
    const empty = method.delivery.batchReplace(method.handle, { pickup_points: [], ...LV });
    if (!isServed(await context.send(empty))) return;
    const none = { none: ['lv-1', 'lv-2', 'lv-3'] };
    await expectListed(context, method, none, 'an empty list for a country must leave no point of it');
    if (ofOther.length > 0) await forgetsCountry(context, method);
  },
);

/** The first list for a country: the method has no point there that the call could replace. */
async function firstOfCountry(context: Context, method: Method): Promise<void> {
  const points = pointsAt(context, ['lt-1'], LT);
  const like: readonly Likeness[] = [['the same list without a country', wholeList(method, points)]];
  const rule = 'a list for a country of which the method has no point';
  await expectAcceptedLike(context, wholeList(method, points, LT), like, rule);
  const { ids } = await expectListed(
    context,
    method,
    { all: ['lt-1'] },
    'the first points of a country must be stored',
  );
  const others = ['lv-2', 'lv-3'];
  context.given.holds(
    others.every((id) => ids.includes(id)),
    'delivery.batch.country-keeps-others',
    'the first list for a country removes the points of others',
  );
}

/** A point of a list for a country need not name it again. A service may refuse such a point, or leave it out as of another country. */
async function countryOfCall(context: Context, method: Method): Promise<void> {
  const { country: _, ...point } = pointAt(context, 'of-call');
  if (!isServed(await context.send(wholeList(method, [point], LV)))) return;
  const listed = byId(await listedPoints(context, method));
  const read = listed.get('of-call');
  if (read === undefined) return;
  const rule = 'a point of a list for one country that does not name it again must keep its values';
  context.expect.equal(read.address, point.address, rule, { pointer: '/address' });
  const stay = ['lv-2', 'lv-3'].filter((id) => listed.has(id));
  context.expect.equal(
    stay,
    [],
    'a list whose points do not name the country again must replace the points of that country',
    {
      pointer: '/pickup_points',
    },
  );
}

/** The country of a call is not the default of the next one: a list without a country also replaces the points of others. */
async function forgetsCountry(context: Context, method: Method): Promise<void> {
  await replacePoints(context, method, pointsAt(context, ['lv-4'], LV));
  await givenListed(context, method, { exactly: ['lv-4'] }, 'delivery.batch.replaces-all');
}

/** The present country of a point counts, not its first one, also for points that were added alone. */
async function movedPoints(context: Context): Promise<void> {
  const { delivery, handle } = await usedBatchMethod(context);
  const method = { delivery, handle };
  await replacePoints(context, method, [...pointsAt(context, ['leaves'], LV), ...pointsAt(context, ['comes'], EE)]);
  await addPoints(context, method, [...pointsAt(context, ['alone'], LV), ...pointsAt(context, ['alone-comes'], EE)]);
  // The country of a point may be read-only.
  for (const id of ['comes', 'alone-comes']) await context.send(delivery.changePoint(handle, id, LV), 'change');
  await context.send(delivery.changePoint(handle, 'leaves', EE), 'change');
  const before = byId(await listedPoints(context, method));
  const isIn = (id: string, { country }: Json): boolean => String(before.get(id)?.country).toUpperCase() === country;
  const call = wholeList(method, pointsAt(context, ['new'], LV), LV);
  await context.given.accepted(context.send(call, 'given'), 'delivery.batch.country-replaces');
  const stays = isIn('leaves', EE) ? ['leaves'] : [];
  await givenListed(context, method, { all: stays }, 'delivery.batch.country-keeps-others');
  const gone = ['alone', ...['comes', 'alone-comes'].filter((id) => isIn(id, LV))];
  const rule = 'a list for a country must replace the points that have this country now';
  await expectListed(context, method, { all: ['new'], none: gone }, rule);
}

/**
 * A point without a country, if the target accepts one: a service may refuse it or assign a country. A service that returns it
 * without a country may still mean that of the store: nothing follows from what a call for that country does to it.
 */
async function pointsNowhere(context: Context, { delivery, handle }: Method, { country }: Json): Promise<string[]> {
  if (ownCountry(context) === country) return [];
  const { country: _, ...point } = pointAt(context, 'nowhere');
  if (!isServed(await context.send(delivery.addPoint(handle, point), 'add'))) return [];
  const read = await context.send(delivery.readPoint(handle, 'nowhere'), 'read');
  return showsPoint(read, 'nowhere') && isUnset(countryOf(read)) ? ['nowhere'] : [];
}

function countryOf({ json }: ServiceResponse): unknown {
  const point = resourceOf(json, 'pickup_point');
  return isJsonObject(point) ? point.country : undefined;
}

const othersStay = check(
  'delivery.batch.country-keeps-others',
  'MUST keep the points of all other countries',
  { clauses: ['delivery.batch.country-keeps-others'], ...OWN_METHODS },
  async (context) => {
    const { given } = context;
    const method = await usedBatchMethod(context);
    const others = ['ee-1', 'ee-2', 'lt-1'];
    const old = [
      ...pointsAt(context, ['lv-1'], LV),
      ...pointsAt(context, ['ee-1', 'ee-2'], EE),
      ...pointsAt(context, ['lt-1'], LT),
    ];
    await replacePoints(context, method, old);
    const before = await givenListed(context, method, { all: others }, 'delivery.batch.replaces-all');
    const call = wholeList(method, pointsAt(context, ['lv-2'], LV), LV);
    await given.accepted(context.send(call, 'given'), 'delivery.batch.country-replaces');
    const own = context.explains ? [] : ['lv-2'];
    const after = await expectListed(
      context,
      method,
      { all: [...others, ...own] },
      'the points of other countries must stay',
    );
    if (context.explains) await givenListed(context, method, { all: ['lv-2'] }, 'delivery.batch.country-replaces');
    expectUnchanged(context, before, after, others);

    // One country after the other, like uploads for several countries.
    const nowhere = await pointsNowhere(context, method, EE);
    // In small letters a service may refuse the country, but it must not take it for no country at all.
    const ee3In = (country: Json) => wholeList(method, pointsAt(context, ['ee-3'], country), country);
    if (!isServed(await context.send(ee3In({ country: 'ee' }), 'given')))
      await given.accepted(context.send(ee3In(EE), 'given'), 'delivery.batch.country-replaces');
    const rule = 'the points of the country before, and those without a country, must stay';
    await expectListed(context, method, { all: ['lv-2', 'lt-1', ...nowhere] }, rule);
    // A point of a list for Latvia comes back in Estonia: an index of countries may still have it under the first one.
    const back = wholeList(method, pointsAt(context, ['ee-1', 'ee-2', 'lv-1'], EE), EE);
    await given.accepted(context.send(back, 'given'), 'delivery.batch.country-replaces');
    // In an Estonian store the calls for Latvia prove the same, in a Latvian one an empty list for Lithuania.
    const isLatvian = ownCountry(context) === LV.country;
    const kept = isLatvian || nowhere.length > 0 ? nowhere : await pointsNowhere(context, method, LV);
    const [country, only] = isLatvian ? [LT, 'lt-1'] : [LV, 'lv-2'];
    const all = [...others, 'lv-1'];
    let stay = all;

    // An empty list for a country may be refused.
    if (isServed(await context.send(wholeList(method, [], country)))) {
      stay = all.filter((id) => id !== only);
      const { ids } = await expectListed(
        context,
        method,
        { all: [...stay, ...kept] },
        'after an empty list for one country the others must stay',
      );
      given.holds(
        !ids.includes(only),
        'delivery.batch.country-replaces',
        'an empty list for a country leaves its points',
      );
    }
    const other = await unlessFull(context, () => usedBatchMethod(context));
    if (other === undefined) return;
    const both = { delivery: method.delivery, handle: [other.handle, method.handle] };
    await given.accepted(context.send(wholeList(both, pointsAt(context, ['lv-3'], LV), LV), 'given'), SEVERAL);
    await expectListed(
      context,
      method,
      { all: isLatvian ? stay : [...stay, ...kept] },
      'the points of other countries must stay under several handles',
    );
  },
);

/** Points that make a portion of one point a larger one. */
const MORE_POINTS = 9;

const countryInPortions = check(
  'delivery.batch.country-in-portions',
  'MUST replace only the points of one country when they are uploaded in portions',
  { clauses: ['delivery.batch.country-in-portions'], ...OWN_METHODS },
  async (context) => {
    const method = await usedBatchMethod(context);
    const old = [...pointsAt(context, ['lv-1', 'lv-2'], LV), ...pointsAt(context, ['ee-1', 'ee-2'], EE)];
    await replacePoints(context, method, old);
    if (context.explains) await givenListed(context, method, { all: ['ee-1', 'ee-2'] }, 'delivery.batch.replaces-all');
    const send = (ids: readonly string[], place: Place) =>
      context.send(portion(method, pointsAt(context, ids, LV), place, LV));
    let portions: readonly (readonly string[])[] = [['lv-2'], ['lv-3'], ['lv-4']];
    let first = await send(portions[0]!, 'first');
    if (!isServed(first)) {
      // A service may want portions that are worth a call.
      portions = portions.map(([id = '']) => [id, ...idsFrom(`${id}-more`, MORE_POINTS)]);
      first = await send(portions[0]!, 'first');
    }
    for (const [at, place] of (['first', 'middle', 'last'] as const).entries()) {
      const response = place === 'first' ? first : await send(portions[at]!, place);
      if (place === 'last' && !isServed(response)) await givenReadingEndsNoUpload(context, portions, LV);
      context.expect.accepted(response, `the ${place} portion for one country`);
      if (place === 'middle') await givenUnlisted(context, method, 'lv-3');
    }
    const wanted = { exactly: [...portions.flat(), 'ee-1', 'ee-2'] };
    await expectListed(context, method, wanted, 'the portions must replace only the points of their country');
    await emptyPortions(context, method, { ...LV, others: ['ee-1', 'ee-2'] });
  },
);

export const checks: readonly Check[] = [countryReplaces, othersStay, countryInPortions];
