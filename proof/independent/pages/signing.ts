// The two proofs of authenticity the service gives: the signature of posted fields and the hash of an address.
import { createHmac } from 'node:crypto';

/** Base64 of the raw HMAC-SHA-256 over the values, joined in their order, without `signature` (Request signing). */
export function signatureOf(fields: [string, string][], key: string): string {
  const message = fields.filter(([name]) => name !== 'signature').map(([, value]) => value);
  return createHmac('sha256', key).update(message.join(''), 'utf8').digest('base64');
}

/**
 * A value as a browser's form transmits it: line breaks of any kind as CRLF, lone surrogates and
 * NUL as the replacement character. The signature has to cover what is transmitted.
 */
function asTransmitted(value: string): string {
  return value
    .toWellFormed()
    .replaceAll('\0', '\uFFFD')
    .replace(/\r\n|\r|\n/g, '\r\n');
}

/** The fields as a browser will transmit them, with their signature in front. */
export function signedFields(fields: [string, string][], key: string): [string, string][] {
  const carried = fields.map(([name, value]): [string, string] => [name, asTransmitted(value)]);
  return [['signature', signatureOf(carried, key)], ...carried];
}

const rfc3986 = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * An app's address with our parameters and their hash, which comes first; parameters that the address brings along
 * are part of the hashed query. Percent-encoding in upper case as in RFC 3986; our own values contain no character that
 * the encoders of common languages treat differently.
 */
export function hashedAddress(address: string, own: [string, string][], key: string): string {
  const url = new URL(address);
  const reserved = new Set(['hash', 'authCode', ...own.map(([name]) => name)]);
  const brought = [...url.searchParams].filter(([name]) => !reserved.has(name));
  const query = [...brought, ...own].map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`).join('&');
  url.search = `?hash=${createHmac('sha256', key).update(query, 'utf8').digest('hex')}&${query}`;
  return url.href;
}
