/** What responses say about the custom field values of an order. */
import { isUnset } from '../../../contracts/fields/unset.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isObject, isServed } from '../../../harness/target/response/judge-response.ts';

/** The fields in an answer; undefined when it was refused or holds none. */
export const fieldsIn = (answer: ServiceResponse): Json | undefined =>
  isServed(answer) && isObject(answer.json) && isObject(answer.json.fields) ? answer.json.fields : undefined;

/** The fields with a value. A value that was never configured may have any empty form. */
export const configured = (answer: ServiceResponse): [string, unknown][] =>
  Object.entries(fieldsIn(answer) ?? {}).filter(([, value]) => !isUnset(value) && value !== false);
