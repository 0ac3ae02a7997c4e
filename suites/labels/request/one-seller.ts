/**
 * The seller in the requests of several orders: it comes from the settings of the store, which no order changes (spec: Events, Label
 * request).
 */
import { type Check, check } from '../../../harness/check/check.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { LABELS } from '../button.ts';
import { fieldOf, requestsOf } from '../steps/orders.ts';

/** What is set once for a store. A store may have several domain names. */
const SET_FOR_STORE = [
  'seller_name',
  'seller_id',
  'seller_vat',
  'seller_address',
  'seller_country',
  'website_alias',
] as const;

export const checks: readonly Check[] = [
  check(
    'labels.request.one-seller-per-shop',
    'MUST send the same seller for all orders of one store',
    { ...LABELS, clauses: ['labels.request.shop-of-order'] },
    async (context) => {
      // An order with a provider's method may be in another store.
      const [first, ...others] = (await requestsOf(context)).filter(({ order }) => order.kind !== 'public');
      if (first === undefined || others.length === 0)
        throw new Skipped('only one order with a method of the store can be placed');
      if (SET_FOR_STORE.every((field) => (fieldOf(first, field) ?? '') === ''))
        throw new Skipped('a label request has neither a seller nor the alias of the shop');
      for (const request of others) {
        for (const field of SET_FOR_STORE) {
          const [expected, actual] = [fieldOf(first, field) ?? '', fieldOf(request, field) ?? ''];
          context.expect.that(
            actual === expected,
            `must send ${field} as it is set for the store, whatever the order (order: ${request.order.kind})`,
            {
              expected: `${JSON.stringify(expected)}, as for the first order`,
              actual,
              pointer: `field ${field}`,
              exchange: request.received.exchange,
            },
          );
        }
      }
    },
  ),
];
