/** Label pages that verify most orders correctly, and some of a certain kind not at all. */
import { examplesOver } from '../../support/example.ts';
import LabelPage, { type Fields } from '../correct.ts';

const fieldOf = (fields: Fields, name: string): string | undefined => fields.find(([one]) => one === name)?.[1];

export default examplesOver(LabelPage, {
  'label.exceptions.free-orders-unverified': {
    clauses: ['provider.refusals.unsigned', 'provider.refusals.near-miss', 'provider.refusals.tampered'],
    about: 'Orders that cost nothing are printed without a look at their signature.',
    // All that cost something are verified.
    change: (correct) => ({
      accepts: (fields) => Number(fieldOf(fields, 'amount') || 1) === 0 || correct.accepts(fields),
    }),
  },
  'label.exceptions.foreign-currency-signed-by-anyone': {
    clauses: ['provider.refusals.near-miss', 'provider.refusals.tampered'],
    about: 'Orders in US dollars need some signature, which is not compared with the right one.',
    // Unsigned ones are refused, and all in other currencies are verified.
    change: (correct) => ({
      accepts: (fields) =>
        (fieldOf(fields, 'currency') === 'USD' && Boolean(fieldOf(fields, 'signature'))) || correct.accepts(fields),
    }),
  },
});
