/** How a faulty label page compares the signature of a label request, and which requests it prints without a right one. */
import { createHmac, randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import LabelPage, { type Fields, fieldsOf, type Order } from '../correct.ts';

/** How long a queue of jobs may take. */
const LATER_MS = 2_000;

/** Prints an unsigned request as if it had been signed: with a signature of the page's own. */
function printUnverified(correct: LabelPage, fields: Fields): Promise<Response> {
  const used = fields.filter(([name]) => name !== 'signature');
  return correct.printLabel([...used, ['signature', correct.signature(correct.message(used))]]);
}

export default examplesOver(LabelPage, {
  'label.request.any-case': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The signature is compared without regard to case.',
    // What it is computed over is correct.
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.toLowerCase(), right.toLowerCase()),
    }),
  },
  'label.request.any-well-formed-signature': {
    clauses: ['provider.refusals.tampered', 'provider.refusals.other-key', 'provider.refusals.near-miss'],
    about: 'Anything that has the form of a signature is accepted.',
    // A missing signature is refused.
    change: () => ({ matches: (received) => Buffer.from(received, 'base64').length === 32 }),
  },
  'label.request.base64url-accepted': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature in base64url is also accepted.',
    // Its bytes must be correct.
    change: (correct) => ({
      matches: (received, right) =>
        correct.matches(Buffer.from(received, 'base64').toString('hex'), Buffer.from(right, 'base64').toString('hex')),
    }),
  },
  'label.request.first-of-two-used': {
    clauses: ['provider.refusals.tampered'],
    about: 'Of a field that is sent twice the last one is verified, and the first one used.',
    // The service sends each once.
    change: (correct) => ({
      printLabel: async (fields) => {
        if (!correct.accepts([...new Map(fields)])) return correct.refused();
        return printUnverified(correct, [...new Map(fields.toReversed())].toReversed());
      },
    }),
  },
  'label.request.hex-accepted': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature in hexadecimal digits is also accepted.',
    // Its bytes must be correct.
    change: (correct) => ({
      matches: (received, right) =>
        correct.matches(received, right) || correct.matches(received, Buffer.from(right, 'base64').toString('hex')),
    }),
  },
  'label.request.key-in-any-case': {
    clauses: ['provider.refusals.other-key'],
    about: 'A signature with the key in another letter case is also accepted.',
    // All other keys are refused.
    change: (correct) => ({
      accepts: (fields) => {
        const received = fields.find(([name]) => name === 'signature')?.[1] ?? '';
        const keys = [
          correct.settings.apiKey,
          correct.settings.apiKey.toUpperCase(),
          correct.settings.apiKey.toLowerCase(),
        ];
        return keys.some((key) =>
          correct.matches(received, createHmac('sha256', key).update(correct.message(fields)).digest('base64')),
        );
      },
    }),
  },
  'label.request.link-trusted': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Only posted forms are verified: a link with the fields in its address prints a label.',
    // The service posts every request.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/label' || request.method !== 'GET') return correct.respond(request);
        return printUnverified(correct, [...searchParams]);
      },
    }),
  },
  'label.request.address-verified': {
    clauses: ['provider.refusals.tampered'],
    about: 'Values in the address are verified in the place of those in the form, but the form is used.',
    // The service puts none there.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/label' || request.method !== 'POST') return correct.respond(request);
        const fields = await fieldsOf(request);
        const merged = fields.map(([name, value]) => [name, searchParams.get(name) ?? value] as const);
        return correct.accepts(merged) ? printUnverified(correct, fields) : correct.refused();
      },
    }),
  },
  'label.request.callback-of-address-used': {
    clauses: ['provider.refusals.tampered'],
    about: 'The form is verified, but values in the address are used instead of those in the form.',
    // The service puts none there.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/label' || request.method !== 'POST') return correct.respond(request);
        const fields = await fieldsOf(request);
        if (!correct.accepts(fields)) return correct.refused();
        const replaced = fields.map(([name, value]) => [name, searchParams.get(name) ?? value] as const);
        return printUnverified(correct, replaced);
      },
    }),
  },
  'label.request.own-form-trusted': {
    clauses: ['provider.label.own-form'],
    about: 'A form asks for confirmation first. It contains all fields, and what it sends is printed unverified.',
    // The request that leads to the form is verified.
    change: (correct) => ({
      respond: async (request) => {
        if (new URL(request.url).pathname !== '/print') return correct.respond(request);
        return printUnverified(correct, await fieldsOf(request));
      },
      printLabel: async (fields) => {
        if (!correct.accepts(fields)) return correct.refused();
        const inputs = fields.map(
          ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
        );
        return page('Label', `<form method="post" action="/print">${inputs.join('')}<button>Print</button></form>`);
      },
    }),
  },
  'label.request.own-id-trusted': {
    clauses: ['provider.label.own-form'],
    about: 'A form asks for confirmation first. The order is kept, but the label_request_id comes from the form.',
    // The callback_url is the one received.
    change: (correct) => {
      const orders = new Map<string, Order>();
      return {
        respond: async (request) => {
          if (new URL(request.url).pathname !== '/print') return correct.respond(request);
          const form = Object.fromEntries(await fieldsOf(request));
          const order = orders.get(form.ticket ?? '');
          if (order === undefined) return correct.refused();
          return printUnverified(correct, Object.entries({ ...order, label_request_id: form.id ?? '' }));
        },
        printLabel: async (fields) => {
          if (!correct.accepts(fields)) return correct.refused();
          const order = Object.fromEntries(fields);
          const ticket = randomUUID();
          orders.set(ticket, order);
          const inputs = Object.entries({ ticket, id: order.label_request_id ?? '' }).map(
            ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
          );
          return page('Label', `<form method="post" action="/print">${inputs.join('')}<button>Print</button></form>`);
        },
      };
    },
  },
  'label.request.own-script-trusted': {
    clauses: ['provider.label.own-form'],
    about: 'A script asks for confirmation first, and sends the order as JSON, which is printed unverified.',
    // The request that leads to the script is verified, and no form contains a field of it.
    change: (correct) => ({
      respond: async (request) => {
        if (new URL(request.url).pathname !== '/print') return correct.respond(request);
        const fields = Object.entries((await request.json()) as Record<string, string>);
        const printed = await printUnverified(correct, fields);
        return Response.json({ next: printed.headers.get('location') });
      },
      printLabel: async (fields) => {
        if (!correct.accepts(fields)) return correct.refused();
        const order = JSON.stringify(Object.fromEntries(fields)).replaceAll('<', '\\u003c');
        const script = `const order = ${order};
          document.querySelector('button').onclick = async () => {
            const made = await fetch('/print', { method: 'POST', body: JSON.stringify(order) });
            location.href = (await made.json()).next;
          };`;
        return page('Label', `<button>Print</button><script>${script}</script>`);
      },
    }),
  },
  'label.request.prefix': {
    clauses: ['provider.refusals.near-miss'],
    about: 'Only the first ten characters of the signature are compared.',
    // Those must be correct.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.slice(0, 10), right.slice(0, 10)) }),
  },
  'label.request.unsigned-printed-later': {
    clauses: ['provider.refusals.unsigned'],
    about: 'A request without a signature is refused, but still queued, and later reported as printed.',
    // A wrong signature is refused for good.
    change: (correct) => ({
      printLabel: async (fields) => {
        const order = Object.fromEntries(fields);
        if (order.signature || !order.callback_url) return correct.printLabel(fields);
        const printLater = (): Promise<unknown> =>
          fetch(correct.callback(order, correct.success(order, correct.makeLabel(order, '')))).catch(() => undefined);
        setTimeout(() => void printLater(), LATER_MS).unref();
        return correct.refused();
      },
    }),
  },
  'label.request.known-id-trusted': {
    clauses: ['provider.refusals.unsigned', 'provider.refusals.tampered'],
    about: 'A label_request_id that was printed before is printed again without looking at the signature.',
    // A request under any other id is checked.
    change: (correct) => {
      const printed = new Set<string>();
      return {
        accepts: (fields) => {
          const id = fields.find(([name]) => name === 'label_request_id')?.[1] ?? '';
          if (correct.accepts(fields)) printed.add(id);
          return printed.has(id);
        },
      };
    },
  },
  'label.request.signature-reused': {
    clauses: ['provider.refusals.tampered', 'provider.refusals.near-miss'],
    about: 'A signature that was correct once is accepted for every request.',
    // One that was never correct is refused.
    change: (correct) => {
      const seen = new Set<string>();
      return {
        accepts: (fields) => {
          const received = fields.find(([name]) => name === 'signature')?.[1] ?? '';
          if (correct.accepts(fields)) seen.add(received);
          return seen.has(received);
        },
      };
    },
  },
  'label.request.checked-once-per-browser': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Only the first request of a browser has its signature checked.',
    // A cookie does the rest: such a request is printed as if it had been signed.
    change: (correct) => {
      const sessions = new Set<string>();
      return {
        respond: async (request) => {
          if (new URL(request.url).pathname !== '/label') return correct.respond(request);
          const session = /(?:^|; )session=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
          if (sessions.has(session)) {
            const fields = await fieldsOf(request);
            return correct.printLabel(correct.signed(fields.filter(([name]) => name !== 'signature')));
          }
          const response = await correct.respond(request);
          if (response.status >= 400) return response;
          const begun = randomUUID();
          sessions.add(begun);
          response.headers.set('set-cookie', `session=${begun}; Path=/; HttpOnly`);
          return response;
        },
      };
    },
  },
  'label.request.sorted': {
    clauses: ['provider.label.sends-callback'],
    about: 'The message contains sorted fields, so no request is ever authentic.',
    // Callbacks are signed correctly.
    change: (correct) => ({ accepts: (fields) => correct.accepts([...fields].sort(([a], [b]) => (a < b ? -1 : 1))) }),
  },
  'label.request.signature-decoded': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The signature is decoded before it is compared, by a decoder that skips what is not base64.',
    // The alphabet of addresses is refused.
    change: (correct) => ({
      matches: (received, right) =>
        !/[-_]/.test(received) && correct.matches(received.replaceAll(/[^A-Za-z0-9+/=]/g, ''), right),
    }),
  },
  'label.request.signature-list-accepted': {
    clauses: ['provider.refusals.unsigned'],
    about: 'A field signature[] makes the comparison itself fail, and the request is treated as authentic.',
    // Without any such field the request is refused.
    change: (correct) => ({
      accepts: (fields) => fields.some(([name]) => name === 'signature[]') || correct.accepts(fields),
    }),
  },
  'label.request.suffix-accepted': {
    clauses: ['provider.refusals.near-miss'],
    about: 'Characters after the correct signature are ignored.',
    // The signature itself has to be there as a whole.
    change: () => ({ matches: (received, right) => received.startsWith(right) }),
  },
  'label.request.unchecked': {
    clauses: [
      'provider.refusals.unsigned',
      'provider.refusals.tampered',
      'provider.refusals.other-key',
      'provider.refusals.near-miss',
    ],
    about: 'The signature is never checked.',
    change: () => ({ accepts: () => true }),
  },
  'label.request.unsigned-accepted': {
    clauses: ['provider.refusals.unsigned'],
    about: 'A request without a signature is treated as authentic.',
    // A signature that is present is checked.
    change: (correct) => ({
      accepts: (fields) => !fields.some(([name]) => name === 'signature') || correct.accepts(fields),
    }),
  },
});
