/**
 * A service that is unavailable once, in the middle of an upload in portions. Software that ignores the response publishes a list that
 * lacks a hundred points. An upload has to be complete before: what the client does otherwise was seen then.
 */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { jsonIn } from '../../../contracts/json/parse.ts';
import type { Interference, Received } from '../../../harness/integrator/counterpart.ts';

const BATCH_PATH = /^\/v1\/store\/delivery_method\/[^/]+\/pickup_points\/batch_replace\/?$/;

/** Answers one portion with status 503: the first one between the first and the last of a list, after another list was finished. */
export function failOnePortion(): Interference {
  /** Addresses at which a list is under way. */
  const open = new Set<string>();
  /** Last portions of lists: whether they were served is known later. */
  const last: Received[] = [];
  let isDone = false;
  return (request) => {
    const flags = isDone ? undefined : flagsOf(request);
    if (flags === undefined) return undefined;
    const { path } = request;
    if (flags.initializes) {
      if (flags.finalizes) open.delete(path);
      else open.add(path);
      return undefined;
    }
    if (!open.has(path)) return undefined;
    if (flags.finalizes) {
      open.delete(path);
      last.push(request);
      return undefined;
    }
    isDone = last.some(({ status }) => status === 200);
    return isDone ? Promise.resolve(unavailable()) : undefined;
  };
}

const unavailable = (): Response =>
  Response.json(
    { error: true, error_code: 503, error_message: 'The service is unavailable for a moment. Send the portion again.' },
    { status: 503, headers: { 'retry-after': '1' } },
  );

/** What the flags of a batch call say; undefined for any other request, and where they are not boolean. */
function flagsOf({ method, path, body }: Received): { initializes: boolean; finalizes: boolean } | undefined {
  if (method !== 'POST' || !BATCH_PATH.test(path)) return undefined;
  const value = jsonIn(body);
  if (!isJsonObject(value)) return undefined;
  const { is_initialization: initializes = true, is_finalization: finalizes = true } = value;
  return typeof initializes === 'boolean' && typeof finalizes === 'boolean' ? { initializes, finalizes } : undefined;
}
