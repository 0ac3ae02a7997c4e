/**
 * Values of label requests that only a driver knows: what the buyer entered, what the order amounts to, and which shop it is of
 * (spec: Events, Label request). A parcel goes where these fields say, and comes back to the seller.
 */
import { LABEL_FORMS } from '../../../contracts/fields/catalogue/label-request.ts';
import {
  hasKnownValue,
  KNOWN_LABEL_FIELDS,
  type KnownLabelField,
  type KnownValueClause,
} from '../../../contracts/fields/label-values.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { isPersonalField, MASK } from '../../../harness/evidence/redaction/index.ts';
import { LABELS } from '../button.ts';
import { buyerOf } from '../steps/buyer.ts';
import { fieldOf, type LabelRequest, requestsOf } from '../steps/orders.ts';

const TITLES: Readonly<Record<KnownValueClause, CheckTitle>> = {
  'labels.request.buyer-data-as-entered': "MUST send the buyer's names, company and e-mail as entered",
  'labels.request.address-as-entered': 'MUST send the addresses of an order as entered',
  'labels.request.phone-if-entered': 'MUST send the phone number that the buyer entered',
  'labels.request.shop-of-order': 'MUST send the seller, alias and domain name of the shop of the order',
  'labels.request.totals-of-order': 'MUST send the amount, currency and weight of the order',
};

/** Whether a field stays out of the reports: names of people and their addresses. */
const isMasked = ({ resources }: Context, field: string): boolean =>
  isPersonalField(field) && !resources.run.showPersonalData;

/** What a driver knows; what Proofmark has proposed to it is of no person. */
function knownText(context: Context, field: string, known: string): string {
  if (known === '') return 'no value';
  const isOurs = [false, true].some((isOther) => Object.values(buyerOf(context, isOther)).includes(known));
  return isOurs || !isMasked(context, field) ? known : `${MASK}, ${[...known].length} characters`;
}

/** What was sent; where it is masked, from where on it differs says what happened to it. */
function sentText(context: Context, field: string, known: string, sent: string | undefined): string {
  if (sent === undefined) return 'no such field';
  if (!isMasked(context, field)) return sent;
  const [expected, actual] = [[...known], [...sent]];
  const same = actual.findIndex((character, at) => character !== expected[at]);
  return `${MASK}, ${actual.length} characters, of which the first ${same === -1 ? actual.length : same} are the same`;
}

function expectKnown(context: Context, request: LabelRequest, field: KnownLabelField, known: string): void {
  const sent = fieldOf(request, field);
  const { exchange } = request.received;
  // A value in another form says nothing of the order: it has a check of its own.
  const formed = Object.entries(LABEL_FORMS).find(([, form]) => form.field === field);
  if (formed !== undefined) {
    const [clause, { holds }] = formed;
    context.given.holds(holds(sent), clause, `a label request had no ${field} to compare`, { exchange });
  }
  context.expect.that(
    hasKnownValue(field, known, sent),
    `must send ${field} as the driver knows it (order: ${request.order.kind})`,
    {
      expected: knownText(context, field, known),
      actual: sentText(context, field, known, sent),
      pointer: `field ${field}`,
      exchange,
    },
  );
}

export const checks: readonly Check[] = Object.entries(KNOWN_LABEL_FIELDS).map(([id, fields]) =>
  check(id, TITLES[id as KnownValueClause], { ...LABELS, clauses: [id] }, async (context) => {
    let compared = 0;
    for (const request of await requestsOf(context)) {
      for (const field of fields) {
        const known = request.order.labelFields[field];
        if (known === undefined) continue;
        compared += 1;
        expectKnown(context, request, field, known);
      }
    }
    if (compared > 0) return;
    throw new Skipped(
      `the driver's openOrder() returns no labelFields to compare with: let it enter what \`buyer\` proposes, and return { orderUuid, labelFields: { ${fields[0]}: "…" } }`,
    );
  }),
);
