/** What responses say about the custom field values of an order. */
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';

/**
 * The fields in a response; undefined when it was refused or holds none. If nothing is configured, some languages serialize an empty
 * object as an empty list.
 */
export function fieldsIn(response: ServiceResponse): Json | undefined {
  const fields = isServed(response) && isJsonObject(response.json) ? response.json.fields : undefined;
  if (Array.isArray(fields) && fields.length === 0) return {};
  return isJsonObject(fields) ? fields : undefined;
}

/** The fields with a value. A value that was never configured may have any empty form. */
export const configured = (response: ServiceResponse): [string, unknown][] =>
  Object.entries(fieldsIn(response) ?? {}).filter(([, value]) => !isUnset(value) && value !== false);
