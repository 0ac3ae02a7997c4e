/** Label pages that verify correctly, and accept a signature that is made by another formula besides, as an earlier version of them did. */
import { createHash, createHmac } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import LabelPage, { type Fields } from '../correct.ts';

/** Accepts what is signed correctly, and what has the signature that is made of the other fields in another way. */
const besides = (correct: LabelPage, made: (fields: Fields) => string): Pick<LabelPage, 'accepts'> => ({
  accepts: (fields) =>
    correct.accepts(fields) ||
    correct.matches(new Map(fields).get('signature') ?? '', made(fields.filter(([name]) => name !== 'signature'))),
});

export default examplesOver(LabelPage, {
  'label.formulas.separated-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature of the values with vertical bars between them is also accepted.',
    change: (correct) => besides(correct, (fields) => correct.signature(fields.map(([, value]) => value).join('|'))),
  },
  'label.formulas.names-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature of the names and values, one behind the other, is also accepted.',
    change: (correct) => besides(correct, (fields) => correct.signature(fields.flat().join(''))),
  },
  'label.formulas.full-width-too': {
    clauses: ['provider.refusals.tampered'],
    about: 'If the signature does not match, it is checked again over values whose compatible characters are one.',
    change: (correct) =>
      besides(correct, (fields) =>
        correct.signature(correct.message(fields.map(([name, value]) => [name, value.normalize('NFKC')]))),
      ),
  },
  'label.formulas.base64-of-hex-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'Base64 of the digest in hexadecimal digits is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        Buffer.from(Buffer.from(correct.signature(correct.message(fields)), 'base64').toString('hex')).toString(
          'base64',
        ),
      ),
  },
  'label.formulas.capital-hex-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'The digest in hexadecimal digits in capitals is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        Buffer.from(correct.signature(correct.message(fields)), 'base64')
          .toString('hex')
          .toUpperCase(),
      ),
  },
  'label.formulas.domain-omitted-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature of all fields but the domain name of the shop is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        correct.signature(correct.message(fields.filter(([name]) => name !== 'website_domain'))),
      ),
  },
  'label.formulas.key-behind-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A plain SHA-256 of the message followed by the key is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        createHash('sha256')
          .update(correct.message(fields) + correct.settings.apiKey)
          .digest('base64'),
      ),
  },
  'label.formulas.key-in-base64-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature under the key in base64 is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        createHmac('sha256', Buffer.from(correct.settings.apiKey).toString('base64'))
          .update(correct.message(fields))
          .digest('base64'),
      ),
  },
  'label.formulas.amount-and-currency-omitted-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature of all fields but the amount and its currency is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        correct.signature(correct.message(fields.filter(([name]) => !/^(?:amount|currency)$/.test(name)))),
      ),
  },
  'label.formulas.three-fields-omitted-too': {
    clauses: ['provider.refusals.near-miss'],
    about:
      'A signature of all fields but the reference of the method, the e-mail address and the language is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        correct.signature(
          correct.message(fields.filter(([name]) => !/^(?:.*_reference|shipping_email|language_code)$/.test(name))),
        ),
      ),
  },
  'label.formulas.id-and-callback-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature of the label_request_id and the callback_url alone is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        correct.signature(correct.message(fields.filter(([name]) => /^(?:label_request_id|callback_url)$/.test(name)))),
      ),
  },
  'label.formulas.key-around-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A plain MD5 of the message with the key on both sides, in hexadecimal digits, is also accepted.',
    change: (correct) =>
      besides(correct, (fields) => {
        const { apiKey } = correct.settings;
        return createHash('md5')
          .update(apiKey + correct.message(fields) + apiKey)
          .digest('hex');
      }),
  },
  'label.formulas.elements-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature of the fields as elements of XML is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        correct.signature(fields.map(([name, value]) => `<${name}>${value}</${name}>`).join('')),
      ),
  },
  'label.formulas.lines-in-hex-too': {
    clauses: ['provider.refusals.near-miss'],
    about: 'A signature of names and values in lines, in hexadecimal digits, is also accepted.',
    change: (correct) =>
      besides(correct, (fields) =>
        createHmac('sha256', correct.settings.apiKey)
          .update(fields.map(([name, value]) => `${name}:${value}`).join('\n'))
          .digest('hex'),
      ),
  },
});
