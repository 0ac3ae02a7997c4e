/** When a read says that nothing was ever set (spec: Resources and their fields). */

import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';

/**
 * Whether a read was refused because nothing was ever set, which a service may do. Refused credentials, too many requests
 * and a failing service say nothing about what is there.
 */
export function isNeverSet(response: ServiceResponse): boolean {
  return (
    !isServed(response) && response.status >= 400 && response.status < 500 && ![401, 429].includes(response.status)
  );
}
