/** Markup in what a buyer entered: shown as it is, it runs in the browser of the store's admin, with the session of the label page. */

import { isServiceAddress } from '../../../harness/integrator/counterpart.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { pause, until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, deliveryCheck } from '../session.ts';
import { freshRequest } from '../steps/forged.ts';
import { givenSuccess, paceOf } from '../steps/user-flow.ts';
import { signedBy, visit } from '../steps/visit.ts';

/** What buyers enter as text; a page may show any of it beside a form, or on its last page. */
const ENTERED = ['shipping_first_name', 'shipping_last_name', 'shipping_company', 'shipping_street'];

/** Called by the markup, with the place of its field in `ENTERED`. */
const REPORT = 'proofmarkMarkupRan';

/** Ends an attribute, a text of a script and its element first, whichever the value is written into. */
const markupOf = (place: number): string => `Anna"'></textarea></title></script><svg onload=${REPORT}(${place})>`;

/** For markup that a script writes into the page. */
const SCRIPT_MS = 500;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.buyer-markup',
    'SHOULD NOT run markup that a buyer entered',
    { clauses: ['provider.label.buyer-markup'], needs: ['browser', 'label-page'] },
    async (context) => {
      const { session } = context;
      await givenSuccess(context);
      const pace = await paceOf(context);
      const request = await freshRequest(context);
      const fields = request.fields.map(([name, value]): readonly [string, string] =>
        ENTERED.includes(name) ? [name, markupOf(ENTERED.indexOf(name))] : [name, value],
      );
      const ran = new Set<string>();
      await inContext(
        () => session.browserContext(),
        async (browser) => {
          await browser.exposeFunction(REPORT, (place: number) => void ran.add(ENTERED[place] ?? ''));
          const page = await browser.newPage();
          const isOwn = (): true | undefined =>
            /^https?:/.test(page.url()) && !isServiceAddress(session.counterpart, page.url()) ? true : undefined;
          await visit(session, page, { ...request, fields }, signedBy(session, fields), pace);
          // The report may arrive before the document does.
          await until(isOwn, SCRIPT_MS);
          await page.waitForLoadState('load', { timeout: pace.documentMs }).catch(() => undefined);
          await pause(SCRIPT_MS);
        },
      );
      const names = ENTERED.filter((name) => ran.has(name)).join(', ');
      context.expect.that(
        names === '',
        `the page runs markup that was entered as ${names}: a buyer can run scripts in the browser of the store's admin. Escape each value where it is written into a page`,
        { expected: 'the value as text', actual: `scripts in ${names}` },
      );
    },
  ),
];
