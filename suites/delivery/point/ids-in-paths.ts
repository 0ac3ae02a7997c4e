/** Ids of pickup points that have to be encoded in a path, and find their point all the same (spec: Pickup point; Delivery endpoints). */
import { isDeepStrictEqual } from 'node:util';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { eachAtOnce } from '../../../harness/process/at-once.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { readBackFaults } from '../steps/fields.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { addPoints, idsOf, listPoints, type Method, readPoint, showsPoint } from '../steps/reading.ts';
import { changeOfPoint, exampleOfPoint, pointAt } from '../steps/values.ts';
import { offer } from './offer-ids.ts';

/** Some languages treat it as no id. */
const NO_ID_TO_SOME = '0';

/**
 * Ids that have to be encoded in a path. Besides `a+b` and `a%20b` there is `a b`: a service that decodes twice, or reads a plus as a
 * space, finds the wrong one. A comparison of patterns takes `a%_` for each of them. A router may interpret an ending as a format, a comma as the
 * end of a handle, and a backslash as a slash; a file system loses a dot at the end, and a filter what is invisible.
 */
const AWKWARD_IDS = [
  'a b',
  'a%_',
  'a+b',
  'a%20b',
  NO_ID_TO_SOME,
  'who?#&=;,:@',
  'Rīga.json',
  'Nr. 7.',
  '東京 🚉',
  'C:\\a\u200bb\u00ad',
];

/** How the field that `changeOfPoint` changes differs from these words. */
const changeFaults = (context: Context, words: string, shown: unknown) => {
  const field = exampleOfPoint(context);
  return readBackFaults(context, field, changeOfPoint(context, words)[field], shown);
};

/** The id of a point that no call deletes. */
const PLAIN_ID = 'stays';

/** The call works for a plain id; otherwise a failure would prove nothing about ids. */
async function givenPlainIdWorks(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const { given, send } = context;
  const { delivery, handle } = method;
  const field = exampleOfPoint(context);
  const shown = async () =>
    new Map((await listPoints(context, method)).map((point) => [point.id, point[field] ?? null] as const));
  // One of the two stays, so that no later delete removes the last point of the method.
  await addPoints(context, method, [pointAt(context, PLAIN_ID), pointAt(context, 'plain')]);
  await readPoint(context, method, 'plain');
  const before = await shown();
  const change = delivery.changePoint(handle, 'plain', changeOfPoint(context, 'Plain city'));
  await given.accepted(send(change, 'given'), 'delivery.point.update-applies');
  const after = await shown();
  const isShown = changeFaults(context, 'Plain city', after.get('plain')).length === 0;
  given.holds(isShown, 'delivery.point.update-applies', 'an update of a point is lost');
  given.holds(
    ids.every((id) => isDeepStrictEqual(before.get(id), after.get(id))),
    'delivery.point.update-leaves-other-points',
    'an update of one point changes another',
  );
  await given.promised(send(delivery.deletePoint(handle, 'plain'), 'given'), 'delivery.point.delete-removes');
  const left = idsOf(await listPoints(context, method));
  given.holds(!left.includes('plain'), 'delivery.point.delete-removes', 'a deleted point is still listed');
  given.holds(
    [...ids, PLAIN_ID].every((id) => !before.has(id) || left.includes(id)),
    'delivery.point.delete-leaves-other-points',
    'the delete of one point deleted another',
  );
}

/** Whether a point with a plain id takes this change. Where checks explain a failure, there is one. */
async function isChangedByPlainId(context: Context, { delivery, handle }: Method, words: string): Promise<boolean> {
  if (!context.explains) return false;
  return isServed(await context.send(delivery.changePoint(handle, PLAIN_ID, changeOfPoint(context, words)), 'control'));
}

/** A number without digits, which some services do not accept in the name of a city. */
const inLetters = (count: number): string => String(count).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);

/** Asserts that each of these points can be read, changed and deleted by its id without affecting the others. */
async function expectReadsUnder(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const { expect, given, send } = context;
  const { delivery, handle } = method;
  const named = (id: string) => `the point ${JSON.stringify(id)}`;
  const wordsFor = (id: string) => `City ${inLetters(ids.indexOf(id))}`;
  const listed = idsOf(await listPoints(context, method));
  for (const id of ids)
    given.holds(listed.includes(id), 'delivery.point.id-kept', `${named(id)} is not in the list under its id`);
  const readings = await eachAtOnce(ids, (id) => send(delivery.readPoint(handle, id), 'read'));
  for (const [at, id] of ids.entries()) {
    const read = readings[at]!;
    expect.that(showsPoint(read, id), `${named(id)} must be readable by its id, encoded once`, {
      expected: id,
      actual: summary(read),
      pointer: '/id',
      response: read,
    });
  }
  for (const id of ids) {
    const changed = await send(delivery.changePoint(handle, id, changeOfPoint(context, wordsFor(id))), 'change');
    const rule = `${named(id)} must be changed by its id, encoded once`;
    // The same values are taken for a plain id: they are not what was refused.
    const isAboutId = !isServed(changed) && (await isChangedByPlainId(context, method, wordsFor(id)));
    if (isAboutId) expect.served(changed, rule);
    else expect.accepted(changed, rule);
  }
  for (const point of await listPoints(context, method)) {
    const id = String(point.id);
    if (!ids.includes(id)) continue;
    const faults = changeFaults(context, wordsFor(id), point[exampleOfPoint(context)]);
    expect.noFaults(faults, `an update by id must change only the point with that id (${id})`);
  }
  // Alternately from both halves, so that ids which are alike are not deleted one after the other.
  const order = ids.flatMap((_, at) => ids[at % 2 === 0 ? at / 2 : Math.ceil(ids.length / 2) + (at - 1) / 2] ?? []);
  for (const [at, id] of order.entries()) {
    const deleted = await send(delivery.deletePoint(handle, id), 'delete');
    expect.served(deleted, `${named(id)} must be deleted by its id, encoded once`);
    // At the first try after every second delete.
    if (at % 2 === 0 && at < order.length - 1 && !context.explains) continue;
    // Repeated points in a list are judged by the checks of lists.
    const left = [...new Set(idsOf(await listPoints(context, method)).filter((one) => ids.includes(one)))];
    expect.equal(left.sort(), order.slice(at + 1).sort(), 'a delete by id must remove the point with that id', {
      pointer: '/pickup_points',
    });
  }
}

export const checks: readonly Check[] = [
  check(
    'delivery.point.id-any-characters',
    'MUST find a point by an id with spaces, reserved characters or any script, encoded once',
    { ...OWN_METHODS, clauses: ['delivery.point.id-any-characters'], exactValues: ['id'] },
    async (context) => {
      const method = await methodWith(context, []);
      const taken = await offer(context, method, AWKWARD_IDS);
      if (taken.length > 0) {
        if (context.explains) await givenPlainIdWorks(context, method, taken);
        await expectReadsUnder(context, method, taken);
      }
      if (!taken.some((id) => id !== NO_ID_TO_SOME))
        throw new Inconclusive(
          'the target refuses every id with spaces, reserved characters or letters of other scripts, so no such point can be requested; the contract does not say whether it may',
          'contract',
        );
    },
  ),

  check(
    'delivery.point.id-with-slash',
    'SHOULD find a point by an accepted id with a slash, encoded once',
    { ...OWN_METHODS, clauses: ['delivery.point.id-with-slash'], exactValues: ['id'] },
    async (context) => {
      const { expect } = context;
      const method = await methodWith(context, []);
      const taken = await offer(context, method, ['a//b', 'hall/1/']);
      if (taken.length > 0) {
        if (context.explains) await givenPlainIdWorks(context, method, taken);
        return expectReadsUnder(context, method, taken);
      }
      expect.equal(idsOf(await listPoints(context, method)), [], 'a point whose id was refused should not be listed');
    },
  ),
];
