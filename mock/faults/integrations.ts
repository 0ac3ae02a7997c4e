/** Faults of labels and installations, which show in a browser: one deviation each, all else as it should be. */
import { createHmac } from 'node:crypto';
import type { Deviation } from '../deviation.ts';

const hmac = (text: string, key: string) => createHmac('sha256', key).update(text);

export const integrationFaults: readonly Deviation[] = [
  {
    id: 'labels.button-everywhere',
    clause: 'labels.button.hidden-without-url',
    about: 'Orders of methods without a label page offer Print Label.',
    surface: 'browser',
    rules: () => ({ mayPrintLabel: () => true }),
  },
  {
    id: 'labels.country-upper-case',
    clause: 'labels.request.shipping-country-code',
    about: 'The country of the destination is sent in upper case.',
    surface: 'browser',
    rules: (correct) => ({
      labelFields: (context) =>
        correct
          .labelFields(context)
          .map(([name, value]) => [name, name === 'shipping_country_code' ? value.toUpperCase() : value]),
    }),
  },
  {
    id: 'labels.weight-with-fraction',
    clause: 'labels.request.weight',
    about: 'The weight is sent in kilograms.',
    surface: 'browser',
    rules: (correct) => ({
      labelFields: (context) =>
        correct
          .labelFields(context)
          .map(([name, value]) => [name, name === 'weight' ? (Number(value) / 1000).toFixed(3) : value]),
    }),
  },
  {
    id: 'labels.signature-in-hex',
    clauses: ['labels.request.signature-present', 'labels.request.signature-correct'],
    about: 'Label requests are signed in hexadecimal digits.',
    surface: 'browser',
    rules: (correct) => ({
      formSignature: (kind, fields, key) =>
        kind === 'label'
          ? hmac(correct.signatureMessage(fields), key).digest('hex')
          : correct.formSignature(kind, fields, key),
    }),
  },
  {
    id: 'labels.signature-leaves-out-the-cart',
    clause: 'labels.request.signature-correct',
    about: 'The cart is no part of the message of a label request.',
    surface: 'browser',
    rules: (correct) => ({
      formSignature: (kind, fields, key) =>
        correct.formSignature(kind, kind === 'label' ? fields.filter(([name]) => name !== 'cart') : fields, key),
    }),
  },
  {
    id: 'labels.callback-unsigned-accepted',
    clause: 'labels.callback.unsigned-refused',
    about: 'A callback without a signature is taken; a wrong signature is refused.',
    surface: 'browser',
    rules: (correct) => ({
      callbackNeedsSignature: (params) =>
        params.some(([name]) => name === 'signature') && correct.callbackNeedsSignature(params),
    }),
  },
  {
    id: 'labels.callback-signature-case',
    clause: 'labels.callback.near-miss-signature-refused',
    about: 'Signatures of callbacks are compared without regard to case.',
    surface: 'browser',
    rules: () => ({ signatureMatches: (received, expected) => received.toLowerCase() === expected.toLowerCase() }),
  },
  {
    id: 'labels.tracking-not-kept',
    clause: 'labels.callback.tracking-stored',
    about: 'Tracking codes of callbacks are accepted and lost.',
    surface: 'browser',
    rules: (correct) => ({
      labelKept: (params) =>
        correct.labelKept(params.filter(([name]) => name !== 'tracking_code' && name !== 'tracking_url')),
    }),
  },
  {
    id: 'install.hash-upper-case',
    clauses: [
      'install.hash.lowercase-hex',
      'install.hash.first-load-correct',
      'install.hash.second-load-correct',
      'install.hash.covers-own-query',
      'settings.request.hash-correct',
    ],
    about: 'Hashes of install and settings requests are written in capital letters.',
    surface: 'browser',
    rules: (correct) => ({ installHash: (query, secret) => correct.installHash(query, secret).toUpperCase() }),
  },
  {
    id: 'install.hash-without-own-query',
    clause: 'install.hash.covers-own-query',
    about: 'Parameters of the app’s own address are sent and not hashed.',
    surface: 'browser',
    rules: (correct) => ({ hashedPairs: (_own, added) => correct.hashedPairs([], added) }),
  },
  {
    id: 'install.tab-mode-swapped',
    clauses: ['install.tab-mode-blank', 'install.tab-mode-self'],
    about: 'Apps that ask for a new tab open in the same one, and the reverse.',
    surface: 'browser',
    rules: (correct) => ({ tabModeOf: (app) => (correct.tabModeOf(app) === 'blank' ? 'self' : 'blank') }),
  },
];
