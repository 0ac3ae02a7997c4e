/**
 * A method that an early check has filled, as it reads when all other checks have ended. A service that forgets what it was given, after
 * some time, after some calls, or for other methods, shows it nowhere else: most checks read back at once.
 */
import { type Check, check } from '../../../harness/check/check.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { madeRoom } from '../../../harness/resources/methods/idle-methods.ts';
import { changedFields, METHOD_FIELDS, METHOD_KEPT, POINT_FIELDS, POINT_KEPT } from '../steps/fields.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { listPoints, readMethod } from '../steps/reading.ts';
import { FEW_POINTS } from './point-list.ts';
import { earlyMethod } from './reading/early.ts';
import { METHOD_LISTS } from './reading/index.ts';
import { sharedPointList } from './reading/shared.ts';

const LISTED = 'delivery.point.list-contains';
const UNTIL_CHANGED = 'must stay as it is until something changes it';

export const checks: readonly Check[] = [
  check(
    'delivery.lists.lasting',
    'MUST keep a method and its pickup points as they are until something changes them',
    {
      clauses: [...new Set([...Object.values(METHOD_KEPT), ...Object.values(POINT_KEPT), LISTED])],
      ...OWN_METHODS,
      alone: true,
      shares: METHOD_LISTS,
      // Only after many calls of other checks is there anything to find.
      additional: true,
    },
    async (context) => {
      const { expect, resources } = context;
      // Where no other check of this process has made one, nothing but time can have changed it since.
      if (earlyMethod(resources) === undefined) await sharedPointList(context, FEW_POINTS);
      const noted = earlyMethod(resources);
      if (noted === undefined || madeRoom(resources, noted.method))
        throw new Skipped(
          'the service takes no method of an early check as it is, or that method was deleted for others',
        );
      const { method, fields, points } = noted;
      const now = await readMethod(context, method);
      for (const field of changedFields(context, METHOD_FIELDS, fields, now))
        expect.that(false, `the ${field} of a method ${UNTIL_CHANGED}`, {
          clauses: [METHOD_KEPT[field as keyof typeof METHOD_KEPT]],
          expected: fields[field],
          actual: now[field],
          pointer: `/${field}`,
        });
      const listed = new Map((await listPoints(context, method)).map((point) => [point.id, point]));
      for (const point of points) {
        const still = listed.get(point.id);
        expect.that(still !== undefined, `a point must be listed until it is deleted: ${point.id}`, {
          clauses: [LISTED],
          expected: point.id,
          actual: [...listed.keys()],
          pointer: '/pickup_points',
        });
        if (still === undefined) continue;
        for (const field of changedFields(context, POINT_FIELDS, point, still))
          expect.that(false, `the ${field} of a point ${UNTIL_CHANGED}`, {
            clauses: [POINT_KEPT[field as keyof typeof POINT_KEPT]],
            expected: point[field],
            actual: still[field],
            pointer: `/pickup_points/…/${field}`,
          });
      }
    },
  ),
];
