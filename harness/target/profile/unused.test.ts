import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfile } from './index.ts';
import { unusedCredentials } from './unused.ts';

const KEYS = {
  v1: 'http://127.0.0.1:9/v1/',
  api: 'http://127.0.0.1:9/api/',
  delivery: { private: { apiKey: 'store-key-123456' }, public: { apiKey: 'provider-key-123456' } },
  apps: { apiKey: 'app-key-123456', authCode: 'auth-code-123456' },
  reseller: { email: 'r@resellers.example', password: 'password-123456' },
};

const sentences = (profile: object): string[] =>
  unusedCredentials(parseProfile(JSON.stringify(profile), { file: 'p.json', folder: '/', env: {} }));

test('credentials of a part that is declared absent are named, with the declaration', () => {
  assert.deepEqual(sentences({ ...KEYS, absent: ['delivery', 'reseller'] }), [
    '"delivery.private.apiKey" of the profile is not used, because "absent" contains "delivery": remove the one or the other.',
    '"delivery.public.apiKey" of the profile is not used, because "absent" contains "delivery": remove the one or the other.',
    '"reseller.email" and "reseller.password" of the profile are not used, because "absent" contains "reseller": remove the one or the other.',
  ]);
  assert.match(sentences({ ...KEYS, absent: ['delivery.public', 'apps'] }).join('\n'), /"delivery.public".*\n.*"apps"/);
});

test('a part that is there, or has no credentials, is not', () => {
  assert.deepEqual(sentences(KEYS), []);
  assert.deepEqual(sentences({ v1: KEYS.v1, delivery: KEYS.delivery, absent: ['apps', 'reseller', 'labels'] }), []);
});
