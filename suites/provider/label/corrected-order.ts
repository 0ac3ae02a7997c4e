/** An order that is corrected between two prints: the parcel has to go to the new address. */
import { Skipped } from '../../../harness/check/failures.ts';
import { type DeliveryCheck, deliveryCheck } from '../session.ts';
import { hasPart, labelsOfCorrected } from '../steps/documents/label-texts.ts';
import { givenSuccess } from '../steps/user-flow.ts';

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.corrected-address',
    'SHOULD print the address of the second request for an order on its second label',
    { clauses: ['provider.label.corrected-address'], needs: ['browser', 'label-page'] },
    async (context) => {
      await givenSuccess(context);
      const [before, after] = await labelsOfCorrected(context);
      context.restOn([before.label?.exchange, after.label?.exchange]);
      if (before.label === undefined || after.label === undefined)
        throw new Skipped('no two labels of one order can be read');
      if (!hasPart(before.label.letters, before.street)) throw new Skipped('the label does not show the street');
      const { letters } = after.label;
      const isNew = hasPart(letters, after.street);
      if (!isNew && !hasPart(letters, before.street)) throw new Skipped('the second label shows no street');
      context.expect.that(
        isNew,
        'the second label of an order has the address of its first request, which the admin of the store has corrected since: the parcel goes to the old one. Make a new label, or report with error_msg that the first one cannot be changed',
        { expected: after.street, actual: before.street, exchange: after.label.exchange },
      );
    },
  ),
];
