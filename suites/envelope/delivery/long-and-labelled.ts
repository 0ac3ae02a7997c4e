/** Bodies that clients send and some frameworks do not read: long ones, and JSON whose content type names a charset. */
import { MAX_PORTION_ITEMS } from '../../../contracts/lists/portions.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isRefusalOfPromise, isServed } from '../../../harness/target/response/judge-response.ts';
import { idsFrom, pointsAt, wholeList } from '../../delivery/batch/calls.ts';
import { OWN_METHODS } from '../../delivery/steps/options.ts';
import { changeOfMethod } from '../../delivery/steps/values.ts';
import { asText } from './bad-bodies.ts';

/** Opening hours as a delivery company has them; 100 points with these are longer than 100 KB, the limit of a common framework. */
const HOURS: Json = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
    day,
    `08:00-20:00, parcels until 19:30, ${'by the side entrance, '.repeat(6)}closed on holidays`,
  ]),
);

const charset = check(
  'envelope.delivery.charset-parameter',
  'SHOULD read a JSON body whose content type names its charset',
  { clauses: ['envelope.delivery.charset-parameter'], ...OWN_METHODS },
  async (context) => {
    const { delivery, expect, given, send } = context;
    const { handle } = await given.newMethod(delivery);
    const change = (): ServiceRequest => delivery.changeMethod(handle, changeOfMethod(context));
    await given.accepted(send(change(), 'control'), 'delivery.method.update-applies');
    // As text it would reach the service without plain values, where the target refuses those of the check.
    const call = asText(context.asSent(change()));
    const { raw, contentType } = call.body as { raw: string; contentType: string };
    const body = { raw, contentType: 'application/json; charset=utf-8' };
    const response = await send({ ...call, body }, 'probe');
    const message = 'an update should be served with the charset of its JSON';
    // Where the same text is served without the charset, the refusal is not one of its values.
    const isOfCharset =
      isRefusalOfPromise(response) && isServed(await send({ ...call, body: { raw, contentType } }, 'control'));
    if (isOfCharset) expect.served(response, message);
    else expect.accepted(response, message);
  },
);

const longList = check(
  'envelope.delivery.long-list',
  'SHOULD accept 100 points in one call where it accepts each half of them',
  { clauses: ['envelope.delivery.long-list'], ...OWN_METHODS },
  async (context) => {
    const { delivery, expect, given, send } = context;
    const method = await given.newMethod(delivery);
    const points = pointsAt(context, idsFrom('long', MAX_PORTION_ITEMS), { attributes: HOURS });
    const response = await send(wholeList(method, points));
    if (isServed(response)) return expect.served(response, 'a list of 100 points with long attributes');
    const middle = points.length / 2;
    for (const half of [points.slice(0, middle), points.slice(middle)])
      await given.accepted(send(wholeList(method, half), 'control'), 'delivery.batch.replaces-all');
    expect.that(!isRefusalOfPromise(response), 'should accept 100 points in one call, because it accepts each half', {
      expected: 'a success',
      actual: summary(response),
      response,
    });
  },
);

export const checks: readonly Check[] = [charset, longList];
