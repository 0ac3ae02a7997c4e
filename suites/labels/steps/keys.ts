/** Keys that a target may have taken by mistake, by names that may be shown. */
import type { Context } from '../../../harness/check/context.ts';
import type { Delivery } from '../../../harness/target/interfaces/delivery.ts';

/** The keys of the profile, by whose they are, without that of the owner. */
export function otherKeysOf({ profile }: Context, owner: Delivery): Readonly<Record<string, string>> {
  const { delivery, apps } = profile;
  const keys = {
    "the store's key": delivery?.private?.apiKey,
    "the other store's key": delivery?.private?.otherApiKey,
    "the delivery provider's key": delivery?.public?.apiKey,
    "the app's key": apps?.apiKey,
  };
  const others = Object.entries(keys).flatMap(([name, key]) =>
    key === undefined || key.reveal() === owner.key.reveal() ? [] : [[name, key.reveal()] as const],
  );
  return Object.fromEntries(others);
}
