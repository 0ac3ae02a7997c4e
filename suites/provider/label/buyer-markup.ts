/** Markup in what a buyer entered: shown as it is, it runs in the browser of the store's admin, with the session of the label page. */

import { isServiceAddress } from '../../../harness/integrator/counterpart.ts';
import { markupOf, watchMarkup } from '../../../harness/integrator/page/form/markup-probe.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from '../session.ts';
import { freshRequest } from '../steps/forged/forgery.ts';
import { givenSuccess, paceOf } from '../steps/user-flow.ts';
import { visit } from '../steps/visit/index.ts';
import { signedBy } from '../steps/visit/open-form.ts';

/** What buyers enter as text; a page may show any of it beside a form, or on its last page. */
const ENTERED = ['shipping_first_name', 'shipping_last_name', 'shipping_company', 'shipping_street'];
/** The same where a page may refuse what has no proper form; the others would not be shown then. */
const ENTERED_IN_FORMS = [
  'shipping_city',
  'shipping_state',
  'shipping_zip',
  'shipping_phone',
  'shipping_email',
  'shipping_company_id',
  'shipping_company_vat',
  'buyer_street',
  'buyer_city',
  'buyer_state',
  'buyer_zip',
];

/** Its items are named by the store, and may have texts of the buyer's beside them; a page may refuse a cart that it cannot read. */
const CART = 'cart';

const DOCUMENT_MS = 500;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.buyer-markup',
    'SHOULD NOT run markup that a buyer entered',
    { clauses: ['provider.label.buyer-markup'], needs: ['browser', 'label-page'] },
    async (context) => {
      await givenSuccess(context);
      const ran: string[] = [];
      for (const entered of [ENTERED, ENTERED_IN_FORMS, [CART]]) ran.push(...(await ranIn(context, entered)));
      const names = ran.join(', ');
      context.expect.that(
        names === '',
        `the page runs markup that was entered as ${names}: a buyer can run scripts in the browser of the store's admin. Escape each value where it is written into a page`,
        { expected: 'the value as text', actual: `scripts in ${names}` },
      );
    },
  ),
];

/** The fields whose markup ran in a page of an order that has some in all of them. */
async function ranIn(context: DeliveryContext, entered: readonly string[]): Promise<string[]> {
  const { session } = context;
  const pace = await paceOf(context);
  const request = await freshRequest(context);
  const fields = request.fields.map(([name, value]): readonly [string, string] =>
    entered.includes(name) ? [name, withMarkup(name, value, markupOf(entered.indexOf(name)))] : [name, value],
  );
  const ran = await inContext(
    () => session.browserContext(),
    async (browser) => {
      const probe = await watchMarkup(browser);
      const page = await browser.newPage();
      const isOwn = (): true | undefined =>
        /^https?:/.test(page.url()) && !isServiceAddress(session.counterpart, page.url()) ? true : undefined;
      await visit(session, page, { ...request, fields }, signedBy(session, fields), pace);
      // The report may arrive before the document does.
      await until(isOwn, DOCUMENT_MS);
      return probe.found(page);
    },
  );
  return entered.filter((_, place) => ran.has(place));
}

/** The markup in place of a value; in the JSON of a cart in place of each of its words. */
function withMarkup(name: string, value: string, markup: string): string {
  if (name !== CART) return markup;
  const isWord = (one: unknown): boolean => typeof one === 'string' && /\p{L}/u.test(one);
  return JSON.stringify(JSON.parse(value), (_, one: unknown) => (isWord(one) ? markup : one));
}
