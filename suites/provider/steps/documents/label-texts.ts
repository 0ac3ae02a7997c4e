/** What can be read on labels: those of orders that are printed at the same time, and of two that follow each other in one browser. */
import type { Fields } from '../../../../contracts/signing/index.ts';
import { once } from '../../../../harness/integrator/once.ts';
import { inContext } from '../../../../harness/integrator/page/visit.ts';
import { until } from '../../../../harness/process/until.ts';
import type { DeliveryContext, LabelRequest } from '../../session.ts';
import { callbacksOf, parameterOf, storeOf, successesOf } from '../callbacks.ts';
import { freshRequest } from '../forged/forgery.ts';
import { givenSuccess, longPaceOf, printed } from '../user-flow.ts';
import { visit } from '../visit/index.ts';
import { signedBy } from '../visit/open-form.ts';
import { fetchLabel } from './document.ts';
import { pdfTextOf } from './pdf-text.ts';

/** A parenthesis that has no other one has to be escaped in a PDF. */
export const COMPANY = 'Evergreen :) Gardening';

/** In another city than the seller. */
const FAR = { shipping_city: 'Ventspils', shipping_zip: 'LV-3601' };

/** Who the orders are for that are printed at the same time. Every font has these letters. */
const BUYERS = [
  { shipping_last_name: 'Aldermoor', shipping_street: 'Orchard Terrace 1', ...FAR },
  { shipping_last_name: 'Birkenshaw', shipping_street: 'Meadow Crescent 2' },
  { shipping_last_name: 'Cranbourne', shipping_street: 'Harbour Gardens 3', shipping_company: COMPANY },
] as const;
/** Printed after those: one has the name of the first of them, the other one its address. What a page keeps may be found by either. */
const NAMESAKES = [
  { ...BUYERS[0], shipping_street: 'Foundry Passage 4', shipping_city: 'Liepāja', shipping_zip: 'LV-3401' },
  { ...BUYERS[0], shipping_last_name: 'Dunmoreton' },
] as const;

/** Delivered to the buyer's own address. */
const ADDRESS = 'address';
/** Delivered to another address than the buyer's own, where the page prints such orders. */
const ELSEWHERE = 'other-buyer-address';
const ELSEWHERE_AT = 1;
/** Bought in another store, where the page prints such orders. */
const OTHER_STORE_AT = 2;

/** A label that can be read, and the order that it is for. */
export interface ReadLabel {
  readonly request: LabelRequest;
  readonly text: string;
  /** All letters of ASCII, in upper case, without what is between them. */
  readonly letters: string;
  readonly digits: string;
  /** The instructions that draw its pages, as they are in the file. */
  readonly contents: readonly string[];
  readonly exchange: number | undefined;
}

/** The letters of a text, as a label has them. */
export const lettersOf = (text: string): string => text.replaceAll(/[^A-Za-z]/g, '').toUpperCase();

/** Each page is left early; all of them are waited for afterwards. */
const SHORT_MS = 1_000;

/** Fresh orders that are printed at the same time: the first ones of a precheck, once. */
export const firstTogether = once(printTogether);

/** Prints fresh orders at the same time, and waits for their reports. */
export async function printTogether(context: DeliveryContext): Promise<readonly LabelRequest[]> {
  const { session } = context;
  const successes = await givenSuccess(context);
  const isElsewherePrinted = successes.some(({ kind }) => kind === ELSEWHERE);
  const isOtherStorePrinted = new Set(successes.map(({ visit }) => storeOf(visit.request))).size > 1;
  const requests: LabelRequest[] = [];
  for (const [at, buyer] of BUYERS.entries()) {
    const isElsewhere = at === ELSEWHERE_AT && isElsewherePrinted;
    const isOfOtherStore = at === OTHER_STORE_AT && isOtherStorePrinted;
    const request = isElsewhere
      ? session.counterpart.labelRequest({ kind: ELSEWHERE })
      : await freshRequest(context, isOfOtherStore ? { isOfOtherStore } : {});
    requests.push(withValues(request, buyer));
  }
  await printAll(context, requests);
  return requests;
}

async function printAll(context: DeliveryContext, requests: readonly LabelRequest[]): Promise<void> {
  const { session } = context;
  const pace = await longPaceOf(context);
  const isQuiet = (): true | undefined =>
    requests.every((request) => callbacksOf(session, request).length > 0) ? true : undefined;
  await Promise.all(requests.map((request) => printed(session, request, { ...pace, callbackMs: SHORT_MS })));
  await until(isQuiet, pace.callbackMs);
}

const withValues = (request: LabelRequest, values: Readonly<Record<string, string>>): LabelRequest => ({
  ...request,
  fields: request.fields.map(([name, value]) => [name, values[name] ?? value]),
});

/** So often in a row each label is fetched: one of several servers, which take turns, may keep the label of another order. */
const TIMES = 3;

/**
 * The labels of the orders that were printed at the same time, each as often as it was fetched, and those of the orders after them that
 * have the name or the address of one of them, as far as they can be read.
 */
export const labelsTogether = once(async (context: DeliveryContext): Promise<readonly ReadLabel[]> => {
  const requests = await firstTogether(context);
  const labels = await readAll(
    context,
    requests.flatMap((request) => Array.from({ length: TIMES }, () => request)),
  );
  if (labels.length === 0) return labels;
  const namesakes: LabelRequest[] = [];
  for (const buyer of NAMESAKES) namesakes.push(withValues(await freshRequest(context), buyer));
  await printAll(context, namesakes);
  return [...labels, ...(await readAll(context, namesakes))];
});

/** A number that occurs nowhere by chance. */
export const EARLIER_PHONE = '+371 25918273';

/** Two orders in one browser, of which only the first has a phone number and a pickup point: the label of the second. */
export async function labelAfterAnother(
  context: DeliveryContext,
): Promise<{ earlier: LabelRequest; label: ReadLabel | undefined }> {
  const { session } = context;
  const pace = await longPaceOf(context);
  const ordinary = session.counterpart.labelRequest({ kind: 'pickup-point' });
  const earlier = withValues(ordinary, { shipping_phone: EARLIER_PHONE });
  const later = session.counterpart.labelRequest({ kind: 'no-phone' });
  await inContext(
    () => session.browserContext(),
    async (browser) => {
      const page = await browser.newPage();
      for (const request of [earlier, later])
        await visit(session, page, request, signedBy(session, request.fields), pace);
    },
  );
  const [label] = await readAll(context, [later]);
  return { earlier, label };
}

/** Two streets for one order, as its admin corrects it between two prints. */
const CORRECTED = ['Vineyard Embankment 6', 'Lighthouse Promenade 7'] as const;

/** A street, and the label of a request that has it; undefined where that can't be read. */
interface StreetLabel {
  readonly street: string;
  readonly label: ReadLabel | undefined;
}

/** The labels of one order that is printed, corrected, and printed again. */
export async function labelsOfCorrected(context: DeliveryContext): Promise<readonly [StreetLabel, StreetLabel]> {
  const [first, second] = CORRECTED;
  // A label for a pickup point may show that instead of a street.
  const isPrinted = (await givenSuccess(context)).some(({ kind }) => kind === ADDRESS);
  const usual = isPrinted ? context.session.counterpart.labelRequest({ kind: ADDRESS }) : await freshRequest(context);
  const earlier = withValues(usual, { shipping_street: first });
  await printAll(context, [earlier]);
  // Before the next print, which may replace the label at the same address.
  const [earlierLabel] = await readAll(context, [earlier]);
  const later = withValues(context.session.counterpart.labelRequestAgain(usual), { shipping_street: second });
  await printAll(context, [later]);
  const [laterLabel] = await readAll(context, [later]);
  return [
    { street: first, label: earlierLabel },
    { street: second, label: laterLabel },
  ];
}

/** A name and a street of usual lengths in some countries, with a word at either end that nothing else on a label has. */
export const LONG_ADDRESS = {
  name: { first: 'Featherstone', last: 'Wolverdale', text: 'Featherstone-Wolverdale' },
  street: {
    first: 'Waterside',
    last: 'Windmill',
    text: 'Waterside Boulevard 128, Northern Courtyard, Windmill House 7',
  },
} as const;

/** The label of an order with a long name and a long street; undefined where it can't be read. */
export async function labelOfLongAddress(context: DeliveryContext): Promise<ReadLabel | undefined> {
  const { name, street } = LONG_ADDRESS;
  const values = { shipping_last_name: name.text, shipping_street: street.text };
  const request = withValues(await freshRequest(context), values);
  await printAll(context, [request]);
  return (await readAll(context, [request]))[0];
}

async function readAll({ session }: DeliveryContext, requests: readonly LabelRequest[]): Promise<ReadLabel[]> {
  const read: ReadLabel[] = [];
  for (const request of requests) {
    const url = parameterOf(successesOf(session, request)[0]?.pairs ?? [], 'label_url') ?? '';
    if (!URL.canParse(url)) continue;
    const document = await fetchLabel(session, url);
    if (!document.isPdf) continue;
    const { text, contents } = pdfTextOf(document.response.bytes);
    const letters = lettersOf(text);
    if (letters === '') continue;
    const digits = text.replaceAll(/\D/g, '');
    read.push({ request, text, letters, digits, contents, exchange: document.response.exchange });
  }
  return read;
}

/** Who an order is for, and where it goes. */
export const addresseeOf = (fields: Fields): readonly [name: string, street: string] => [
  parameterOf(fields, 'shipping_last_name') ?? '',
  parameterOf(fields, 'shipping_street') ?? '',
];

/** Fewer letters may be in a text for another reason. */
const MIN_LETTERS = 5;

/**
 * The letters of a part of an address as labels may have them: without those beyond ASCII, or with plain ones in their place, where a
 * font or a printer has no others.
 */
export const spellingsOf = (part: string): readonly string[] => [
  ...new Set([lettersOf(part), lettersOf(part.normalize('NFKD'))]),
];

/** How often letters have those of a part of an address among them. */
export const timesOn = (letters: string, part: string): number =>
  Math.max(...spellingsOf(part).map((one) => (one.length < MIN_LETTERS ? 0 : letters.split(one).length - 1)));

/** Whether letters have those of a part of an address among them. */
export const hasPart = (letters: string, part: string): boolean => timesOn(letters, part) > 0;
