/**
 * Isolation of owners: no store changes the pickup points of a delivery provider's method. Reading them is not judged: the method
 * is offered to every store.
 */
import { type Check, check } from '../../../harness/check/check.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { changedFields, POINT_FIELDS } from '../steps/fields.ts';
import { methodWith } from '../steps/methods/filled-methods.ts';
import { OF_PUBLIC, plainPoint } from '../steps/owners/index.ts';
import { listPoints } from '../steps/reading.ts';
import { exampleOfPoint, tryChangesOfPoint } from '../steps/values.ts';

export const checks: readonly Check[] = [
  check(
    'delivery.owner.provider-points-left-alone',
    "MUST NOT change the points of a delivery provider's method for a store",
    {
      needs: ['delivery.private.apiKey', 'delivery.public.apiKey'],
      effects: 'write',
      part: 'delivery.public',
      clauses: [
        'delivery.owner.points-not-addable',
        'delivery.owner.points-not-changeable',
        'delivery.owner.points-not-deletable',
        'delivery.owner.points-not-replaceable',
      ],
    },
    async (context) => {
      const { delivery, expect, given, provider, send } = context;
      const { handle } = await methodWith(context, ['one', 'two'].map(plainPoint), OF_PUBLIC);
      const method = { delivery: provider, handle };
      await tryChangesOfPoint(context, method, 'one');
      const pointsNow = async () => new Map((await listPoints(context, method)).map((point) => [point.id, point]));
      const before = await pointsNow();
      given.holds(before.size === 2, 'delivery.point.list-contains', 'two points were added, and others are listed');

      const change = { [exampleOfPoint(context)]: 'Intruder' };
      // None of them restores what another one has changed.
      const writes: readonly [ServiceRequest, string][] = [
        [delivery.addPoint(handle, plainPoint('intruder')), 'delivery.owner.points-not-addable'],
        [delivery.changePoint(handle, 'one', change), 'delivery.owner.points-not-changeable'],
        [delivery.deletePoint(handle, 'two'), 'delivery.owner.points-not-deletable'],
        [
          delivery.batchReplace(handle, { pickup_points: [plainPoint('replaced')] }),
          'delivery.owner.points-not-replaceable',
        ],
      ];
      for (const [at, [call, clause]] of writes.entries()) {
        const response = await send(call, 'probe');
        if (!context.explains && at < writes.length - 1) continue;
        const after = await pointsNow();
        const touched = [...new Set([...before.keys(), ...after.keys()])].filter((id) => {
          const [was, is] = [before.get(id), after.get(id)];
          return was === undefined || is === undefined || changedFields(context, POINT_FIELDS, was, is).length > 0;
        });
        expect.that(
          touched.length === 0,
          "the points of a provider's method must stay as they are when a store calls",
          {
            expected: [...before.keys()],
            actual: `different: ${touched}`,
            pointer: '/pickup_points',
            response,
            clauses: [clause],
          },
        );
      }
      const control = await send(provider.changePoint(handle, 'one', change), 'control');
      await given.accepted(control, 'delivery.point.update-applies');
    },
  ),
];
