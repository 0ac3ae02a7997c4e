/** Words for observations of Apps: how a request was refused, how a value that was never set reads. */
import { isUnset } from '../../../contracts/fields/unset.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isObject, isServed } from '../../../harness/target/response/judge-response.ts';

/** How a request was refused. */
export const refused = (answer: ServiceResponse): string => `refused with ${answer.status}`;

/** How something that was not set reads: its form, or that something is there. */
export function formOf(answer: ServiceResponse, name: string): string {
  if (!isServed(answer)) return refused(answer);
  const body = isObject(answer.json) ? answer.json : {};
  if (!Object.hasOwn(body, name)) return 'left out';
  return isUnset(body[name]) ? JSON.stringify(body[name]) : 'set';
}
