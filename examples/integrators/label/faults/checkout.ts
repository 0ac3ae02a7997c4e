/** How a faulty label page checks requests of the dynamic checkout. Label requests are checked correctly. */
import { examplesOver } from '../../support/example.ts';
import LabelPage from '../correct.ts';

export default examplesOver(LabelPage, {
  'label.checkout.prefix': {
    clauses: ['provider.checkout.forged-refused'],
    about: 'Only the first ten characters of a checkout request’s signature are compared.',
    change: (correct) => ({
      acceptsCheckout: (fields) => {
        const received = fields.find(([name]) => name === 'signature')?.[1] ?? '';
        return correct.matches(received.slice(0, 10), correct.signature(correct.message(fields)).slice(0, 10));
      },
    }),
  },
  'label.checkout.unchecked': {
    clauses: ['provider.checkout.forged-refused'],
    about: 'The signature of a checkout request is never checked.',
    change: () => ({ acceptsCheckout: () => true }),
  },
});
