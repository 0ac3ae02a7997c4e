/** Whom a label is for, as far as it can be read: its own order's addressee, at the place where the order is delivered. */
import { Skipped } from '../../../harness/check/failures.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck } from '../session.ts';
import { parameterOf } from '../steps/callbacks.ts';
import {
  addresseeOf,
  COMPANY,
  EARLIER_PHONE,
  hasPart,
  labelAfterAnother,
  labelsTogether,
  type ReadLabel,
  spellingsOf,
  timesOn,
} from '../steps/documents/label-texts.ts';
import { givenSuccess, isOneByOne } from '../steps/user-flow.ts';

const needs = ['browser', 'label-page'];

const isOn = ({ letters }: ReadLabel, part: string): boolean => hasPart(letters, part);

/** The labels of orders that were printed at the same time, given that there are any to read. */
async function givenLabels(context: DeliveryContext): Promise<readonly ReadLabel[]> {
  await givenSuccess(context);
  if (await isOneByOne(context)) throw new Skipped('the page prints one order after another');
  const labels = await labelsTogether(context);
  if (labels.length === 0) throw new Skipped('no label has a text that can be read');
  context.restOn(labels.map(({ exchange }) => exchange));
  return labels;
}

interface Misled {
  readonly own: string;
  readonly other: string | undefined;
  readonly isOwn: boolean;
  readonly exchange: number | undefined;
}

/** Whether a label has a name or a street that its order has nowhere, and not its own one. */
function isInPlaceOfOwn(label: ReadLabel, part: string, own: string | undefined): boolean {
  if (!isOn(label, part) || isOn(label, own ?? '')) return false;
  return !label.request.fields.some(([, value]) => spellingsOf(value).some((letters) => hasPart(letters, part)));
}

/** What each label has of the addressee of another order. A label may have been kept from any order before. */
function othersOn({ session }: DeliveryContext, labels: readonly ReadLabel[]): Misled[] {
  const buyers = [...labels.map(({ request }) => request), ...session.counterpart.issued].map(({ fields }) =>
    addresseeOf(fields),
  );
  return labels.map((label) => {
    const own = addresseeOf(label.request.fields);
    const misled = buyers.find((buyer) => buyer.some((part, at) => isInPlaceOfOwn(label, part, own[at])));
    // A page may keep only the name or only the street, and a label may show only one of them.
    if (misled !== undefined)
      return { own: own.join(', '), other: misled.join(', '), isOwn: false, exchange: label.exchange };
    const other = buyers.find(
      (buyer) => buyer.some((part, at) => part !== own[at]) && buyer.every((part) => isOn(label, part)),
    );
    // A label may leave a part of its own address out, and not the name of its buyer, or the street, for that of another.
    const isOwn = own.some(
      (part, at) => part !== other?.[at] && spellingsOf(part).some((one) => label.letters.includes(one)),
    );
    return { own: own.join(', '), other: other?.join(', '), isOwn, exchange: label.exchange };
  });
}

/** A city or a postal code that a label has of another order, and not its own one. */
function placeOfOther(label: ReadLabel, labels: readonly ReadLabel[]): { own: string; other: string } | undefined {
  const fieldIn = ({ request: { fields } }: ReadLabel, name: string): string => parameterOf(fields, name) ?? '';
  const values = label.request.fields.map(([, value]) => value);
  const hasZip = (zip: string): boolean => label.text.includes(zip);
  for (const another of labels) {
    const [city, ownCity] = [another, label].map((one) => fieldIn(one, 'shipping_city')) as [string, string];
    if (isInPlaceOfOwn(label, city, ownCity)) return { own: ownCity, other: city };
    const [zip, ownZip] = [another, label].map((one) => fieldIn(one, 'shipping_zip')) as [string, string];
    const isOther = zip.length >= MIN_ZIP_CHARACTERS && !values.some((value) => value.includes(zip));
    if (isOther && hasZip(zip) && !hasZip(ownZip)) return { own: ownZip, other: zip };
  }
  return undefined;
}

/** Fewer may be in a text for another reason. */
const MIN_ZIP_CHARACTERS = 6;

/**
 * Whether a label has the seller's address where that of the delivery belongs: once more than for the sender, and beside the name of the
 * buyer. A label may leave out a part of the address that it is for, not all of it.
 */
function isToSeller({ letters, digits, request: { fields } }: ReadLabel): boolean {
  const field = (name: string): string => parameterOf(fields, name) ?? '';
  const isShown = (part: string): boolean => hasPart(letters, part);
  const [name, street] = addresseeOf(fields);
  const seller = field('seller_address').split(',', 1)[0] ?? '';
  const asSender = isShown(field('seller_name')) ? 1 : 0;
  const isDelivered = [street, field('shipping_city')].some(isShown);
  const zip = field('shipping_zip').replaceAll(/\D/g, '');
  return (
    isShown(name) &&
    isShown(seller) &&
    timesOn(letters, seller) > asSender &&
    !isDelivered &&
    zip !== '' &&
    !digits.includes(zip)
  );
}

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.own-order',
    'MUST NOT print the address of another order on a label',
    { clauses: ['provider.label.own-order'], needs },
    async (context) => {
      const labels = await givenLabels(context);
      const wrong = othersOn(context, labels).find(({ other, isOwn }) => other !== undefined && !isOwn);
      context.expect.that(
        wrong === undefined,
        `the label for an order of ${wrong?.own} has the name or the street of another order in place of its own: ${wrong?.other}`,
        { expected: wrong?.own, actual: wrong?.other, exchange: wrong?.exchange },
      );
      for (const label of labels) {
        const place = placeOfOther(label, labels);
        context.expect.that(
          place === undefined,
          `the label for an order to ${place?.own} has ${place?.other} in its place, from another order`,
          { expected: place?.own, actual: place?.other, exchange: label.exchange },
        );
      }
    },
  ),
  deliveryCheck(
    'provider.label.only-own-order',
    'SHOULD NOT print anything of another order on a label, beside its own',
    { clauses: ['provider.label.only-own-order'], needs },
    async (context) => {
      const labels = await givenLabels(context);
      const mixed = othersOn(context, labels).find(({ other, isOwn }) => other !== undefined && isOwn);
      context.expect.that(
        mixed === undefined,
        `the label for an order of ${mixed?.own} also has the name and address of another order on it, which the store of this order must not see: ${mixed?.other}`,
        { expected: mixed?.own, actual: mixed?.other, exchange: mixed?.exchange },
      );
      const { earlier, label } = await labelAfterAnother(context);
      if (label === undefined) return;
      context.restOn([label.exchange]);
      const left = leftFrom(parameterOf(earlier.fields, 'shipping_pickup_point_id') ?? '', label, labels);
      context.expect.that(
        left === undefined,
        `the label for an order without ${left} has that of the order that was printed before in the same browser. Forget an order when the next one comes`,
        { expected: `no ${left}`, exchange: label.exchange },
      );
    },
  ),
  deliveryCheck(
    'provider.label.delivery-address',
    "SHOULD NOT print the buyer's own address, or the seller's, in place of the delivery address",
    { clauses: ['provider.label.delivery-address'], needs },
    async (context) => {
      const labels = await givenLabels(context);
      const toSeller = labels.find(isToSeller);
      context.expect.that(
        toSeller === undefined,
        "the label has the seller's address, and nothing of the address that the order is delivered to: the parcel returns to its sender",
        {
          expected: toSeller && parameterOf(toSeller.request.fields, 'shipping_street'),
          actual: toSeller && parameterOf(toSeller.request.fields, 'seller_address'),
          exchange: toSeller?.exchange,
        },
      );
      const streetOf = ({ request }: ReadLabel, whose: string): string =>
        parameterOf(request.fields, `${whose}_street`) ?? '';
      const elsewhere = labels.filter((label) => streetOf(label, 'buyer') !== '');
      const wrong = elsewhere.find(
        (label) =>
          // With the name of another order, it has the address of that one.
          isOn(label, addresseeOf(label.request.fields)[0]) &&
          isOn(label, streetOf(label, 'buyer')) &&
          !isOn(label, streetOf(label, 'shipping')),
      );
      context.expect.that(
        wrong === undefined,
        "the label has the buyer's own address, which is not where the order is delivered: buyer_street and its like come beside the delivery address, for invoices",
        {
          expected: wrong && streetOf(wrong, 'shipping'),
          actual: wrong && streetOf(wrong, 'buyer'),
          exchange: wrong?.exchange,
        },
      );
    },
  ),
  deliveryCheck(
    'provider.label.escaped-texts',
    'SHOULD escape the parentheses of what it writes into a PDF',
    { clauses: ['provider.label.well-formed'], needs },
    async (context) => {
      const labels = await givenLabels(context);
      const wrong = labels.find(({ contents }) => contents.some((one) => one.includes(COMPANY)));
      context.expect.that(
        wrong === undefined,
        `the label for a company named “${COMPANY}” has the name in its file as it is: a text ends at a parenthesis that is not escaped, so that the label is damaged from there on`,
        { expected: COMPANY.replaceAll(')', String.raw`\)`), actual: COMPANY, exchange: wrong?.exchange },
      );
    },
  ),
];

/** What a label has of an order before its own, in words. Labels of other browsers show what is on all of them. */
function leftFrom(point: string, label: ReadLabel, others: readonly ReadLabel[]): string | undefined {
  if (label.digits.includes(EARLIER_PHONE.replaceAll(/\D/g, '').slice(-8))) return 'a phone number';
  const hasPoint = ({ contents }: ReadLabel): boolean => point !== '' && contents.some((one) => one.includes(point));
  return hasPoint(label) && !others.some(hasPoint) ? 'a pickup point' : undefined;
}
