/** Which methods a checkout offers between two countries (spec: Resources and their fields, Delivery method). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckOptions } from '../../../harness/check/facts.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { newMethodOfOther, plainTitle } from '../steps/owners/index.ts';
import {
  changeFrom,
  enable,
  ifOpen,
  isTaken,
  newMethod,
  type OfferedHandles,
  offeredHandles,
  placesOf,
  type Shop,
  shopOf,
} from './methods-on-offer.ts';

const CHECKOUTS: Pick<CheckOptions, 'needs' | 'effects' | 'part'> = {
  needs: ['delivery.private.apiKey', 'website.country', 'browser', 'driver.offeredMethods'],
  effects: ['write', 'drive'],
  part: 'delivery.private',
};

function expectOffered({ expect }: Context, offered: OfferedHandles, handle: string, message: string): void {
  expect.that(offered.includes(handle), message, { expected: `${handle} among the offered methods`, actual: offered });
}

/** `clauses`: those that it breaks, where they are not the check's. */
function expectNotOffered(
  { expect }: Context,
  offered: OfferedHandles,
  handle: string,
  message: string,
  clauses?: readonly string[],
): void {
  expect.that(!offered.includes(handle), message, {
    expected: `${handle} not among the offered methods`,
    actual: offered,
    ...(clauses === undefined ? {} : { clauses }),
  });
}

/** States that a method is offered where its lists allow it; only then its absence in other places proves something. */
function givenOffered({ given }: Context, offered: OfferedHandles, handle: string): void {
  const message = `the checkout does not offer ${handle} where its lists allow it`;
  given.holds(offered.includes(handle), 'delivery.countries.offered-where-listed', message);
}

const UNCHANGEABLE =
  'the target changes no country lists, and takes no method that is for stores of other countries only';

const WITHOUT_LISTS = 'the target takes no method without lists of countries';

/** That a delete has an effect has a check of its own. */
const REMOVED = 'delivery.method.delete-removes';

const between = ({ offers }: Shop, from: string, to: string): OfferedHandles => offers.get(`${from} ${to}`) ?? [];

export const checks: readonly Check[] = [
  check(
    'delivery.countries.offered-where-listed',
    'MUST offer an enabled method where both countries are listed',
    { ...CHECKOUTS, clauses: ['delivery.countries.offered-where-listed'] },
    async (context) => {
      const shop = await shopOf(context);
      const { home, away, listed, destinations, across, moved, hasMoved, afterChange } = shop;
      for (const to of destinations) {
        const message = `must offer a method from ${home} to ${to} whose lists name both`;
        expectOffered(context, between(shop, home, to), listed, message);
      }
      const atAway = between(shop, home, away);
      if (across !== undefined) expectOffered(context, atAway, across, `must offer a method from ${home} to ${away}`);
      if (moved === undefined) return;
      const listing = (to: string): string => `must offer a method to ${to} whose list of destinations names it`;
      expectOffered(context, atAway, moved, `${listing(away)} at its end`);
      if (!hasMoved) return;
      expectOffered(context, afterChange.get(home) ?? [], moved, `${listing(home)} after a change`);
    },
  ),

  check(
    'delivery.countries.from-restricts',
    'MUST NOT offer a method in stores outside its store countries',
    { ...CHECKOUTS, clauses: ['delivery.countries.from-restricts'] },
    async (context) => {
      const shop = await shopOf(context);
      const { home, fromRestricted, notFromHome, afterChange, backHome } = shop;
      if (notFromHome === undefined) throw new Inconclusive(UNCHANGEABLE, 'target');
      for (const [to, offered] of afterChange) {
        const message = `must not offer a method for stores of other countries from ${home} to ${to}`;
        expectNotOffered(context, offered, notFromHome, message);
      }
      givenOffered(context, between(shop, home, home), fromRestricted);
      givenOffered(context, backHome, fromRestricted);
    },
  ),

  check(
    'delivery.countries.to-restricts',
    'MUST NOT offer a method for destinations outside its destination countries',
    { ...CHECKOUTS, clauses: ['delivery.countries.to-restricts'] },
    async (context) => {
      const shop = await shopOf(context);
      const { home, away, farther, listed, destinations, toRestricted, across, moved, hasMoved } = shop;
      const { afterChange, atLast } = shop;
      const named = destinations.join(' and ');
      const last = destinations.at(-1) ?? home;
      const apart = [
        [toRestricted, farther, last, `must not offer a method for ${named} for a shipment to ${farther}`],
        [listed, farther, last, `must not offer a method between ${home} and ${last} for a shipment to ${farther}`],
        [across, home, away, `must not offer a method from ${home} to ${away} for a shipment to ${home}`],
        [moved, home, away, `must not offer a method for a shipment to ${home}, which its destinations do not name`],
      ] as const;
      for (const [handle, to, allowed, message] of apart) {
        if (handle === undefined) continue;
        expectNotOffered(context, between(shop, home, to), handle, message);
        givenOffered(context, between(shop, home, allowed), handle);
      }
      const renamed = `must not offer a method for ${named} for a shipment to ${farther} after its title changed`;
      expectNotOffered(context, atLast, toRestricted, renamed);
      givenOffered(context, between(shop, home, home), toRestricted);
      if (moved === undefined || !hasMoved) return;
      const message = `must not offer a method for a shipment to ${away} after a change took it from the destinations`;
      expectNotOffered(context, afterChange.get(away) ?? [], moved, message);
      givenOffered(context, afterChange.get(home) ?? [], moved);
    },
  ),

  check(
    'delivery.countries.unrestricted-offered',
    'MUST offer an enabled method without country lists everywhere',
    { ...CHECKOUTS, clauses: ['delivery.countries.unrestricted-offered'] },
    async (context) => {
      const { home, farther, offers, unrestricted, cleared, atLast } = await shopOf(context);
      if (unrestricted === undefined) throw new Inconclusive(WITHOUT_LISTS, 'target');
      if (cleared !== undefined) {
        const message = `must offer a method whose country lists were removed from ${home} to ${farther}`;
        expectOffered(context, atLast, cleared, message);
      }
      for (const [way, offered] of offers) {
        const [from, to] = way.split(' ');
        const message = `must offer a method without country lists from ${from} to ${to}`;
        expectOffered(context, offered, unrestricted, message);
      }
    },
  ),

  check(
    'delivery.countries.several-methods-offered',
    'MUST offer every method that is enabled in a store',
    { ...CHECKOUTS, clauses: ['delivery.countries.several-methods-offered'] },
    async (context) => {
      const shop = await shopOf(context);
      const { home, listed, sameLists, unrestricted, toRestricted, fromRestricted, across, moved } = shop;
      const enabled = [listed, sameLists, unrestricted, toRestricted, fromRestricted, across, moved];
      const to = shop.destinations.at(-1) ?? home;
      const offered = between(shop, home, to).filter((handle) => enabled.includes(handle));
      const clause = 'delivery.countries.offered-where-listed';
      context.given.holds(offered.length > 0, clause, 'the checkout offers none of the enabled methods');
      // If both methods are missing, their different lists cannot be the reason.
      const isOnlyOneOfEqual = offered.includes(listed) !== offered.includes(sameLists);
      context.expect.that(offered.length > 1 && !isOnlyOneOfEqual, 'must offer all enabled methods, and not only one', {
        expected: enabled.filter((handle) => handle !== undefined),
        actual: offered,
      });
      const { handles, hidden } = shop.equalTitles;
      context.expect.that(hidden.length === 0, 'must offer both of two enabled methods that have the same title', {
        expected: handles,
        actual: handles.filter((handle) => !hidden.includes(handle)),
      });
    },
  ),

  check(
    'delivery.countries.deleted-not-offered',
    'MUST NOT offer a method after it was deleted',
    { ...CHECKOUTS, clauses: ['delivery.countries.deleted-not-offered'] },
    async (context) => {
      const shop = await shopOf(context);
      const { home, listed, deleted, backHome } = shop;
      expectNotOffered(context, backHome, deleted, 'must not offer a method that was deleted');
      givenOffered(context, between(shop, home, home), deleted);
      givenOffered(context, backHome, listed);
    },
  ),

  check(
    'delivery.countries.not-offered-in-other-stores',
    'MUST NOT offer a method of one store in another',
    {
      ...CHECKOUTS,
      needs: [...CHECKOUTS.needs, 'delivery.private.otherApiKey'],
      clauses: ['delivery.countries.not-offered-in-other-stores'],
    },
    async (context) => {
      const { delivery, otherDelivery } = context;
      if (delivery.key.reveal() === otherDelivery.key.reveal()) {
        throw new Inconclusive(
          'the other store has no method of its own: give the key of a second store',
          'configuration',
        );
      }
      const { home, listed } = await shopOf(context);
      const foreign = await newMethodOfOther(context);
      const offered = await offeredHandles(context, delivery, home, home);
      expectNotOffered(context, offered, foreign.handle, 'must not offer a method of another store');
      givenOffered(context, offered, listed);
    },
  ),

  check(
    'delivery.countries.public-methods-filtered',
    "MUST offer a provider's method only in stores of its countries",
    {
      ...CHECKOUTS,
      needs: ['delivery.public.apiKey', 'website.country', 'browser', 'driver.offeredMethods'],
      part: 'delivery.public',
      clauses: ['delivery.countries.public-methods-filtered'],
    },
    async (context) => {
      const { provider } = context;
      const { home, away, farther } = placesOf(context);
      const alone = { available_countries_from: [home], available_countries_to: [home], title: plainTitle(context) };
      // Which languages a provider has is not known: a plain text is a title in any.
      const several = await ifOpen(newMethod(context, provider, { ...alone, available_countries_to: [home, away] }));
      const handle = several ?? (await newMethod(context, provider, alone));
      const onlyFrom = { available_countries_from: [home], title: plainTitle(context) };
      // A service may require both lists.
      const toAll = await ifOpen(newMethod(context, provider, onlyFrom));
      const atHome = () => offeredHandles(context, provider, home, home);
      const inside = "must offer a provider's method in a store of its countries";
      expectOffered(context, await atHome(), handle, inside);
      const beyond = "must not offer a provider's method for a destination that it does not name";
      const atFarther = await offeredHandles(context, provider, home, farther);
      expectNotOffered(context, atFarther, handle, beyond);
      if (toAll !== undefined) {
        const anywhere = "must offer a provider's method without destinations for all of them";
        expectOffered(context, atFarther, toAll, anywhere);
        await context.given.promised(context.send(provider.deleteMethod(toAll), 'given'), REMOVED);
      }
      const others = several === undefined ? [away] : [away, farther];
      const abroad = { available_countries_from: others, title: plainTitle(context) };
      const isChanged = await isTaken(changeFrom(context, provider, handle, others));
      const notFromHome = isChanged ? handle : await newMethod(context, provider, abroad);
      const outside = "must not offer a provider's method in a store outside of its countries";
      const afterChange = await atHome();
      expectNotOffered(context, afterChange, notFromHome, outside);
      const deleted = "must not offer a provider's method that was deleted";
      if (toAll !== undefined)
        expectNotOffered(context, afterChange, toAll, deleted, ['delivery.countries.deleted-not-offered']);
      if (!isChanged) return;
      const from = several === undefined ? [home] : [farther, home];
      const moved = { available_countries_from: from, available_countries_to: [farther] };
      // A service may change one list and not the other.
      if (!isServed(await context.send(provider.changeMethod(handle, moved), 'given'))) return;
      await enable(context, provider, handle);
      const after = "must offer a provider's method where its changed lists name both countries";
      expectOffered(context, await offeredHandles(context, provider, home, farther), handle, after);
    },
  ),
];
