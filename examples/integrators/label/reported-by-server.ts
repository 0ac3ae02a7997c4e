/** A label page whose server sends the callback itself, and shows what came of it. */
import { page } from '../support/http.ts';

/** Sends a callback, and returns whether the service has taken it. */
export const isTaken = (address: string): Promise<boolean> =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );

/** Sends a callback; returns the page for success, or one that says that the store could not be reached. */
export async function reportedByServer(address: string, success: () => Response): Promise<Response> {
  if (await isTaken(address)) return success();
  return page('The store was not reached', '<p>Please print the label once more.</p>', { status: 502 });
}
