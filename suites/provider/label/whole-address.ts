/** Names and streets that are longer than usual: what a label cuts off, a courier does not know (spec: Events, Label request). */
import { Skipped } from '../../../harness/check/failures.ts';
import { type DeliveryCheck, deliveryCheck } from '../session.ts';
import { hasPart, LONG_ADDRESS, labelOfLongAddress } from '../steps/documents/label-texts.ts';
import { givenSuccess } from '../steps/user-flow.ts';

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.whole-address',
    'SHOULD print long names and streets whole, or report that they are too long',
    { clauses: ['provider.label.whole-address'], needs: ['browser', 'label-page'] },
    async (context) => {
      await givenSuccess(context);
      const label = await labelOfLongAddress(context);
      if (label === undefined) throw new Skipped('no label of an order with a long address can be read');
      context.restOn([label.exchange]);
      // A label for a pickup point may show neither, and one may write them in letters that can't be read.
      const shown = Object.entries(LONG_ADDRESS).filter(([, { first }]) => hasPart(label.letters, first));
      if (shown.length === 0) throw new Skipped('the label shows neither the name nor the street');
      for (const [what, { last, text }] of shown) {
        context.expect.that(
          hasPart(label.letters, last),
          `the label has only the beginning of the ${what}, so that the courier may not find the buyer. Break the line, or report with error_msg that it is too long`,
          { expected: text, actual: `the ${what} without “${last}”`, exchange: label.exchange },
        );
      }
    },
  ),
];
