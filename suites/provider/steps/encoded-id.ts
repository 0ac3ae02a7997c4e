/** A label_request_id in base64: the contract names no alphabet, so a service may issue such ids, and they need to be encoded in an address. */
import { Skipped } from '../../../harness/check/failures.ts';
import type { DeliveryContext } from '../session.ts';
import { parameterOf, successesOf } from './callbacks.ts';
import { givenSuccess, longPaceOf, printed } from './user-flow.ts';

/** How an id in base64 may end. */
const BASE64_END = '+a/b==';

/** Asserts that such an id comes back as it was received. A page may refuse it, or report nothing. */
export async function expectEncodedId(context: DeliveryContext): Promise<void> {
  const { session } = context;
  await givenSuccess(context);
  const request = session.counterpart.labelRequest({ kind: 'address', idEnd: BASE64_END });
  await printed(session, request, await longPaceOf(context));
  const [success] = successesOf(session, request);
  if (success === undefined) throw new Skipped('the page reports no label for a label_request_id in base64');
  const sent = parameterOf(success.pairs, 'label_request_id') ?? '';
  context.restOn([success.received.exchange]);
  context.expect.that(
    sent === request.id,
    `the callback for a label_request_id that ends with “${BASE64_END}” has another one: percent-encode each value once when the address of the callback is made`,
    { expected: request.id, actual: sent, exchange: success.received.exchange },
  );
}
