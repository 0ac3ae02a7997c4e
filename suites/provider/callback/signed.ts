/** What the signature of a callback covers. */
import { type Fields, isAuthentic, SIGNATURE_FIELD, sign, signedFields } from '../../../contracts/signing/index.ts';
import { TRACKING } from '../../../contracts/traffic/integrator/labels/tracking.ts';
import { type Callback, parameterOf } from '../steps/callbacks.ts';

/** The received signature; empty where there is none. */
export const receivedSignature = ({ pairs }: Callback): string => parameterOf(pairs, SIGNATURE_FIELD) ?? '';

/** The fields in the order of the message as the contract words it, further ones left out. */
function worded(pairs: Fields): Fields {
  const of = (name: string): Fields => pairs.filter(([other]) => other === name).slice(0, 1);
  return [...of('label_request_id'), ...of('label_url'), ...pairs.filter(([name]) => TRACKING.includes(name))];
}

/** Right as all that was sent, in sent order; or as the contract words the message of this callback. */
export function isSignedRight(key: string, callback: Callback): boolean {
  return isAuthentic(callback.pairs, key) || receivedSignature(callback) === sign(worded(callback.pairs), key);
}

/** Right but for the tracking fields, which are left out or in another order. */
export function isRightButForTracking(key: string, callback: Callback): boolean {
  const core = worded(callback.pairs).filter(([name]) => !TRACKING.includes(name));
  const tracking = callback.pairs.filter(([name]) => TRACKING.includes(name));
  const inSentOrder = signedFields(callback.pairs).filter(([name]) => !TRACKING.includes(name));
  const messages = [core, inSentOrder, [...core, ...tracking.toReversed()], ...tracking.map((one) => [...core, one])];
  return messages.some((fields) => receivedSignature(callback) === sign(fields, key));
}

/** Parameters that only a receiver of the second reading leaves out of the message: others, and repeated ones. */
export function unsignedNames(key: string, callback: Callback): string[] {
  const { pairs } = callback;
  const covered = worded(pairs);
  if (isAuthentic(pairs, key) || !isSignedRight(key, callback)) return [];
  return [...new Set(signedFields(pairs).flatMap((pair) => (covered.includes(pair) ? [] : [pair[0]])))];
}
