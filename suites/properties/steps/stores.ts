/** The stores that sequences of calls may use. */
import type { Context } from '../../../harness/check/context.ts';

/** Whether there is a second store to distinguish from the first. */
export function hasTwoStores({ profile, resources, delivery }: Context): boolean {
  const other = profile.delivery?.private?.otherApiKey;
  const unusable = Object.keys(resources.run.unusable).some((key) => 'delivery.private.otherApiKey'.startsWith(key));
  return other !== undefined && !unusable && other.reveal() !== delivery.key.reveal();
}
