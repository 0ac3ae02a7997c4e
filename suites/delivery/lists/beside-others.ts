/** A walk over a list while others are read: a service may keep in one place where the caller is (spec: Common rules for A and B). */
import { isDeepStrictEqual } from 'node:util';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { methodWith, methodWithPoints } from '../steps/methods/filled-methods.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { OWN_METHODS } from '../steps/options.ts';
import type { Method } from '../steps/reading.ts';
import { pointAt } from '../steps/values.ts';
import { IDS, IN_TWOS, inPages } from './reading/in-twos.ts';
import { pointsOf, readList } from './reading/index.ts';

/** First pages of other lists, and of the same list in reverse. */
async function otherLists(context: Context, { delivery, handle }: Method): Promise<ServiceRequest[]> {
  const other = await unlessFull(context, () => methodWithPoints(context));
  return [
    delivery.listPoints(handle, { ...IN_TWOS, desc: true }),
    delivery.listMethods(IN_TWOS),
    ...(other === undefined ? [] : [delivery.listPoints(other.handle, IN_TWOS)]),
  ];
}

export const checks: readonly Check[] = [
  check(
    'delivery.lists.beside-others',
    'MUST continue a list at its links while other lists are read',
    { clauses: ['delivery.lists.every-item-once'], ...OWN_METHODS, additional: true },
    async (context) => {
      const { expect, given, send } = context;
      const method = await methodWith(
        context,
        IDS.map((id) => pointAt(context, id)),
      );
      const alone = await inPages(context, method);
      if (alone === undefined) throw new Skipped('the list does not show its points on several pages');
      const others = await otherLists(context, method);
      const beside = await readList(
        context,
        pointsOf(method.delivery, method.handle),
        IN_TWOS,
        2 * IDS.length,
        async (call, role) => {
          for (const other of others) await send(other, 'beside');
          return send(call, role);
        },
      );
      // How long a link is good is not stated.
      if (beside.end === 'refused-page') throw new Skipped('a link is not good any more once another list was read');
      const isSame = isDeepStrictEqual(beside.ids, alone.ids);
      const again = isSame ? alone : await inPages(context, method);
      given.holds(
        isDeepStrictEqual(again?.ids, alone.ids),
        'delivery.lists.stable-order',
        'two walks over a list that did not change show it differently',
      );
      expect.that(isSame, 'the pages of a list must be the same while first pages of other lists are read in between', {
        expected: alone.ids,
        actual: beside.ids,
        pointer: '/pickup_points',
        response: beside.pages.at(-1)?.response,
      });
    },
  ),
];
