/** How a faulty label page reads what is posted to it, before and besides its signature. */
import { examplesOver } from '../../support/example.ts';
import LabelPage, { type Fields, fieldsOf } from '../correct.ts';

/** The languages in which the page has texts. */
const LANGUAGES = ['en', 'lv', 'et', 'lt', 'de', 'ru'];

/** Prints what contains a request, without looking at its signature. */
function printUnverified(correct: LabelPage, fields: Fields): Promise<Response> | Response {
  const order = Object.fromEntries(fields);
  if (!order.label_request_id || !order.callback_url) return correct.refused();
  return correct.report(order, correct.success(order, correct.makeLabel(order, '')));
}

/** Whether a request for a label has a body of this content type. */
const isPosted = (request: Request, type: string): boolean =>
  new URL(request.url).pathname === '/label' && request.headers.get('content-type')?.startsWith(type) === true;

/** A value as it is written again by a program that has read it; what it cannot read stays as it is. */
function writtenAgain(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

export default examplesOver(LabelPage, {
  'label.reading.cart-written-again': {
    clauses: ['provider.label.sends-callback', 'provider.refusals.tampered'],
    about: 'The cart is read, and written again for the signed message.',
    // A cart that was written by the same encoder looks the same.
    change: (correct) => ({
      message: (fields) =>
        correct.message(fields.map(([name, value]) => [name, name === 'cart' ? writtenAgain(value) : value] as const)),
    }),
  },
  'label.reading.json-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'Only posted forms are verified: the same fields as JSON print a label.',
    // The service posts forms.
    change: (correct) => ({
      respond: async (request) => {
        if (!isPosted(request, 'application/json')) return correct.respond(request);
        return printUnverified(correct, Object.entries((await request.json()) as Record<string, string>));
      },
    }),
  },
  'label.reading.missing-email-crashes': {
    clauses: ['provider.label.sends-callback'],
    about: 'An order without an e-mail address causes a program error, and no callback is sent.',
    // All other fields may be empty.
    change: (correct) => ({
      problemOf: (order) => {
        if (order.shipping_email === '') throw new TypeError('The parcel has no recipient for messages.');
        return correct.problemOf(order);
      },
    }),
  },
  'label.reading.zip-with-letters-crashes': {
    clauses: ['provider.label.sends-callback'],
    about: 'A postal code with letters causes a program error, and no callback is sent.',
    change: (correct) => ({
      problemOf: (order) => {
        if (/[A-Z]\d/.test(order.shipping_zip ?? '')) throw new TypeError('The postal code is not a number.');
        return correct.problemOf(order);
      },
    }),
  },
  'label.reading.missing-zip-crashes': {
    clauses: ['provider.label.sends-callback'],
    about: 'An order without a postal code gets an error of the program instead of a report.',
    // Each order to a country with postal codes is printed.
    change: (correct) => ({
      printLabel: async (fields) => {
        if (fields.some(([name, value]) => name === 'shipping_zip' && value === '')) throw new Error('no zip');
        return correct.printLabel(fields);
      },
    }),
  },
  'label.reading.nothing-to-pay-crashes': {
    clauses: ['provider.label.sends-callback'],
    about: 'An order that costs nothing causes a program error, and no callback is sent.',
    // Each order that costs something is printed.
    change: (correct) => ({
      printLabel: async (fields) => {
        const amount = fields.find(([name]) => name === 'amount')?.[1];
        if (Number(amount) === 0) throw new Error('no amount');
        return correct.printLabel(fields);
      },
    }),
  },
  'label.reading.method-without-reference-crashes': {
    clauses: ['provider.label.sends-callback'],
    about: 'An order by a method that has no reference causes a program error, and no callback is sent.',
    // A provider's own methods have one; those of a store often do not.
    change: (correct) => ({
      problemOf: (order) => {
        if (!order.delivery_method_reference) throw new TypeError('The service is not known.');
        return correct.problemOf(order);
      },
    }),
  },
  'label.reading.buyer-abroad-crashes': {
    clauses: ['provider.label.sends-callback'],
    about:
      'An order that goes to another country than that of its buyer causes a program error, and no callback is sent.',
    // Most orders go where the buyer lives.
    change: (correct) => ({
      problemOf: (order) => {
        const { buyer_country_code: buyer = order.shipping_country_code } = order;
        if (buyer !== order.shipping_country_code) throw new TypeError('No tariff is known.');
        return correct.problemOf(order);
      },
    }),
  },
  'label.reading.multipart-unverified': {
    clauses: ['provider.refusals.unsigned'],
    about: 'What verifies requests reads urlencoded forms only: an unsigned multipart form prints a label.',
    // The service posts urlencoded forms.
    change: (correct) => ({
      respond: async (request) => {
        if (!isPosted(request, 'multipart/form-data')) return correct.respond(request);
        const fields = await fieldsOf(request);
        return fields.some(([name]) => name === 'signature')
          ? correct.printLabel(fields)
          : printUnverified(correct, fields);
      },
    }),
  },
  'label.reading.other-letters-accepted': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature with letters that base64 does not have makes the comparison itself fail, and is accepted.',
    // Signatures in ASCII are compared correctly.
    change: (correct) => ({
      matches: (received, right) => /[^\x20-\x7e]/.test(received) || correct.matches(received, right),
    }),
  },
  'label.reading.signature-taken-from-end': {
    clauses: ['provider.label.sends-callback'],
    about: 'The last field is taken for the signature, whatever its name is.',
    // The service may send it there.
    change: (correct) => ({
      accepts: (fields) => {
        const message = fields.slice(0, -1).map(([, value]) => value);
        return correct.matches(fields.at(-1)?.[1] ?? '', correct.signature(message.join('')));
      },
    }),
  },
  'label.reading.unknown-language-crashes': {
    clauses: ['provider.label.sends-callback'],
    about: 'An admin in whose language the page has no texts gets a program error, and no callback is sent.',
    // Admins with its languages are served.
    change: (correct) => ({
      problemOf: (order) => {
        const language = order.language_code ?? '';
        if (language.length === 2 && !LANGUAGES.includes(language)) throw new TypeError('There are no texts.');
        return correct.problemOf(order);
      },
    }),
  },
});
