/** Label pages that refuse what is not authentic, and show too much of it. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import LabelPage, { type Fields } from '../correct.ts';

/** The page of a refusal, made of what the request carried. */
const refusing = (correct: LabelPage, body: (fields: Fields) => string) => ({
  printLabel: async (fields: Fields): Promise<Response> =>
    correct.accepts(fields) ? correct.printLabel(fields) : page('Forbidden', body(fields), { status: 403 }),
});

export default examplesOver(LabelPage, {
  'label.refusals.values-shown': {
    clauses: ['provider.refusals.markup'],
    about: 'The page of a refusal lists the fields of the request as they are.',
    change: (correct) =>
      refusing(correct, (fields) => fields.map(([name, value]) => `<p>${name}: ${value}</p>`).join('')),
  },
  'label.refusals.link-to-callback': {
    clauses: ['provider.refusals.markup'],
    about: 'The page of a refusal links to whatever address its callback_url is.',
    // It is escaped.
    change: (correct) =>
      refusing(correct, (fields) => `<p><a href="${escaped(new Map(fields).get('callback_url') ?? '')}">Back</a></p>`),
  },
  'label.refusals.right-signature-shown': {
    clauses: ['provider.refusals.right-signature'],
    about: 'The page of a refusal shows the signature that it expected.',
    change: (correct) =>
      refusing(correct, (fields) => `<p>Expected ${correct.signature(correct.message(fields))}.</p>`),
  },
  'label.refusals.right-signature-in-header': {
    clauses: ['provider.refusals.right-signature'],
    about: 'The page of a refusal says nothing, but a header of it has the signature that was expected.',
    change: (correct) => ({
      printLabel: async (fields) => {
        const response = await correct.printLabel(fields);
        if (!correct.accepts(fields)) response.headers.set('x-expected', correct.signature(correct.message(fields)));
        return response;
      },
    }),
  },
  'label.refusals.latest-order-shown': {
    clauses: ['provider.refusals.no-order-shown'],
    about: 'Who opens the page by its address sees the order that was printed last.',
    // Each request is verified.
    change: (correct) => {
      let latest: Fields = [];
      return {
        respond: async (request) => {
          const isOpened = new URL(request.url).pathname === '/label' && request.method === 'GET';
          if (!isOpened) return correct.respond(request);
          const order = new Map(latest);
          return page(
            'The last label',
            `<p>${escaped(order.get('shipping_last_name') ?? '')}</p><p>${escaped(order.get('shipping_street') ?? '')}</p>`,
          );
        },
        printLabel: async (fields) => {
          if (correct.accepts(fields)) latest = fields;
          return correct.printLabel(fields);
        },
      };
    },
  },
});
