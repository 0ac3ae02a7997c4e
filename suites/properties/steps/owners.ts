/** Owners of delivery methods whom a property plays in turn: what holds for the first store has to hold for each of them. */
import fc from 'fast-check';
import type { Context } from '../../../harness/check/context.ts';
import type { MethodOwner } from '../../../harness/cleanup/ledger.ts';
import type { PropertyRun } from '../../../harness/property/index.ts';
import { once, unlessUndecided } from '../../../harness/resources/once.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { newMethodOf, plainPoint } from '../../delivery/steps/owners/index.ts';
import { hasTwoStores } from './stores.ts';

const WHO: Readonly<Record<MethodOwner, string>> = {
  private: 'the store',
  other: 'another store',
  public: 'a delivery provider',
};

/** Most cases are those of the first store, whose website is known. */
const FIRST_STORE_WEIGHT = 3;

/**
 * Draws an owner that may make methods and points; the first store is the simplest. Where no case is drawn, nothing is asked of the
 * target.
 */
export async function ownerArbitrary(context: Context): Promise<fc.Arbitrary<MethodOwner>> {
  const { propertyRuns, replay } = context.resources.run;
  const others: MethodOwner[] = [];
  if (propertyRuns === 0 && replay === undefined) return fc.constant('private');
  for (const owner of otherOwnersOf(context)) if (await mayWrite(context, owner)) others.push(owner);
  return fc.constantFrom(...Array<MethodOwner>(FIRST_STORE_WEIGHT).fill('private'), ...others);
}

/** Whether the profile has the key of an owner; a case that is kept need not name one. */
export const isPlayable = (context: Context, owner: MethodOwner | undefined): boolean =>
  owner === undefined || owner === 'private' || otherOwnersOf(context).includes(owner);

function otherOwnersOf(context: Context): MethodOwner[] {
  const { public: provider } = context.profile.delivery ?? {};
  const isProvider = provider?.apiKey !== undefined && provider.apiKey.reveal() !== context.delivery.key.reveal();
  return [...(hasTwoStores(context) ? (['other'] as const) : []), ...(isProvider ? (['public'] as const) : [])];
}

/** Whether an owner is served: what a second store or a provider may do is not stated, and one that is refused decides nothing. */
async function mayWrite(context: Context, owner: MethodOwner): Promise<boolean> {
  const written = await unlessUndecided(() =>
    once(context, `methods and points of ${owner}`, async () => {
      const delivery = owner === 'other' ? context.otherDelivery : context.provider;
      const { handle } = await newMethodOf(context, delivery);
      return isServed(await context.send(delivery.addPoint(handle, plainPoint('p')), 'given'));
    }),
  );
  return written === true;
}

/** Runs a case as its owner. A refusal decides nothing for an owner whose limits are not known. */
export async function asOwner(
  { context, step, unlessRefused }: PropertyRun,
  owner: MethodOwner | undefined,
  body: () => Promise<void>,
): Promise<void> {
  // A case that is kept need not name an owner.
  if (owner === undefined || owner === 'private') return body();
  context.actAs(owner);
  step(`with the key of ${WHO[owner]}`);
  await unlessRefused(body);
}
