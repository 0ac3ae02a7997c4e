/** A few methods with different country lists, and which of them the checkout offers: read once for all checks. */

import { sharedPage } from '../../../harness/browser/shared-page.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { once } from '../../../harness/resources/once.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';

/** Candidates: at least two of them are not the store's own country. */
const COUNTRIES = ['DE', 'LT', 'EE'];

export interface Places {
  /** Where the store is located. */
  readonly home: string;
  /** Two other countries. */
  readonly away: string;
  readonly farther: string;
}

export function placesOf({ given, profile }: Context): Places {
  const home = given.configured(profile.website?.country, 'website.country').toUpperCase();
  const [away, farther] = COUNTRIES.filter((country) => country !== home) as [string, string];
  return { home, away, farther };
}

/** Handles that the checkout offered. */
export type OfferedHandles = readonly string[];

export interface Shop extends Places {
  /** From and to home and `away`. */
  readonly listed: string;
  /** The same lists as `listed`. */
  readonly sameLists: string;
  /** No lists. */
  readonly unrestricted: string;
  /** To home and `away` only. */
  readonly toRestricted: string;
  /** From home only, at first. */
  readonly fromRestricted: string;
  /** The offered handles, by the countries of store and destination: `home away`. */
  readonly offers: ReadonlyMap<string, OfferedHandles>;
  /** The handles offered at home by destination: while `fromRestricted` was for other countries, and afterwards. */
  readonly whileAbroad: ReadonlyMap<string, OfferedHandles>;
  readonly backHome: OfferedHandles;
}

/** The methods of a store and what its checkout offers. */
export function shopOf(context: Context): Promise<Shop> {
  return once(context, 'methods by country', async () => {
    const { delivery } = context;
    const { home, away, farther } = placesOf(context);
    const lists = { available_countries_from: [away, home], available_countries_to: [home, away] };
    const listed = await newMethod(context, delivery, lists);
    const sameLists = await newMethod(context, delivery, lists);
    const unrestricted = await newMethod(context, delivery, {});
    const toRestricted = await newMethod(context, delivery, { available_countries_to: [home, away] });
    const fromRestricted = await newMethod(context, delivery, { available_countries_from: [home] });

    const offers = new Map<string, OfferedHandles>();
    for (const to of [home, away, farther])
      offers.set(`${home} ${to}`, await offeredHandles(context, delivery, home, to));
    const elsewhere = await offeredElsewhere(context, delivery, away, home);
    if (elsewhere !== undefined) offers.set(`${away} ${home}`, elsewhere);

    // The store keeps its country, because not every driver can change it; the lists of the method change instead.
    await changeFrom(context, delivery, fromRestricted, [away, farther]);
    const whileAbroad = new Map<string, OfferedHandles>();
    for (const to of [home, away]) whileAbroad.set(to, await offeredHandles(context, delivery, home, to));
    await changeFrom(context, delivery, fromRestricted, [away, home]);
    await enable(context, delivery, fromRestricted);
    const backHome = await offeredHandles(context, delivery, home, home);
    const handles = { listed, sameLists, unrestricted, toRestricted, fromRestricted };
    return { home, away, farther, ...handles, offers, whileAbroad, backHome };
  });
}

/** The browser of the label checks, which is already signed in to the store. */
const buyerPage = (context: Context) => sharedPage(context, 'store admin');

/** A method with these lists only, enabled in the store. */
export async function newMethod(context: Context, delivery: Delivery, lists: Json): Promise<string> {
  const without = { available_countries_from: undefined, available_countries_to: undefined };
  const { handle } = await context.givenForAll.newMethod(delivery, { ...without, ...lists });
  await enable(context, delivery, handle);
  return handle;
}

/** Enables a method in the store, if that requires a step. */
export async function enable(context: Context, delivery: Delivery, handle: string): Promise<void> {
  if (context.resources.driver.enableMethod === undefined) return;
  await context.driver.enableMethod(await buyerPage(context), { apiKey: delivery.key.reveal(), handle });
}

/** Sets the store countries of a method. */
export async function changeFrom(
  context: Context,
  delivery: Delivery,
  handle: string,
  countries: readonly string[],
): Promise<void> {
  const call = delivery.changeMethod(handle, { available_countries_from: countries });
  await context.given.accepted(context.send(call, 'given'), 'delivery.method.update-applies');
}

/** The handles that the checkout offers from one country to another. */
export async function offeredHandles(
  context: Context,
  delivery: Delivery,
  from: string,
  to: string,
): Promise<OfferedHandles> {
  const query = { apiKey: delivery.key.reveal(), storeCountry: from, destinationCountry: to };
  return context.driver.offeredMethods(await buyerPage(context), query);
}

/** The same for another country of the store; undefined if the driver cannot change the store's country. */
async function offeredElsewhere(
  context: Context,
  delivery: Delivery,
  from: string,
  to: string,
): Promise<OfferedHandles | undefined> {
  try {
    return await offeredHandles(context, delivery, from, to);
  } catch (error) {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  }
}
