/** A label or a failure that is reported before its user has sent the form of the page: what they enter then comes too late. */
import { Skipped } from '../../../harness/check/failures.ts';
import { isServiceAddress } from '../../../harness/integrator/counterpart.ts';
import { advance } from '../../../harness/integrator/page/form/index.ts';
import { inContext, waitUntilSettled } from '../../../harness/integrator/page/visit.ts';
import { until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, deliveryCheck } from '../session.ts';
import { callbacksOf, isReport, parameterOf } from '../steps/callbacks.ts';
import { freshRequest } from '../steps/forged/forgery.ts';
import { givenSuccess, paceOf } from '../steps/user-flow.ts';
import { openForm, signedBy } from '../steps/visit/open-form.ts';

/** A page that reports of itself has done so by then. */
const REPORT_MS = 2_000;
const DOCUMENT_MS = 3_000;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.early-report',
    'SHOULD NOT report a label or a failure before its user has sent the form',
    { clauses: ['provider.label.early-report'], needs: ['browser', 'label-page'] },
    async (context) => {
      const { session } = context;
      await givenSuccess(context);
      const pace = await paceOf(context);
      const request = await freshRequest(context);
      const reported = () => callbacksOf(session, request).filter(isReport);
      await inContext(
        () => session.browserContext(),
        async (browser) => {
          const page = await browser.newPage();
          const { documents } = await openForm(session, page, request, signedBy(session, request.fields), pace);
          if (!(await until(() => (reported().length > 0 ? true : undefined), Math.min(pace.callbackMs, REPORT_MS))))
            throw new Skipped('the page reports nothing by itself');
          // The report may arrive before the document does.
          await until(() => (documents.count() > 0 ? true : undefined), DOCUMENT_MS);
          await waitUntilSettled(page, { status: documents.status() });
          const asks = async (): Promise<boolean> =>
            // A user who reads of a failure presses the button all the same.
            reported().every(({ isError }) => isError) || (await page.evaluate(asksForData).catch(() => false));
          if (isServiceAddress(session.counterpart, page.url()) || !(await asks()))
            throw new Skipped('the page asks its user for nothing');
          const before = reported().length;
          const callback = parameterOf(request.fields, 'callback_url') ?? '';
          const step = await advance(page, { callback, mayGuess: true, besides: [] });
          documents.forget();
          if (step.did !== 'pressed') throw new Skipped('the form of the page cannot be sent');
          await until(() => (reported().length > before ? true : undefined), Math.max(REPORT_MS, pace.callbackMs));
        },
      );
      const [early, ...others] = reported();
      // Two failures are one outcome; a failure after a success is judged with all reports.
      const late = others.find(({ isError }) => !isError);
      context.restOn([early?.received.exchange, late?.received.exchange]);
      context.expect.that(
        late === undefined,
        early?.isError
          ? 'the page reports a failure as soon as it is opened, and a label when its user has sent the form: until then the store shows a failure that there was not. Report when the form was sent'
          : 'the page reports a label as printed as soon as it is opened, and another one when its user has sent the form: until then, or if the user leaves the page, the store has a label that was not wanted. Report when the form was sent',
        { expected: 'one report, after the form was sent', exchange: early?.received.exchange },
      );
    },
  ),
];

/** In the page: whether it has fields for its user to fill or to choose from. */
function asksForData(): boolean {
  const kinds = 'select,textarea,input:not([type=hidden],[type=submit],[type=button],[type=image],[type=reset])';
  return [...document.querySelectorAll(kinds)].some((field) => field.getClientRects().length > 0);
}
