import type { ServiceRequest } from '../../target/client/request.ts';
import { Secret } from '../../target/secrets/secret.ts';

/** The parameters of a call of Reseller, in its query and its form. */
export function parametersIn({ query, body }: ServiceRequest): (readonly [name: string, value: string])[] {
  const form = body !== undefined && 'form' in body ? body.form : [];
  return [...query, ...form].map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value]);
}
