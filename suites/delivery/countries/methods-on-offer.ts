/** A few methods with different country lists, and which of them the checkout offers: read once for all checks. */

import { isUnset } from '../../../contracts/fields/unset.ts';
import { sharedPage } from '../../../harness/browser/shared-page.ts';
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { canDoWithout } from '../../../harness/resources/methods/dispensable.ts';
import { once } from '../../../harness/resources/once.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { plainTitle } from '../steps/owners/index.ts';
import { readMethod } from '../steps/reading.ts';

/** Candidates: at least two of them are not the store's own country. */
const COUNTRIES = ['LT', 'EE', 'DE'];
/** Countries that fill a list, so that the one that matters is not among its first. */
const FILLERS = ['PL', 'FI', 'SE', 'NO', 'DK', 'FR', 'ES', 'IT', 'NL', 'BE', 'AT'];

export interface Places {
  /** Where the store is located. */
  readonly home: string;
  /** Two other countries. */
  readonly away: string;
  readonly farther: string;
}

/** The country of the store and two others. Needs `website.country`. */
export function placesOf({ given, profile }: Context): Places {
  const home = given.configured(profile.website?.country, 'website.country').toUpperCase();
  const [away, farther] = COUNTRIES.filter((country) => country !== home) as [string, string];
  return { home, away, farther };
}

/** Handles that the checkout offered. */
export type OfferedHandles = readonly string[];

export interface Shop extends Places {
  /** From home and the two others, to home and `away`; from and to home alone, where the target takes no list of several. */
  readonly listed: string;
  /** Where `listed` and `toRestricted` are sent to, home first. */
  readonly destinations: readonly string[];
  /** The same lists as `listed`. */
  readonly sameLists: string;
  /** No lists; undefined where the target requires them. */
  readonly unrestricted: string | undefined;
  /** To `destinations` only. */
  readonly toRestricted: string;
  /** From home only, at first. */
  readonly fromRestricted: string;
  /** From home to `away` at first, then for stores of other countries; undefined if it can't be enabled. */
  readonly across: string | undefined;
  /** To `away` and fillers at first, then to home and fillers; undefined if it can't be enabled. */
  readonly moved: string | undefined;
  /** The offered handles, by the countries of store and destination: `home away`. */
  readonly offers: ReadonlyMap<string, OfferedHandles>;
  /** Without its lists, neither of which allowed the last checkout; undefined if the target does not remove them. */
  readonly cleared: string | undefined;
  /** Deleted after it was offered. */
  readonly deleted: string;
  /** For stores of other countries while `afterChange` was read: `fromRestricted`, or a new one where lists can't be changed. */
  readonly notFromHome: string | undefined;
  /** Whether `moved` was to home and fillers while `afterChange` was read. */
  readonly hasMoved: boolean;
  /** The handles offered at home by destination: after lists were changed, and after `fromRestricted` was for home again. */
  readonly afterChange: ReadonlyMap<string, OfferedHandles>;
  readonly backHome: OfferedHandles;
  /** The handles offered from home to `farther` at the end, after `fromRestricted` and `toRestricted` got other titles. */
  readonly atLast: OfferedHandles;
  /** What the checkout offers when two methods that it offers have one title. */
  readonly equalTitles: EqualTitles;
}

/** Two methods with one title at checkout. */
export interface EqualTitles {
  readonly handles: readonly [string, string];
  /** Those that are offered only as long as their titles differ. */
  readonly hidden: readonly string[];
}

/** The methods of a store and what its checkout offers. */
export function shopOf(context: Context): Promise<Shop> {
  return once(context, 'methods by country', async () => {
    const made: string[] = [];
    let needed: string | undefined;
    try {
      const shop = await readShop(context, made);
      needed = shop.listed;
      return shop;
    } finally {
      // A store may take only so many methods, and the checks of labels need some. What was offered is read.
      for (const handle of made) if (handle !== needed) canDoWithout(context.resources, { handle });
    }
  });
}

/** The methods, how more of them are made, and the store countries that an update gives one of them. */
interface Methods
  extends Pick<Shop, 'listed' | 'destinations' | 'sameLists' | 'toRestricted' | 'fromRestricted'>,
    Pick<Shop, 'unrestricted' | 'across' | 'moved'> {
  readonly make: MakeMethod;
  /** Without the store's own country. */
  readonly elsewhere: readonly string[];
  /** With it. */
  readonly homeAgain: readonly string[];
}

/** `create` makes a method with these lists only. Where a list of several countries is refused, lists have one. */
async function makeMethods({ home, away, farther }: Places, create: MakeMethod): Promise<Methods> {
  // The store's country is neither the first nor the last of its list.
  const several = { available_countries_from: [away, home, farther], available_countries_to: [home, away] };
  const alone = { available_countries_from: [home], available_countries_to: [home] };
  const withSeveral = await ifOpen(create(several));
  const takesSeveral = withSeveral !== undefined;
  const lists = takesSeveral ? several : alone;
  const listed = withSeveral ?? (await create(alone));
  const destinations = lists.available_countries_to;
  // A service may require both lists: then the one that does not matter names all countries that it may.
  const everywhere = takesSeveral ? [home, away, farther] : [home];
  const whole = { available_countries_from: everywhere, available_countries_to: everywhere };
  const make: MakeMethod = async (some) =>
    Object.keys(some).length === 1 ? ((await ifOpen(create(some))) ?? create({ ...whole, ...some })) : create(some);
  const sameLists = await make(lists);
  const unrestricted = await ifOpen(create({}));
  const toRestricted = await make({ available_countries_to: destinations });
  const fromRestricted = await make({ available_countries_from: [home] });
  // Last: a store may take only so many methods.
  const across = await ifOpen(make({ available_countries_from: [home], available_countries_to: [away] }));
  const moved = await ifOpen(newMethodTo(make, away));
  const handles = { listed, sameLists, unrestricted, toRestricted, fromRestricted, across, moved };
  const [elsewhere, homeAgain] = takesSeveral
    ? [
        [away, farther],
        [away, home],
      ]
    : [[away], [home]];
  return { ...handles, destinations, make, elsewhere, homeAgain };
}

/** Makes the methods and reads the checkout; `made` takes the handle of each method, also if a later one is refused. */
async function readShop(context: Context, made: string[]): Promise<Shop> {
  const { delivery } = context;
  const places = placesOf(context);
  const { home, away, farther } = places;
  const create: MakeMethod = async (lists) => {
    const handle = await newMethod(context, delivery, lists);
    made.push(handle);
    return handle;
  };
  const { make, elsewhere, homeAgain, ...methods } = await makeMethods(places, create);
  const { sameLists, unrestricted, toRestricted, fromRestricted, across, moved } = methods;

  const offers = new Map<string, OfferedHandles>();
  for (const to of [home, away, farther])
    offers.set(`${home} ${to}`, await offeredHandles(context, delivery, home, to));
  const abroad = await offeredElsewhere(context, delivery, away, home);
  if (abroad !== undefined) offers.set(`${away} ${home}`, abroad);

  // The store keeps its country, because not every driver can change it; the lists of the methods change instead.
  const isChanged = await isTaken(changeFrom(context, delivery, fromRestricted, elsewhere));
  const notFromHome = isChanged ? fromRestricted : await ifOpen(make({ available_countries_from: elsewhere }));
  // Only a store outside of a list shows that its removal counts.
  if (across !== undefined) await ifOpen(changeFrom(context, delivery, across, elsewhere));
  const hasMoved = moved !== undefined && (await isTaken(changeTo(context, delivery, moved, home)));
  const afterChange = new Map<string, OfferedHandles>();
  for (const to of [home, away]) afterChange.set(to, await offeredHandles(context, delivery, home, to));
  if (hasMoved && afterChange.get(home)?.includes(moved) === false) {
    // A store may disable a method whose countries change.
    await ifOpen(enable(context, delivery, moved));
    afterChange.set(home, await offeredHandles(context, delivery, home, home));
  }
  if (isChanged) await changeFrom(context, delivery, fromRestricted, homeAgain);
  // An update of something else changes none of the lists.
  for (const handle of [fromRestricted, toRestricted]) await rename(context, delivery, handle);
  await enable(context, delivery, fromRestricted);
  const cleared = across === undefined ? undefined : await withoutLists(context, across);
  const deleted = sameLists;
  await context.given.promised(context.send(delivery.deleteMethod(deleted), 'given'), 'delivery.method.delete-removes');
  const backHome = await offeredHandles(context, delivery, home, home);
  const atLast = await offeredHandles(context, delivery, home, farther);
  const equalTitles = await withEqualTitles(context, [unrestricted ?? fromRestricted, toRestricted], home);
  const ended = { notFromHome, hasMoved, cleared, deleted, backHome, atLast, equalTitles };
  return { ...places, ...methods, offers, afterChange, ...ended };
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

const withFillers = (country: string): string[] => [...FILLERS.filter((code) => code !== country), country];

/** Makes a method with these lists only; returns its handle. */
type MakeMethod = (lists: Json) => Promise<string>;

/** A method with a country at the end of its destinations; with it alone, where the target refuses the long list. */
async function newMethodTo(make: MakeMethod, country: string): Promise<string> {
  try {
    return await make({ available_countries_to: withFillers(country) });
  } catch (error) {
    if (!(error instanceof GivenFailure)) throw error;
    return make({ available_countries_to: [country] });
  }
}

/** What comes of a step that the driver may be unable to do, or the target may refuse; then undefined. */
export async function ifOpen<T>(step: Promise<T>): Promise<T | undefined> {
  try {
    return await step;
  } catch (error) {
    const isRefused = error instanceof GivenFailure && error.shows === 'refusal';
    if (isRefused || error instanceof Inconclusive) return undefined;
    throw error;
  }
}

/** Sets the destinations of a method to a country after fillers; to it alone, where the target refuses the long list. */
async function changeTo(context: Context, delivery: Delivery, handle: string, country: string): Promise<void> {
  const change = (countries: readonly string[]) =>
    context.send(delivery.changeMethod(handle, { available_countries_to: countries }), 'given');
  const response = await change(withFillers(country));
  await context.given.accepted(isServed(response) ? response : change([country]), 'delivery.method.update-applies');
}

/** Removes both lists of a method; undefined if it has them still, which no clause forbids. */
async function withoutLists(context: Context, handle: string): Promise<string | undefined> {
  const { delivery, send } = context;
  const lists = { available_countries_from: null, available_countries_to: null };
  if (!isServed(await send(delivery.changeMethod(handle, lists), 'given'))) return undefined;
  const { available_countries_from: from, available_countries_to: to } = await readMethod(context, {
    delivery,
    handle,
  });
  if (!isUnset(from) || !isUnset(to)) return undefined;
  await ifOpen(enable(context, delivery, handle));
  return handle;
}

/** Whether the target takes a change, which it may refuse. */
export const isTaken = async (change: Promise<void>): Promise<boolean> =>
  (await ifOpen(change.then(() => true as const))) === true;

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

/** Gives a method a new title; false if the target refuses that. */
async function rename(
  context: Context,
  delivery: Delivery,
  handle: string,
  title = context.given.text(plainTitle(context)),
): Promise<boolean> {
  return isServed(await context.send(delivery.changeMethod(handle, { title }), 'given'));
}

/** Gives two methods one title, looks at the checkout, and finds out whether the title is the reason for what it lacks. */
async function withEqualTitles(context: Context, handles: [string, string], to: string): Promise<EqualTitles> {
  const { delivery } = context;
  const none = { handles, hidden: [] };
  const title = context.given.text(plainTitle(context));
  for (const handle of handles) if (!(await rename(context, delivery, handle, title))) return none;
  // A driver may find a method by its title, and then it finds none, or one of them twice.
  const look = () => ifOpen(offeredHandles(context, delivery, to, to));
  const offered = await look();
  const missing = handles.filter((handle) => offered?.includes(handle) === false);
  if (offered === undefined || missing.length === 0 || new Set(offered).size < offered.length) return none;
  // A store may disable a method whose title changes.
  for (const handle of missing) await ifOpen(enable(context, delivery, handle));
  const again = await look();
  const [, second] = handles;
  if (!(await rename(context, delivery, second))) return none;
  const apart = await look();
  const hidden = missing.filter((handle) => again?.includes(handle) === false && apart?.includes(handle));
  return { handles, hidden };
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
  return ifOpen(offeredHandles(context, delivery, from, to));
}
