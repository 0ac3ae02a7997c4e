/** How a faulty label page checks the signature of a label request, and which orders it refuses. */
import { createHmac, randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import LabelPage, { type Fields, fieldsOf } from '../correct.ts';

const DOCUMENTED =
  /^(label_request_id|order_uuid|invoice_id|amount|currency|cart|weight|language_code|website_alias|website_domain|callback_url|signature|(delivery_method|seller|shipping|buyer)_.*)$/;

/** How long a queue of jobs may take. */
const LATER_MS = 2_000;

/** What a careless limit allows. */
const MAX_REQUEST_CHARS = 10_000;

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
  'label.request.country-in-lower-case': {
    clauses: ['provider.refusals.tampered'],
    about: 'Country codes are written in lower case before they are signed.',
    // All other values are signed unchanged.
    change: (correct) => ({
      accepts: (fields) => {
        const isCode = (name: string): boolean => name.endsWith('_country_code');
        return correct.accepts(
          fields.map(([name, value]) => [name, isCode(name) ? value.toLowerCase() : value] as const),
        );
      },
    }),
  },
  'label.request.spaces-as-plus': {
    clauses: ['provider.refusals.near-miss'],
    about: 'Spaces in the signature are taken for plus signs that were not percent-encoded.',
    // All other characters must be correct.
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.replaceAll(' ', '+'), right),
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
  'label.request.documented-fields-only': {
    clauses: ['provider.label.additional-fields-signed'],
    about: 'The message contains only the documented fields, so a request with others is refused.',
    // Requests without others are printed.
    change: (correct) => ({ accepts: (fields) => correct.accepts(fields.filter(([name]) => DOCUMENTED.test(name))) }),
  },
  'label.request.link-trusted': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Only posted forms are verified: a link with the fields in its address prints a label.',
    // The service posts every request.
    change: (correct) => ({
      answer: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/label' || request.method !== 'GET') return correct.answer(request);
        return printUnverified(correct, [...searchParams]);
      },
    }),
  },
  'label.request.address-verified': {
    clauses: ['provider.refusals.tampered'],
    about: 'Values in the address are verified in the place of those in the form, but the form is used.',
    // The service puts none there.
    change: (correct) => ({
      answer: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/label' || request.method !== 'POST') return correct.answer(request);
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
      answer: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/label' || request.method !== 'POST') return correct.answer(request);
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
      answer: async (request) => {
        if (new URL(request.url).pathname !== '/print') return correct.answer(request);
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
  'label.request.buyer-markup-shown': {
    clauses: ['provider.label.buyer-markup'],
    about: 'The last page shows the name of the buyer as it was entered, so that markup in it runs.',
    // The address is escaped.
    change: (correct) => ({
      report: async (order, parameters) => {
        await fetch(correct.callback(order, parameters));
        const name = `${order.shipping_first_name} ${order.shipping_last_name}`;
        return page('Label', `<p>Printed for ${name}, ${escaped(order.shipping_street ?? '')}</p>`);
      },
    }),
  },
  'label.request.line-breaks-normalized': {
    clauses: ['provider.label.sends-callback'],
    about: 'Line breaks are turned into LF before they are signed, so that orders with line breaks are refused.',
    // All other orders are printed.
    change: (correct) => ({
      accepts: (fields) =>
        correct.accepts(fields.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')] as const)),
    }),
  },
  'label.request.long-cart-refused': {
    clauses: ['provider.label.sends-callback'],
    about: 'A request of more than 10,000 bytes is refused, so that long carts are never printed.',
    // Shorter ones are printed.
    change: (correct) => ({
      printLabel: async (fields) => {
        const length = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
        return length > MAX_REQUEST_CHARS ? page('Too long', '', { status: 413 }) : correct.printLabel(fields);
      },
    }),
  },
  'label.request.unicode-normalized': {
    clauses: ['provider.label.sends-callback'],
    about: 'Letters are normalised before they are signed.',
    // Letters that it contains are correct.
    change: (correct) => ({
      message: (fields) => correct.message(fields.map(([name, value]) => [name, value.normalize('NFC')])),
    }),
  },
  'label.request.signed-in-latin-1': {
    clauses: ['provider.label.sends-callback'],
    about: 'The message is written in Latin-1, so that orders with other letters are refused.',
    // Orders in ASCII are printed.
    change: (correct) => ({
      signature: (message) => createHmac('sha256', correct.settings.apiKey).update(message, 'latin1').digest('base64'),
    }),
  },
  'label.request.missing-phone-crashes': {
    clauses: ['provider.label.sends-callback'],
    about: 'An order without a phone number causes a program error, and no callback is sent.',
    // All others are printed.
    change: (correct) => ({
      report: async (order, parameters) => {
        if (order.shipping_phone === undefined) throw new TypeError('There is no phone number.');
        return correct.report(order, parameters);
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
        answer: async (request) => {
          if (new URL(request.url).pathname !== '/label') return correct.answer(request);
          const session = /(?:^|; )session=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
          if (sessions.has(session)) {
            const fields = await fieldsOf(request);
            return correct.printLabel(correct.signed(fields.filter(([name]) => name !== 'signature')));
          }
          const response = await correct.answer(request);
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
  'label.request.invoice-as-number': {
    clauses: ['provider.label.sends-callback'],
    about: 'An invoice number of digits is read as a number before it is signed, without the zeros in front.',
    // Requests that differ in other values, or are signed otherwise, are refused.
    change: (correct) => ({
      accepts: (fields) =>
        correct.accepts(
          fields.map(
            ([name, value]) =>
              [name, /^invoice_id 0/.test(`${name} ${value}`) ? value.replace(/^0+/, '') : value] as const,
          ),
        ),
    }),
  },
  'label.request.spaces-joined': {
    clauses: ['provider.label.sends-callback'],
    about: 'Spaces that follow one another become one before a value is signed.',
    change: (correct) => ({
      message: (fields) =>
        correct.message(
          fields.map(([name, value]) => [name, name === 'cart' ? value : value.replace(/ {2,}/g, ' ')] as const),
        ),
    }),
  },
  'label.request.signs-removed': {
    clauses: ['provider.label.sends-callback'],
    about: 'Backslashes and tabs are taken out of the values before they are signed.',
    change: (correct) => ({
      message: (fields) =>
        correct.message(fields.map(([name, value]) => [name, value.replace(/[\\\t]/g, '')] as const)),
    }),
  },
  'label.request.values-cut': {
    clauses: ['provider.label.sends-callback'],
    about: 'Values are kept in columns of 255 characters, and signed as they are there.',
    change: (correct) => ({
      message: (fields) =>
        correct.message(fields.map(([name, value]) => [name, name === 'cart' ? value : value.slice(0, 255)] as const)),
    }),
  },
  'label.request.trimmed': {
    clauses: ['provider.refusals.tampered'],
    about: 'Values are trimmed before they are signed.',
    // All other characters count, and all of the signature.
    change: (correct) => ({
      accepts: (fields) =>
        correct.accepts(fields.map(([name, value]) => [name, name === 'signature' ? value : value.trim()] as const)),
    }),
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
  'label.request.unknown-field-reported': {
    clauses: ['provider.label.additional-fields-signed'],
    about: 'The message contains only the documented fields; a mismatch is reported by error_msg.',
    // Requests without other fields are printed.
    change: (correct) => {
      const accepts = (fields: Fields): boolean => correct.accepts(fields.filter(([name]) => DOCUMENTED.test(name)));
      return {
        accepts,
        printLabel: async (fields) => {
          const order = Object.fromEntries(fields);
          if (accepts(fields) || !order.callback_url?.startsWith('http')) return correct.printLabel(fields);
          const problem = `Request ${order.label_request_id} is not signed as it must be.`;
          return correct.report(order, correct.failure(order, problem));
        },
      };
    },
  },
  'label.request.unsigned-accepted': {
    clauses: ['provider.refusals.unsigned'],
    about: 'A request without a signature is treated as authentic.',
    // A signature that is present is checked.
    change: (correct) => ({
      accepts: (fields) => !fields.some(([name]) => name === 'signature') || correct.accepts(fields),
    }),
  },
  'label.request.weight-as-number': {
    clauses: ['provider.refusals.tampered'],
    about: 'The weight is read as a number before it is signed.',
    // All other values are signed unchanged.
    change: (correct) => ({
      accepts: (fields) => {
        const read = (value: string): string => String(Number.parseInt(value, 10));
        return correct.accepts(fields.map(([name, value]) => [name, name === 'weight' ? read(value) : value] as const));
      },
    }),
  },
  'label.request.without-buyer-address': {
    clauses: ['provider.label.sends-callback'],
    about: 'The buyer’s own address is left out of the message, so that orders which have one are refused.',
    // All other orders are printed.
    change: (correct) => ({
      message: (fields) => correct.message(fields.filter(([name]) => !name.startsWith('buyer_'))),
    }),
  },
  'label.request.without-weight': {
    clauses: ['provider.label.sends-callback'],
    about: 'The weight is left out of the message, so that no request is ever authentic.',
    // Forged ones are refused with all others.
    change: (correct) => ({ message: (fields) => correct.message(fields.filter(([name]) => name !== 'weight')) }),
  },
});
