/** Several store admins who print at the same moment, on a page that prints at once: none may get the report of another. */
import { Skipped } from '../../../harness/check/failures.ts';
import { once } from '../../../harness/integrator/once.ts';
import { until } from '../../../harness/process/until.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck, type LabelRequest } from '../session.ts';
import { type Callback, callbacksOf, parameterOf, successesOf } from '../steps/callbacks.ts';
import { fetchLabel } from '../steps/document.ts';
import { freshRequest } from '../steps/forged.ts';
import { pdfLettersOf } from '../steps/pdf-text.ts';
import { givenResponse, givenSuccess, isOneByOne, longPaceOf, printed } from '../steps/user-flow.ts';

/** What is mixed up depends on the moment: so often it is tried, and so often it has to be seen. */
const ROUNDS = 3;
const MIN_SEEN = 2;

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.simultaneous',
    'MUST report each of several orders that are printed at the same time',
    { clauses: ['provider.callback.same-id'], needs: ['browser', 'label-page'] },
    async (context) => {
      await givenSuccess(context);
      const { session, expect } = context;
      const { visit } = await givenResponse(context);
      const usual = callbacksOf(session, visit.request).length;
      if (await isOneByOne(context)) throw new Skipped('the page prints one order after another');
      const seen: Callback[] = [];
      for (let round = 0; round < ROUNDS && seen.length < MIN_SEEN; round += 1) {
        const requests = round === 0 ? await firstTogether(context) : await printTogether(context);
        const counts = requests.map((request) => callbacksOf(session, request));
        // A page that is busy may leave an order out; one that reports another instead has taken it for that.
        const instead = counts.find((callbacks) => callbacks.length > usual);
        if (instead !== undefined && counts.some((callbacks) => callbacks.length === 0)) seen.push(instead.at(-1)!);
      }
      context.restOn(seen.map(({ received }) => received.exchange));
      expect.that(
        seen.length < MIN_SEEN,
        'of orders that are printed at the same time the page reports one repeatedly and another one not at all',
        { expected: 'a callback for each order', exchange: seen[0]?.received.exchange },
      );
    },
  ),
  deliveryCheck(
    'provider.label.own-order',
    'MUST NOT print the address of another order on a label',
    { clauses: ['provider.label.own-order'], needs: ['browser', 'label-page'] },
    async (context) => {
      await givenSuccess(context);
      if (await isOneByOne(context)) throw new Skipped('the page prints one order after another');
      const labels = await readLabels(context);
      if (labels.length === 0) throw new Skipped('no label has a text that can be read');
      context.restOn(labels.map(({ exchange }) => exchange));
      const wrong = labels.find(({ other }) => other !== undefined);
      context.expect.that(
        wrong === undefined,
        `the label for an order of ${wrong?.own} has the name and address of another order on it: ${wrong?.other}`,
        { expected: wrong?.own, actual: wrong?.other, exchange: wrong?.exchange },
      );
    },
  ),
];

/** Who the orders are for that are printed at the same time. Every font has these letters. */
const BUYERS = [
  { shipping_last_name: 'Aldermoor', shipping_street: 'Orchard Terrace 1' },
  { shipping_last_name: 'Birkenshaw', shipping_street: 'Meadow Crescent 2' },
  { shipping_last_name: 'Cranbourne', shipping_street: 'Harbour Gardens 3' },
] as const;

const lettersOf = (text: string): string => text.replaceAll(/[^A-Za-z]/g, '').toUpperCase();

/** Whom a label names that can be read: `other` where it names another buyer, and not its own. */
interface ReadLabel {
  readonly own: string;
  readonly other: string | undefined;
  readonly exchange: number | undefined;
}

async function readLabels(context: DeliveryContext): Promise<ReadLabel[]> {
  const { session } = context;
  const requests = await firstTogether(context);
  const buyerOf = (fields: LabelRequest['fields']): [string, string] => [
    parameterOf(fields, 'shipping_last_name') ?? '',
    parameterOf(fields, 'shipping_street') ?? '',
  ];
  // A label may have been kept from any order before.
  const buyers = [...requests, ...session.counterpart.issued].map(({ fields }) => buyerOf(fields));
  const read: ReadLabel[] = [];
  for (const request of requests) {
    const url = parameterOf(successesOf(session, request)[0]?.pairs ?? [], 'label_url') ?? '';
    if (!URL.canParse(url)) continue;
    const document = await fetchLabel(session, url);
    const letters = document.isPdf ? pdfLettersOf(document.response.bytes) : '';
    if (letters === '') continue;
    const isOn = (buyer: readonly string[]): boolean =>
      buyer.every((part) => lettersOf(part).length >= MIN_LETTERS && letters.includes(lettersOf(part)));
    const own = buyerOf(request.fields);
    // A label may leave a part of its own address out, and not the name of its buyer for that of another.
    const isOwn = own.some((part) => letters.includes(lettersOf(part)));
    const other = isOwn ? undefined : buyers.find(isOn);
    read.push({ own: own.join(', '), other: other?.join(', '), exchange: document.response?.exchange });
  }
  return read;
}

/** Fewer letters may be on a label for another reason. */
const MIN_LETTERS = 5;

const firstTogether = once(printTogether);

/** Prints fresh orders at the same time, and waits for their reports. */
async function printTogether(context: DeliveryContext): Promise<readonly LabelRequest[]> {
  const { session } = context;
  const pace = await longPaceOf(context);
  const requests: LabelRequest[] = [];
  for (const buyer of BUYERS) {
    const request = await freshRequest(context);
    const values: Readonly<Record<string, string>> = buyer;
    requests.push({ ...request, fields: request.fields.map(([name, value]) => [name, values[name] ?? value]) });
  }
  const isQuiet = (): true | undefined =>
    requests.every((request) => callbacksOf(session, request).length > 0) ? true : undefined;
  await Promise.all(requests.map((request) => printed(session, request, { ...pace, callbackMs: SHORT_MS })));
  await until(isQuiet, pace.callbackMs);
  return requests;
}

/** Each page is left early; all of them are waited for afterwards. */
const SHORT_MS = 1_000;
