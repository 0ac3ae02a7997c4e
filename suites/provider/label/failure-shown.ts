/** A report that the service refuses: the store has no label then, and its admin learns it only from the page. */
import type { Page } from '@playwright/test';
import { Skipped } from '../../../harness/check/failures.ts';
import {
  describePage,
  inspectPage,
  type PageSnapshot,
  showsCommonContent,
} from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { documentsIn, inContext, waitUntilSettled } from '../../../harness/integrator/page/visit.ts';
import { pause, until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from '../session.ts';
import { type Callback, callbacksOf } from '../steps/callbacks.ts';
import { freshRequest } from '../steps/forged/forgery.ts';
import { givenSuccess, longPaceOf } from '../steps/user-flow.ts';
import { visit } from '../steps/visit/index.ts';
import { signedBy } from '../steps/visit/open-form.ts';

/** A page that shows success before the service has responded does so within this time. */
const SHOWN_BEFORE_MS = 1_500;
/** For the document that follows the response. */
const DOCUMENT_MS = 5_000;
const SETTLE_MS = 500;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.failure-shown',
    'SHOULD NOT show a label as printed when the service refuses its callback',
    { clauses: ['provider.label.failure-shown'], needs: ['browser', 'label-page'] },
    async (context) => {
      const [first] = await givenSuccess(context);
      if (!isOfServer(first.callback))
        throw new Skipped('the browser sends the callback, and shows what the service says');
      const usual = [await reported(context), await reported(context)] as const;
      const refused = await reported(context, refusal);
      context.restOn([refused.callback?.received.exchange]);
      if (refused.callback === undefined) throw new Skipped('the page did not send a further callback');
      const successes = [usual[0].snapshot, usual[1].snapshot] as const;
      const isSuccess = (snapshot: PageSnapshot): boolean =>
        showsCommonContent(snapshot, successes) &&
        !snapshot.lines.some((line) => !successes.some(({ lines }) => lines.includes(line)));
      // A queue reports what its page has shown as done, or as begun, before.
      if (refused.before !== undefined && isSuccess(refused.before))
        throw new Skipped('the page comes before its callback');
      context.expect.that(
        !isSuccess(refused.snapshot),
        'the page shows a label as printed although the service has refused its callback: the store has no label, and its admin does not learn it. Look at the status of the response',
        {
          expected: 'a page that says that the label could not be reported',
          actual: describePage(refused.snapshot),
          exchange: refused.callback.received.exchange,
        },
      );
    },
  ),
];

/** A browser follows the address of the callback, and shows its user the response of the service. */
const isOfServer = ({ received }: Callback): boolean => !/^Mozilla\//.test(received.headers['user-agent'] ?? '');

const refusal = (): Response =>
  Response.json({ error: true, error_code: 500, error_message: 'The service failed.' }, { status: 500 });

interface Reported {
  readonly callback: Callback | undefined;
  /** What was shown before the service had responded. */
  readonly before: PageSnapshot | undefined;
  readonly snapshot: PageSnapshot;
}

/** Prints an order whose callback gets a response of its own, and looks at the page that its user sees then. */
async function reported(context: DeliveryContext, respond?: () => Response): Promise<Reported> {
  const { session } = context;
  const request = await freshRequest(context);
  const pace = await longPaceOf(context);
  let page: Page | undefined;
  let before: PageSnapshot | undefined;
  const takeSnapshot = async (): Promise<PageSnapshot | undefined> =>
    page && inspectPage(page, documentsIn(page.context()).lastOf(page)?.status());
  const stop = session.counterpart.interfere(({ path }) => {
    if (respond === undefined || !path.includes(request.token)) return undefined;
    return (async () => {
      await pause(SHOWN_BEFORE_MS);
      before ??= await takeSnapshot();
      return respond();
    })();
  });
  try {
    return await inContext(
      () => session.browserContext(),
      async (browser) => {
        page = await browser.newPage();
        await visit(session, page, request, signedBy(session, request.fields), pace);
        const callback = (): Callback | undefined => callbacksOf(session, request)[0];
        await until(() => (callback()?.received.status === undefined ? undefined : true), DOCUMENT_MS);
        await pause(SETTLE_MS);
        await waitUntilSettled(page, { status: documentsIn(browser).lastOf(page)?.status() });
        const snapshot = (await takeSnapshot()) as PageSnapshot;
        return { callback: callback(), before, snapshot };
      },
    );
  } finally {
    stop();
  }
}
