/** How a faulty label page reports what it cannot print. It reports labels correctly. */
import { examplesOver } from '../../support/example.ts';
import { page } from '../../support/http.ts';
import LabelPage from '../correct.ts';

export default examplesOver(LabelPage, {
  'label.error.other-id': {
    clauses: ['provider.callback.error-same-id'],
    about: 'The error callback has a label_request_id other than the received one.',
    change: (correct) => ({
      failure: (order, problem) =>
        correct.failure({ ...order, label_request_id: `${order.label_request_id}-1` }, problem),
    }),
  },
  'label.error.not-reported': {
    clauses: ['provider.label.sends-callback'],
    about: 'An order that cannot be printed is mentioned on a page only, without a callback.',
    change: (correct) => ({
      report: async (order, parameters) => {
        const problem = parameters.find(([name]) => name === 'error_msg')?.[1];
        return problem === undefined ? correct.report(order, parameters) : page(problem, '');
      },
    }),
  },
  'label.error.without-id': {
    clauses: ['provider.callback.error-same-id'],
    about: 'The error callback has no label_request_id.',
    change: () => ({ failure: (_order, problem) => [['error_msg', problem]] }),
  },
  'label.error.without-message': {
    clauses: ['provider.callback.error-message'],
    about: 'The error callback has an empty error_msg.',
    change: (correct) => ({ failure: (order) => correct.failure(order, '') }),
  },
  'label.error.undefined-message': {
    clauses: ['provider.callback.error-message'],
    about: 'The error callback has the word “undefined” as its error_msg.',
    change: (correct) => ({ failure: (order) => correct.failure(order, String(undefined)) }),
  },
});
