/**
 * Request signing (spec: Authentication, "Request signing"): label requests, dynamic checkout requests and callbacks.
 *
 * @example
 * const fields: Fields = [['label_request_id', '7'], ['label_url', 'https://labels.example/7.pdf']];
 * const query = formEncode(withSignature(fields, apiKey));
 * const answer = verifySignature([...new URLSearchParams(query)], apiKey); // { authentic: true }
 */
import { alteredKeys } from './altered-keys.ts';
import { BASE64_FORMATS, equalInConstantTime, explainDigest, keyVariants, mistakeSentence } from './digests.ts';
import { type Fields, SIGNATURE_FIELD, sign } from './message.ts';
import { messageVariants } from './mistakes.ts';

export { LABEL_CALLBACK_FIELDS, LABEL_REQUEST_FIELDS } from './field-names.ts';
export {
  type Fields,
  formEncode,
  SIGNATURE_FIELD,
  sign,
  signedFields,
  signedMessage,
  withSignature,
} from './message.ts';
export { boundaryShift, type Tampering, tamperings } from './tamperings.ts';

/** What `verifySignature` found. `mistake` is a stable name of the most likely mistake, `diagnosis` a sentence about it. */
export type SignatureResult =
  | { readonly authentic: true }
  | { readonly authentic: false; readonly mistake: string; readonly diagnosis: string };

/**
 * Judges the `signature` of a received field list, and names the mistake that would produce a wrong one.
 * The comparison takes the same time wherever two signatures of one length differ. Neither the key nor the correct signature
 * is part of the diagnosis.
 *
 * @param fields all received fields in received order, decoded; `signature` may be anywhere
 * @param key the API key of the party that signs
 * @param otherKeys keys that may have been taken by mistake, by a name that may be shown
 * @example verifySignature([['a', '1'], ['signature', 'c2h…']], 'key')
 * // { authentic: false, mistake: 'hex', diagnosis: 'The signature is wrong; it would be correct if …' }
 */
export function verifySignature(
  fields: Fields,
  key: string,
  otherKeys: Readonly<Record<string, string>> = {},
): SignatureResult {
  const received = fields.filter(([name]) => name === SIGNATURE_FIELD).map(([, value]) => value);
  const [first] = received;
  if (first === undefined) return missing(fields);
  if (received.some((value) => value !== first)) {
    return no('several-signatures', 'There are several `signature` fields with different values; send exactly one.');
  }
  if (first === '') return no('empty', 'The `signature` field is empty.');
  if (isAuthentic(fields, key)) return { authentic: true };
  const mistakes = explainDigest(
    first,
    messageVariants(fields),
    [...keyVariants(key, otherKeys), ...alteredKeys(key)],
    BASE64_FORMATS,
  );
  if (mistakes === undefined) return unexplained(first);
  return no(mistakes.map((mistake) => mistake.id).join('+'), mistakeSentence('signature', mistakes));
}

/** `verifySignature` without the diagnosis, for receivers that only decide: a wrong signature costs no more than a right one. */
export function isAuthentic(fields: Fields, key: string): boolean {
  const received = fields.filter(([name]) => name === SIGNATURE_FIELD).map(([, value]) => value);
  const right = sign(fields, key);
  return received.length > 0 && received.every((value) => equalInConstantTime(value, right));
}

function missing(fields: Fields): SignatureResult {
  const similar = fields.find(([name]) => /^(signature|sign|sig|hash|hmac)$/i.test(name.trim()))?.[0];
  const hint =
    similar === undefined ? '' : ` The request has a field "${similar}" instead; the name must be \`signature\`.`;
  return no('missing', `The \`signature\` field is missing.${hint}`);
}

function unexplained(received: string): SignatureResult {
  const bytes = /^[A-Za-z0-9+/]*={0,2}$/.test(received) ? Buffer.from(received, 'base64').length : undefined;
  const shape =
    bytes === 32
      ? 'It has the form of a signature: another key was used or other values were signed.'
      : 'It does not have the form of a signature either: base64 of 32 bytes, 44 characters.';
  return no('unexplained', `The signature is wrong, and no known mistake explains it. ${shape}`);
}

function no(mistake: string, diagnosis: string): SignatureResult {
  return { authentic: false, mistake, diagnosis };
}
