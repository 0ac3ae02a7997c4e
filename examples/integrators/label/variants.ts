/** Correct label pages that do things differently from `correct.ts`, and pass. */
import { randomUUID } from 'node:crypto';
import { examplesOver } from '../support/example.ts';
import { escaped, page, redirect } from '../support/http.ts';
import { compressedPdf } from '../support/pdf.ts';
import { confirmedBy } from './confirmation.ts';
import LabelPage, { type Fields, type Order } from './correct.ts';
import Uploader from './upload.ts';

const ASKED = ['parcels', 'day', 'phone', 'mail', 'note', 'size', 'terms'];

const BANNER = `<div id="consent" style="position:fixed;inset:0;background:#0009">
<p style="background:#fff">We use cookies.
<button type="button" onclick="document.getElementById('consent').remove()">Accept</button>
<button type="button" onclick="document.getElementById('consent').remove()">Refuse</button></p></div>`;

/** How long a page of scripts may take to show something. */
const DRAWN_AFTER_MS = 900;

/** A remote printing service. */
const LABEL_MS = 4_500;

/** The button of a form that contains all fields. */
const CONFIRMED = 'confirmed';

/** How long a queue with much to do may take. */
const QUEUE_MS = 12_000;
/** How long a queue of jobs may take. */
const LATER_MS = 700;

export default [
  ...examplesOver(LabelPage, {
    'label.variant.many-form-fields': {
      about: 'The page asks for many kinds of input in a form before it prints.',
      change: (correct) => {
        const waiting = new Map<string, Order>();
        return {
          answer: async (request) => {
            if (new URL(request.url).pathname !== '/print') return correct.answer(request);
            const form = await request.formData();
            const order = waiting.get(String(form.get('ticket')));
            if (order === undefined || ASKED.some((name) => !form.get(name))) return correct.refused();
            return correct.printLabel(Object.entries(order));
          },
          printLabel: async (fields) => {
            if (!correct.accepts(fields)) return correct.refused();
            const ticket = randomUUID();
            waiting.set(ticket, Object.fromEntries(fields));
            return page(
              'Some questions',
              `<form method="post" action="/print"><input type="hidden" name="ticket" value="${ticket}">
<p><label>Parcels <input name="parcels" type="number" min="1" max="9" required></label></p>
<p><label>Pick up on <input name="day" type="date" required></label></p>
<p><label>Call <input name="phone" type="tel" required></label></p>
<p><label>Write to <input name="mail" type="email" required></label></p>
<p><label>Note <textarea name="note" required></textarea></label></p>
<p><label>Size <select name="size" required><option value="">?</option><option>S</option><option>M</option></select></label></p>
<p><label><input name="terms" type="checkbox" required> I agree</label></p>
<button type="button">Help</button> <button>Print</button></form>`,
            );
          },
        };
      },
    },
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
    'label.variant.consent-banner': {
      about: 'A cookie banner covers the page and its form.',
      change: () => ({
        report: async (order, parameters) => {
          const inputs = parameters.map(
            ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
          );
          const form = `<form action="${escaped(order.callback_url ?? '')}">${inputs.join('')}<button>Print</button></form>`;
          return page('Label', form + BANNER);
        },
      }),
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
    'label.variant.form-by-script': {
      about: 'A script draws the form some time after the page, and asks for confirmation before it prints.',
      change: (correct) => ({
        report: async (order, parameters) => {
          const address = JSON.stringify(correct.callback(order, parameters)).replaceAll('<', '\\u003c');
          return page(
            'Label',
            `<div id="place"></div><script>
setTimeout(() => {
  document.getElementById('place').innerHTML = '<button type="button">Print</button>';
  document.querySelector('button').onclick = () => {
    if (confirm('Print the label?')) location.replace(${address});
  };
}, ${DRAWN_AFTER_MS});
</script>`,
          );
        },
      }),
    },
    'label.variant.custom-button': {
      about: 'The element that prints is not an HTML button, but only has its role.',
      change: (correct) => ({
        report: async (order, parameters) => {
          const address = JSON.stringify(correct.callback(order, parameters)).replaceAll('<', '\\u003c');
          return page(
            'Label',
            `<div role="button" tabindex="0">Print</div><script>
document.querySelector('div').onclick = () => location.replace(${address});
</script>`,
          );
        },
      }),
    },
    'label.variant.form-in-frame': {
      about: 'The page shows its form in a frame; the callback is sent from there.',
      change: () => ({
        report: async (order, parameters) => {
          const inputs = parameters.map(
            ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
          );
          const form = `<form action="${escaped(order.callback_url ?? '')}">${inputs.join('')}<button>Print</button></form>`;
          return page('Label', `<iframe srcdoc="${escaped(form)}"></iframe>`);
        },
      }),
    },
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
    'label.variant.label-behind-redirect': {
      about: 'The label’s address redirects to the PDF.',
      change: (correct) => ({
        label: (id) =>
          id.startsWith('file-') ? correct.label(id.slice('file-'.length)) : redirect(`/label/file-${id}.pdf`),
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
    'label.variant.refuses-with-200': {
      about: 'Requests that are not authentic get a page with status 200.',
      change: () => ({ refused: () => page('Example Parcels', '<p>Please print labels from your store.</p>') }),
    },
    'label.variant.reports-forgeries': {
      about: 'A request with a wrong signature is reported by error_msg, if it contains a callback.',
      change: (correct) => ({
        printLabel: async (fields) => {
          const order = Object.fromEntries(fields);
          if (correct.accepts(fields) || !order.callback_url?.startsWith('http')) return correct.printLabel(fields);
          return correct.report(order, correct.failure(order, 'The signature is wrong.'));
        },
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
    'label.variant.form-in-shadow-tree': {
      about: 'An element of the page’s own contains the form, in a tree of its own.',
      change: (correct) =>
        confirmedBy(correct, (address) => {
          const form = `<form method="post" action="${address}"><input name="parcels" required><button>Print</button></form>`;
          return `<parcel-form></parcel-form><script>customElements.define('parcel-form', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '${form.replace('</form>', '<\\/form>')}'; }
});</script>`;
        }),
    },
    'label.variant.steps-by-script': {
      about:
        'A script draws two steps, one after the other, in the same document; then a dialog asks whether to print or to cancel.',
      change: (correct) =>
        confirmedBy(
          correct,
          (address) => `<main><label>Parcels <input required></label><button>Continue</button></main><script>
const main = document.querySelector('main');
main.querySelector('button').onclick = () => {
  main.innerHTML = '<p>One parcel</p><button>Continue</button><dialog><button>Print</button><button>Stop</button></dialog>';
  main.querySelector('button').onclick = () => main.querySelector('dialog').showModal();
  main.querySelector('dialog button').onclick = () => location.assign('${address}');
};</script>`,
        ),
    },
    'label.variant.clicked-element': {
      about: 'The element that prints is a plain one that a script listens to.',
      change: (correct) =>
        confirmedBy(
          correct,
          (address) =>
            `<div id="go">Print</div><script>document.getElementById('go').addEventListener('click', () => location.assign('${address}'))</script>`,
        ),
    },
    'label.variant.link-to-print': {
      about: 'A link to another address of the page prints the label; others lead elsewhere.',
      change: (correct) =>
        confirmedBy(
          correct,
          (address) => `<nav><a href="/stores">Stores</a></nav><p><a href="${address}">Print the label</a></p>`,
        ),
    },
    'label.variant.other-forms': {
      about:
        'Beside the form there are others to search the site and to subscribe to news, and a button that saves a draft.',
      change: (correct) =>
        confirmedBy(
          correct,
          (address) => `<form action="/stores"><input name="q"><button>Find</button></form>
<form method="post" action="${address}"><button formaction="/stores">Save a draft</button> <button>Print</button></form>
<footer><form action="/stores"><input name="mail" type="email" required><button>Subscribe</button></form></footer>`,
        ),
    },
    'label.variant.button-locked-at-first': {
      about: 'The button works once its user has entered something, which no field requires.',
      change: (correct) =>
        confirmedBy(
          correct,
          (
            address,
          ) => `<form method="post" action="${address}"><input id="grams"><button id="go" disabled>Print</button></form>
<script>grams.oninput = () => { go.disabled = grams.value === ''; };</script>`,
        ),
    },
    'label.variant.open-choice': {
      about: 'No option of a choice is selected at first, and no field requires one; without it the form is not sent.',
      change: (correct) =>
        confirmedBy(
          correct,
          (
            address,
          ) => `<form method="post" action="${address}" onsubmit="return this.elements.size.value !== ''"><button>Print</button>
<label><input type="radio" name="size" value="S"> S</label> <label><input type="radio" name="size" value="M"> M</label></form>`,
        ),
    },
    'label.variant.settings-kept-by-store': {
      about: 'The values of the settings form are requested once for each store, and kept.',
      change: (correct) => {
        const values = new Map<string, Promise<string>>();
        const stores = new Map<string, string>();
        return {
          printLabel: async (fields) => {
            const { website_alias: store = '', order_uuid: uuid = '' } = Object.fromEntries(fields);
            if (correct.accepts(fields)) values.set(store, values.get(store) ?? correct.customerNumber(uuid));
            stores.set(uuid, store);
            return correct.printLabel(fields);
          },
          customerNumber: (orderUuid) => values.get(stores.get(orderUuid) ?? '') ?? correct.customerNumber(orderUuid),
        };
      },
    },
    'label.variant.fields-in-form': {
      about: 'The form that asks for confirmation contains all fields with their signature, which is verified again.',
      change: (correct) => ({
        answer: async (request) => {
          const { pathname, origin } = new URL(request.url);
          return correct.answer(pathname === '/print' ? new Request(`${origin}/label`, request) : request);
        },
        printLabel: async (fields) => {
          if (!correct.accepts(fields.filter(([name]) => name !== CONFIRMED))) return correct.refused();
          if (fields.some(([name]) => name === CONFIRMED))
            return correct.printLabel(fields.filter(([name]) => name !== CONFIRMED));
          const inputs = fields.map(
            ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
          );
          return page(
            'Label',
            `<form method="post" action="/print">${inputs.join('')}<button name="${CONFIRMED}">Print</button></form>`,
          );
        },
      }),
    },
    'label.variant.two-formats': {
      about: 'The form has a button for each format of the label.',
      change: (correct) =>
        confirmedBy(
          correct,
          (address) =>
            `<form method="post" action="${address}"><button name="format" value="a4">Print on A4</button> <button name="format" value="a6">Print on A6</button></form>`,
        ),
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
    'label.variant.second-print-refused': {
      about: 'Each order gets one label; a second print is reported as a failure.',
      change: (correct) => {
        const printed = new Set<string>();
        return {
          problemOf: (order) => {
            const uuid = order.order_uuid ?? '';
            const problem = printed.has(uuid) ? 'This parcel has a label already.' : correct.problemOf(order);
            if (problem === null) printed.add(uuid);
            return problem;
          },
        };
      },
    },
    'label.variant.wizard-with-cookies': {
      about:
        'The page has two steps, each with a button to cancel, and a cookie stores which one a visitor has reached. The server sends the callback.',
      change: (correct) => {
        const visits = new Map<string, Fields>();
        return {
          answer: async (request) => {
            const { pathname } = new URL(request.url);
            if (!pathname.startsWith('/step/')) return correct.answer(request);
            const visit = /(?:^|; )visit=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
            const fields = visits.get(visit);
            const isCancelled = (await request.text()).includes('cancel=');
            if (fields === undefined || isCancelled) return page('Your visit is over', '', { status: 403 });
            if (pathname === '/step/3') {
              visits.delete(visit);
              return correct.printLabel(fields);
            }
            const next = pathname === '/step/1' ? '/step/2' : '/step/3';
            return page(
              'Uzlīme',
              `<form method="post" action="${next}"><label>Skaits <input name="count" required></label>
<button name="cancel">Atcelt</button> <button>Tālāk</button></form>`,
            );
          },
          printLabel: async (fields) => {
            if (!correct.accepts(fields)) return correct.refused();
            const visit = randomUUID();
            visits.set(visit, fields);
            const { headers } = redirect('/step/1');
            headers.set('set-cookie', `visit=${visit}; Path=/; HttpOnly; SameSite=Lax`);
            return new Response(null, { status: 303, headers });
          },
          report: async (order, parameters) => {
            await fetch(correct.callback(order, parameters)).catch(() => {});
            return page('Uzlīme ir gatava', '<form action="/stores"><button>Drukāt vēl vienu</button></form>');
          },
        };
      },
    },
  }),
  ...examplesOver(Uploader, {
    'label.variant.reads-points-back': {
      about: 'The software around the page reads its uploaded points page by page, with a parameter against caches.',
      change: (correct) => ({
        upload: async () => {
          await correct.upload();
          const handle = await correct.method();
          let address: string | undefined = `store/delivery_method/${handle}/pickup_points/?page_size=60&desc=1`;
          for (let at = 0; address !== undefined; at += 1) {
            const page: Readonly<Record<string, unknown>> | null = await correct.call(
              'GET',
              `${address}&nocache=${at}`,
            );
            const next = page?.next_page_uri;
            address = typeof next === 'string' ? next.slice(next.indexOf('store/')) : undefined;
          }
        },
      }),
    },
    'label.variant.uploads-points': {
      about: 'The software around the page uploads its pickup points in portions.',
      change: () => ({ portionSize: () => 80 }),
    },
  }),
];
