/** How the calls of a sequence are written. */
import type { Context } from '../../../harness/check/context.ts';
import { type ServiceRequest, withEscapes } from '../../../harness/target/client/request.ts';

/** One in three calls is written without. */
const PLAIN_ONE_IN = 3;

/**
 * The call, in two of three cases with letters and slashes of its JSON written as escapes, which say the same. The length of the body
 * decides, so that a repetition is written in the same way. A run with plain values sends none: a gateway may refuse the escapes.
 */
export function written({ isPlain }: Pick<Context, 'isPlain'>, call: ServiceRequest): ServiceRequest {
  const length = call.body !== undefined && 'json' in call.body ? JSON.stringify(call.body.json).length : 0;
  return isPlain || length % PLAIN_ONE_IN === 0 ? call : withEscapes(call);
}
