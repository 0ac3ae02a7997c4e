/** Forms of a faulty label page that no user can send, or that do something else than their user wants. */
import { randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { page } from '../../support/http.ts';
import { confirmedBy } from '../confirmation.ts';
import LabelPage, { type Fields } from '../correct.ts';
import { reportedByServer } from '../reported-by-server.ts';

/** A page that asks for confirmation in a form of its own, with further headers. */
function confirmedWith(correct: LabelPage, headers: Readonly<Record<string, string>>): Partial<LabelPage> {
  const orders = new Map<string, Fields>();
  return {
    respond: async (request) => {
      const id = /^\/print\/(.+)$/.exec(new URL(request.url).pathname)?.[1];
      return id === undefined ? correct.respond(request) : correct.printLabel(orders.get(id) ?? []);
    },
    printLabel: async (fields) => {
      if (!correct.accepts(fields)) return correct.refused();
      const id = String(orders.size);
      orders.set(id, fields);
      return page('Label', `<form method="post" action="/print/${id}"><button>Print</button></form>`, { headers });
    },
  };
}

export default examplesOver(LabelPage, {
  'label.forms.blocked-by-policy': {
    clauses: ['provider.label.sends-callback'],
    about: 'The page has a form, and a Content-Security-Policy that forbids to send it.',
    // Its address would print the label.
    change: (correct) => confirmedWith(correct, { 'content-security-policy': "form-action 'none'" }),
  },
  'label.forms.cancel-prints': {
    clauses: ['provider.label.cancel'],
    about: 'The form has a button to cancel, which sends it like the other one.',
    change: (correct) =>
      confirmedBy(
        correct,
        (address) =>
          `<form method="post" action="${address}"><button>Print</button> <button name="cancel">Cancel</button></form>`,
      ),
  },
  'label.forms.printed-before': {
    clauses: ['provider.label.early-report'],
    about: 'The label is reported as soon as the form is opened, and another one when the form is sent.',
    // Each report is complete.
    change: (correct) => {
      const orders = new Map<string, Fields>();
      const print = async (fields: Fields, shown: () => Response): Promise<Response> => {
        const response = await correct.printLabel(fields);
        return reportedByServer(response.headers.get('location') ?? '', shown);
      };
      return {
        respond: async (request) => {
          const ticket = /^\/print\/(.+)$/.exec(new URL(request.url).pathname)?.[1];
          if (ticket === undefined) return correct.respond(request);
          return print(orders.get(ticket) ?? [], () => page('The label is printed', ''));
        },
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          const ticket = randomUUID();
          orders.set(ticket, fields);
          const choice = '<select name="service"><option>Standard</option><option>Express</option></select>';
          const form = `<form method="post" action="/print/${ticket}">${choice}<button>Print</button></form>`;
          return print(fields, () => page('Label', form));
        },
      };
    },
  },
  'label.forms.failed-before': {
    clauses: ['provider.label.early-report'],
    about: 'A failure is reported as soon as the form is opened, and the label when the form is sent.',
    // Each report is complete.
    change: (correct) => {
      const form = '<button>Print</button></form>';
      const confirmed = confirmedBy(correct, (address) => `<form method="post" action="${address}">${form}`);
      return {
        ...confirmed,
        printLabel: async (fields) => {
          const shown = await confirmed.printLabel(fields);
          if (!shown.ok) return shown;
          const order = Object.fromEntries(fields);
          const failure = correct.failure(order, 'The label is not ready.');
          return reportedByServer(correct.callback(order, failure), () => shown);
        },
      };
    },
  },
  'label.forms.blocked-in-sandbox': {
    clauses: ['provider.label.sends-callback'],
    about: 'The page has a form, and puts itself into a sandbox in which no form can be sent.',
    // Its address would print the label.
    change: (correct) => confirmedWith(correct, { 'content-security-policy': 'sandbox allow-scripts' }),
  },
});
