import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedaction } from '../../evidence/redaction/index.ts';
import { learnSecrets } from './received-secrets.ts';

function learned(headers: readonly (readonly [string, string])[], text: string): string {
  const redaction = createRedaction();
  const request = { method: 'GET', url: 'https://a.test/', headers: [] };
  learnSecrets({ at: 0, durationMs: 0, request, response: { status: 200, headers } }, redaction);
  return redaction.text(text);
}

test('the cookie of a session is a secret wherever it turns up later', () => {
  const cookie = ['Set-Cookie', 'sid="0123456789abcdefXYZ"; Path=/; HttpOnly'] as const;
  assert.equal(learned([cookie], 'sid=0123456789abcdefXYZ'), 'sid=$COOKIE');
});

test('a cookie that keeps a choice is not a secret', () => {
  assert.equal(learned([['set-cookie', 'lang=en; Path=/']], 'Page of lang=en'), 'Page of lang=en');
});

test('the password in an address that a redirect leads to is a secret', () => {
  const location = ['Location', 'https://shop:open-sesame-4711@b.test/x?y=1'] as const;
  assert.equal(learned([location], location[1]), 'https://shop:$PASSWORD@b.test/x?y=1');
  assert.equal(
    learned([['location', 'https://b.test:8443/x@y']], 'https://b.test:8443/x@y'),
    'https://b.test:8443/x@y',
  );
});

test('what a login hands out under another name is a secret as well', () => {
  const redaction = createRedaction();
  const exchangeOf = (path: string, body: string) => ({
    at: 0,
    durationMs: 0,
    request: { method: 'POST', url: `https://a.test/api/${path}`, headers: [] },
    response: { status: 200, headers: [], body },
  });
  learnSecrets(
    exchangeOf('authorize/', '{"error":false,"api_token":"0f9d8c7b6a5e4d3c2b1a","note":"valid for 30 minutes"}'),
    redaction,
  );
  learnSecrets(
    exchangeOf('website/1/login/', '{"error":false,"link":"https://a.test/auto/0f1e2d3c4b5a69788796"}'),
    redaction,
  );
  learnSecrets(exchangeOf('settings/', '{"error":false,"buyLink":"https://a.test/buy/0123456789"}'), redaction);
  assert.equal(redaction.text('0f9d8c7b6a5e4d3c2b1a, valid for 30 minutes'), '$FIELD_API_TOKEN, valid for 30 minutes');
  assert.equal(redaction.text('https://a.test/auto/0f1e2d3c4b5a69788796'), 'https://a.test$FIELD_LINK');
  assert.equal(redaction.text('https://a.test/buy/0123456789'), 'https://a.test/buy/0123456789');
});
