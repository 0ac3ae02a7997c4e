/** What a service refuses the second installation, beside what it takes from the first one. */
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Apps } from '../../../harness/target/interfaces/apps.ts';
import { isRefusalOfPromise, isServed } from '../../../harness/target/response/judge-response.ts';

/**
 * States that a call of the second installation is not refused where the first one's is served with the same values, as long as the code
 * of the second one works. What the call replaces in the first installation has been written down.
 */
export async function givenServedLikeFirst(
  { apps, given, otherApps, send }: Context,
  response: ServiceResponse,
  clause: string,
  call: (apps: Apps) => ServiceRequest,
): Promise<void> {
  if (!isRefusalOfPromise(response)) return;
  if (!isServed(await send(otherApps.getWebsite(), 'control'))) return;
  const isServedToFirst = isServed(await send(call(apps), 'control'));
  given.holds(!isServedToFirst, clause, 'the second installation is refused what the first one is served', {
    response,
  });
}
