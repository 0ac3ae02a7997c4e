/** A form of the label page that carries fields of the request: what comes back in it may be anybody's, and has no signature. */
import type { Page } from '@playwright/test';
import { Inconclusive, Skipped } from '../../../harness/check/failures.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, deliveryCheck, type LabelRequest } from '../session.ts';
import { callbacksOf, parameterOf, successesOf } from '../steps/callbacks.ts';
import { freshRequest } from '../steps/forged.ts';
import { givenSuccess, paceOf } from '../steps/user-flow.ts';
import { follow, openForm, type Posted, signedBy } from '../steps/visit.ts';

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.own-form',
    'SHOULD NOT trust a callback_url that its own form sends back',
    { clauses: ['provider.label.own-form'], needs: ['browser', 'label-page'] },
    async (context) => {
      const { session } = context;
      await givenSuccess(context);
      const pace = await paceOf(context);
      const [unchanged, own, other] = [
        await freshRequest(context),
        await freshRequest(context),
        await freshRequest(context),
      ];
      await inContext(
        () => session.browserContext(),
        async (browser) => {
          /** Opens the form of an order, and puts another callback_url into it. */
          const openWith = async (request: LabelRequest, callbackUrl: string): Promise<Opened> => {
            const page = await browser.newPage();
            const form = await openForm(session, page, request, signedBy(session, request.fields), pace);
            const isBack = (): true | undefined => (callbacksOf(session, request).length > 0 ? true : undefined);
            if (await until(isBack, Math.min(pace.callbackMs, FORM_MS))) throw new Skipped(NO_FORM);
            const replaced = await page.evaluate(replaceInForms, [addressOf(request), callbackUrl]).catch(() => 0);
            if (replaced === 0) throw new Skipped(NO_FORM);
            return { page, form };
          };
          // Only a form that is known to lead to a label shows anything by leading to none.
          const first = await openWith(unchanged, addressOf(unchanged));
          await follow(session, first.page, first.form);
          await until(() => (successesOf(session, unchanged).length > 0 ? true : undefined), pace.callbackMs);
          if (successesOf(session, unchanged).length === 0) throw new Inconclusive(NOT_SENT, 'target');
          const { page, form } = await openWith(own, addressOf(other));
          await follow(session, page, { ...form, request: other });
          await until(() => (successesOf(session, other).length > 0 ? true : undefined), pace.callbackMs);
        },
      );
      const [served] = successesOf(session, other);
      context.restOn([served?.received.exchange]);
      context.expect.that(
        served === undefined,
        'the page reports to whatever callback_url its own form sends back: anyone who posts that form gets labels and signed callbacks, without a signed request. Keep the fields on the server, or verify their signature again',
        { expected: 'no report of success to an address that was not signed', exchange: served?.received.exchange },
      );
    },
  ),
];

interface Opened {
  readonly page: Page;
  readonly form: Posted;
}

const addressOf = ({ fields }: LabelRequest): string => parameterOf(fields, 'callback_url') ?? '';

const NOT_SENT =
  'the form of the page that contains the callback_url led to no label when it was sent unchanged, so nothing is known about a changed one: run the precheck again';
const NO_FORM = 'the page shows no form that contains the callback_url';
/** A page that asks nothing has reported by then. */
const FORM_MS = 1_500;

/** In the page: puts another value into the fields of forms that have this one, and returns how many there were. */
function replaceInForms([from, to]: readonly string[]): number {
  const fields = [...document.querySelectorAll<HTMLInputElement>('form input')].filter(({ value }) => value === from);
  for (const field of fields) field.value = to ?? '';
  return fields.length;
}
