/** Callbacks for an order that was bought with a provider's method: forged ones first, then the authentic one. */
import { withSignature } from '../../../contracts/signing/index.ts';
import type { Context } from '../../../harness/check/context.ts';
import { once } from '../../../harness/resources/once.ts';
import type { LabelState } from '../../../harness/target/driver/target-driver.ts';
import {
  type CallbackDelivery,
  newSuccess,
  pressForRequest,
  sameLabel,
  sendCallback,
  sendSuccess,
  successFields,
} from './callbacks.ts';
import { FORGE } from './forgeries.ts';
import { newOrder, requestOf, stateOf } from './orders.ts';

export interface ProviderProof {
  readonly control: CallbackDelivery;
  /** The first forged callback that stored something. */
  readonly harm:
    | { readonly change: string; readonly exchange: number; readonly before: LabelState; readonly after: LabelState }
    | undefined;
}

/** The proof for the provider's order, made once for all checks. */
export function providerProofOf(context: Context): Promise<ProviderProof> {
  return once(context, 'callbacks for an order of the provider', async () => {
    const request = await requestOf(context, 'public');
    const before = await stateOf(context, request.order);
    const { fields } = await newSuccess(context, request);
    const genuine = { request, fields, otherRequestId: undefined };
    const own = request.order.method.owner.key.reveal();
    const ofStore = context.profile.delivery?.private?.apiKey?.reveal();
    const isForged = ofStore !== undefined && ofStore !== own;
    const forged = [
      ...(isForged
        ? [{ change: 'the signature under the key of the store', fields: withSignature(fields, ofStore) }]
        : []),
      ...FORGE['near-miss'](context, genuine).slice(0, 1),
    ];
    let harm: ProviderProof['harm'];
    for (const { change, fields: sent } of forged) {
      const { exchange } = await sendCallback(context, request, sent, 'probe');
      const after = await stateOf(context, request.order);
      if (sameLabel(before, after)) continue;
      harm = { change, exchange, before, after };
      break;
    }
    const first = await sendSuccess(context, request, successFields);
    return { control: first.isStored ? first : await sendAnotherCallback(context), harm };
  });
}

/** A request may take no callback after a forged one, and an address that we chose may be refused. */
async function sendAnotherCallback(context: Context): Promise<CallbackDelivery> {
  const order = await newOrder(context, 'public');
  context.given.holds(order.hasButton, 'labels.button.shown-with-url', 'the order shows no Print Label button');
  const request = await pressForRequest(context, order);
  const first = await sendSuccess(context, request, successFields);
  const isRefused = !first.isStored && first.response.status >= 400;
  return isRefused ? sendSuccess(context, request, successFields, true) : first;
}
