/** The other owners of the profile, which must not access a store's objects. */
import type { Context } from '../../../../harness/check/context.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import type { MethodUnderTest } from '../../../../harness/check/given/index.ts';
import { once } from '../../../../harness/resources/once.ts';
import { Delivery, type Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import type { MethodKind } from '../methods/filled-methods.ts';
import { wrongKey } from './keys.ts';

export interface Intruder {
  /** For the report. */
  readonly who: string;
  readonly delivery: Delivery;
}

/**
 * The second store and the delivery provider, as far as the profile has them: neither owns the store's methods. States that the
 * service distinguishes keys at all.
 */
export async function intrudersOf(context: Context): Promise<Intruder[]> {
  const { delivery, given, otherDelivery, profile, send } = context;
  if (delivery.key.reveal() === otherDelivery.key.reveal()) {
    const other = otherDelivery.owner === 'public' ? 'delivery.public.apiKey' : 'delivery.private.otherApiKey';
    throw new Inconclusive(
      `delivery.private.apiKey and ${other} are the same key: give the key of a second store`,
      'configuration',
    );
  }
  await once(context, 'a key that was never issued', async () => {
    const { mutate } = wrongKey(context, delivery.key);
    given.holds(
      !isServed(await send(mutate(delivery.listMethods()), 'probe')),
      'delivery.credentials.wrong-key-refused',
      'a key that was never issued is served',
    );
  });
  const provider = profile.delivery?.public?.apiKey;
  return [
    ...(otherDelivery.owner === 'public' ? [] : [{ who: 'another store', delivery: otherDelivery }]),
    ...(provider === undefined ? [] : [{ who: 'a delivery provider', delivery: new Delivery('public', provider) }]),
  ];
}

/** The title of a method of an owner whose languages are not known: a plain string. */
export const plainTitle = ({ resources }: Context): string => `Proofmark courier ${resources.newMark()}`;

/** A method of an owner whose languages are not known. */
export function newMethodOf(context: Context, delivery: Delivery, given = context.given): Promise<MethodUnderTest> {
  return given.newMethod(delivery, { title: plainTitle(context) });
}

/** A method of the owner that is not the store. */
export const newMethodOfOther = (context: Context, given = context.given): Promise<MethodUnderTest> =>
  newMethodOf(context, context.otherDelivery, given);

export const OF_OTHER: MethodKind = { kind: 'other store', make: newMethodOfOther };

export const OF_PUBLIC: MethodKind = {
  kind: 'delivery provider',
  make: (context, given) => newMethodOf(context, context.provider, given),
};

/** A pickup point for a store whose languages are not known. */
export const plainPoint = (id: string): Json => ({
  id,
  title: `Locker ${id}`,
  address: `Street of ${id}`,
  city: 'Riga',
  zip: 'LV-1050',
  country: 'LV',
  attributes: { terminal: id },
});
