/** Requests to hosts that are not the target: none may carry a secret. */
import { plain, Secret } from '../secrets/secret.ts';
import { originOf } from './layers/request-facts.ts';
import type { OutgoingRequest } from './types.ts';

/** Secrets shorter than this are part of ordinary words. */
const MIN_SECRET_CHARS = 8;

/**
 * A mistake of ours must not send a key to another host: neither in a header, nor by value in address or body. `own` are addresses
 * of the profile on that host: what the user has written into them is meant for it. Throws an `Error` that names the host.
 */
export function refuseSecrets(request: OutgoingRequest, secrets: readonly Secret[], own: readonly string[]): void {
  const { body = '' } = request;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  const places = [request.url, text, ...(request.headers ?? []).map(([, value]) => plain(value))];
  const isFound = (value: string): boolean =>
    formsOf(value).some((form) => places.some((place) => place.includes(form)));
  const values = secrets
    .map((secret) => secret.reveal())
    .filter((value) => value.length >= MIN_SECRET_CHARS && !own.some((address) => address.includes(value)));
  const carriesSecret = request.headers?.some(([, value]) => value instanceof Secret) === true;
  if (carriesSecret || values.some(isFound))
    throw new Error(
      `A secret was about to be sent to ${originOf(request.url)}, which is not an address of the profile: it was not sent.`,
    );
}

const formsOf = (value: string): string[] => [
  value,
  encodeURIComponent(value.toWellFormed()),
  JSON.stringify(value).slice(1, -1),
];
