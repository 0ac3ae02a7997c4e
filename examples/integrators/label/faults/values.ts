/** How a faulty label page changes or misreads the values of a label request before it verifies them. */
import { createHmac } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import LabelPage, { type Fields } from '../correct.ts';
import { reportedByServer } from '../reported-by-server.ts';

const DOCUMENTED =
  /^(label_request_id|order_uuid|invoice_id|amount|currency|cart|weight|language_code|website_alias|website_domain|callback_url|signature|(delivery_method|seller|shipping|buyer)_.*)$/;

/** What a careless limit allows. */
const MAX_REQUEST_CHARS = 10_000;

/** The fields with the one of this name as a program writes it that has read it as a number; with letters it stays as it is. */
const withoutZeros = (fields: Fields, number: string): Fields =>
  fields.map(([name, value]) => [
    name,
    name === number && /^\d+$/.test(value) ? value.replace(/^0+(?=\d)/, '') : value,
  ]);

export default examplesOver(LabelPage, {
  'label.values.country-in-lower-case': {
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
  'label.values.spaces-as-plus': {
    clauses: ['provider.refusals.near-miss'],
    about: 'Spaces in the signature are taken for plus signs that were not percent-encoded.',
    // All other characters must be correct.
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.replaceAll(' ', '+'), right),
    }),
  },
  'label.values.documented-fields-only': {
    clauses: ['provider.label.additional-fields-signed'],
    about: 'The message contains only the documented fields, so a request with others is refused.',
    // Requests without others are printed.
    change: (correct) => ({ accepts: (fields) => correct.accepts(fields.filter(([name]) => DOCUMENTED.test(name))) }),
  },
  'label.values.buyer-city-in-attribute': {
    clauses: ['provider.label.buyer-markup'],
    about: 'The last page has the city in an attribute, with its angle brackets escaped, but not its quotes.',
    // Everything else is shown as text.
    change: (correct) => ({
      report: async (order, parameters) => {
        const city = (order.shipping_city ?? '').replaceAll('<', '&lt;');
        return reportedByServer(correct.callback(order, parameters), () =>
          page('The label is printed', `<p><input value="${city}"></p>`),
        );
      },
    }),
  },
  'label.values.buyer-markup-shown': {
    clauses: ['provider.label.buyer-markup'],
    about: 'The last page shows the name of the buyer as it was entered, so that markup in it runs.',
    // The address is escaped.
    change: (correct) => ({
      report: async (order, parameters) => {
        const name = `${order.shipping_first_name} ${order.shipping_last_name}`;
        return reportedByServer(correct.callback(order, parameters), () =>
          page('Label', `<p>Printed for ${name}, ${escaped(order.shipping_street ?? '')}</p>`),
        );
      },
    }),
  },
  'label.values.cart-shown': {
    clauses: ['provider.label.buyer-markup'],
    about: 'The last page shows the names of what is in the cart as they were received, so that markup in them runs.',
    // What the buyer entered is escaped.
    change: (correct) => ({
      report: async (order, parameters) => {
        const items = JSON.parse(order.cart ?? '[]') as readonly { readonly name?: string }[];
        return reportedByServer(correct.callback(order, parameters), () =>
          page('Label', `<ul>${items.map(({ name }) => `<li>${name}</li>`).join('')}</ul>`),
        );
      },
    }),
  },
  'label.values.buyer-company-in-comment': {
    clauses: ['provider.label.buyer-markup'],
    about: 'The last page has the company of the buyer in a comment of its source, as it was entered.',
    change: (correct) => ({
      report: async (order, parameters) =>
        reportedByServer(correct.callback(order, parameters), () =>
          page('Label', `<!-- ${order.shipping_company ?? ''} --><p>Printed.</p>`),
        ),
    }),
  },
  'label.values.amount-with-cents': {
    clauses: ['provider.label.sends-callback', 'provider.refusals.tampered'],
    about:
      'The amount is written with two decimals before it is signed, so that whole amounts are refused and others may be lengthened.',
    // All other values are signed as they are.
    change: (correct) => ({
      accepts: (fields) => {
        const read = (value: string): string => Number.parseFloat(value).toFixed(2);
        return correct.accepts(fields.map(([name, value]) => [name, name === 'amount' ? read(value) : value] as const));
      },
    }),
  },
  'label.values.line-breaks-normalized': {
    clauses: ['provider.label.sends-callback'],
    about: 'Line breaks are turned into LF before they are signed, so that orders with line breaks are refused.',
    // All other orders are printed.
    change: (correct) => ({
      accepts: (fields) =>
        correct.accepts(fields.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')] as const)),
    }),
  },
  'label.values.long-cart-refused': {
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
  'label.values.apostrophe-in-cart': {
    clauses: ['provider.label.sends-callback'],
    about: 'The cart is read as if its apostrophes were quotes: the page fails on products whose name has one.',
    // Other carts are printed.
    change: (correct) => ({
      printLabel: async (fields) => {
        const cart = fields.find(([name]) => name === 'cart')?.[1] ?? '[]';
        const isRead = correct.accepts(fields) && cart.includes("'");
        return isRead ? page('Internal error', '', { status: 500 }) : correct.printLabel(fields);
      },
    }),
  },
  'label.values.unicode-normalized': {
    clauses: ['provider.label.sends-callback'],
    about: 'Letters are normalised before they are signed.',
    // Letters that it contains are correct.
    change: (correct) => ({
      message: (fields) => correct.message(fields.map(([name, value]) => [name, value.normalize('NFC')])),
    }),
  },
  'label.values.signed-in-latin-1': {
    clauses: ['provider.label.sends-callback'],
    about: 'The message is written in Latin-1, so that orders with other letters are refused.',
    // Orders in ASCII are printed.
    change: (correct) => ({
      signature: (message) => createHmac('sha256', correct.settings.apiKey).update(message, 'latin1').digest('base64'),
    }),
  },
  'label.values.missing-phone-crashes': {
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
  'label.values.invoice-as-number': {
    clauses: ['provider.label.sends-callback'],
    about: 'An invoice number of digits is read as a number before it is signed, without the zeros in front.',
    // Requests that differ in other values, or are signed otherwise, are refused.
    change: (correct) => ({ accepts: (fields) => correct.accepts(withoutZeros(fields, 'invoice_id')) }),
  },
  'label.values.zip-as-number': {
    clauses: ['provider.label.sends-callback'],
    about: 'A postal code of digits is read as a number before it is signed, without the zeros in front.',
    // Codes with letters or without such zeros stay as they are.
    change: (correct) => ({ accepts: (fields) => correct.accepts(withoutZeros(fields, 'shipping_zip')) }),
  },
  'label.values.point-id-as-number': {
    clauses: ['provider.label.sends-callback'],
    about: 'The id of a pickup point is read as a number before it is signed, if it has only digits.',
    // The contract makes it a text, whatever is in it.
    change: (correct) => ({ accepts: (fields) => correct.accepts(withoutZeros(fields, 'shipping_pickup_point_id')) }),
  },
  'label.values.spaces-joined': {
    clauses: ['provider.label.sends-callback'],
    about: 'Spaces that follow one another become one before a value is signed.',
    change: (correct) => ({
      message: (fields) =>
        correct.message(
          fields.map(([name, value]) => [name, name === 'cart' ? value : value.replace(/ {2,}/g, ' ')] as const),
        ),
    }),
  },
  'label.values.signs-removed': {
    clauses: ['provider.label.sends-callback'],
    about: 'Backslashes and tabs are taken out of the values before they are signed.',
    change: (correct) => ({
      message: (fields) =>
        correct.message(fields.map(([name, value]) => [name, value.replace(/[\\\t]/g, '')] as const)),
    }),
  },
  'label.values.cut': {
    clauses: ['provider.label.sends-callback'],
    about: 'Values are kept in columns of 255 characters, and signed as they are there.',
    change: (correct) => ({
      message: (fields) =>
        correct.message(fields.map(([name, value]) => [name, name === 'cart' ? value : value.slice(0, 255)] as const)),
    }),
  },
  'label.values.trimmed': {
    clauses: ['provider.refusals.tampered'],
    about: 'Values are trimmed before they are signed.',
    // All other characters count, and all of the signature.
    change: (correct) => ({
      accepts: (fields) =>
        correct.accepts(fields.map(([name, value]) => [name, name === 'signature' ? value : value.trim()] as const)),
    }),
  },
  'label.values.unknown-field-reported': {
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
  'label.values.weight-as-number': {
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
  'label.values.without-buyer-address': {
    clauses: ['provider.label.sends-callback'],
    about: 'The buyer’s own address is left out of the message, so that orders which have one are refused.',
    // All other orders are printed.
    change: (correct) => ({
      message: (fields) => correct.message(fields.filter(([name]) => !name.startsWith('buyer_'))),
    }),
  },
  'label.values.without-weight': {
    clauses: ['provider.label.sends-callback'],
    about: 'The weight is left out of the message, so that no request is ever authentic.',
    // Forged ones are refused with all others.
    change: (correct) => ({ message: (fields) => correct.message(fields.filter(([name]) => name !== 'weight')) }),
  },
});
