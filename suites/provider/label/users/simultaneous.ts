/** Several store admins who print at the same moment, on a page that prints at once: none may get the report of another. */
import { Skipped } from '../../../../harness/check/failures.ts';
import { type DeliveryCheck, deliveryCheck } from '../../session.ts';
import { type Callback, callbacksOf } from '../../steps/callbacks.ts';
import { firstTogether, printTogether } from '../../steps/documents/label-texts.ts';
import { givenResponse, givenSuccess, isOneByOne } from '../../steps/user-flow.ts';

/** What is mixed up depends on the moment: so often it is tried, and so often it has to be seen. */
const ROUNDS = 3;
const MIN_SEEN = 2;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.simultaneous',
    'MUST report each of several orders that are printed at the same time',
    { clauses: ['provider.callback.same-id'], needs: ['browser', 'label-page'] },
    async (context) => {
      await givenSuccess(context);
      const { session, expect } = context;
      const { visit } = await givenResponse(context);
      const usual = callbacksOf(session, visit.request).length;
      if (await isOneByOne(context)) throw new Skipped('the page prints one order after another');
      const seen: Callback[] = [];
      const reported: Callback[] = [];
      for (let round = 0; round < ROUNDS && seen.length < MIN_SEEN; round += 1) {
        const requests = round === 0 ? await firstTogether(context) : await printTogether(context);
        const counts = requests.map((request) => callbacksOf(session, request));
        reported.push(...counts.flat());
        // A page that is busy may leave an order out; one that reports another instead has taken it for that.
        const instead = counts.find((callbacks) => callbacks.length > usual);
        if (instead !== undefined && counts.some((callbacks) => callbacks.length === 0)) seen.push(instead.at(-1)!);
      }
      context.restOn((seen.length < MIN_SEEN ? reported : seen).map(({ received }) => received.exchange));
      expect.that(
        seen.length < MIN_SEEN,
        'of orders that are printed at the same time the page reports one repeatedly and another one not at all',
        { expected: 'a callback for each order', exchange: seen[0]?.received.exchange },
      );
    },
  ),
];
