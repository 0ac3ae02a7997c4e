import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fields, isAuthentic, sign, signedMessage, withSignature } from '../../../contracts/signing/index.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Secret } from '../../../harness/target/secrets/secret.ts';
import { addedUnknown, FORGE, FORGERY_KINDS, type ForgeryKind, type GenuineCallback } from './forgeries.ts';
import type { LabelRequest } from './orders.ts';

const KEY = 'Store-Key-0123456789';
const OTHER = 'other-key-9876543210';

const context = {
  profile: {
    delivery: {
      private: { apiKey: new Secret('STORE_KEY', KEY), otherApiKey: new Secret('OTHER_STORE_KEY', OTHER) },
      public: { apiKey: new Secret('PROVIDER_KEY', 'provider-key-55555') },
    },
  },
} as unknown as Context;

function genuine(more: Fields = []): GenuineCallback {
  const owner = { key: new Secret('STORE_KEY', KEY) };
  const request = { order: { method: { owner } } } as unknown as LabelRequest;
  const fields: Fields = [['label_request_id', 'lr_7'], ['label_url', 'https://l.example/7.pdf'], ...more];
  return { request, fields: withSignature(fields, KEY), otherRequestId: 'lr_8' };
}

const TRACKING: Fields = [
  ['tracking_code', 'AB 1'],
  ['tracking_url', 'https://t.example/?c=1'],
];

/** The forgeries of a kind, each with the callback that it differs from. */
function forged(kind: ForgeryKind) {
  const from = genuine(kind === 'tracking' ? TRACKING : []);
  return { from, forgeries: FORGE[kind](context, from) };
}

for (const kind of FORGERY_KINDS) {
  test(`${kind}: no forgery is authentic, and each is another one`, () => {
    const { from, forgeries } = forged(kind);
    assert.ok(isAuthentic(from.fields, KEY));
    assert.ok(forgeries.length > 0);
    const seen = new Set<string>();
    for (const { change, fields } of forgeries) {
      assert.equal(isAuthentic(fields, KEY), false, change);
      assert.ok(change.length > 5 && !seen.has(change), change);
      seen.add(change);
    }
  });
}

test('a forgery changes either the signature or what was signed, never both', () => {
  for (const kind of FORGERY_KINDS) {
    const { from, forgeries } = forged(kind);
    const right = sign(from.fields, KEY);
    for (const { change, fields } of forgeries) {
      const keepsMessage = signedMessage(fields) === signedMessage(from.fields);
      const keepsSignature = fields.some(([name, value]) => name === 'signature' && value === right);
      assert.equal(keepsMessage !== keepsSignature, true, `${kind}: ${change}`);
    }
  }
});

test('nearly right signatures are other bytes too, so that a receiver which decodes them first refuses them', () => {
  const { from, forgeries } = forged('near-miss');
  const right = Buffer.from(sign(from.fields, KEY), 'base64');
  for (const { change, fields } of forgeries) {
    const signature = fields.find(([name]) => name === 'signature')?.[1] ?? '';
    for (const decoded of [Buffer.from(signature, 'base64'), Buffer.from(signature, 'base64url')]) {
      assert.equal(decoded.equals(right), false, change);
    }
  }
});

test('a receiver that reads fields by name does not get a mere change of order', () => {
  // Allowed: message of label_request_id, label_url and the tracking fields in sent order, whatever the other fields are.
  const byNames = (fields: Fields): string => {
    const value = (name: string) => fields.find(([field]) => field === name)?.[1] ?? '';
    const tracking = fields.filter(([name]) => name.startsWith('tracking_')).map(([, text]) => text);
    return [value('label_request_id'), value('label_url'), ...tracking].join('');
  };
  for (const kind of ['request-id', 'label-url', 'tracking', 'added-tracking'] as const) {
    const { from, forgeries } = forged(kind);
    for (const { change, fields } of forgeries)
      assert.notEqual(byNames(fields), byNames(from.fields), `${kind}: ${change}`);
  }
});

test('the id of another request is replaced, and the own id is not', () => {
  const withOther = FORGE['request-id'](context, genuine()).length;
  const withOwn = FORGE['request-id'](context, { ...genuine(), otherRequestId: 'lr_7' }).length;
  const without = FORGE['request-id'](context, { ...genuine(), otherRequestId: undefined }).length;
  assert.deepEqual([withOwn, without], [withOther - 1, withOther - 1]);
});

test('the own key does not count as another key', () => {
  const same = {
    profile: { delivery: { private: { otherApiKey: new Secret('SAME', KEY) }, public: undefined } },
  } as unknown as Context;
  for (const { change, fields } of FORGE['other-key'](same, genuine()))
    assert.equal(isAuthentic(fields, KEY), false, change);
});

test('an unknown field is added to the message, which keeps its old signature', () => {
  const from = genuine();
  for (const { fields } of addedUnknown(from.fields)) {
    assert.equal(isAuthentic(fields, KEY), false);
    assert.equal(fields.length, from.fields.length + 1);
  }
});
