/** Two admins of two stores who have the page open at the same time, each in a browser of their own. */
import type { Page } from '@playwright/test';
import { Inconclusive, Skipped } from '../../../harness/check/failures.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, type DeliverySession, deliveryCheck, type LabelRequest } from '../session.ts';
import { callbacksOf, parameterOf } from '../steps/callbacks.ts';
import { freshRequest } from '../steps/forged.ts';
import { givenSuccess, paceOf, throwIfStuck } from '../steps/user-flow.ts';
import { follow, openForm, signedBy, type Visit, type WaitLimits } from '../steps/visit.ts';

/** For a report that another order's may only have overtaken. */
const OVERTAKEN_MS = 8_000;
const NAME = 'the first of two orders whose forms are open';

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.two-users',
    'MUST report the order of the user who prints, while another user has the page open',
    { clauses: ['provider.callback.same-id'], needs: ['browser', 'label-page'] },
    async (context) => {
      const { session, expect } = context;
      await givenSuccess(context);
      if (session.driver.signIn !== undefined) throw new Skipped('both browsers would be signed in as one user');
      const [first, second] = [await freshRequest(context), await freshRequest(context)];
      const made = await printFirst(session, first, second, await paceOf(context));
      if (made === undefined) throw new Skipped('the page prints without asking its user');
      const [own, other] = [callbacksOf(session, first), callbacksOf(session, second)];
      context.restOn([own[0]?.received.exchange, other[0]?.received.exchange]);
      for (const { pairs, received } of own) {
        const sent = parameterOf(pairs, 'label_request_id');
        expect.that(sent !== second.id, 'the form of one user reports the label_request_id of another', {
          expected: first.id,
          actual: sent,
          exchange: received.exchange,
        });
      }
      expect.that(
        own.length > 0 || other.length === 0,
        'the form of one user prints and reports the order that another user has opened since',
        { expected: first.id, actual: second.id, exchange: other[0]?.received.exchange },
      );
      if (own.length > 0) return;
      throwIfStuck({ name: NAME, kind: '', visit: made });
      throw new Inconclusive(`the page did not report ${NAME}`, 'target');
    },
  ),
];

/** Opens the form of both orders and goes on with the first alone; undefined where it was reported before. */
async function printFirst(
  session: DeliverySession,
  first: LabelRequest,
  second: LabelRequest,
  pace: WaitLimits,
): Promise<Visit | undefined> {
  const isBack = (): true | undefined => (callbacksOf(session, first).length > 0 ? true : undefined);
  const opened = (page: Page, request: LabelRequest) =>
    openForm(session, page, request, signedBy(session, request.fields), pace);
  const inBrowser = <T>(job: (page: Page) => Promise<T>): Promise<T> =>
    inContext(
      () => session.browserContext(),
      async (browser) => job(await browser.newPage()),
    );
  return inBrowser(async (page) => {
    const form = await opened(page, first);
    if (await until(isBack, pace.callbackMs)) return undefined;
    return inBrowser(async (another) => {
      await opened(another, second);
      const made = await follow(session, page, form);
      if (callbacksOf(session, second).length > 0) await until(isBack, OVERTAKEN_MS);
      return made;
    });
  });
}
