/** Small helpers for building requests, shared by the API wrappers and by undo. */

import { addressOf, bodyOf, type ServiceRequest } from '../client/request.ts';
import type { OutgoingRequest } from '../client/types.ts';
import { Unsendable } from '../client/unsendable.ts';
import { type Secret, sealed } from '../secrets/secret.ts';

type Header = readonly [string, string | Secret];

/** Headers of a Delivery or Apps call (spec, Authentication A and B). */
export function headersOf(apiKey: Secret | undefined): Header[] {
  return apiKey === undefined ? [] : [['Authorization', sealed`ApiKey ${apiKey}`]];
}

/**
 * One path segment, encoded once. Throws `Unsendable` for `.`, `..` and the empty text, which a normalising client, proxy or server would
 * read as another address, and lone surrogates, which have no UTF-8.
 */
export function segment(text: string): string {
  if (text === '' || text === '.' || text === '..') {
    throw new Unsendable(
      `"${text}" can't be sent as a path segment: software that normalises paths would read it as another address.`,
    );
  }
  if (!text.isWellFormed())
    throw new Unsendable("A string with half a surrogate pair has no UTF-8 form and can't be sent in a path.");
  return encodeURIComponent(text);
}

/** A call as the request that the client sends; `base` is the address of its interface. */
export function requestOf(call: ServiceRequest, base: string): OutgoingRequest {
  const body = bodyOf(call);
  const type: Header[] = body === undefined || body.contentType === null ? [] : [['content-type', body.contentType]];
  return {
    method: call.method,
    url: addressOf(call, base),
    headers: [['accept', 'application/json'], ...type, ...call.headers],
    ...(body === undefined ? {} : { body: body.content }),
  };
}
