/** How a faulty label page signs its callback. */
import { createHmac } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import LabelPage, { type Fields } from '../correct.ts';

export default examplesOver(LabelPage, {
  'label.signature.base64url': {
    clauses: ['provider.callback.signature'],
    about: 'The signature of the callback is written in base64url, without padding.',
    // Its bytes are correct.
    change: (correct) => ({
      signed: (parameters) => {
        const right = Buffer.from(correct.signature(correct.message(parameters)), 'base64');
        return [...parameters, ['signature', right.toString('base64url')]];
      },
    }),
  },
  'label.signature.hex': {
    clauses: ['provider.callback.signature'],
    about: 'The signature of the callback is written in hexadecimal digits.',
    // Its bytes are correct.
    change: (correct) => ({
      signed: (parameters) => {
        const right = Buffer.from(correct.signature(correct.message(parameters)), 'base64');
        return [...parameters, ['signature', right.toString('hex')]];
      },
    }),
  },
  'label.signature.only-id-signed': {
    clauses: ['provider.callback.signature'],
    about: 'Only the request’s id is signed, not the label’s address.',
    // The key and the encoding are correct.
    change: (correct) => ({
      signed: (parameters) => [
        ...parameters,
        ['signature', correct.signature(correct.message(parameters.slice(0, 1)))],
      ],
    }),
  },
  'label.signature.other-key': {
    clauses: ['provider.callback.signature'],
    about: 'The callback is signed with another key.',
    // Its message is correct.
    change: (correct) => ({
      signed: (parameters) => {
        const signature = createHmac('sha256', 'parcels-2024').update(correct.message(parameters)).digest('base64');
        return [...parameters, ['signature', signature]];
      },
    }),
  },
  'label.signature.plus-as-space': {
    clauses: ['provider.callback.signature'],
    about: 'The signature of the callback is not percent-encoded, so that its plus signs arrive as spaces.',
    // Signatures without a plus sign are received correctly.
    change: (correct) => ({
      makeLabel: (order, customer) => {
        // About every second signature has a plus sign: this page makes labels until there is one, to show it each time.
        for (;;) {
          const id = correct.makeLabel(order, customer);
          if (correct.success(order, id).at(-1)![1].includes('+')) return id;
        }
      },
      callback: (order, parameters) => correct.callback(order, parameters).replaceAll('%2B', '+'),
    }),
  },
  'label.signature.query-signed': {
    clauses: ['provider.callback.signature'],
    about: 'The whole query string of the callback is signed instead of the values.',
    // The key is correct.
    change: (correct) => ({
      signed: (parameters) => {
        const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
        return [...parameters, ['signature', correct.signature(query.toString())]];
      },
    }),
  },
  'label.signature.signed-with-separator': {
    clauses: ['provider.callback.signature'],
    about: 'The signed values are separated by line breaks.',
    // Their order and the key are correct.
    change: (correct) => ({
      signed: (parameters) => [
        ...parameters,
        ['signature', correct.signature(parameters.map(([, value]) => value).join('\n'))],
      ],
    }),
  },
  'label.signature.tracking-in-other-order': {
    clauses: ['provider.callback.tracking-signed'],
    about: 'The tracking fields are signed in a different order than they are sent.',
    // Id and address are correct.
    change: (correct) => ({
      signed: (parameters) => {
        const isTracking = ([name]: Fields[number]): boolean => name.startsWith('tracking_');
        const others = parameters.filter((field) => !isTracking(field));
        const message = correct.message([...others, ...parameters.filter(isTracking).reverse()]);
        return [...parameters, ['signature', correct.signature(message)]];
      },
    }),
  },
  'label.signature.tracking-unsigned': {
    clauses: ['provider.callback.tracking-signed'],
    about: 'The tracking fields are not part of the signed message.',
    // Id and address are signed.
    change: (correct) => ({
      signed: (parameters) => {
        const message = correct.message(parameters.filter(([name]) => !name.startsWith('tracking_')));
        return [...parameters, ['signature', correct.signature(message)]];
      },
    }),
  },
  'label.signature.unsigned': {
    clauses: ['provider.callback.signed'],
    about: 'The success callback has no signature.',
    // Its other parameters are correct.
    change: () => ({ signed: (parameters) => parameters }),
  },
  'label.signature.unsigned-parameter': {
    clauses: ['provider.callback.parameter-order'],
    about: 'The callback has a parameter of the carrier’s own that its signature leaves out.',
    // Of what the contract names, the signature is correct.
    change: (correct) => ({
      success: (order, labelId) => {
        const [id, ...rest] = correct.success(order, labelId);
        return [id!, ['status', 'printed'], ...rest];
      },
    }),
  },
  'label.signature.url-first-in-message': {
    clauses: ['provider.callback.signature'],
    about: 'The label’s address comes before the request’s id in the signed message.',
    // They are sent in the correct order.
    change: (correct) => ({
      signed: ([id, url, ...tracking]) => {
        const order = url === undefined ? [id!] : [url, id!, ...tracking];
        const signature = correct.signature(correct.message(order));
        return [id!, ...(url === undefined ? [] : [url]), ...tracking, ['signature', signature]];
      },
    }),
  },
  'label.signature.url-sent-first': {
    clauses: ['provider.callback.parameter-order'],
    about: 'The label’s address is sent before the request’s id, and signed after it.',
    // Under that reading of the contract the signature is correct.
    change: (correct) => ({
      callback: (order, [id, url, ...rest]) =>
        correct.callback(order, url?.[0] === 'label_url' ? [url, id!, ...rest] : [id!, url!, ...rest]),
    }),
  },
});
