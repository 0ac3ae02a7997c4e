/** Label pages that verify correctly, and accept what passes another verification besides. */
import { examplesOver } from '../../support/example.ts';
import LabelPage, { fieldsOf } from '../correct.ts';

export default examplesOver(LabelPage, {
  'label.verification.line-break-ignored': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The signature is compared by a pattern, whose end also matches in front of a line break.',
    // Every other character has to be right.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.replace(/\r?\n$/, ''), right) }),
  },
  'label.verification.only-with-referer': {
    clauses: ['provider.refusals.unsigned'],
    about: 'A request that does not name the page it comes from is taken for one of the page’s own, and not verified.',
    // A form of a browser names it, as a rule.
    change: (correct) => ({
      answer: async (request) => {
        const isLabel = new URL(request.url).pathname === '/label' && request.method === 'POST';
        if (!isLabel || request.headers.get('referer') !== null) return correct.answer(request);
        const used = (await fieldsOf(request)).filter(([name]) => name !== 'signature');
        return correct.printLabel([...used, ['signature', correct.signature(correct.message(used))]]);
      },
    }),
  },
  'label.verification.reported-by-server': {
    clauses: ['provider.refusals.no-request-sent'],
    about: 'The server itself reports a request with a wrong signature to the callback that it names.',
    // It reports a failure, and the page refuses the request.
    change: (correct) => ({
      printLabel: async (fields) => {
        const order = Object.fromEntries(fields);
        if (!correct.accepts(fields) && URL.canParse(order.callback_url ?? ''))
          await fetch(correct.callback(order, correct.failure(order, 'The signature is wrong.'))).catch(
            () => undefined,
          );
        return correct.printLabel(fields);
      },
    }),
  },
  'label.verification.shown-unverified': {
    clauses: [
      'provider.refusals.unsigned',
      'provider.refusals.other-key',
      'provider.refusals.near-miss',
      'provider.refusals.tampered',
    ],
    about: 'Only what is signed correctly is reported, but every sender of an order gets its label as the response.',
    // No forged request leads to a callback.
    change: (correct) => ({
      printLabel: async (fields) =>
        correct.accepts(fields)
          ? correct.printLabel(fields)
          : correct.label(correct.makeLabel(Object.fromEntries(fields), '')),
    }),
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
