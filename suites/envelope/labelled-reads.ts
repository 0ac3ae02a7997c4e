/** Requests that clients send with the label of JSON and without a body; many web frameworks answer them with 400 on their own. */

import { isJsonObject } from '../../contracts/json/object.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { type ServiceRequest, withPair } from '../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { isServed } from '../../harness/target/response/judge-response.ts';
import { READING as APPS_READING } from '../apps/steps/options.ts';
import { OWN_METHODS } from '../delivery/steps/options.ts';
import { showsMethod } from '../delivery/steps/reading.ts';

const CLAUSE = 'envelope.v1.labelled-without-body';

const labelled = (call: ServiceRequest): ServiceRequest =>
  withPair(call, 'headers', 'content-type', 'application/json');

/** Asserts that a call is served with the label if it is without. */
async function servedWithLabel(
  context: Context,
  call: ServiceRequest,
  what: string,
  clause: string,
): Promise<ServiceResponse> {
  const { expect, given, send } = context;
  const response = await send(labelled(call), 'probe');
  if (!isServed(response)) await given.promised(send(call, 'control'), clause);
  expect.accepted(response, `${what} should be served with a JSON content type and without a body`);
  return response;
}

export const deliveryChecks: readonly Check[] = [
  check(
    'envelope.labelled-reads.delivery',
    'SHOULD serve a read and a delete of Delivery with a JSON content type and without a body',
    { clauses: [CLAUSE], ...OWN_METHODS },
    async (context) => {
      const { delivery, given, send } = context;
      const { handle } = await given.newMethod(delivery);
      const [reads, removes] = ['delivery.method.read-by-handle', 'delivery.method.delete-removes'] as const;
      const read = await servedWithLabel(context, delivery.readMethod(handle), 'a method', reads);
      given.holds(showsMethod(read, handle), reads, 'the response does not contain the method');
      await servedWithLabel(context, delivery.deleteMethod(handle), 'a delete', removes);
      const after = await send(delivery.readMethod(handle), 'read');
      given.holds(!showsMethod(after, handle), removes, 'the method can be read after a served delete');
    },
  ),
];

export const appsChecks: readonly Check[] = [
  check(
    'envelope.labelled-reads.apps',
    'SHOULD serve a read of Apps with a JSON content type and without a body',
    { clauses: [CLAUSE], ...APPS_READING },
    async (context) => {
      const clause = 'apps.languages.array';
      const { json } = await servedWithLabel(context, context.apps.getLanguages(), 'the languages', clause);
      const isList = isJsonObject(json) && Array.isArray(json.languages);
      context.given.holds(isList, clause, 'the response contains no languages');
    },
  ),
];
