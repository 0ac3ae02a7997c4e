import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import { plain, Secret, sealed } from './secret.ts';

const VALUE = 's3cr3t-value';
const secret = new Secret('STORE_KEY', VALUE);

test('a secret prints its name wherever it is turned into text, and gives its value only on request', () => {
  const error = new Error(`with ${secret}`, { cause: secret });
  const printed = [
    `${secret}`,
    String(secret),
    secret.toString(),
    // biome-ignore lint/style/useTemplate: concatenation is one more way
    'a ' + secret,
    JSON.stringify({ secret, list: [secret] }),
    inspect(secret),
    inspect({ deep: { secret } }, { depth: null, showHidden: true }),
    format('%s %o %j', secret, secret, secret),
    inspect(error),
    inspect(structuredCloneOf(secret)),
  ];
  for (const text of printed) assert.ok(!text.includes(VALUE), text);
  for (const text of printed.slice(0, 7)) assert.ok(text.includes('$STORE_KEY'), text);
  assert.equal(secret.reveal(), VALUE);
});

/** What a worker message would carry. */
function structuredCloneOf(value: unknown): unknown {
  return structuredClone(value);
}

test('text around a secret is a secret that shows the text', () => {
  const header = sealed`ApiKey ${secret} (${'x'})`;
  assert.equal(header.reveal(), `ApiKey ${VALUE} (x)`);
  assert.equal(String(header), 'ApiKey $STORE_KEY (x)');
  assert.equal(header.name, 'STORE_KEY');
});

test('plain returns what is sent', () => {
  assert.equal(plain(secret), VALUE);
  assert.equal(plain('abc'), 'abc');
});
