/**
 * The signed message of a request (spec: Authentication, "Request signing"): what the signature of label requests, checkout
 * requests and callbacks is computed over.
 */
import { hmacSha256 } from './digests.ts';

/** Form fields or query parameters as transmitted and decoded, in their order. A name may occur more than once. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>;

/** Fields as an urlencoded form or query, in their order, with a plus for each space. */
export function formEncode(fields: Fields): string {
  return new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
}

/** The field that carries the signature and is never part of the message. */
export const SIGNATURE_FIELD = 'signature';

/** The fields that are part of the message: all except `signature`, wherever and however often it appears. */
export function signedFields(fields: Fields): Fields {
  return fields.filter(([name]) => name !== SIGNATURE_FIELD);
}

/**
 * The message: the values in field order, with nothing between them, every `signature` left out wherever it appears.
 * Values count as transmitted: a browser sends the line breaks of a form field as CR LF, so CR LF is what is signed.
 *
 * @example signedMessage([['label_request_id', '7'], ['signature', 'x'], ['label_url', 'https://a.example/7.pdf']])
 * // '7https://a.example/7.pdf'
 */
export function signedMessage(fields: Fields): string {
  return signedFields(fields)
    .map(([, value]) => value)
    .join('');
}

/**
 * The signature of a field list: base64 (ordinary alphabet, padded) of the raw HMAC-SHA-256 of the message in UTF-8, keyed
 * with the API key in UTF-8. A `signature` already in the list does not matter.
 *
 * @example sign([['label_request_id', '7'], ['label_url', 'https://a.example/7.pdf']], 'key') // 44 characters ending with '='
 */
export function sign(fields: Fields, key: string): string {
  return hmacSha256(key, signedMessage(fields)).toString('base64');
}

/** The field list with its signature as the last field; a `signature` that was there before is dropped. */
export function withSignature(fields: Fields, key: string): Fields {
  return [...signedFields(fields), [SIGNATURE_FIELD, sign(fields, key)]];
}
