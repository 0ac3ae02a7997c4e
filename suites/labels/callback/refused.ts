/** Callbacks that are not authentic: none of them may store anything (spec: Authentication, Request signing). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { newLabelRequest, newSuccess, sendCallback, sendSuccess, successFields } from '../steps/callbacks.ts';
import { addedUnknown, FORGE, type ForgeryKind } from '../steps/forgeries.ts';
import { stateOf } from '../steps/orders.ts';
import { type Base, proofOf } from '../steps/proof.ts';
import { providerProofOf } from '../steps/provider-proof.ts';
import { CALLBACKS, COMPANY_CALLBACKS } from './accepted.ts';

interface Refusal {
  readonly id: string;
  readonly title: CheckTitle;
  readonly kind: ForgeryKind;
  readonly base: Base;
}

const REFUSALS: readonly Refusal[] = [
  {
    id: 'labels.callback.unsigned-refused',
    title: 'MUST refuse a success callback without a signature',
    kind: 'unsigned',
    base: 'plain',
  },
  {
    id: 'labels.callback.other-key-refused',
    title: 'MUST refuse a success callback signed with another key',
    kind: 'other-key',
    base: 'plain',
  },
  {
    id: 'labels.callback.near-miss-signature-refused',
    title: 'MUST refuse a success callback whose signature differs slightly',
    kind: 'near-miss',
    base: 'plain',
  },
  {
    id: 'labels.callback.tampered-request-id-refused',
    title: 'MUST refuse a success callback whose label_request_id was changed after signing',
    kind: 'request-id',
    base: 'plain',
  },
  {
    id: 'labels.callback.tampered-label-url-refused',
    title: 'MUST refuse a success callback whose label_url was changed after signing',
    kind: 'label-url',
    base: 'plain',
  },
  {
    id: 'labels.callback.tampered-tracking-refused',
    title: 'MUST refuse a success callback whose tracking fields were changed after signing',
    kind: 'tracking',
    base: 'tracked',
  },
  {
    id: 'labels.callback.added-field-refused',
    title: 'MUST refuse a success callback with a tracking field added after signing',
    kind: 'added-tracking',
    base: 'plain',
  },
];

const CONTROL: Readonly<Record<Base, string>> = {
  plain: 'labels.callback.success-stored',
  tracked: 'labels.callback.tracking-stored',
};

/** States that the authentic callback is taken; without that nothing that was not taken proves anything. */
async function givenControl(context: Context, base: Base): Promise<void> {
  const { control } = await proofOf(context, base);
  context.given.holds(
    control.isStored,
    CONTROL[base],
    `the authentic callback was not accepted either (${summary(control.response)}), so a refusal proves nothing`,
    { exchange: control.response.exchange },
  );
}

/** The first of several changes; the exchanges show the rest. */
const sentence = ([first = 'a change', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} (or with ${others.length} similar changes)`;

export const checks: readonly Check[] = [
  ...REFUSALS.map(({ id, title, kind, base }) =>
    check(id, title, { ...CALLBACKS, clauses: [id] }, async (context) => {
      const { harm } = await proofOf(context, base);
      const done = harm.get(kind);
      context.expect.that(
        done === undefined,
        `must not store anything from a callback with ${sentence(done?.changes ?? [])}`,
        {
          expected: done?.before,
          actual: done?.after,
          exchange: done?.exchange,
        },
      );
      await givenControl(context, base);
    }),
  ),

  check(
    'labels.callback.refused-for-provider',
    "MUST refuse a success callback for a provider's order that is not signed with the provider's key",
    { ...COMPANY_CALLBACKS, clauses: ['labels.callback.near-miss-signature-refused'] },
    async (context) => {
      const { control, harm } = await providerProofOf(context);
      context.expect.that(harm === undefined, `must not store anything from a callback with ${harm?.change}`, {
        expected: harm?.before,
        actual: harm?.after,
        exchange: harm?.exchange,
      });
      context.given.holds(
        control.isStored,
        'labels.callback.success-stored',
        `the authentic callback was not accepted either (${summary(control.response)}), so a refusal proves nothing`,
        { exchange: control.response.exchange },
      );
    },
  ),

  // A store may do without a request that was tampered with. But anyone who knows an id could then keep its label away.
  check(
    'labels.callback.stored-after-forgery',
    'SHOULD store the label of a correctly signed callback although a forged one came before it',
    { ...CALLBACKS, clauses: ['labels.callback.stored-after-forgery'] },
    async (context) => {
      const { isAfterForgeries } = await proofOf(context, 'plain');
      await givenControl(context, 'plain');
      if (isAfterForgeries) return context.expect.that(true, 'should store the label after forged callbacks');
      // A store may refuse everything after dozens of forgeries, or the address that was sent then.
      const request = await newLabelRequest(context, true);
      const { fields: genuine } = await newSuccess(context, request, successFields, true);
      const [forgery] = FORGE['near-miss'](context, { request, fields: genuine, otherRequestId: undefined });
      await sendCallback(context, request, forgery!.fields, 'probe');
      const { isStored, labelUrl, after, response } = await sendSuccess(context, request, successFields, true);
      context.expect.that(isStored, `should store the label of a callback after one with ${forgery!.change}`, {
        expected: `the label ${labelUrl} in the order`,
        actual: { ...after, response: summary(response) },
        exchange: response.exchange,
      });
    },
  ),

  check(
    'labels.callback.unknown-field-refused',
    'SHOULD refuse a success callback with an unknown field added after signing',
    { ...CALLBACKS, clauses: ['labels.callback.unknown-field-refused'] },
    async (context) => {
      await givenControl(context, 'plain');
      const request = await newLabelRequest(context);
      const { labelUrl, fields: genuine } = await newSuccess(context, request);
      const forgeries = addedUnknown(genuine);
      for (const { change, fields } of forgeries) {
        const response = await sendCallback(context, request, fields, 'probe');
        const after = await stateOf(context, request.order);
        context.expect.that(after.labelUrl !== labelUrl, `should not store anything from a callback with ${change}`, {
          expected: 'no label of this callback in the order',
          actual: { ...after, response: summary(response) },
          exchange: response.exchange,
        });
      }
    },
  ),
];
