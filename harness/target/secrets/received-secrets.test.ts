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

test('a code in an address that a redirect leads to is a secret', () => {
  const location = ['location', 'https://b.test/app?authCode=code-0123456789&x=1'] as const;
  assert.equal(learned([location], 'code-0123456789'), '$AUTH_CODE');
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

interface Sent {
  readonly url?: string;
  readonly body?: string | Uint8Array;
  readonly response?: string | Uint8Array;
  readonly status?: number;
  readonly direction?: 'sent' | 'received';
  readonly cookie?: string;
}

/** What a text becomes after one exchange. */
function after(sent: Sent, text: string, redaction = createRedaction()): string {
  const { url = 'https://a.test/', body, response, status = 200, direction = 'sent', cookie } = sent;
  const headers: [string, string][] = cookie === undefined ? [] : [['Cookie', cookie]];
  learnSecrets(
    {
      ...{ at: 0, durationMs: 0, direction },
      request: { method: 'POST', url, headers, ...(body === undefined ? {} : { body }) },
      response: { status, headers: [], ...(response === undefined ? {} : { body: response }) },
    },
    redaction,
  );
  return redaction.text(text);
}

test('each name of the contract under which a secret travels is known, wherever it is and in any letter case', () => {
  const value = 'A1b2/C3d4&e5';
  const names = { apiToken: 'API_TOKEN', authCode: 'AUTH_CODE', password: 'PASSWORD', app_secret: 'APP_SECRET' };
  for (const [name, known] of Object.entries(names)) {
    const query = new URLSearchParams([[name, value]]).toString();
    const places: Sent[] = [
      { response: JSON.stringify({ a: { [name]: value } }) },
      { response: Buffer.from(JSON.stringify({ [name]: value }).replaceAll('/', '\\/')) },
      { url: `https://a.test/?a=b&${query}` },
      { body: `a=b&${query.replace(name, name.toUpperCase())}&c=d` },
    ];
    for (const place of places)
      assert.equal(after(place, `is ${value}`), `is $${known}`, `${name} ${JSON.stringify(place)}`);
  }
  assert.equal(
    after({ response: '{"loginUrl":"https://a.test/in/4711"}' }, 'https://a.test/in/4711'),
    'https://a.test$LOGIN_URL',
  );
});

test('values of custom fields that are called like secrets are secrets; short values and others are not', () => {
  const response = '{"fields":{"courier_password":"open-sesame","client_id":"C-77-4711","password":"1234567"}}';
  assert.equal(after({ response }, 'open-sesame C-77-4711 1234567'), '$FIELD_COURIER_PASSWORD C-77-4711 1234567');
});

test('what a refused login returns is not taken for a token', () => {
  const sent = { url: 'https://a.test/api/authorize/', response: '{"trace":"0f9d8c7b6a5e4d3c2b1a"}' };
  assert.equal(after({ ...sent, status: 401 }, '0f9d8c7b6a5e4d3c2b1a'), '0f9d8c7b6a5e4d3c2b1a');
  assert.equal(after(sent, '0f9d8c7b6a5e4d3c2b1a'), '$FIELD_TRACE');
});

test('the cookies of a received request are those of the target; those of a sent one are known', () => {
  const cookie = 'lang=en; sid=0123456789abcdefXYZ';
  assert.equal(after({ cookie, direction: 'received' }, '0123456789abcdefXYZ'), '$COOKIE');
  assert.equal(after({ cookie }, '0123456789abcdefXYZ'), '0123456789abcdefXYZ');
});

test('a known secret keeps its name', () => {
  const redaction = createRedaction();
  redaction.add({ name: 'AUTH_CODE_OF_PROFILE', value: 'code-0123456789' });
  assert.equal(
    after({ response: '{"authCode":"code-0123456789"}' }, 'code-0123456789', redaction),
    '$AUTH_CODE_OF_PROFILE',
  );
});
