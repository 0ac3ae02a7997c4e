/** Correct label pages whose label is served in other ways than by `correct.ts`. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page, redirect } from '../../support/http.ts';
import { compressedPdf } from '../../support/pdf.ts';
import { confirmedBy } from '../confirmation.ts';
import LabelPage from '../correct.ts';
import { isTaken } from '../reported-by-server.ts';

const SERVING_MS = 50;
/** What a label takes to be made. */
const MADE_AFTER_MS = 700;

export default examplesOver(LabelPage, {
  'label.variant.compressed-pdf': {
    about: 'The objects of the PDF, its page among them, are in a compressed stream, as most programs write them.',
    change: (correct) => ({
      makeLabel: (order, customer) => {
        const id = correct.makeLabel(order, customer);
        correct.labels.set(id, compressedPdf());
        return id;
      },
    }),
  },
  'label.variant.name-only': {
    about: 'The label has the name of its addressee and a code; the address is known by the code.',
    change: (correct) => ({
      makeLabel: ({ shipping_first_name = '', shipping_last_name = '' }, customer) =>
        correct.makeLabel({ shipping_first_name, shipping_last_name }, customer),
    }),
  },
  'label.variant.latest-label-shown': {
    about:
      'After the form the page shows a link to the label of the order before, while the label is made and reported.',
    change: (correct) => {
      let latest = '';
      return {
        ...confirmedBy(correct, (address) => `<form method="post" action="${address}"><button>Print</button></form>`),
        report: async (order, parameters) => {
          const before = latest;
          setTimeout(async () => {
            if (!(await isTaken(correct.callback(order, parameters)))) return;
            latest = new Map(parameters).get('label_url') ?? '';
          }, MADE_AFTER_MS);
          const link = before === '' ? '' : `<p>Before: <a href="${escaped(before)}" download>the latest label</a></p>`;
          return page('Label', `<p>Your label will be in your store soon.</p>${link}`);
        },
      };
    },
  },
  'label.variant.label-as-bytes': {
    about: 'The label is served from a file store, as bytes to be saved.',
    change: (correct) => ({
      label: (id) => {
        const shown = correct.label(id);
        if (!shown.ok) return shown;
        shown.headers.set('content-type', 'application/octet-stream');
        shown.headers.set('content-disposition', 'attachment; filename="label.pdf"');
        return shown;
      },
    }),
  },
  'label.variant.label-for-browsers': {
    about: 'The host of the label refuses programs, as protections against robots do.',
    change: (correct) => ({
      respond: async (request) =>
        new URL(request.url).pathname.startsWith('/label/') &&
        !request.headers.get('user-agent')?.startsWith('Mozilla/')
          ? new Response('', { status: 403 })
          : correct.respond(request),
    }),
  },
  'label.variant.one-label-served-at-a-time': {
    about: 'The host of the label serves one request at a time, and says that it is busy to all that come meanwhile.',
    change: (correct) => {
      let isBusy = false;
      return {
        respond: async (request) => {
          if (!new URL(request.url).pathname.startsWith('/label/')) return correct.respond(request);
          if (isBusy) return new Response('Busy', { status: 503 });
          isBusy = true;
          await new Promise((resolve) => setTimeout(resolve, SERVING_MS));
          isBusy = false;
          return correct.respond(request);
        },
      };
    },
  },
  'label.variant.label-behind-redirect': {
    about: 'The label’s address redirects to the PDF.',
    change: (correct) => ({
      label: (id) =>
        id.startsWith('file-') ? correct.label(id.slice('file-'.length)) : redirect(`/label/file-${id}.pdf`),
    }),
  },
});
