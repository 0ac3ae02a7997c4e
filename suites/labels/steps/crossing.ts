/** A success callback that crosses with other requests: of its order, whose first request failed, and of another order. */
import type { Context } from '../../../harness/check/context.ts';
import { once, unlessUndecided } from '../../../harness/resources/once.ts';
import type { LabelState } from '../../../harness/target/driver/target-driver.ts';
import {
  type CallbackDelivery,
  pressForRequest,
  sendCallback,
  sendSuccess,
  signedBy,
  successFields,
} from './callbacks.ts';
import { fieldOf, type LabelRequest, newOrder, open, stateOf } from './orders.ts';
import { proofOf } from './proof.ts';

export interface Crossing {
  readonly delivered: CallbackDelivery;
  /** Reads as the end of "a callback …". */
  readonly when: string;
  /** The requests in sent order: one that failed, one with the label, one of the other order, and one after the label, if there was a button. */
  readonly requests: readonly LabelRequest[];
  /** Whether the label is that of a second request, made after the first one had failed. */
  readonly isRetried: boolean;
  /** The order whose button was pressed last, before and after the callback. */
  readonly other: { readonly before: LabelState; readonly after: LabelState };
  /** The callback for a request that was made after the label; undefined if there was no button. */
  readonly later: CallbackDelivery | undefined;
  /** An order that had a label before all this, before and after it; undefined if no callback was stored. */
  readonly labelled: { readonly before: LabelState; readonly after: LabelState } | undefined;
}

/**
 * Reports a failure, presses again, presses on another order, and only then reports the label; then presses and reports once more. Done
 * once for all checks.
 */
export function crossingOf(context: Context): Promise<Crossing> {
  return once(context, 'a callback that crosses with other requests', async () => {
    const { given } = context;
    const { control } = await proofOf(context, 'plain');
    // Its tracking code must not show up in orders of later callbacks.
    await unlessUndecided(() => proofOf(context, 'tracked'));
    const labelled = control.isStored ? control.request.order : undefined;
    const labelledBefore = labelled && (await stateOf(context, labelled));
    const order = await newOrder(context, 'own-address');
    given.holds(order.hasButton, 'labels.button.shown-with-url', 'the order shows no Print Label button');
    const failed = await pressForRequest(context, order);
    await sendCallback(context, failed, failureOf(failed));
    // A store may take the button away meanwhile: then the first request is answered once more.
    const isOpen = await open(context, order);
    const request = isOpen ? await pressForRequest(context, order) : failed;

    const other = await newOrder(context, 'own-address');
    const ofOther = other.hasButton ? [await pressForRequest(context, other)] : [];
    const before = await stateOf(context, other);
    const first = await sendSuccess(context, request, successFields);
    const isRefused = !first.isStored && first.response.status >= 400;
    const delivered = isRefused && isOpen ? await sendSuccess(context, request, successFields, true) : first;
    const after = await stateOf(context, other);
    const requests = [failed, ...(isOpen ? [request] : []), ...ofOther];
    const labelledAfter = labelled && (await stateOf(context, labelled));
    let later: CallbackDelivery | undefined;
    if (delivered.isStored && (await open(context, order))) {
      const again = await pressForRequest(context, order);
      requests.push(again);
      later = await sendSuccess(context, again, successFields, true);
    }
    const when = 'after a failure of its order and a press on another order';
    const ofLabelled = labelledBefore && labelledAfter ? { before: labelledBefore, after: labelledAfter } : undefined;
    return { delivered, when, requests, isRetried: isOpen, other: { before, after }, later, labelled: ofLabelled };
  });
}

const failureOf = (request: LabelRequest) =>
  signedBy(request, [
    ['label_request_id', fieldOf(request, 'label_request_id') ?? ''],
    ['error_msg', 'The courier is not available'],
  ]);
