/** Callbacks that are not authentic, by what is wrong with them. Each differs from one that is in the signed bytes or the signature. */
import { createHash, createHmac } from 'node:crypto';
import {
  type Fields,
  SIGNATURE_FIELD,
  signedMessage,
  tamperings,
  withSignature,
} from '../../../contracts/signing/index.ts';
import type { Context } from '../../../harness/check/context.ts';
import { nearMissOf } from '../../../harness/target/near-miss.ts';
import { fieldOf, type LabelRequest } from './orders.ts';

export interface Forgery {
  /** Reads as the end of "a callback with …". */
  readonly change: string;
  readonly fields: Fields;
}

/** What is wrong with a callback; each has a clause of its own. */
export const FORGERY_KINDS = [
  'unsigned',
  'other-key',
  'near-miss',
  'request-id',
  'label-url',
  'tracking',
  'added-tracking',
] as const;
export type ForgeryKind = (typeof FORGERY_KINDS)[number];

/** What the forgeries of one callback are made from. */
export interface GenuineCallback {
  readonly request: LabelRequest;
  /** Rightly signed, `signature` last. */
  readonly fields: Fields;
  /** The id of another label request of the same store. */
  readonly otherRequestId: string | undefined;
}

type Forge = (context: Context, genuine: GenuineCallback) => Forgery[];

/** The forgeries of each kind. */
export const FORGE: Readonly<Record<ForgeryKind, Forge>> = {
  unsigned: (_context, { fields }) => [
    { change: 'no signature', fields: unsigned(fields) },
    { change: 'an empty signature', fields: signedAs(fields, '') },
    // Some languages read a list or an object here, and their comparison of it with a text fails in the sender's favour.
    { change: 'an operator instead of a signature', fields: [...unsigned(fields), [`${SIGNATURE_FIELD}[$ne]`, '']] },
  ],

  'other-key': ({ profile }, { request, fields }) => {
    const own = request.order.method.owner.key.reveal();
    const keys = [
      ['the key of another store', profile.delivery?.private?.otherApiKey?.reveal()],
      ['the key of a delivery provider', profile.delivery?.public?.apiKey?.reveal()],
      ['the key of an app', profile.apps?.apiKey?.reveal()],
      ['the secret of an app', profile.apps?.appSecret?.reveal()],
      ['the key of the store changed in one character', nearMissOf(own)],
      [
        'the key of the store in the other letter case',
        own.toUpperCase() === own ? own.toLowerCase() : own.toUpperCase(),
      ],
      ['an empty key', ''],
    ] as const;
    return keys
      .filter((entry): entry is (typeof keys)[number] & [string, string] => entry[1] !== undefined && entry[1] !== own)
      .map(([whose, key]) => ({ change: `the signature under ${whose}`, fields: withSignature(fields, key) }));
  },

  'near-miss': (_context, { request, fields }) =>
    nearMisses(fields, request.order.method.owner.key.reveal()).map(([change, signature]) => ({
      change,
      fields: signedAs(fields, signature),
    })),

  'request-id': (_context, { fields, otherRequestId }) => [
    ...tampered(fields, /^"label_request_id" (?!and )|^the values of "label_request_id" and "label_url" exchanged$/),
    ...(otherRequestId === undefined || otherRequestId === fieldOf({ fields }, 'label_request_id')
      ? []
      : [
          {
            change: 'the label_request_id of another request after signing',
            fields: replaced(fields, 'label_request_id', otherRequestId),
          },
        ]),
  ],

  'label-url': (_context, { fields }) => tampered(fields, /^"label_url" (?!and )/),

  tracking: (_context, { fields }) =>
    tampered(fields, /^"tracking_(code|url)" (?!and )|^the values of "tracking_\w+" and "tracking_\w+" exchanged$/),

  'added-tracking': (_context, { fields }) => [
    { change: 'a tracking_code added after signing', fields: inserted(fields, ['tracking_code', 'PM-ADDED']) },
    { change: 'a tracking_code added after the signature', fields: [...fields, ['tracking_code', 'PM-ADDED']] },
    {
      change: 'a tracking_url added after signing',
      fields: inserted(fields, ['tracking_url', 'https://tracking.example/added']),
    },
  ],
};

/** A field that the contract does not name, added after signing. */
export const addedUnknown = (fields: Fields): Forgery[] => [
  { change: 'an unknown field added after signing', fields: inserted(fields, ['pm_added', 'tampered']) },
  { change: 'an unknown field added at the front after signing', fields: [['pm_added', 'tampered'], ...fields] },
];

/** Every single change of a value; a mere change of order is not a tampering where a receiver goes by names. */
const tampered = (fields: Fields, name: RegExp): Forgery[] =>
  tamperings(fields)
    .filter((tampering) => name.test(tampering.name))
    .map((tampering) => ({ change: `${tampering.name} after signing`, fields: tampering.fields }));

const unsigned = (fields: Fields): Fields => fields.filter(([name]) => name !== SIGNATURE_FIELD);
const signedAs = (fields: Fields, signature: string): Fields => [...unsigned(fields), [SIGNATURE_FIELD, signature]];
const replaced = (fields: Fields, name: string, value: string): Fields =>
  fields.map((field) => (field[0] === name ? [name, value] : field));

/** The fields with one more, before the signature. */
const inserted = (fields: Fields, field: readonly [string, string]): Fields => [
  ...unsigned(fields),
  field,
  ...fields.filter(([name]) => name === SIGNATURE_FIELD),
];

/**
 * Signatures that are nearly right, or right for another message. All of them differ as bytes too: a receiver that decodes before it compares takes another
 * spelling of the same bytes (padding, say), and it has verified the message.
 */
function nearMisses(fields: Fields, key: string): (readonly [change: string, signature: string])[] {
  const right = fieldOf({ fields }, SIGNATURE_FIELD) ?? '';
  const other = (at: number): string => {
    const old = right.charAt(at);
    return `${right.slice(0, at)}${old === 'A' ? 'B' : 'A'}${right.slice(at + 1)}`;
  };
  const swapped = right.replace(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const hex = createHmac('sha256', key).update(signedMessage(fields), 'utf8').digest('hex');
  const over = (text: string): string => createHmac('sha256', key).update(text, 'utf8').digest('base64');
  return [
    ['the first character of the signature changed', other(0)],
    ['one character in the middle of the signature changed', other(21)],
    ['one of the last characters of the signature changed', other(41)],
    ['the signature in the other letter case', swapped],
    ['the signature in lower case', right.toLowerCase()],
    ['only the first 8 characters of the signature', right.slice(0, 8)],
    ['half of the signature', right.slice(0, 22)],
    ['an additional character in front of the signature', `A${right}`],
    ['the signature written in hexadecimal', hex],
    ['the signature of label_url alone', over(fieldOf({ fields }, 'label_url') ?? '')],
    ['the signature of label_request_id alone', over(fieldOf({ fields }, 'label_request_id') ?? '')],
    ['the signature of an empty message', over('')],
    ['a hash of the message without a key', createHash('sha256').update(signedMessage(fields)).digest('base64')],
    ['the signature under SHA-1', createHmac('sha1', key).update(signedMessage(fields), 'utf8').digest('base64')],
  ];
}
