/** Two orders whose pages are open at the same time: of two admins of two stores, and of one admin in two tabs. */
import type { BrowserContext, Page } from '@playwright/test';
import { Inconclusive, Skipped } from '../../../../harness/check/failures.ts';
import { inContext } from '../../../../harness/integrator/page/visit.ts';
import { until } from '../../../../harness/process/until.ts';
import {
  type DeliveryCheck,
  type DeliveryContext,
  type DeliverySession,
  deliveryCheck,
  type LabelRequest,
} from '../../session.ts';
import { type Callback, callbacksOf, parameterOf } from '../../steps/callbacks.ts';
import { freshRequest } from '../../steps/forged/forgery.ts';
import { givenSuccess, paceOf, throwIfStuck } from '../../steps/user-flow.ts';
import { follow, type Visit } from '../../steps/visit/follow.ts';
import { openForm, signedBy, type WaitLimits } from '../../steps/visit/open-form.ts';

/** For a report that another order's may only have overtaken. */
const OVERTAKEN_MS = 8_000;
const NAMES = [
  'the first of two orders whose forms are open',
  'the second of two orders whose forms are open',
] as const;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.two-users',
    'MUST report the order of the user who prints, while another user has the page open',
    { clauses: ['provider.callback.same-id'], needs: ['browser', 'label-page'] },
    async (context) => {
      const { session } = context;
      await givenSuccess(context);
      if (session.driver.signIn !== undefined) throw new Skipped('both browsers would be signed in as one user');
      const [first, second] = [await freshRequest(context), await freshRequest(context)];
      const made = await printBoth(session, first, second, await paceOf(context), () => session.browserContext());
      if (made === undefined) throw new Skipped('the page prints without asking its user');
      const [own, other] = made.afterFirst;
      const wrong = 'the form of one user prints and reports the order that another user has opened since';
      expectOwnOrder(context, [first, own], [second, other], wrong);
      if (own.length === 0) {
        throwIfStuck({ name: NAMES[0], kind: '', visit: made.visits[0] });
        throw new Inconclusive(`the page did not report ${NAMES[0]}`, 'target');
      }
      const [again, late] = [callbacksOf(session, first).slice(own.length), callbacksOf(session, second)];
      const mixed = 'the form that the second user was given prints and reports the order of the first user';
      expectOwnOrder(context, [second, late], [first, again], mixed);
      if (late.length > 0) return;
      throwIfStuck({ name: NAMES[1], kind: '', visit: made.visits[1] });
      throw new Inconclusive(`the page did not report ${NAMES[1]}, after the first one was printed`, 'target');
    },
  ),
  deliveryCheck(
    'provider.label.tabs-separate',
    'SHOULD report the order of the tab in which the admin prints, while another order is open in another tab',
    { clauses: ['provider.label.tabs-separate'], needs: ['browser', 'label-page'] },
    async (context) => {
      const { session } = context;
      await givenSuccess(context);
      const orders = [await freshRequest(context), await freshRequest(context)] as const;
      const [first, second] = orders;
      const made = await printBoth(session, first, second, await paceOf(context));
      if (made === undefined) throw new Skipped('the page prints without asking its user');
      const [own, other] = made.afterFirst;
      const wrong = 'the form of one tab prints and reports the order that was opened in another tab since';
      expectOwnOrder(context, [first, own], [second, other], wrong);
      const [again, late] = [callbacksOf(session, first).slice(own.length), callbacksOf(session, second)];
      const mixed = 'the form of the second tab prints and reports the order of the first tab';
      expectOwnOrder(context, [second, late], [first, again], mixed);
      // A page may take one order at a time, as long as it does not take one for the other.
      if (own.length === 0 || late.length === 0)
        throw new Skipped('the page prints one order of a browser at a time, and asks for the other one again');
    },
  ),
];

/** An order, and the callbacks that came for it at one time. */
type Reported = readonly [order: LabelRequest, callbacks: readonly Callback[]];

/** Asserts that a form which was followed for one order did not report the other one instead, and `wrong` if it did. */
function expectOwnOrder(
  context: DeliveryContext,
  [order, own]: Reported,
  [otherOrder, other]: Reported,
  wrong: string,
): void {
  context.restOn([own[0]?.received.exchange, other[0]?.received.exchange]);
  expectOwnId(context, [order, otherOrder], own);
  context.expect.that(own.length > 0 || other.length === 0, wrong, {
    expected: order.id,
    actual: otherOrder.id,
    exchange: other[0]?.received.exchange,
  });
}

/** Asserts that the callbacks for an order name it, and not that of the other user. */
function expectOwnId(
  context: DeliveryContext,
  [order, other]: readonly [LabelRequest, LabelRequest],
  callbacks: readonly Callback[],
): void {
  for (const { pairs, received } of callbacks) {
    const sent = parameterOf(pairs, 'label_request_id');
    context.expect.that(sent !== other.id, 'the form of one user reports the label_request_id of another', {
      expected: order.id,
      actual: sent,
      exchange: received.exchange,
    });
  }
}

interface PrintedForms {
  /** Callbacks for the first and the second order when the form of the first had been followed. */
  readonly afterFirst: readonly [Callback[], Callback[]];
  readonly visits: readonly [Visit, Visit];
}

/**
 * Opens the form of both orders, goes on with the first one, and then with the second one; undefined where the first was
 * reported before its user did anything. Each order has a browser of its own with `another`, else a tab of one browser.
 */
async function printBoth(
  session: DeliverySession,
  first: LabelRequest,
  second: LabelRequest,
  pace: WaitLimits,
  another?: () => Promise<BrowserContext>,
): Promise<PrintedForms | undefined> {
  const isBack = (request: LabelRequest) => (): true | undefined =>
    callbacksOf(session, request).length > 0 ? true : undefined;
  const opened = (page: Page, request: LabelRequest) =>
    openForm(session, page, request, signedBy(session, request.fields), pace);
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const page = await browser.newPage();
      const form = await opened(page, first);
      if (await until(isBack(first), pace.callbackMs)) return undefined;
      const go = async (besides: BrowserContext): Promise<PrintedForms | undefined> => {
        const otherPage = await besides.newPage();
        const otherForm = await opened(otherPage, second);
        // Printed although nothing was pressed: the page asks no user, and failed to print the first order.
        if (isBack(second)() !== undefined) return undefined;
        const printed = await follow(session, page, form);
        if (callbacksOf(session, second).length > 0)
          await until(isBack(first), Math.max(OVERTAKEN_MS, pace.callbackMs));
        const afterFirst = [callbacksOf(session, first), callbacksOf(session, second)] as const;
        if (afterFirst[0].length === 0 || afterFirst[1].length > 0) return { afterFirst, visits: [printed, printed] };
        const other = await follow(session, otherPage, otherForm);
        if (callbacksOf(session, second).length === 0)
          await until(isBack(second), Math.max(OVERTAKEN_MS, pace.callbackMs));
        return { afterFirst, visits: [printed, other] };
      };
      return another === undefined ? go(browser) : inContext(another, go);
    },
  );
}
