/** Forms and scripts of the label page that send back what the request contained: that may be anybody's, and has no signature. */
import { Inconclusive, Skipped } from '../../../harness/check/failures.ts';
import { alterRequests } from '../../../harness/integrator/page/altered-requests.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck, type LabelRequest } from '../session.ts';
import { type Callback, callbacksOf, parameterOf, successesOf } from '../steps/callbacks.ts';
import { freshRequest } from '../steps/forged/forgery.ts';
import { givenSuccess, paceOf } from '../steps/user-flow.ts';
import { follow } from '../steps/visit/follow.ts';
import { openForm, signedBy } from '../steps/visit/open-form.ts';

/** What a report rests on, and what is wrong with a page that takes it from its own form. */
const FIELDS = {
  callback_url:
    'the page reports to whatever callback_url its own form sends back: anyone who posts that form gets labels and signed callbacks, without a signed request',
  label_request_id:
    'the page signs whatever label_request_id its own form sends back: anyone who posts that form gets a signed callback for the request of another store',
} as const;
type Field = keyof typeof FIELDS;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.own-form',
    'SHOULD NOT trust a callback_url or a label_request_id that its own form sends back',
    { clauses: ['provider.label.own-form'], needs: ['browser', 'label-page'] },
    async (context) => {
      await givenSuccess(context);
      const refused: Field[] = [];
      for (const field of ['callback_url', 'label_request_id'] as const) {
        const tried = await withAnother(context, field);
        if (tried === 'not sent back') continue;
        context.restOn([tried.served?.received.exchange]);
        context.expect.that(
          tried.served === undefined,
          `${FIELDS[field]}. Keep the fields on the server, or verify their signature again`,
          {
            expected: `no report of success with a ${field} that was not signed`,
            exchange: tried.served?.received.exchange,
          },
        );
        refused.push(field);
      }
      if (refused.length === 0) throw new Skipped('the page sends neither callback_url nor label_request_id back');
      // Only a form that is known to lead to a label shows anything by leading to none.
      await withAnother(context, 'nothing');
    },
  ),
];

/** A page that asks nothing has reported by then. */
const FORM_MS = 1_500;

interface Tried {
  readonly served: Callback | undefined;
}

const fieldOf = ({ fields }: LabelRequest, name: Field): string => parameterOf(fields, name) ?? '';

/**
 * Opens the form of an order and sends it, with a field replaced by that of another request which the page has never received.
 * Throws where the form leads to no label although nothing was replaced.
 */
async function withAnother(context: DeliveryContext, field: Field | 'nothing'): Promise<Tried | 'not sent back'> {
  const { session } = context;
  const pace = await paceOf(context);
  const [own, other] = [await freshRequest(context), await freshRequest(context)];
  const isReported = (request: LabelRequest) => (): true | undefined =>
    callbacksOf(session, request).length > 0 ? true : undefined;
  /** What takes the replaced field for its own. */
  const served = (): Callback | undefined => {
    if (field === 'callback_url') return successesOf(session, other)[0];
    return successesOf(session, own).find(
      ({ pairs }) => field === 'nothing' || parameterOf(pairs, field) === fieldOf(other, field),
    );
  };
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const page = await browser.newPage();
      const form = await openForm(session, page, own, signedBy(session, own.fields), pace);
      if (await until(isReported(own), Math.min(pace.callbackMs, FORM_MS)))
        throw new Skipped('the page reports without asking its user');
      const values =
        field === 'nothing' ? (['', ''] as const) : ([fieldOf(own, field), fieldOf(other, field)] as const);
      const altered = field === 'nothing' ? () => 0 : await alterRequests(browser, session.counterpart, values);
      await follow(session, page, { ...form, request: field === 'callback_url' ? other : own });
      if (field !== 'nothing' && altered() === 0) return 'not sent back';
      await until(() => (served() === undefined ? undefined : true), pace.callbackMs);
      if (field === 'nothing' && served() === undefined) throw new Inconclusive(NOT_SENT, 'target');
      return { served: served() };
    },
  );
}

const NOT_SENT =
  'a form of the page that sends back fields of the request led to no label when they were sent unchanged, so nothing is known about changed ones: run the precheck again';
