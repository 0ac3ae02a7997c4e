/** Correct label pages that report the result in other ways than `correct.ts`. */
import { randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import LabelPage, { type Fields } from '../correct.ts';

/** A remote printing service. */
const LABEL_MS = 4_500;

/** How long a queue with much to do may take. */
const QUEUE_MS = 12_000;

/** How long a queue of jobs may take. */
const LATER_MS = 700;

export default examplesOver(LabelPage, {
  'label.variant.additional-parameters': {
    about: 'The callback contains a parameter of the carrier’s own, signed with the rest, and only a tracking code.',
    change: (correct) => ({
      success: (order, labelId) =>
        correct.signed([
          ['label_request_id', order.label_request_id ?? ''],
          ['label_url', `${correct.settings.origin}/label/${labelId}.pdf?copy=1&format=a6`],
          ['tracking_code', 'Sūtījums 7 + 1/2'],
          ['carrier', 'example'],
        ]),
    }),
  },
  'label.variant.cancelled-as-failure': {
    about:
      'The form has a button to cancel in front of the one that prints; what is cancelled is reported as a failure.',
    change: (correct) => {
      const orders = new Map<string, Fields>();
      return {
        respond: async (request) => {
          const [, what, id = ''] = /^\/(print|cancel)\/(.+)$/.exec(new URL(request.url).pathname) ?? [];
          const fields = orders.get(id);
          if (what === undefined || fields === undefined) return correct.respond(request);
          orders.delete(id);
          const order = Object.fromEntries(fields);
          return what === 'print'
            ? correct.printLabel(fields)
            : correct.report(order, correct.failure(order, 'The user has cancelled.'));
        },
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          const id = randomUUID();
          orders.set(id, fields);
          return page(
            'Label',
            `<form method="post" action="/print/${id}"><button formaction="/cancel/${id}">Cancel</button> <button>Print</button></form>`,
          );
        },
      };
    },
  },
  'label.variant.downloads-the-label': {
    about: 'The response is the label itself, as a download; the server has sent the callback before.',
    change: (correct) => ({
      report: async (order, parameters) => {
        await fetch(correct.callback(order, parameters)).catch(() => {});
        const address = Object.fromEntries(parameters).label_url ?? '';
        const pdf = correct.label(
          new URL(address || correct.settings.origin).pathname.slice('/label/'.length, -'.pdf'.length),
        );
        pdf.headers.set('content-disposition', 'attachment; filename="label.pdf"');
        return pdf;
      },
    }),
  },
  'label.variant.link-back': {
    about:
      'The page shows that the label is ready, with a link back to the store. Pressing the link sends the callback.',
    change: (correct) => ({
      report: async (order, parameters) =>
        page(
          'The label is ready',
          `<p><a href="${escaped(correct.callback(order, parameters))}">Back to the store</a></p>`,
        ),
    }),
  },
  'label.variant.no-tracking': {
    about: 'The callback has no tracking fields.',
    change: (correct) => ({
      success: (order, labelId) => {
        const all = correct.success(order, labelId);
        return correct.signed(all.filter(([name]) => name === 'label_request_id' || name === 'label_url'));
      },
    }),
  },
  'label.variant.one-at-a-time': {
    about: 'The page makes one label at a time, and takes seconds for each; meanwhile others wait.',
    change: (correct) => {
      let before: Promise<unknown> = Promise.resolve();
      return {
        report: (order, parameters) => {
          const made = before
            .then(() => new Promise((resolve) => setTimeout(resolve, LABEL_MS)))
            .then(() => correct.report(order, parameters));
          before = made;
          return made;
        },
      };
    },
  },
  'label.variant.refreshes-to-callback': {
    about: 'The page reports success, and refreshes to the callback after a second.',
    change: (correct) => ({
      report: async (order, parameters) =>
        page('The label is printed', '<p>You will be taken back to the store.</p>', {
          headers: { refresh: `1; url=${correct.callback(order, parameters)}` },
        }),
    }),
  },
  'label.variant.reports-later': {
    about: 'The page says that the label is being printed; the callback comes a moment later.',
    change: (correct) => ({
      report: async (order, parameters) => {
        setTimeout(() => void fetch(correct.callback(order, parameters)).catch(() => {}), LATER_MS);
        return page('The label is being printed', '');
      },
    }),
  },
  'label.variant.reports-much-later': {
    about: 'The page says that the label is being printed; a queue sends the callback many seconds later.',
    change: (correct) => ({
      report: async (order, parameters) => {
        setTimeout(() => void fetch(correct.callback(order, parameters)).catch(() => {}), QUEUE_MS);
        return page('The label is being printed', '');
      },
    }),
  },
  'label.variant.script-redirect': {
    about: 'The page’s script sends the browser to the callback.',
    change: (correct) => ({
      report: async (order, parameters) => {
        const address = JSON.stringify(correct.callback(order, parameters)).replaceAll('<', '\\u003c');
        return page('The label is printed', `<script>location.replace(${address})</script>`);
      },
    }),
  },
});
