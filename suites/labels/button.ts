/** The Print Label button and the request that it sends (spec: Events, Label request). */
import { type Check, check } from '../../harness/check/check.ts';
import type { CheckOptions } from '../../harness/check/facts.ts';
import { forEachKind, orderOf } from './steps/orders.ts';

/** What every check of labels needs: a store that the driver can order in, and methods of the run's own. */
export const LABELS: Pick<CheckOptions, 'needs' | 'effects' | 'part'> & Required<Pick<CheckOptions, 'exactValues'>> = {
  needs: ['delivery.private.apiKey', 'browser', 'driver.openOrder', 'driver.pressPrintLabel'],
  effects: ['write', 'drive'],
  part: 'labels',
  // Only the harness's own label page can see a label request, and the driver is asked for the point by its id.
  exactValues: ['label-page', 'id'],
};

/** The same for a delivery provider's methods. */
export const COMPANY_LABELS: typeof LABELS = {
  needs: [...LABELS.needs.filter((need) => need !== 'delivery.private.apiKey'), 'delivery.public.apiKey'],
  effects: LABELS.effects,
  part: ['labels', 'delivery.public'],
  exactValues: LABELS.exactValues,
};

export const checks: readonly Check[] = [
  check(
    'labels.button.shown-with-url',
    'MUST show Print Label on an order whose delivery method has a label address',
    {
      ...LABELS,
      needs: ['delivery.private.apiKey', 'browser', 'driver.openOrder', 'driver.hasPrintLabel'],
      clauses: ['labels.button.shown-with-url'],
    },
    async (context) => {
      for (const { kind, hasButton, method } of await forEachKind(context, (wanted) => orderOf(context, wanted))) {
        context.expect.that(hasButton, `must show Print Label on the order with a label address (${kind})`, {
          expected: `the button, since print_label_url is ${method.labelUrl}`,
          actual: 'no button',
        });
      }
    },
  ),

  check(
    'labels.button.hidden-without-url',
    'MUST NOT show Print Label on an order whose delivery method has no label address',
    {
      ...LABELS,
      needs: ['delivery.private.apiKey', 'browser', 'driver.openOrder', 'driver.hasPrintLabel'],
      clauses: ['labels.button.hidden-without-url'],
    },
    async (context) => {
      const without = await orderOf(context, 'no-label');
      context.expect.that(!without.hasButton, 'must not show Print Label on the order without a label address', {
        expected: 'no button, since print_label_url is null',
        actual: 'the button',
      });
      // A driver that never sees the button would pass everything.
      const withUrl = await orderOf(context, 'own-address');
      context.given.holds(
        withUrl.hasButton,
        'labels.button.shown-with-url',
        'the order with a label address does not show the button either',
      );
    },
  ),
];
