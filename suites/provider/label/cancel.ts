/** A user who opens the form of a label and cancels it: no label may be reported as printed. */
import { Skipped } from '../../../harness/check/failures.ts';
import { PRINTING } from '../../../harness/integrator/page/form/printing-buttons.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, deliveryCheck } from '../session.ts';
import { callbacksOf, successesOf } from '../steps/callbacks.ts';
import { freshRequest } from '../steps/forged/forgery.ts';
import { givenSuccess, paceOf } from '../steps/user-flow.ts';
import { openForm, signedBy } from '../steps/visit/open-form.ts';

// cspell:disable
const CANCELS =
  /^(?:cancel|abbrechen|anuluj|annuler|annulla|cancelar|annuleren|avbryt|annuller|peruuta|atcelt|atšaukti|zrušit|mégse|отмен|скасу|取消|キャンセル|취소)/i;
// cspell:enable
/** A page that asks nothing has reported by then. */
const FORM_MS = 1_500;
const PRESS_MS = 3_000;
const MIN_WATCHED_MS = 2_000;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.cancel',
    'SHOULD NOT report a label as printed when its user cancels',
    { clauses: ['provider.label.cancel'], needs: ['browser', 'label-page'] },
    async (context) => {
      const { session } = context;
      await givenSuccess(context);
      const pace = await paceOf(context);
      const request = await freshRequest(context);
      await inContext(
        () => session.browserContext(),
        async (browser) => {
          const page = await browser.newPage();
          await openForm(session, page, request, signedBy(session, request.fields), pace);
          const isBack = (): true | undefined => (callbacksOf(session, request).length > 0 ? true : undefined);
          if (await until(isBack, Math.min(pace.callbackMs, FORM_MS)))
            throw new Skipped('the page asks its user nothing');
          const button = page.getByRole('button', { name: CANCELS }).first();
          const name = await button.textContent({ timeout: FORM_MS }).catch(() => null);
          if (name === null || PRINTING.test(name)) throw new Skipped('the page has no button to cancel');
          const isPressed = await button.click({ timeout: PRESS_MS, noWaitAfter: true }).then(
            () => true,
            () => false,
          );
          if (!isPressed) throw new Skipped('the button to cancel cannot be pressed');
          const isPrinted = (): true | undefined => (successesOf(session, request).length > 0 ? true : undefined);
          await until(isPrinted, Math.max(MIN_WATCHED_MS, pace.callbackMs));
        },
      );
      const [success] = successesOf(session, request);
      context.restOn([success?.received.exchange]);
      context.expect.that(
        success === undefined,
        'the page reports a label as printed although its user pressed the button to cancel',
        { expected: 'no report, or one with error_msg', exchange: success?.received.exchange },
      );
    },
  ),
];
