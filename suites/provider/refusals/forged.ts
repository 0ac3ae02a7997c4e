/** Whether the label page distinguishes what the service sent from what anyone may send. */
import { acceptsUnknownFields } from '../label/additional-fields.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from '../session.ts';
import { MIN_NEAR_MISSES } from '../steps/forged/bad-signatures.ts';
import { nearMisses, tampered, underOtherKeys, unsigned } from '../steps/forged/forgeries.ts';
import type { Forgery } from '../steps/forged/forgery.ts';
import {
  expectRefused,
  refusedForgeries,
  reportedByServer,
  type TrialOptions,
  tryForged,
} from '../steps/forged/index.ts';

const needs = ['browser', 'label-page'];

const refusal = (
  id: string,
  says: string,
  forge: (context: DeliveryContext) => Promise<Forgery[]>,
  least?: TrialOptions['least'],
): DeliveryCheck =>
  deliveryCheck(id, `MUST ${says}`, { clauses: [id], needs }, async (context) => {
    const options: TrialOptions = { clause: id, least, waitsLonger: forge === unsigned };
    expectRefused(context, await tryForged(context, () => forge(context), options));
  });

export const checks: readonly DeliveryCheck[] = [
  refusal(
    'provider.refusals.unsigned',
    'NOT print a label for a request without a signature',
    unsigned,
    // Those of the page's own path, of one kind of order.
    (forgeries) => forgeries.filter(({ spelling, isOfOtherOrder }) => spelling === undefined && !isOfOtherOrder).length,
  ),
  refusal(
    'provider.refusals.other-key',
    'NOT print a label for a request signed with another key',
    underOtherKeys,
    // Those that nothing in the address goes with.
    (forgeries) => forgeries.filter(({ query }) => query === undefined).length,
  ),
  refusal(
    'provider.refusals.near-miss',
    'NOT print a label for a signature that differs slightly',
    nearMisses,
    // One that was right for another request comes before them.
    () => MIN_NEAR_MISSES + 1,
  ),
  refusal(
    'provider.refusals.tampered',
    'NOT print a label for a request whose signed bytes were changed',
    async (context) => tampered(context, await acceptsUnknownFields(context)),
    // One change for each field.
    ([first]) => first?.request.fields.length ?? 0,
  ),
  deliveryCheck(
    'provider.refusals.no-request-sent',
    'SHOULD NOT have its server call the callback_url of a request that is not authentic',
    { clauses: ['provider.refusals.no-request-sent'], needs },
    async (context) => {
      const { session, expect } = context;
      if (refusedForgeries(session).length === 0)
        await tryForged(context, () => unsigned(context), { clause: 'provider.refusals.unsigned' });
      const [report] = refusedForgeries(session).flatMap((forgery) => reportedByServer(session, forgery));
      context.restOn([report?.exchange]);
      expect.that(
        report === undefined,
        'the server of the label page reports requests that it refuses to the callback_url that they name: anyone can make it call any address, those of its own network among them. Show the refusal in the page alone',
        { expected: 'no request to the address of a forged request', exchange: report?.exchange },
      );
    },
  ),
];
