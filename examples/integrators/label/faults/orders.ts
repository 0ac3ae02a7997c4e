/** A faulty label page that takes one order for another: what it keeps of them is mixed up. */
import { randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import { confirmedBy } from '../confirmation.ts';
import LabelPage, { type Fields, fieldsOf, type Order } from '../correct.ts';
import { keptBy } from '../kept-by.ts';
import { reportedByServer } from '../reported-by-server.ts';

/** How long a label takes to be made. */
const LABEL_MS = 150;

export default examplesOver(LabelPage, {
  'label.orders.fails-behind-gateway': {
    clauses: ['provider.label.sends-callback'],
    about: 'The program behind a gateway fails on orders to a pickup point: status 502.',
    // Orders to an address are printed.
    change: (correct) => ({
      report: async (order, parameters) =>
        order.shipping_pickup_point_id
          ? Response.json({ message: 'Internal server error' }, { status: 502 })
          : correct.report(order, parameters),
    }),
  },
  'label.orders.latest-order': {
    clauses: ['provider.callback.same-id', 'provider.label.tabs-separate'],
    about: 'A form asks for confirmation first, and prints the order that was opened last, by any user.',
    // An order whose form is alone is reported correctly.
    change: (correct) => {
      let latest: Fields = [];
      return {
        respond: async (request) =>
          new URL(request.url).pathname === '/print' ? correct.printLabel(latest) : correct.respond(request),
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          latest = fields;
          return page('Label', '<form method="post" action="/print"><button>Print</button></form>');
        },
      };
    },
  },
  'label.orders.latest-tab': {
    clauses: ['provider.label.tabs-separate'],
    about: 'A form asks for confirmation first, and prints the order that was opened last in any tab of the browser.',
    // Users with browsers of their own do not disturb each other.
    change: (correct) => {
      const latest = new Map<string, Fields>();
      return {
        respond: async (request) => {
          const visitor = /(?:^|; )visitor=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? randomUUID();
          const { pathname } = new URL(request.url);
          if (pathname === '/print') return correct.printLabel(latest.get(visitor) ?? []);
          if (pathname !== '/label' || request.method !== 'POST') return correct.respond(request);
          const fields = await fieldsOf(request);
          if (!correct.accepts(fields)) return correct.refused();
          latest.set(visitor, fields);
          const form = '<form method="post" action="/print"><button>Print</button></form>';
          return page('Label', form, { headers: { 'set-cookie': `visitor=${visitor}; Path=/` } });
        },
      };
    },
  },
  'label.orders.mixed-up': {
    clauses: ['provider.callback.same-id'],
    about:
      'What is kept while a label is made is shared: orders that are printed at the same time are taken for the last one.',
    // One order after another is reported correctly.
    change: (correct) => {
      let current: Fields = [];
      return {
        printLabel: async (fields) => {
          if (correct.accepts(fields)) current = fields;
          await new Promise((go) => setTimeout(go, LABEL_MS));
          return correct.printLabel(correct.accepts(fields) ? current : fields);
        },
      };
    },
  },
  'label.orders.first-result-for-all': {
    clauses: ['provider.label.sends-callback'],
    about: 'The page that shows a label is kept for all orders: those after the first see its label, and none is made.',
    // The form is made for each order, and the first one is reported by its callback.
    change: (correct) => {
      const asked = confirmedBy(
        correct,
        (address) => `<form method="post" action="${address}"><button>Print</button></form>`,
      );
      let result: string | undefined;
      return {
        ...asked,
        respond: async (request) =>
          result !== undefined && new URL(request.url).pathname.startsWith('/print/')
            ? page('Label', result)
            : asked.respond(request),
        report: async (order, parameters) => {
          const url = new Map(parameters).get('label_url') ?? '';
          const link = `<p>The label is made.</p><a href="${escaped(url)}" download>Download the label</a>`;
          return reportedByServer(correct.callback(order, parameters), () => {
            result = link;
            return page('Label', link);
          });
        },
      };
    },
  },
  'label.orders.form-kept-until-printed': {
    clauses: ['provider.callback.same-id', 'provider.label.tabs-separate'],
    about: 'A form asks for confirmation first. The page makes it once, and gives it to every user until it is used.',
    // An order whose form is alone is reported correctly.
    change: (correct) => {
      const orders = new Map<string, Fields>();
      let kept: string | undefined;
      return {
        respond: async (request) => {
          const id = /^\/print\/(.+)$/.exec(new URL(request.url).pathname)?.[1];
          if (id === undefined) return correct.respond(request);
          kept = undefined;
          return correct.printLabel(orders.get(id) ?? []);
        },
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          const id = String(orders.size);
          orders.set(id, fields);
          kept ??= id;
          return page('Label', `<form method="post" action="/print/${kept}"><button>Print</button></form>`);
        },
      };
    },
  },
  'label.orders.id-of-first-print': {
    clauses: ['provider.callback.same-id'],
    about:
      'When an order is printed again, the callback of its first print is sent again, with the first label_request_id.',
    // The first print of each order is reported correctly.
    change: (correct) => {
      const reported = new Map<string, Fields>();
      return {
        success: (order, labelId) => {
          const before = reported.get(order.order_uuid ?? '');
          const parameters = before ?? correct.success(order, labelId);
          reported.set(order.order_uuid ?? '', parameters);
          return parameters;
        },
      };
    },
  },
  'label.orders.signature-of-first-print': {
    clauses: ['provider.callback.signature', 'provider.label.corrected-address'],
    about:
      'When an order is printed again, the callback has the new label_request_id and the signature of the first one.',
    // The label is kept, and stays the same.
    change: (correct) => {
      const kept = new Map<string, Fields>();
      return {
        success: (order, labelId) => {
          const parameters = kept.get(order.order_uuid ?? '') ?? correct.success(order, labelId);
          kept.set(order.order_uuid ?? '', parameters);
          const id = order.label_request_id ?? '';
          return parameters.map(([name, value]) => [name, name === 'label_request_id' ? id : value] as const);
        },
      };
    },
  },
  'label.orders.first-job': {
    clauses: ['provider.label.sends-callback'],
    about: 'The first job is kept for all orders: each is reported by its callback, and none by its own.',
    // The signature of every request is checked.
    change: (correct) => {
      let first: Fields | undefined;
      return {
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          first ??= fields;
          return correct.printLabel(first);
        },
      };
    },
  },
  'label.orders.job-of-first-print': {
    clauses: ['provider.label.sends-callback'],
    about: 'The job of a label is kept by order: a second print reports the first request again, to its callback_url.',
    // The page shows a link to the label, which is a download.
    change: (correct) => {
      const jobs = new Map<string, { readonly order: Order; readonly parameters: Fields }>();
      return {
        report: async (order, parameters) => {
          const job = jobs.get(order.order_uuid ?? '') ?? { order, parameters };
          jobs.set(order.order_uuid ?? '', job);
          const url = new Map(job.parameters).get('label_url') ?? '';
          return reportedByServer(correct.callback(job.order, job.parameters), () =>
            page('The label is being printed', `<a href="${escaped(url)}" download>PDF</a>`),
          );
        },
      };
    },
  },
  'label.orders.known-by-beginning': {
    clauses: ['provider.label.own-order'],
    about: 'An order is identified by the first group of its order_uuid: one that is printed later is taken for it.',
    change: (correct) => ({ makeLabel: keptBy(correct, ({ order_uuid = '' }) => order_uuid.split('-')[0] ?? '') }),
  },
  'label.orders.known-by-end': {
    clauses: ['provider.label.own-order'],
    about:
      'An order is identified by the last eight characters of its order_uuid: one that is printed later is taken for it.',
    change: (correct) => ({ makeLabel: keptBy(correct, ({ order_uuid = '' }) => order_uuid.slice(-8)) }),
  },
  'label.orders.known-by-email': {
    clauses: ['provider.label.own-order'],
    about: 'A customer is identified by the e-mail address, and gets every parcel to the address of the first one.',
    change: (correct) => ({ makeLabel: keptBy(correct, ({ shipping_email = '' }) => shipping_email) }),
  },
  'label.orders.street-kept-by-email': {
    clauses: ['provider.label.own-order', 'provider.label.delivery-address'],
    about: 'An address book knows the street and city of each e-mail address: later parcels of a buyer go there, too.',
    // The names are those of each order.
    change: (correct) => {
      const book = new Map<string, Order>();
      return {
        makeLabel: (order, customer) => {
          const { shipping_email = '', shipping_street = '', shipping_city = '' } = order;
          const known = book.get(shipping_email) ?? { shipping_street, shipping_city };
          book.set(shipping_email, known);
          return correct.makeLabel({ ...order, ...known }, customer);
        },
      };
    },
  },
  'label.orders.first-label-again': {
    clauses: ['provider.label.corrected-address'],
    about: 'An order that is printed again gets its first label, also if its address has changed since.',
    // Orders with the same address have the same label.
    change: (correct) => {
      const labels = new Map<string, string>();
      return {
        makeLabel: (order, customer) => {
          const { order_uuid = '' } = order;
          const label = labels.get(order_uuid) ?? correct.makeLabel(order, customer);
          labels.set(order_uuid, label);
          return label;
        },
      };
    },
  },
  'label.orders.first-in-plain-letters': {
    clauses: ['provider.label.own-order'],
    about: 'Labels are printed in letters without accents, and each for the first order.',
    change: (correct) => {
      const first = keptBy(correct, () => '');
      const plain = (text: string): string => text.normalize('NFKD').replaceAll(/[^ -~]/g, '');
      return {
        makeLabel: (order, customer) =>
          first(Object.fromEntries(Object.entries(order).map(([name, value]) => [name, plain(value)])), customer),
      };
    },
  },
});
