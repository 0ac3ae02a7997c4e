/** Correct label pages that refuse in other ways than `correct.ts`. */
import { examplesOver } from '../../support/example.ts';
import { page, redirect } from '../../support/http.ts';
import LabelPage from '../correct.ts';

export default examplesOver(LabelPage, {
  'label.variant.refuses-with-200': {
    about: 'Requests that are not authentic get a page with status 200.',
    change: () => ({ refused: () => page('Example Parcels', '<p>Please print labels from your store.</p>') }),
  },
  'label.variant.refuses-by-way-back': {
    about: 'Requests that are not authentic lead back to the address in callback_url, without any parameter.',
    change: (correct) => ({
      printLabel: async (fields) => {
        const back = Object.fromEntries(fields).callback_url ?? '';
        if (correct.accepts(fields) || !URL.canParse(back)) return correct.printLabel(fields);
        return redirect(back);
      },
    }),
  },
  'label.variant.reports-forgeries': {
    about: 'A request with a wrong signature is reported by error_msg, if it contains a callback.',
    change: (correct) => ({
      printLabel: async (fields) => {
        const order = Object.fromEntries(fields);
        if (correct.accepts(fields) || !order.callback_url?.startsWith('http')) return correct.printLabel(fields);
        return correct.report(order, correct.failure(order, 'The signature is wrong.'));
      },
    }),
  },
  'label.variant.second-print-refused': {
    about: 'Each order gets one label; a second print is reported as a failure.',
    change: (correct) => {
      const printed = new Set<string>();
      return {
        problemOf: (order) => {
          const uuid = order.order_uuid ?? '';
          const problem = printed.has(uuid) ? 'This parcel has a label already.' : correct.problemOf(order);
          if (problem === null) printed.add(uuid);
          return problem;
        },
      };
    },
  },
});
