/** Forged label requests for orders of other kinds: a page may verify those of one kind, and take another way with the rest. */
import { type Fields, SIGNATURE_FIELD, sign } from '../../../../contracts/signing/index.ts';
import type { DeliveryContext } from '../../session.ts';
import { type Order, requestOf } from '../orders.ts';
import { successes } from '../user-flow.ts';
import type { Forge } from './bad-signatures.ts';
import type { Forgery } from './forgery.ts';

/** One for each kind of order that was reported as printed: what is refused anyway proves nothing when it is forged. */
export async function ofEveryKind(context: DeliveryContext, change: string, forge: Forge): Promise<Forgery[]> {
  const { session } = context;
  const key = session.provider.apiKey.reveal();
  return (await successes(context)).flatMap(({ order }) => {
    if (order === undefined) return [];
    const request = requestOf(session, order);
    const signature = forge(request.fields, key);
    const fields = signature === undefined ? request.fields : signedWith(order, request.fields, signature);
    return [{ change: `${change}, of ${order.name}`, request, fields, isOfOtherOrder: true }];
  });
}

function signedWith({ arrange }: Order, fields: Fields, signature: string): Fields {
  const signed: Fields = [...fields, [SIGNATURE_FIELD, signature]];
  return arrange === undefined ? signed : arrange(signed);
}

/** The right signature but for its first character. */
export const nearlyRight: Forge = (fields, key) => {
  const right = sign(fields, key);
  return `${right.startsWith('A') ? 'B' : 'A'}${right.slice(1)}`;
};
