/** Delivery methods for orders: made once, kept until the process ends, each with a label page of the harness. */
import type { Page } from '@playwright/test';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { sharedPage } from '../../../harness/browser/shared-page.ts';
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import type { MethodUnderTest } from '../../../harness/check/given/index.ts';
import { AS_SHOWN } from '../../../harness/check/sending/call-sender.ts';
import { canDoWithout } from '../../../harness/resources/methods/dispensable.ts';
import { once } from '../../../harness/resources/once.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';
import type { Listener } from '../../../harness/target/listener/index.ts';
import { isLoopbackHost } from '../../../harness/target/profile/index.ts';
import { plainTitle } from '../../delivery/steps/owners/index.ts';
import { readMethod } from '../../delivery/steps/reading.ts';

/**
 * `plain`: values of letters and digits that an update sets, a reference with leading zeros and the label address among them. `lines`: a
 * long reference of two lines, a long title, and a label address that replaces another one. `hard`: values that are hard to encode, a
 * label address with a query of its own, and pickup points. `no-label`: without a label address, which an update removes. `public`: of
 * the delivery provider, without a reference.
 */
export type MethodKind = 'plain' | 'lines' | 'hard' | 'no-label' | 'public';

export interface LabelMethod {
  readonly kind: MethodKind;
  readonly owner: Delivery;
  readonly handle: string;
  /** Name of its label page in the listener. */
  readonly listensAs: string;
  /** Null for a method without one. */
  readonly labelUrl: string | null;
  /** As the interface shows it: label requests are compared with it, in which values that went out for ours stay as they are. */
  readonly read: Json;
  /** Whether it was made with a reference. */
  readonly hasReference: boolean;
}

/**
 * Letters, marks and signs of every kind that forms, addresses and HTML treat in their own way, an entity, a letter in two parts, and a
 * space at the end. No line break, which a form changes: another method has one.
 */
const HARD_TEXT = '& 50% +1 %20 "ž" \'q\' <b>ü</b> &amp;lt; = ? # ; 日 🚚 e\u0301 ';
/** An id that is legal and has to be encoded wherever it goes. */
const HARD_POINT_ID = 'P-1 &+ž%20';
/** An id that is another one if it is taken for a number; undefined in a run whose ids are plain. */
export const numericPointIdIn = (context: Context): string | undefined =>
  pointIdIn(context) === HARD_POINT_ID ? '0071' : undefined;
/** The id of the point that orders are shipped to: a plain one in a run whose ids are plain, or one in the form that the target takes. */
export function pointIdIn({ isPlain, replaced, idForm }: Context): string {
  if (idForm !== undefined) return FORMED_IDS[idForm][1];
  return isPlain && replaced?.has('ids') !== false ? 'P-1' : HARD_POINT_ID;
}
/** Ids of a point and its two neighbours, by the form that a target may ask for. */
const FORMED_IDS = { digits: ['7390', '7391', '7392'], capitals: ['PA0', 'PA1', 'PA2'] } as const;
/** Where the points are; no buyer lives there. */
export const POINT_STREET = 'Pakomāts 7391';
/** Longer than the columns and pieces of text that services cut values to, and short enough for most to take. */
const LONG_TEXT = '0123456789'.repeat(30);

/** The page of the checks of labels and checkout. */
export const adminPage = (context: Context): Promise<Page> => sharedPage(context, 'store admin');

/** The method of that kind; what could not be made has failed for every check that needs it. */
export function methodOf(context: Context, kind: MethodKind): Promise<LabelMethod> {
  return once(context, `method for labels: ${kind}`, () => makeMethod(context, kind));
}

async function makeMethod(context: Context, kind: MethodKind): Promise<LabelMethod> {
  const { givenForAll } = context;
  const owner = kind === 'public' ? context.provider : context.delivery;
  const listener = await context.listener();
  // A service must not change the letters of the address.
  const listensAs = `Label-${kind}`;
  const page = serveLabelPage(listener, listensAs);
  const made = await reachable(context, page, () => firstKept(context, owner, waysTo(context, owner, kind, page)));
  const { handle } = made;
  // Between others: which one a buyer has chosen does not show where there is only one.
  const [before, , after] = context.idForm === undefined ? ['P-0', '', 'P-2'] : FORMED_IDS[context.idForm];
  const ids = [before, pointIdIn(context), numericPointIdIn(context), after].filter((id) => id !== undefined);
  if (kind === 'hard')
    await givenForAll.points(
      owner,
      handle,
      ids.map((id) => pointOf(context, id)),
    );
  await enable(context, owner, handle);
  return { kind, owner, listensAs, ...made };
}

/** A method that was made, in the way that the target took. */
type MadeMethod = Pick<LabelMethod, 'handle' | 'labelUrl' | 'read' | 'hasReference'>;

async function enable(context: Context, owner: Delivery, handle: string): Promise<void> {
  if (context.resources.driver.enableMethod === undefined) return;
  await context.driver.enableMethod(await adminPage(context), { apiKey: owner.key.reveal(), handle });
}

/** A way to get a method: the fields that it is created with, and those that are changed while the store has it. */
interface Way {
  readonly fields: Json;
  readonly change?: Json;
}

/** The ways to a method of a kind. Only the last one is without demands that the contract does not make. */
function waysTo(context: Context, owner: Delivery, kind: MethodKind, page: string): Way[] {
  const { givenForAll, resources } = context;
  const labelUrl = kind === 'no-label' ? null : kind === 'hard' ? `${page}?client=7&from=r%C4%ABga` : page;
  const mark = resources.newMark();
  const hard: Json = { reference: `${mark} ${HARD_TEXT}`, title: givenForAll.text(`Kurjers ${mark} ${HARD_TEXT}`) };
  const fields: Json = {
    print_label_url: labelUrl,
    // An order may go to another country. A provider's method is shown in other stores meanwhile, so it stays in one.
    ...(owner.owner === 'public' ? {} : { available_countries_from: undefined, available_countries_to: undefined }),
    ...(kind === 'hard' ? hard : {}),
  };
  // Digits that are other ones if they are taken for a number; the title carries the mark.
  const renamed: Json = { reference: `007${mark.replaceAll(/\D/g, '')}`, title: givenForAll.text(`Kurjers ${mark}`) };
  const lines: Json = { ...fields, reference: `${mark} A\n2` };
  const long: Json = {
    ...fields,
    reference: `${mark} A\n2 ${LONG_TEXT}`,
    title: givenForAll.text(`Kurjers ${mark} ${LONG_TEXT}`),
  };
  const usual: Way = { fields };
  // A service may require lists of countries: then they name that of the store, and some to which a buyer may have an order sent.
  const { country = 'LV' } = context.profile.website ?? {};
  const countries = [...new Set([country, 'LV', 'LT', 'EE', 'DE'])];
  const listed: Way = { fields: { ...fields, available_countries_from: countries, available_countries_to: countries } };
  switch (kind) {
    case 'plain':
      return [
        { fields: { ...fields, print_label_url: null }, change: { print_label_url: labelUrl, ...renamed } },
        { fields: { ...fields, print_label_url: null }, change: { print_label_url: labelUrl } },
        usual,
        listed,
      ];
    case 'lines':
      return [
        { fields: { ...long, print_label_url: `${page}-before` }, change: { print_label_url: labelUrl } },
        { fields: { ...lines, print_label_url: `${page}-before` }, change: { print_label_url: labelUrl } },
        { fields: lines },
        usual,
        listed,
      ];
    case 'no-label':
      return [
        { fields: { ...fields, print_label_url: page }, change: { print_label_url: labelUrl } },
        usual,
        listed,
        // A service may refuse null.
        ...[usual, listed].map((way) => ({ fields: { ...way.fields, print_label_url: undefined } })),
      ];
    case 'public':
      // Which languages a provider has is not known: a plain text is a title in any.
      return [
        { fields: { ...fields, reference: undefined, title: plainTitle(context) } },
        { fields: { ...fields, title: plainTitle(context) } },
        usual,
      ];
    default:
      return withEasierWays([usual, listed], page);
  }
}

/** Ways, and the same for a service that takes only references which it knows, or only addresses without a query. */
function withEasierWays(ways: readonly Way[], page: string): Way[] {
  const withoutReference = ways.map(({ fields: { reference: _, ...others } }): Way => ({ fields: others }));
  const all = [...ways, ...withoutReference];
  return [...all, ...all.map(({ fields }): Way => ({ fields: { ...fields, print_label_url: page } }))];
}

/** The label address that a method has after a way. */
const addressAfter = ({ fields, change }: Way): string | null =>
  ((change ?? fields).print_label_url as string | undefined) ?? null;

/** The method of the first way that the target takes, and after which it shows the label address; else that of the last way. */
async function firstKept(context: Context, owner: Delivery, ways: readonly Way[]): Promise<MadeMethod> {
  for (const way of ways.slice(0, -1)) {
    let handle: string | undefined;
    try {
      const made = await context.givenForAll.newMethod(owner, way.fields);
      ({ handle } = made);
      if (typeof way.change?.reference === 'string') made.willCarry(way.change.reference);
      const method = await changedBy(context, made, way);
      const { labelUrl, read } = method;
      if (labelUrl === null ? isUnset(read.print_label_url) : read.print_label_url === labelUrl) return method;
    } catch (error) {
      if (!(error instanceof GivenFailure)) throw error;
    }
    // It would take the place of another where the owner can have only few.
    if (handle !== undefined) canDoWithout(context.resources, { handle });
  }
  const last = ways.at(-1)!;
  return changedBy(context, await context.givenForAll.newMethod(owner, last.fields), last);
}

/** The method that was made in a way, after the change of the way. */
async function changedBy(
  context: Context,
  { delivery: owner, handle, fields }: MethodUnderTest,
  way: Way,
): Promise<MadeMethod> {
  const { given } = context;
  const { change } = way;
  if (change !== undefined) {
    await enable(context, owner, handle);
    const response = await context.send(owner.changeMethod(handle, change), 'given');
    await given.accepted(response, 'delivery.method.update-applies');
  }
  // A service may take none of the run's references: then the method was made without one.
  const hasReference = typeof (change?.reference ?? fields.reference) === 'string';
  const read = await readMethod(context, { delivery: owner, handle }, AS_SHOWN);
  return { handle, labelUrl: addressAfter(way), read, hasReference };
}

/** Shows a label page under this name; returns its address. It prints nothing and reports nothing: the checks do that. */
export function serveLabelPage(listener: Listener, name: string): string {
  return listener.serve(name, () => ({
    body: '<!doctype html><title>Label page</title><p>The harness received the request.',
  }));
}

/** A target elsewhere may refuse an address of this machine, which no one could blame it for. */
async function reachable<T>(context: Context, address: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof GivenFailure) || !listensOutOfReach(context, address)) throw error;
    throw new Inconclusive(
      `the target refused a method with the label address ${address}, which only this machine can reach: set "listen.publicUrl" in the profile`,
      'configuration',
    );
  }
}

/** Whether the harness listens where only this machine reaches it, and the target is elsewhere. */
export function listensOutOfReach({ profile }: Context, address: string): boolean {
  const target = profile.v1 === undefined || isLoopbackHost(new URL(profile.v1).hostname);
  return !target && isLoopbackHost(new URL(address).hostname);
}

function pointOf({ profile, given }: Context, id: string): Json {
  return {
    id,
    title: given.text('Pakomāts "Centrs" & Co'),
    address: POINT_STREET,
    city: 'Rīga',
    zip: 'LV-1010',
    country: profile.website?.country ?? 'LV',
  };
}
