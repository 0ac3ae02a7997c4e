/** What is wrong with the body of a request to Delivery or Apps, for either judged party. */
import { isJsonContentType } from '../../envelopes/index.ts';
import { type SchemaFault, schemaErrors } from '../../schemas/index.ts';
import type { ServiceRequest } from '../call.ts';
import { isFormType } from '../form.ts';

/** A JSON type was announced, and no JSON came: it cannot be understood. */
function isIncomprehensible({ seen, document, operation }: ServiceRequest): boolean {
  const { requestBody } = seen;
  if (document !== 'v1' || operation?.request === undefined) return false;
  const type = seen.header('content-type');
  return (requestBody.kind === 'text' || requestBody.kind === 'bytes') && isJsonContentType(type) && !isFormType(type);
}

/** The body is not what the operation asks for, and a framework may have refused it before any code of the interface. */
export function isUnexpectedBody(call: ServiceRequest): boolean {
  if (call.document !== 'v1' || call.operation?.request === undefined || call.seen.requestBody.kind === 'unknown')
    return false;
  const faults = requestFaults(call);
  // A list that is too long can be understood well.
  return faults === undefined || faults.some(({ keyword }) => keyword !== 'maxItems');
}

/** The request surely can't be taken as it is: not understood, or against the schema of its operation. */
export function isFaultyRequest(call: ServiceRequest): boolean {
  return isIncomprehensible(call) || (requestFaults(call) ?? []).length > 0 || isOddPageSize(call);
}

/** Deviations of a JSON request body from its schema; undefined if there is no body to judge. */
export function requestFaults({ seen, document, operation }: ServiceRequest): SchemaFault[] | undefined {
  if (operation?.request === undefined || seen.requestBody.kind !== 'json') return undefined;
  return schemaErrors(document, operation.request, seen.requestBody.value);
}

function isOddPageSize({ seen, operation }: ServiceRequest): boolean {
  const size = seen.parameter('page_size');
  return size !== undefined && operation?.response.endsWith('List') === true && !/^\d+$/.test(size);
}
