/** What counts as a secret of a profile, where it may be written, and that no message or print shows it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { parseProfile } from './index.ts';
import { ENV, parse, refusal, WHOLE } from './profile.fixture.ts';

test('no printed form of a profile contains a secret, and the shareable one names the environment', () => {
  const profile = parse(WHOLE);
  const printed = `${inspect(profile, { depth: null })}${JSON.stringify(profile)}${JSON.stringify(profile.toShareable())}`;
  for (const name of ['STORE_KEY', 'APP_SECRET', 'RESELLER_PASSWORD', 'GATE', 'AUTH_CODE'] as const) {
    assert.ok(!printed.includes(ENV[name]), `${name} is printed`);
  }
  const shareable = profile.toShareable() as typeof WHOLE;
  assert.equal(shareable.delivery.private.apiKey, '$STORE_KEY');
  assert.equal(shareable.headers['x-staging-gate'], 'Gate $GATE');
  assert.equal(shareable.delivery.public.expectedFields.api_password, '$FIELD');
  assert.equal(shareable.v1, 'https://$HOST/v1/');
});

test('the redaction learns every secret, also values of the environment inside longer texts', () => {
  const known = parse(WHOLE)
    .secrets()
    .map((secret) => secret.reveal());
  const wanted = [...Object.entries(ENV)].filter(([name]) => !['HOST', 'SITE', 'EMPTY'].includes(name));
  for (const [name, value] of wanted) assert.ok(known.includes(value), name);
  assert.ok(!known.includes('staging.example'));
  const expectedFields = { client_id: 'C-77', 'api-password': 'literal pass word' };
  const fields = parse({ delivery: { public: { expectedFields } } }).secrets();
  assert.deepEqual(
    fields.map((secret) => [secret.name, secret.reveal()]),
    [['FIELD_API_PASSWORD', 'literal pass word']],
  );
});

test('a message never shows values of the environment', () => {
  const env = { ...ENV, PASS: 'https://me:hidden-password@a.example/', WORD: 'hidden-password' };
  for (const profile of [
    { v1: '${PASS}' },
    { v1: '${WORD}' },
    { apps: { tabMode: '${WORD}' } },
    { website: { country: '${WORD}' } },
  ]) {
    assert.ok(!refusal(profile, env).includes('hidden-password'), refusal(profile, env));
  }
});

test('a plain secret is allowed only in a profile for this machine', () => {
  const delivery = { private: { apiKey: 'literal-key-1234' } };
  const local = parse({ v1: 'http://127.0.0.1:8080/v1/', delivery });
  assert.equal(local.delivery?.private?.apiKey?.reveal(), 'literal-key-1234');
  assert.equal(String(local.delivery?.private?.apiKey), '$DELIVERY_PRIVATE_API_KEY');
  assert.deepEqual(local.toShareable(), {
    v1: 'http://127.0.0.1:8080/v1/',
    delivery: { private: { apiKey: '$DELIVERY_PRIVATE_API_KEY' } },
  });
  assert.match(
    refusal({ v1: 'https://a.example/v1/', delivery }),
    /is a secret: write "\$\{DELIVERY_PRIVATE_API_KEY\}"/,
  );
  assert.match(refusal({ v1: 'http://127.0.0.1/v1/', api: 'https://a.example/api/', delivery }), /is a secret/);
  assert.match(refusal({ delivery }), /is a secret/);
  assert.match(refusal({ v1: 'https://a.example/v1/', headers: { 'x-gate': 'abc' } }), /"headers.x-gate" is a secret/);
  assert.match(refusal({ v1: 'https://a.example/v1/', proxy: 'http://me:pw@proxy.example' }), /"proxy" is a secret/);
});

test('keys travel over plain http only to this machine, or when that is allowed', () => {
  const keys = { delivery: { private: { apiKey: '${STORE_KEY}' } } };
  assert.match(refusal({ v1: 'http://a.example/v1/', ...keys }), /unencrypted to a.example/);
  assert.match(
    refusal({ v1: 'https://a.example/v1/', api: 'http://b.example/api/', ...keys }),
    /unencrypted to b.example/,
  );
  parse({ v1: 'http://a.example/v1/', ...keys, allow: ['plain-http'] });
  parse({ v1: 'http://127.0.0.1/v1/', ...keys });
  parse({ v1: 'http://a.example/v1/' });
});

test('a wrong ending of an address on this machine does not make its keys secrets of a shared file', () => {
  const text = '{ "v1": "http://127.0.0.1/api/", "delivery": { "private": { "apiKey": "the-key-of-the-store" } } }';
  assert.throws(
    () => parseProfile(text, { file: 'p.json', folder: '.', env: {} }),
    ({ message }: Error) => /must end with/.test(message) && !message.includes('\n'),
  );
});

test('what an address takes from the environment for its path or query is a secret, and its host is not', () => {
  const env = {
    ...ENV,
    PREVIEW: 'preview-token-1',
    PAGE: 'https://shop.example/lv/?preview=page%2Btoken-2',
    PATH_KEY: 'path-key-3456',
  };
  const profile = parse(
    {
      v1: 'https://${HOST}/${PATH_KEY}/v1/',
      website: { languages: ['en', 'lv'], pages: { en: 'https://${HOST}/?preview=${PREVIEW}', lv: '${PAGE}' } },
    },
    env,
  );
  const values = profile.secrets().map((secret) => `${secret.name}: ${secret.reveal()}`);
  assert.deepEqual(values.sort(), [
    'PAGE: page%2Btoken-2',
    'PAGE: page+token-2',
    'PATH_KEY: path-key-3456',
    'PREVIEW: preview-token-1',
  ]);
});

test('a part of a header or of the address of a proxy that opens something by itself is a secret, too', () => {
  const secretsOf = (change: object, env: Record<string, string>): string[] =>
    parse({ v1: 'https://a.example/v1/', ...change }, { ...ENV, ...env })
      .secrets()
      .map((secret) => secret.reveal());
  const basic = `Basic ${Buffer.from('stage:open-sesame').toString('base64')}`;
  assert.deepEqual(
    ['stage:open-sesame', 'open-sesame', basic].filter(
      (part) => !secretsOf({ headers: { 'x-gate': '${GATE}' } }, { GATE: basic }).includes(part),
    ),
    [],
  );
  assert.ok(secretsOf({ headers: { 'x-gate': 'Bearer ${GATE}' } }, {}).includes('gate-value-123'));
  assert.ok(secretsOf({ headers: { 'x-gate': '${GATE}' } }, { GATE: 'Bearer abc-123-def' }).includes('abc-123-def'));
  const cookies = secretsOf({ headers: { cookie: '${GATE}' } }, { GATE: 'gate=first-value; other=second=value' });
  assert.ok(cookies.includes('first-value') && cookies.includes('second=value'));
  const proxied = secretsOf({ proxy: '${PROXY}' }, { PROXY: 'http://me:p%40ss-word@proxy.example' });
  assert.ok(proxied.includes('p%40ss-word') && proxied.includes('p@ss-word') && proxied.includes('me:p@ss-word'));
  assert.ok(
    secretsOf({ proxy: '${PROXY}' }, { PROXY: 'http://proxy-token-1@proxy.example' }).includes('proxy-token-1'),
  );
});
