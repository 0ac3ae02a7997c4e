/** Authentic callbacks: what a store has to take and keep (spec: Events, Label request; Authentication, Request signing). */
import type { Fields } from '../../../contracts/signing/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { CheckOptions } from '../../../harness/check/facts.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { once } from '../../../harness/resources/once.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { COMPANY_LABELS, LABELS } from '../button.ts';
import {
  asForm,
  type CallbackDelivery,
  cookiesFor,
  deliver,
  type FieldsOf,
  newLabelRequest,
  sendCallback,
  signedBy,
  successFields,
  waitForLabelState,
} from '../steps/callbacks.ts';
import { crossingOf } from '../steps/crossing.ts';
import { expectSameOrderUuid } from '../steps/fields.ts';
import { listensOutOfReach } from '../steps/methods.ts';
import { fieldOf, type LabelRequest, stateOf } from '../steps/orders.ts';
import { proofOf, TRACKING } from '../steps/proof.ts';
import { providerProofOf } from '../steps/provider-proof.ts';

/** Checks that look at what came of a callback. */
export const CALLBACKS: Pick<CheckOptions, 'needs' | 'effects' | 'part'> = {
  ...LABELS,
  needs: [...LABELS.needs, 'driver.labelOf'],
};

/** The same for a delivery provider's methods. */
export const COMPANY_CALLBACKS: typeof CALLBACKS = {
  ...COMPANY_LABELS,
  needs: [...COMPANY_LABELS.needs, 'driver.labelOf'],
};

/** Asserts that a rightly signed callback was taken: the order has its label now. */
function expectStored(
  { expect }: Context,
  { isStored, labelUrl, after, response }: CallbackDelivery,
  which: string,
): void {
  expect.that(isStored, `must store the label of a correctly signed callback ${which}`, {
    expected: `the label ${labelUrl} in the order`,
    actual: { ...after, response: summary(response) },
    exchange: response.exchange,
  });
}

/** Asserts that a callback which reports a label reports no failure; one that was shown before may still be. */
async function expectNoFailure(
  context: Context,
  { labelUrl, before, after, response }: CallbackDelivery,
): Promise<void> {
  // A store that can't fetch the label may say so.
  if (listensOutOfReach(context, labelUrl) || (await context.listener()).refusedHandshakes > 0) return;
  const isNew = after.errorMessage !== null && after.errorMessage !== '' && after.errorMessage !== before.errorMessage;
  context.expect.that(!isNew, 'must not show a failure that no callback has reported', {
    expected: before.errorMessage,
    actual: after.errorMessage,
    exchange: response.exchange,
  });
}

/** States that the store takes the callback from which the one in question differs. */
async function givenPlainIsStored(context: Context): Promise<void> {
  const { control } = await proofOf(context, 'plain');
  context.given.holds(
    control.isStored,
    'labels.callback.success-stored',
    `the store does not accept a success callback: ${summary(control.response)}`,
    { exchange: control.response.exchange },
  );
}

async function givenTrackedIsStored(context: Context): Promise<void> {
  const { control } = await proofOf(context, 'tracked');
  context.given.holds(
    control.isStored,
    'labels.callback.tracking-stored',
    `the store does not accept a callback with both tracking fields: ${summary(control.response)}`,
    { exchange: control.response.exchange },
  );
}

const [CODE, URL_FIELD] = TRACKING as [Fields[number], Fields[number]];

/** A code that is shorter as a number. */
const DIGITS: Fields[number] = ['tracking_code', '0012045078'];

/** Reports a failure for a label request, rightly signed. */
async function reportFailure(context: Context, fresh = false) {
  const request = await newLabelRequest(context, fresh);
  const before = request.order.state ?? (await stateOf(context, request.order));
  const message = `Kurjers nav pieejams & 50% (${context.resources.newMark()})`;
  const fields = signedBy(request, [
    ['label_request_id', fieldOf(request, 'label_request_id') ?? ''],
    ['error_msg', message],
  ]);
  const response = await sendCallback(context, request, fields);
  const refused = isRefused(response) === 'refused' && response.status >= 400;
  return { request, before, message, response, refused };
}

/** What came of a callback with a tracking code alone, sent once for all checks. */
const codeAlone = (context: Context): Promise<CallbackDelivery> =>
  once(context, 'callback with a tracking code alone', () =>
    deliver(context, (request, url) => successFields(request, url, [DIGITS])),
  );

export const checks: readonly Check[] = [
  check(
    'labels.callback.success-stored',
    'MUST store the label of a correctly signed success callback',
    { ...CALLBACKS, clauses: ['labels.callback.success-stored'] },
    async (context) => {
      const { control } = await proofOf(context, 'plain');
      expectStored(context, control, 'without tracking');
      await expectNoFailure(context, control);
      const { delivered, when, isRetried } = await crossingOf(context);
      // One request that is answered twice, or a second one where the button is gone, is the store's own affair.
      if (isRetried) expectStored(context, delivered, when);
    },
  ),

  check(
    'labels.callback.next-request-has-new-id',
    'MUST send a new label_request_id at a press after a callback',
    { ...CALLBACKS, clauses: ['labels.request.id-new-per-press'] },
    async (context) => {
      const { requests } = await crossingOf(context);
      const ids = requests.map((request) => fieldOf(request, 'label_request_id'));
      for (const [at, request] of requests.entries()) {
        context.expect.that(ids.indexOf(ids[at]) === at, 'must send a new label_request_id after a callback', {
          expected: 'an id that no earlier press had',
          actual: ids[at],
          pointer: 'field label_request_id',
          exchange: request.received.exchange,
        });
      }
    },
  ),

  check(
    'labels.callback.next-request-names-order',
    'MUST send the same order_uuid at each press for one order, also after a callback',
    { ...CALLBACKS, clauses: ['labels.request.order-uuid-identifies-order'] },
    async (context) => {
      const { requests } = await crossingOf(context);
      const [first, ...others] = requests as [LabelRequest, ...LabelRequest[]];
      const again = others.filter(({ order }) => order === first.order);
      if (again.length === 0) throw new Skipped('an order shows no Print Label button after a callback');
      const message = 'must send the same order_uuid at each press for one order, also after a callback';
      expectSameOrderUuid(context, first, again, message);
    },
  ),

  check(
    'labels.callback.later-label-stored',
    'SHOULD store or refuse the label that is reported for a later request of an order with a label',
    { ...CALLBACKS, clauses: ['labels.callback.later-label-stored'] },
    async (context) => {
      const { delivered, later } = await crossingOf(context);
      context.given.holds(
        delivered.isStored,
        'labels.callback.success-stored',
        `the store does not accept a success callback: ${summary(delivered.response)}`,
        { exchange: delivered.response.exchange },
      );
      if (later === undefined) throw new Skipped('an order with a label has no Print Label button');
      const { isStored, labelUrl, after, response } = later;
      context.expect.that(
        isStored || !isServed(response),
        'should not accept a label without storing it: the order keeps showing an older one',
        {
          expected: `the label ${labelUrl} in the order, or a refusal`,
          actual: { ...after, response: summary(response) },
          exchange: response.exchange,
        },
      );
    },
  ),

  check(
    'labels.callback.order-has-own-invoice-id',
    'MUST send different values of invoice_id for two orders of one delivery method',
    { ...CALLBACKS, clauses: ['labels.request.invoice-id-unique'] },
    async (context) => {
      const { requests } = await crossingOf(context);
      const orderOf = new Map<string | undefined, string>();
      for (const request of requests) {
        const invoice = fieldOf(request, 'invoice_id');
        const { exchange } = request.received;
        const missing = 'a label request had no invoice_id';
        context.given.holds((invoice ?? '') !== '', 'labels.request.invoice-id', missing, { exchange });
        const { uuid } = request.order;
        context.expect.that(
          (orderOf.get(invoice) ?? uuid) === uuid,
          'must send an invoice_id that no other order has',
          {
            expected: 'a value that no other order has',
            actual: invoice,
            pointer: 'field invoice_id',
            exchange,
          },
        );
        orderOf.set(invoice, uuid);
      }
      const isCompared = new Set(orderOf.values()).size > 1;
      context.given.holds(
        isCompared,
        'labels.button.shown-with-url',
        'only one of two orders shows a Print Label button',
      );
    },
  ),

  check(
    'labels.callback.stored-for-provider',
    "MUST store the label of a callback that is signed with the provider's key",
    { ...COMPANY_CALLBACKS, clauses: ['labels.callback.success-stored'] },
    async (context) => {
      expectStored(context, (await providerProofOf(context)).control, "for an order with a provider's method");
    },
  ),

  check(
    'labels.callback.tracking-stored',
    'MUST store the tracking fields of a correctly signed callback',
    { ...CALLBACKS, clauses: ['labels.callback.tracking-stored'] },
    async (context) => {
      const { control } = await proofOf(context, 'tracked');
      if (!control.isStored) await givenPlainIsStored(context);
      expectStored(context, control, 'with both tracking fields');
      context.expect.equal(control.after.trackingCode, CODE[1], 'must store the tracking code of the callback', {
        exchange: control.response.exchange,
      });
      const { trackingUrl } = control.after;
      if (trackingUrl !== undefined)
        context.expect.equal(trackingUrl, URL_FIELD[1], 'must store the tracking_url of the callback', {
          exchange: control.response.exchange,
        });
      const { isStored, after, response } = await codeAlone(context);
      // Whether a callback with one of the two fields is taken is another clause's.
      if (!isStored) return;
      context.expect.equal(after.trackingCode, DIGITS[1], 'must store a tracking code of digits as it was sent', {
        exchange: response.exchange,
      });
    },
  ),

  check(
    'labels.callback.one-tracking-field',
    'MUST accept a correctly signed callback with one of the two tracking fields',
    { ...CALLBACKS, clauses: ['labels.callback.one-tracking-field'] },
    async (context) => {
      await givenTrackedIsStored(context);
      expectStored(context, await codeAlone(context), `with ${CODE[0]} alone`);
      const delivered = await deliver(context, (request, url) => successFields(request, url, [URL_FIELD]));
      expectStored(context, delivered, `with ${URL_FIELD[0]} alone`);
    },
  ),

  check(
    'labels.callback.form-encoded',
    'SHOULD accept a callback whose spaces are written as plus signs, as many languages write them',
    { ...CALLBACKS, clauses: ['labels.callback.form-encoded'] },
    async (context) => {
      await givenTrackedIsStored(context);
      const tracked: FieldsOf = (request, url) => successFields(request, url, TRACKING);
      expectStored(context, await deliver(context, tracked, false, { write: asForm }), 'with a plus for each space');
    },
  ),

  // The page of a provider may send it, which has the cookies of the admin, or its server, which does not have them.
  check(
    'labels.callback.without-cookies',
    'SHOULD accept a callback from the server of a provider, which has no cookies of the store',
    { ...CALLBACKS, clauses: ['labels.callback.without-cookies'] },
    async (context) => {
      await givenPlainIsStored(context);
      const { control } = await proofOf(context, 'plain');
      const cookies = await cookiesFor(context, fieldOf(control.request, 'callback_url') ?? '');
      // Then all callbacks were sent without.
      if (cookies.length === 0) return context.expect.that(true, 'should accept a callback without cookies');
      expectStored(context, await deliver(context, successFields, false, { isFromServer: true }), 'without cookies');
    },
  ),

  check(
    'labels.callback.tracking-in-sent-order',
    'MUST accept the tracking fields of a callback in either order, signed as sent',
    { ...CALLBACKS, clauses: ['labels.callback.tracking-in-sent-order'] },
    async (context) => {
      await givenTrackedIsStored(context);
      const delivered = await deliver(context, (request, url) => successFields(request, url, [URL_FIELD, CODE]));
      expectStored(context, delivered, 'with tracking_url before tracking_code');
      const { control } = await proofOf(context, 'tracked');
      const isKept = control.after.trackingCode === CODE[1];
      context.given.holds(isKept, 'labels.callback.tracking-stored', 'the store does not keep the tracking code', {
        exchange: control.response.exchange,
      });
      context.expect.equal(delivered.after.trackingCode, CODE[1], 'must store the tracking code of the callback', {
        exchange: delivered.response.exchange,
      });
    },
  ),

  check(
    'labels.callback.error-accepted',
    'MUST accept a signed error callback and store no label from it',
    { ...CALLBACKS, clauses: ['labels.callback.error-accepted'] },
    async (context) => {
      const { expect } = context;
      let report = await reportFailure(context);
      // A store may be done with an order that has a label.
      if (report.refused && report.before.labelUrl !== null) report = await reportFailure(context, true);
      const { request, before, message, response, refused } = report;
      // What a store shows of a failure is its own affair; where it shows nothing, its response has to show it.
      const after = await waitForLabelState(
        context,
        request.order,
        ({ errorMessage }) => !refused || errorMessage === message,
      );
      expect.that(!refused || after.errorMessage === message, 'must accept a signed error callback', {
        expected: 'an answer that is not a refusal, or the message in the order',
        actual: { ...after, response: summary(response) },
        exchange: response.exchange,
      });
      expect.that(
        after.labelUrl === before.labelUrl || after.labelUrl === null,
        'must not store a label from an error callback',
        { expected: before.labelUrl, actual: after.labelUrl, exchange: response.exchange },
      );
    },
  ),

  check(
    'labels.callback.other-order-untouched',
    'MUST NOT change any other order on a success callback',
    { ...CALLBACKS, clauses: ['labels.callback.other-order-untouched'] },
    async (context) => {
      const { control, other } = await proofOf(context, 'tracked');
      context.expect.equal(other.after, other.before, 'must not change orders other than that of the label request', {
        exchange: control.response.exchange,
      });
      const { delivered, when, other: pressed, labelled } = await crossingOf(context);
      for (const { before, after } of labelled === undefined ? [pressed] : [pressed, labelled]) {
        context.expect.equal(after, before, `must not change another order on a callback ${when}`, {
          exchange: delivered.response.exchange,
        });
      }
      const { before, after, response } = delivered;
      context.expect.that(
        after.trackingCode !== CODE[1] || before.trackingCode === CODE[1],
        'must not show the tracking code of another order for a callback without one',
        { expected: before.trackingCode, actual: after.trackingCode, exchange: response.exchange },
      );
      if (!control.isStored) await givenPlainIsStored(context);
      await givenTrackedIsStored(context);
    },
  ),
];
