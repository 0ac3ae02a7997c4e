/**
 * Refusals of callbacks, proved: what is not authentic is sent first, then the authentic callback from which it differs, to the
 * same label request. Looking at an order is dear, so all kinds of forgeries go before one look; only when something was stored
 * is each kind tried by itself.
 */
import type { Fields } from '../../../contracts/signing/index.ts';
import type { Context } from '../../../harness/check/context.ts';
import { once } from '../../../harness/resources/once.ts';
import type { LabelState } from '../../../harness/target/driver/target-driver.ts';
import {
  type CallbackDelivery,
  deliver,
  type FieldsOf,
  newLabelRequest,
  newSuccess,
  sameLabel,
  sendCallback,
  showsLabel,
  successFields,
  waitForLabelState,
} from './callbacks.ts';
import { FORGE, type Forgery, type ForgeryKind, type GenuineCallback } from './forgeries.ts';
import { fieldOf, type LabelOrder, type LabelRequest, orderOf, requestOf, stateOf } from './orders.ts';

/** The authentic callback: with or without tracking fields. */
export type Base = 'plain' | 'tracked';

export const TRACKING: Fields = [
  ['tracking_code', 'PM 12/+ž&7 00340434161094042557'],
  ['tracking_url', 'https://tracking.example/?code=PM%2012&lang=lv'],
];

const KINDS: Readonly<Record<Base, readonly ForgeryKind[]>> = {
  plain: ['unsigned', 'other-key', 'near-miss', 'request-id', 'label-url', 'added-tracking'],
  tracked: ['tracking'],
};

/** What forgeries of one kind did to the order, or to the order whose request id they took. */
export interface ForgeryEffect {
  /** The forgeries that the target did not refuse in its response, else all of the kind. */
  readonly changes: readonly string[];
  readonly before: LabelState;
  readonly after: LabelState;
  /** The exchange to look at. */
  readonly exchange: number | undefined;
}

export interface Proof {
  /** The authentic callback. */
  readonly control: CallbackDelivery;
  /** Whether that callback answered the label request that all forgeries had named before. */
  readonly isAfterForgeries: boolean;
  /** The kinds that stored something; no other kind did. */
  readonly harm: ReadonlyMap<ForgeryKind, ForgeryEffect>;
  /** An order that had nothing to do with it, before and after everything. */
  readonly other: { readonly before: LabelState; readonly after: LabelState };
}

/** The proof for the callback with or without tracking, made once for all checks. */
export function proofOf(context: Context, base: Base): Promise<Proof> {
  return once(context, `refusals of callbacks: ${base}`, () => prove(context, base));
}

async function prove(context: Context, base: Base): Promise<Proof> {
  const other = await orderOf(context, 'own-address');
  const otherRequest = await requestOf(context, 'own-address');
  const otherBefore = other.state ?? (await stateOf(context, other));
  const request = await newLabelRequest(context);
  const before = request.order.state ?? (await stateOf(context, request.order));
  const { labelUrl, fields } = await newSuccess(context, request, fieldsOfBase(base));
  const genuine = { request, fields, otherRequestId: fieldOf(otherRequest, 'label_request_id') };

  const sent = new Map<ForgeryKind, ForgeryEffect['changes']>();
  for (const kind of KINDS[base])
    sent.set(kind, (await sendAll(context, request, FORGE[kind](context, genuine))).changes);
  const afterForgeries = await stateOf(context, request.order);
  const response = await sendCallback(context, request, fields, 'control');
  const isShown = (state: LabelState) => showsLabel(context, state, labelUrl, afterForgeries);
  const after = await waitForLabelState(context, request.order, isShown);
  const isStored = await isShown(after);
  const otherAfter = await stateOf(context, other);

  const first: CallbackDelivery = { request, labelUrl, isStored, before: afterForgeries, after, response };
  const control = isStored ? first : await deliver(context, fieldsOfBase(base), true);
  const quiet = sameLabel(before, afterForgeries) && sameLabel(otherBefore, otherAfter);
  const rest = { isAfterForgeries: isStored, other: { before: otherBefore, after: otherAfter } };
  if (quiet && (isStored || !control.isStored)) {
    const harm = isStored && base === 'plain' ? await changedAfterwards(context, genuine, first) : new Map();
    return { control, harm, ...rest };
  }
  // A request that takes no callback after a forged one has proved nothing about all but the first forgery.
  const harm = await eachKind(context, base, isStored ? 'together' : 'alone');
  return { control, harm, ...rest };
}

/**
 * A signature that was right once is still wrong for another label: forgeries of the address once more, now that the store
 * knows the signature.
 */
async function changedAfterwards(
  context: Context,
  genuine: GenuineCallback,
  { request, after: before }: CallbackDelivery,
): Promise<Map<ForgeryKind, ForgeryEffect>> {
  const { changes, exchange } = await sendAll(context, request, FORGE['label-url'](context, genuine));
  const after = await stateOf(context, request.order);
  if (sameLabel(before, after)) return new Map();
  const late = changes.map((change) => `${change}, sent after the authentic one was accepted`);
  return new Map([['label-url', { changes: late, exchange, before, after }]]);
}

const fieldsOfBase =
  (base: Base): FieldsOf =>
  (request, labelUrl) =>
    successFields(request, labelUrl, base === 'tracked' ? TRACKING : []);

/** Sends forgeries; gives back those that were not refused in the response (all, when all were) and an exchange to look at. */
async function sendAll(
  context: Context,
  request: LabelRequest,
  forgeries: readonly Forgery[],
): Promise<Pick<ForgeryEffect, 'changes' | 'exchange'>> {
  const taken: { change: string; exchange: number }[] = [];
  let last: number | undefined;
  for (const { change, fields } of forgeries) {
    const response = await sendCallback(context, request, fields, 'probe');
    last = response.exchange;
    if (response.status < 400) taken.push({ change, exchange: response.exchange });
  }
  const changes = (taken.length > 0 ? taken : forgeries).map(({ change }) => change);
  return { changes, exchange: taken[0]?.exchange ?? last };
}

/** Tries each kind on a label request of its own: all its forgeries together, or each forgery alone. */
async function eachKind(
  context: Context,
  base: Base,
  how: 'together' | 'alone',
): Promise<Map<ForgeryKind, ForgeryEffect>> {
  const found = new Map<ForgeryKind, ForgeryEffect>();
  const other = await orderOf(context, 'own-address');
  const otherRequest = await requestOf(context, 'own-address');
  for (const kind of KINDS[base]) {
    const count = how === 'together' ? 1 : (await forgeriesOf(context, base, kind, otherRequest)).forgeries.length;
    for (let at = 0; at < count && !found.has(kind); at += 1) {
      const { request, forgeries } = await forgeriesOf(context, base, kind, otherRequest);
      const chosen = how === 'together' ? forgeries : forgeries.slice(at, at + 1);
      const orders: LabelOrder[] = [request.order, ...(kind === 'request-id' ? [other] : [])];
      const before: LabelState[] = [];
      for (const order of orders) before.push(await stateOf(context, order));
      const { changes, exchange } = await sendAll(context, request, chosen);
      for (const [i, order] of orders.entries()) {
        const after = await stateOf(context, order);
        if (!sameLabel(before[i]!, after)) found.set(kind, { changes, exchange, before: before[i]!, after });
      }
    }
  }
  return found;
}

async function forgeriesOf(
  context: Context,
  base: Base,
  kind: ForgeryKind,
  otherRequest: LabelRequest,
): Promise<{ request: LabelRequest; forgeries: Forgery[] }> {
  const request = await newLabelRequest(context);
  const { fields } = await newSuccess(context, request, fieldsOfBase(base));
  const genuine: GenuineCallback = { request, fields, otherRequestId: fieldOf(otherRequest, 'label_request_id') };
  return { request, forgeries: FORGE[kind](context, genuine) };
}
