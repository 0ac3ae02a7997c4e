/** Correct label pages whose user has to do something before the label is printed. */
import { randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { escaped, page, redirect } from '../../support/http.ts';
import { confirmedBy } from '../confirmation.ts';
import LabelPage, { type Fields, type Order } from '../correct.ts';
import { reportedByServer } from '../reported-by-server.ts';

const ASKED = ['parcels', 'day', 'phone', 'mobile', 'contract', 'mail', 'note', 'size', 'locker', 'door', 'terms'];
const MAX_DOOR_LENGTH = 4;

const BANNER = `<div id="consent" style="position:fixed;inset:0;background:#0009">
<p style="background:#fff">We use cookies.
<button type="button" onclick="document.getElementById('consent').remove()">Accept</button>
<button type="button" onclick="document.getElementById('consent').remove()">Refuse</button></p></div>`;

/** How long a page of scripts may take to show something. */
const DRAWN_AFTER_MS = 900;

/** The button of a form that contains all fields. */
const CONFIRMED = 'confirmed';

export default examplesOver(LabelPage, {
  'label.variant.next-step-in-new-tab': {
    about: 'The form of the page opens its next step in a new tab, which prints.',
    change: (correct) => {
      const waiting = new Map<string, Fields>();
      return {
        respond: async (request) => {
          const [, step, ticket = ''] = /^\/(size|print)\/(.+)$/.exec(new URL(request.url).pathname) ?? [];
          if (step === 'print') return correct.printLabel(waiting.get(ticket) ?? []);
          if (step === undefined) return correct.respond(request);
          const size = '<label>Size <input name="size" value="M" required></label>';
          return page('Size', `<form method="post" action="/print/${ticket}">${size} <button>Print</button></form>`);
        },
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          const ticket = randomUUID();
          waiting.set(ticket, fields);
          const form = `<form method="post" action="/size/${ticket}" target="_blank"><button>Next</button></form>`;
          return page('Label', form);
        },
      };
    },
  },
  'label.variant.many-form-fields': {
    about: 'The page asks for many kinds of input in a form before it prints.',
    change: (correct) => {
      const waiting = new Map<string, Order>();
      return {
        respond: async (request) => {
          if (new URL(request.url).pathname !== '/print') return correct.respond(request);
          const form = await request.formData();
          const order = waiting.get(String(form.get('ticket')));
          if (order === undefined || ASKED.some((name) => !form.get(name))) return correct.refused();
          if (String(form.get('door')).length > MAX_DOOR_LENGTH) return correct.refused();
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
<p><label>Or call <input name="mobile" pattern="\\+?[0-9]{8,12}" required></label></p>
<p><label>Contract <input name="contract" pattern="[A-Z]{3}/[0-9]{2}-[0-9]{3}" placeholder="ABC/26-001" required></label></p>
<p><label>Write to <input name="mail" type="email" required></label></p>
<p><label>Note <textarea name="note" required></textarea></label></p>
<p><label>Size <select name="size" required><option value="">?</option><option>S</option><option>M</option></select></label></p>
<p><label>Locker <input name="locker" list="lockers" pattern="R-old|R-new" required></label></p>
<datalist id="lockers"><option value="R-old"><option value="R-new"></datalist>
<p><label>Door <input name="door" maxlength="${MAX_DOOR_LENGTH}" required></label></p>
<p><label><input name="terms" type="checkbox" required> I agree</label></p>
<button type="button">Help</button> <button>Print</button></form>`,
          );
        },
      };
    },
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
  'label.variant.link-as-button': {
    about:
      'What prints the label is a link to “#” whose script sends a form; another link leads to the top of the page.',
    change: (correct) =>
      confirmedBy(
        correct,
        (address) => `<form id="f" method="post" action="${address}"></form>
<p><a href="#" onclick="f.submit(); return false">Print the label</a></p><p><a href="#top">Up</a></p>`,
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
<form method="post" action="${address}"><button formaction="/stores">Save a draft</button>
<button title="Print"><svg width="16" height="16"><rect width="16" height="16" /></svg></button></form>
<footer><form action="/stores"><input name="mail" type="email" required><button>Subscribe</button></form></footer>`,
      ),
  },
  'label.variant.forms-of-the-site': {
    about:
      'The button only says Continue. Other forms change the language, subscribe to news, and choose another parcel.',
    change: (correct) =>
      confirmedBy(
        correct,
        (
          address,
        ) => `<form><select name="lang"><option>en</option><option>lv</option></select><button>OK</button></form>
<form method="post" action="/stores"><input name="mail" type="email"><button>Subscribe</button></form>
<form><input name="parcel"><button>Show</button></form>
<form method="post" action="${address}"><button>Continue</button></form>`,
      ),
  },
  'label.variant.terms-by-script': {
    about:
      'A box has to be ticked before the form is sent, which no field requires: a script says so when its button is pressed.',
    change: (correct) =>
      confirmedBy(
        correct,
        (
          address,
        ) => `<form method="post" action="${address}" onsubmit="if (!terms.checked) said.hidden = false; return terms.checked">
<label><input id="terms" type="checkbox"> I agree</label> <button>Next</button><p id="said" hidden>Please agree first.</p></form>`,
      ),
  },
  'label.variant.goes-on-by-itself': {
    about:
      'A page says that the label is being made, and goes on after a second. Until then its user may cancel, or sign out.',
    change: (correct) =>
      confirmedBy(
        correct,
        (address) => `<meta http-equiv="refresh" content="1;url=${address}">
<header><form action="/stores"><button>Log out</button></form></header>
<p>Your label is being made.</p><form action="/stores"><button>Cancel</button></form>`,
      ),
  },
  'label.variant.button-locked-at-first': {
    about: 'The button works once its user has entered something and ticked a box, which no field requires.',
    change: (correct) =>
      confirmedBy(
        correct,
        (address) => `<form method="post" action="${address}"><input id="grams">
<label><input id="sealed" type="checkbox"> It is sealed</label><button id="go" disabled>Print</button></form>
<script>grams.oninput = sealed.onchange = () => { go.disabled = grams.value === '' || !sealed.checked; };</script>`,
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
  'label.variant.fields-in-form': {
    about: 'The form that asks for confirmation contains all fields with their signature, which is verified again.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, origin } = new URL(request.url);
        return correct.respond(pathname === '/print' ? new Request(`${origin}/label`, request) : request);
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
  'label.variant.wizard-with-cookies': {
    about:
      'The page has two steps, each with a button to cancel, and a cookie for each order that a visitor has opened. The server sends the callback.',
    change: (correct) => {
      const visits = new Map<string, Fields>();
      return {
        respond: async (request) => {
          const { pathname } = new URL(request.url);
          const step = /^\/visit\/[0-9a-f-]+\/([123])$/.exec(pathname)?.[1];
          if (step === undefined) return correct.respond(request);
          const visit = /(?:^|; )visit=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
          const fields = visits.get(visit);
          const isCancelled = (await request.text()).includes('cancel=');
          if (fields === undefined || isCancelled) return page('Your visit is over', '', { status: 403 });
          if (step === '3') {
            visits.delete(visit);
            return correct.printLabel(fields);
          }
          const next = Number(step) + 1;
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
          const { headers } = redirect(`/visit/${visit}/1`);
          headers.set('set-cookie', `visit=${visit}; Path=/visit/${visit}; HttpOnly; SameSite=Lax`);
          return new Response(null, { status: 303, headers });
        },
        report: async (order, parameters) => {
          return reportedByServer(correct.callback(order, parameters), () =>
            page('Uzlīme ir gatava', '<form action="/stores"><button>Drukāt vēl vienu</button></form>'),
          );
        },
      };
    },
  },
});
