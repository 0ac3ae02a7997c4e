/** What the signing scheme cannot distinguish, explained to the integrator: replays, and bytes that move between neighbours. */
import { boundaryShift, SIGNATURE_FIELD, sign } from '../../../contracts/signing/index.ts';
import { until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck, type LabelRequest } from '../session.ts';
import { callbacksOf, successesOf } from '../steps/callbacks.ts';
import { freshRequest } from '../steps/forged/forgery.ts';
import { givenSuccess, paceOf, printed } from '../steps/user-flow.ts';
import { visit } from '../steps/visit/index.ts';
import { signedBy } from '../steps/visit/open-form.ts';

const needs = ['browser', 'label-page'];

async function reportOf(context: DeliveryContext, request: LabelRequest, before: number): Promise<string> {
  const { session } = context;
  const pace = await paceOf(context);
  await until(() => (callbacksOf(session, request).length > before ? true : undefined), pace.callbackMs);
  const after = callbacksOf(session, request).slice(before);
  if (after.length === 0) return 'no report';
  return after.some(({ isError }) => !isError) ? 'printed' : 'reported as a failure';
}

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.replay-observed',
    'OBSERVES how the label page handles a repeated request',
    { clauses: [], observations: ['provider.label.replay'], needs },
    async (context) => {
      const { session } = context;
      await givenSuccess(context);
      const pace = await paceOf(context);
      const request = await freshRequest(context);
      await printed(session, request, pace);
      const before = callbacksOf(session, request).length;
      await session.pages.use((page) => visit(session, page, request, signedBy(session, request.fields), pace));
      context.observe('provider.label.replay', {
        second: await reportOf(context, request, before),
        note: 'A repeated request is authentic, because no signed field expires. A page that must not create two labels for one label_request_id has to store the id.',
      });
    },
  ),
  deliveryCheck(
    'provider.label.boundary-shift-observed',
    'OBSERVES how the label page handles bytes moved between neighbouring values',
    { clauses: [], observations: ['provider.label.boundary-shift'], needs },
    async (context) => {
      const { session } = context;
      await givenSuccess(context);
      const pace = await paceOf(context);
      const made = await freshRequest(context);
      const key = session.provider.apiKey.reveal();
      // The id stays as it is, so that the report is the request's own.
      const [id, ...rest] = made.fields;
      const shifted = boundaryShift(rest);
      if (id === undefined || shifted === undefined) {
        context.observe('provider.label.boundary-shift', { report: 'not tried' });
        return;
      }
      const fields = [id, ...shifted, [SIGNATURE_FIELD, sign(made.fields, key)] as const];
      await session.pages.use((page) => visit(session, page, made, fields, pace));
      const isPrinted = successesOf(session, made).length > 0;
      context.observe('provider.label.boundary-shift', {
        report: isPrinted ? 'printed' : await reportOf(context, made, 0),
        note: "Values are signed without separators, so the signature of such a request is correct and the receiver can't notice. Validate the format of values (a uuid, a number, a country) before relying on them.",
      });
    },
  ),
];
