/** Signatures and hashes as this service makes them. */
import { createHmac } from 'node:crypto';
import type { Pairs } from './call.ts';

export function signingMessage(fields: Pairs): string {
  return fields.flatMap(([name, value]) => (name === 'signature' ? [] : [value])).join('');
}

export function signFields(fields: Pairs, key: string): string {
  return createHmac('sha256', key).update(signingMessage(fields)).digest('base64');
}

/** Hash of a query string that has no `hash` in it. */
export function hashQuery(query: string, secret: string): string {
  return createHmac('sha256', secret).update(query).digest('hex');
}
