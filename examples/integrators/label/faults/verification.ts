/** Label pages that verify correctly, and accept what passes another verification besides. */
import { examplesOver } from '../../support/example.ts';
import LabelPage from '../correct.ts';

export default examplesOver(LabelPage, {
  'label.verification.line-break-ignored': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The signature is compared by a pattern, whose end also matches in front of a line break.',
    // Every other character has to be right.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.replace(/\r?\n$/, ''), right) }),
  },
  'label.verification.sorted-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'If the signature does not match, it is checked again over sorted fields.',
    // No value may be changed.
    change: (correct) => ({
      accepts: (fields) =>
        correct.accepts(fields) || correct.accepts([...fields].sort(([one], [other]) => (one < other ? -1 : 1))),
    }),
  },
});
