/** Words for observations of Apps: how a request was refused, how a value that was never set reads. */
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';

/** How a request was refused. */
export const refused = (response: ServiceResponse): string => `refused with ${response.status}`;

/** How something that was not set reads: its form, or that something is there. */
export function formOf(response: ServiceResponse, name: string): string {
  if (!isServed(response)) return refused(response);
  const body = isJsonObject(response.json) ? response.json : {};
  if (!Object.hasOwn(body, name)) return 'left out';
  return isUnset(body[name]) ? JSON.stringify(body[name]) : 'set';
}
