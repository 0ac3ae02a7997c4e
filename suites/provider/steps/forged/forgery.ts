/** A forged label request, the order that it is made of, and the report that shows it as printed. */
import type { DeliveryContext, DeliverySession, LabelRequest, OrderWish } from '../../session.ts';
import { type Callback, isReport, successesOf } from '../callbacks.ts';
import { givenSuccess } from '../user-flow.ts';
import type { SentForm } from './plain-request.ts';

export interface Forgery extends SentForm {
  /** For the report, the end of "a request with …". */
  readonly change: string;
  /** The request whose callback address the forged fields carry. */
  readonly request: LabelRequest;
  /** Distinguished from other reports to the same address, where that is not the forgery's alone. */
  readonly isServedBy?: (callback: Callback) => boolean;
  /** Comes from a browser in which an authentic request was printed before: what it left in cookies must not replace a signature. */
  readonly inSession?: true;
  /** Holds an authentic request beside what is forged: a label for that one may be shown. */
  readonly isMixed?: true;
  /** Of another kind of order than most forgeries. */
  readonly isOfOtherOrder?: true;
}

/** The kind of order that forged requests are made of: one whose authentic request was reported as printed. */
async function baseKind(context: DeliveryContext): Promise<string> {
  const all = await givenSuccess(context);
  const kinds = all.map(({ kind }) => kind);
  return ['pickup-point', 'other-buyer-address', 'address'].find((kind) => kinds.includes(kind)) ?? all[0].kind;
}

/** A label request like one that was reported as printed, beside what is wished for it. */
export async function freshRequest(
  context: DeliveryContext,
  wish: Omit<OrderWish, 'kind'> = {},
): Promise<LabelRequest> {
  return context.session.counterpart.labelRequest({ ...wish, kind: await baseKind(context) });
}

/** The report of success for a forged request. */
export const reportOf = (
  session: DeliverySession,
  { request, isServedBy = () => true }: Forgery,
): Callback | undefined => successesOf(session, request).filter(isReport).find(isServedBy);
