/** A store's admin who prints the label of an order once more: each press is a request of its own, with an id of its own. */
import { SIGNATURE_FIELD } from '../../../../contracts/signing/index.ts';
import { Skipped } from '../../../../harness/check/failures.ts';
import { describePage } from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import { inContext } from '../../../../harness/integrator/page/visit.ts';
import { isSignedRight } from '../../callback/signed.ts';
import { type DeliveryCheck, deliveryCheck, type LabelRequest } from '../../session.ts';
import { type Callback, callbacksOf, parameterOf } from '../../steps/callbacks.ts';
import { freshRequest } from '../../steps/forged/forgery.ts';
import { givenSuccess, longPaceOf, paceOf, throwIfStuck } from '../../steps/user-flow.ts';
import type { Visit } from '../../steps/visit/follow.ts';
import { saidInstead, visit } from '../../steps/visit/index.ts';
import { signedBy } from '../../steps/visit/open-form.ts';

const needs = ['browser', 'label-page'];

const hasSignature = (callback: Callback | undefined): boolean =>
  callback !== undefined && Boolean(parameterOf(callback.pairs, SIGNATURE_FIELD));

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.second-print',
    'MUST report a second print of an order with the label_request_id of the second request',
    { clauses: ['provider.callback.same-id'], needs },
    async (context) => {
      const { session, given, expect } = context;
      const key = session.provider.apiKey.reveal();
      await givenSuccess(context);
      const earlier = await freshRequest(context);
      const request = session.counterpart.labelRequestAgain(earlier);
      const pace = await paceOf(context);
      // In one browser, as the admin has it: what the first print left in cookies is there at the second one.
      const again = await inContext(
        () => session.browserContext(),
        async (browser): Promise<Visit> => {
          const page = await browser.newPage();
          await visit(session, page, earlier, signedBy(session, earlier.fields), pace);
          const longerPace = await longPaceOf(context);
          return visit(session, page, request, signedBy(session, request.fields), longerPace);
        },
      );
      const callbacks = callbacksOf(session, request);
      const [first, second] = [callbacksOf(session, earlier)[0], callbacks[0]];
      context.restOn([first?.received.exchange, second?.received.exchange]);
      if (second === undefined) throwIfStuck({ name: 'a second print of one order', kind: '', visit: again });
      given.holds(
        second !== undefined,
        'provider.label.sends-callback',
        `the page does not report the second print of an order to its own callback_url: ${describePage(again.snapshot, again.failure)}${saidInstead(again)}`,
      );
      for (const { pairs, isError, received } of callbacks) {
        const sent = parameterOf(pairs, 'label_request_id');
        const evidence = { expected: request.id, actual: sent, exchange: received.exchange };
        const message = `the callback for a second print of an order names ${whose(sent, earlier)} instead of the received label_request_id`;
        if (isError) given.holds(sent === request.id, 'provider.callback.error-same-id', message, evidence);
        else expect.that(sent === request.id, message, evidence);
      }
      // Where the first print is signed wrongly, too, the check of all callbacks says so.
      const wrong = callbacks.find((callback) => !callback.isError && !isSignedRight(key, callback));
      given.holds(
        wrong === undefined || first === undefined || first.isError || !isSignedRight(key, first),
        'provider.callback.signature',
        `the callback for a second print of an order has ${hasSignature(wrong) ? 'a wrong' : 'no'} signature, while that for the first print is correct: sign each callback`,
        { expected: 'a signature over the label_request_id of the second request', exchange: wrong?.received.exchange },
      );
      if (callbacks.every(({ isError }) => isError))
        throw new Skipped('the page reports the second print of an order as a failure');
    },
  ),
];

const whose = (sent: string | undefined, earlier: LabelRequest): string =>
  sent === undefined ? 'no id' : sent === earlier.id ? 'the id of the first print' : 'another id';
