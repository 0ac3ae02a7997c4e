/** Label pages that verify every request of a browser, and let pass what only a program sends, or another spelling of a signature. */
import { examplesOver } from '../../support/example.ts';
import LabelPage, { fieldsOf } from '../correct.ts';

/** Prints the label of what passes, with or without a signature; all other requests are verified. */
const passing = (correct: LabelPage, passes: (request: Request) => boolean): Pick<LabelPage, 'respond'> => ({
  respond: async (request) => {
    if (new URL(request.url).pathname !== '/label' || !passes(request)) return correct.respond(request);
    const order = Object.fromEntries(await fieldsOf(request));
    return correct.report(order, correct.success(order, correct.makeLabel(order, '')));
  },
});

export default examplesOver(LabelPage, {
  'label.loopholes.patch-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Requests by POST and PUT are verified; a PATCH prints a label.',
    change: (correct) => passing(correct, ({ method }) => method === 'PATCH'),
  },
  'label.loopholes.own-machine-trusted': {
    clauses: ['provider.refusals.unsigned'],
    about: 'A request whose header says that it was sent by the machine of the page is not verified.',
    change: (correct) => passing(correct, ({ headers }) => headers.get('x-forwarded-for') === '127.0.0.1'),
  },
  'label.loopholes.ends-at-null-character': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The signature is compared up to the first null character.',
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.replace(/\0.*$/s, ''), right),
    }),
  },
  'label.loopholes.digest-named-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature behind the name of its digest is also accepted, as other services send it.',
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.replace(/^sha256=/, ''), right),
    }),
  },
  'label.loopholes.encoded-twice': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature that is encoded in base64 once more is also accepted.',
    change: (correct) => ({
      matches: (received, right) =>
        [received, Buffer.from(received, 'base64').toString()].some((one) => correct.matches(one, right)),
    }),
  },
  'label.loopholes.word-accepted': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The word "true" is taken for a signature that was found right before.',
    change: (correct) => ({
      accepts: (fields) =>
        fields.some(([name, value]) => name === 'signature' && value === 'true') || correct.accepts(fields),
    }),
  },
});
