/** A label_request_id of a kind that few services issue: the contract limits neither its alphabet nor its length. */
import { randomInt, randomUUID } from 'node:crypto';
import { Skipped } from '../../../harness/check/failures.ts';
import type { DeliveryContext } from '../session.ts';
import { type Callback, parameterOf, successesOf } from './callbacks.ts';
import { givenSuccess, longPaceOf, printed } from './user-flow.ts';

/** How an id in base64 may end. */
const BASE64_END = '+a/b==';
/** More than the column of a database that holds ids usually takes. */
const LONG_CHARACTERS = 128;
/** A range of numbers with ten digits. */
const TEN_DIGITS = [10 ** 9, 10 ** 10] as const;

/** Ids that a program changes which limits their length, or stores them as something else than a text. */
const WHOLE_IDS: readonly (readonly [description: string, idFrom: (usual: string) => string])[] = [
  [`of ${LONG_CHARACTERS} characters`, (usual) => usual.padEnd(LONG_CHARACTERS, '0123456789abcdef')],
  // A number of 64 bits does not hold it.
  ['of digits only', () => `0${randomInt(...TEN_DIGITS)}${randomInt(...TEN_DIGITS)}`],
  ['that is a UUID in capital letters', () => randomUUID().toUpperCase()],
];

/** Asserts that an id in base64 comes back as it was received. A page may refuse it, or report nothing. */
export async function expectEncodedId(context: DeliveryContext): Promise<void> {
  await givenUsualReturned(context);
  const returned = await returnedId(context, (usual) => `${usual}${BASE64_END}`);
  if (returned === undefined) throw new Skipped('the page reports no label for a label_request_id in base64');
  const { id, sent, callback } = returned;
  context.restOn([callback.received.exchange]);
  context.expect.that(
    sent === id,
    `the callback for a label_request_id that ends with “${BASE64_END}” has another one: percent-encode each value once when the address of the callback is made`,
    { expected: id, actual: sent, exchange: callback.received.exchange },
  );
}

/** Asserts that ids of unusual lengths and forms come back as they were received. A page may refuse each of them. */
export async function expectWholeId(context: DeliveryContext): Promise<void> {
  await givenUsualReturned(context);
  const exchanges: (number | undefined)[] = [];
  for (const [description, idFrom] of WHOLE_IDS) {
    const returned = await returnedId(context, idFrom);
    if (returned === undefined) continue;
    const { id, sent, callback } = returned;
    exchanges.push(callback.received.exchange);
    context.restOn(exchanges);
    context.expect.that(
      sent === id,
      `the callback for a label_request_id ${description} has another one: store and return the id as the text that it is, whatever its length and its letters`,
      { expected: id, actual: sent, exchange: callback.received.exchange },
    );
  }
  if (exchanges.length === 0) throw new Skipped('the page reports no label for a label_request_id of an unusual form');
}

/** A page that changes every id breaks another clause. */
async function givenUsualReturned(context: DeliveryContext): Promise<void> {
  const [{ visit, callback }] = await givenSuccess(context);
  const sent = parameterOf(callback.pairs, 'label_request_id');
  const { id } = visit.request;
  context.given.holds(sent === id, 'provider.callback.same-id', 'the page returns another label_request_id', {
    expected: id,
    actual: sent,
    exchange: callback.received.exchange,
  });
}

/** The id that comes back for one that is made from a usual one; undefined where no label is reported for it. */
async function returnedId(
  context: DeliveryContext,
  idFrom: (usual: string) => string,
): Promise<{ readonly id: string; readonly sent: string; readonly callback: Callback } | undefined> {
  const { session } = context;
  const request = session.counterpart.labelRequest({ kind: 'address', idFrom });
  await printed(session, request, await longPaceOf(context));
  const [callback] = successesOf(session, request);
  if (callback === undefined) return undefined;
  return { id: request.id, sent: parameterOf(callback.pairs, 'label_request_id') ?? '', callback };
}
