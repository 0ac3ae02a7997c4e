import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sign } from '../../contracts/signing/index.ts';
import { startInstall } from '../apps/installs.ts';
import { inProcess, memoryService } from '../client.fixture.ts';
import { pressPrintLabel } from '../orders/labels.ts';
import { HINT_HEADER } from './request.ts';

const service = memoryService({ hints: true });
const send = inProcess(service);
const store = service.state.websites.all()[0]!;
const provider = service.state.providers.all()[0]!;
const app = service.state.apps.all()[0]!;
const installation = service.state.installations.all()[0]!;
const json = { 'content-type': 'application/json' };
const withKey = (key: string, more: Record<string, string> = {}) => ({ authorization: `ApiKey ${key}`, ...more });
const METHODS = '/v1/store/delivery_methods/';

const hintOf = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
  const reply = await send(method, path, headers, body);
  assert.ok(reply.status >= 400, `${method} ${path} is served`);
  return reply.headers.get(HINT_HEADER) ?? '';
};

describe('each refusal says what would have been correct', () => {
  const cases: [what: string, RegExp, ...Parameters<typeof hintOf>][] = [
    [
      'another scheme',
      /^the scheme is ApiKey, not Bearer$/,
      'GET',
      METHODS,
      { authorization: `Bearer ${store.apiKey}` },
    ],
    ['no header', /^send the header Authorization: ApiKey KEY$/, 'GET', METHODS],
    ['a bare key', /^the word ApiKey and a space come before the key/, 'GET', METHODS, { authorization: store.apiKey }],
    ['another header', /not into x-api-key$/, 'GET', METHODS, { 'x-api-key': store.apiKey }],
    ['quotes', /has quotes/, 'GET', METHODS, withKey(`"${store.apiKey}"`)],
    ['the key of an app', /this is the key of an app/, 'GET', METHODS, withKey(app.apiKey)],
    [
      'an unknown key',
      /neither a store nor a delivery provider has this key: the keys/,
      'GET',
      METHODS,
      withKey('nothing-like'),
    ],
    ['a key in capitals', /apart from the case of its letters/, 'GET', METHODS, withKey(store.apiKey.toUpperCase())],
    [
      'a store for custom fields',
      /for delivery providers/,
      'POST',
      '/v1/store/delivery_provider_settings/',
      withKey(store.apiKey, json),
      '{"order_uuid":"x"}',
    ],
    [
      'the plural path',
      /did you mean \/v1\/store\/delivery_method\/\{handle\}\//,
      'GET',
      '/v1/store/delivery_methods/honey/',
      withKey(store.apiKey),
    ],
    ['another method', /DELETE is not a method of this path: send GET/, 'DELETE', METHODS, withKey(store.apiKey)],
    [
      'the method of another owner',
      /may belong to another key/,
      'GET',
      '/v1/store/delivery_method/parcel-lockers/',
      withKey(store.apiKey),
    ],
    [
      'a letter outside ASCII',
      /has no pickup point "\\u0137 1"/,
      'GET',
      '/v1/store/delivery_method/honey-courier/pickup_point/%C4%B7%201/',
      withKey(store.apiKey),
    ],
    [
      'a list as body',
      /the body is a JSON object/,
      'POST',
      '/v1/store/delivery_method/',
      withKey(store.apiKey, json),
      '[]',
    ],
    ['no code', /add \?authCode=CODE/, 'GET', '/v1/apps/user/', withKey(app.apiKey)],
    [
      'a code spelled otherwise',
      /is authCode, not auth_code/,
      'GET',
      '/v1/apps/user/?auth_code=x',
      withKey(app.apiKey),
    ],
    ['an unknown code', /no installation has this authCode/, 'GET', '/v1/apps/user/?authCode=x', withKey(app.apiKey)],
    [
      'the key of a store for apps',
      /this is the key of a store/,
      'GET',
      `/v1/apps/user/?authCode=${installation.authCode}`,
      withKey(store.apiKey),
    ],
    [
      'JSON for Reseller',
      /taken from the query and from form fields .*, not from application\/json/,
      'POST',
      '/api/authorize/',
      json,
      '{"email":"a","password":"b"}',
    ],
    ['no token', /apiToken is missing/, 'GET', '/api/websites/'],
    ['a token in the header', /not the header Authorization/, 'GET', '/api/websites/', { authorization: 'Bearer x' }],
    ['an unknown label request', /unchanged/, 'GET', '/label_callback/?label_request_id=1'],
    ['an unknown visit', /belongs to no visit/, 'GET', '/app_callback/nothing'],
    ['an address of nothing', /nothing is at this address/, 'GET', '/v2/'],
    [
      'two spaces',
      /^one space belongs between ApiKey and the key/,
      'GET',
      METHODS,
      { authorization: `ApiKey  ${store.apiKey}` },
    ],
    [
      'the header twice',
      /came twice/,
      'GET',
      METHODS,
      { authorization: `ApiKey ${store.apiKey}, ApiKey ${store.apiKey}` },
    ],
    [
      'an unknown handle next to an own one',
      /^There is no delivery method "nope"\.$/,
      'POST',
      '/v1/store/delivery_method/honey-courier,nope/pickup_point/',
      withKey(store.apiKey, json),
      '{"pickup_point":{"id":"1"}}',
    ],
    [
      'a handle of another owner next to an own one',
      /parcel-lockers may belong to another key/,
      'POST',
      '/v1/store/delivery_method/honey-courier,parcel-lockers/pickup_point/',
      withKey(store.apiKey, json),
      '{"pickup_point":{"id":"1"}}',
    ],
    [
      'a comma at the end',
      /^a comma separates two handles/,
      'POST',
      '/v1/store/delivery_method/honey-courier,/pickup_point/',
      withKey(store.apiKey, json),
      '{"pickup_point":{"id":"1"}}',
    ],
    [
      'several handles where one belongs',
      /^this call takes one handle/,
      'GET',
      '/v1/store/delivery_method/honey-courier,honey-courier/',
      withKey(store.apiKey),
    ],
    [
      'a wrong value under the content type of a form',
      /^title must be/,
      'POST',
      '/v1/store/delivery_method/',
      withKey(store.apiKey, { 'content-type': 'application/x-www-form-urlencoded' }),
      '{"delivery_method":{"title":5}}',
    ],
    [
      'a form for JSON',
      /not application\/x-www-form-urlencoded$/,
      'POST',
      '/v1/store/delivery_method/',
      withKey(store.apiKey, { 'content-type': 'application/x-www-form-urlencoded' }),
      'delivery_method[title]=x',
    ],
    [
      'a compressed body',
      /^The content coding "gzip" is not supported: send the body uncompressed/,
      'POST',
      '/v1/store/delivery_method/',
      withKey(store.apiKey, { ...json, 'content-encoding': 'gzip' }),
      '\u001f',
    ],
    [
      'UTF-16',
      /is UTF-16: send it as UTF-8/,
      'POST',
      '/v1/store/delivery_method/',
      withKey(store.apiKey, json),
      '{"a":1}'.replaceAll(/./g, '$&\0'),
    ],
    [
      'a comma too many',
      /not JSON from character 33 on/,
      'POST',
      '/v1/store/delivery_method/',
      withKey(store.apiKey, json),
      '{"delivery_method":{"title":"x",}}',
    ],
    [
      'a form without a type',
      /not a form$/,
      'POST',
      '/v1/store/delivery_method/',
      withKey(store.apiKey),
      'delivery_method[title]=x',
    ],
    [
      'a path without store',
      /did you mean \/v1\/store\/delivery_methods\//,
      'GET',
      '/v1/delivery_methods/',
      withKey(store.apiKey),
    ],
    [
      'the version twice',
      /did you mean \/v1\/store\/delivery_methods\//,
      'GET',
      '/v1/v1/store/delivery_methods/',
      withKey(store.apiKey),
    ],
    [
      'a code in a header',
      /not into the header authcode/,
      'GET',
      '/v1/apps/user/',
      withKey(app.apiKey, { authcode: 'x' }),
    ],
    [
      'a code as the key',
      /^this is an authCode/,
      'GET',
      `/v1/apps/user/?authCode=${installation.authCode}`,
      withKey(installation.authCode),
    ],
    [
      'premium without a subscription',
      /enable_premium\/\{subscription\}\//,
      'GET',
      '/api/website/55003/enable_premium/',
    ],
  ];
  for (const [what, hint, ...call] of cases) {
    test(what, async () => assert.match(await hintOf(...call), hint));
  }

  test('a wrong signature is explained by its mistake', async () => {
    const order = service.state.orders.all()[0]!;
    const { fields } = pressPrintLabel(service, order.uuid);
    const id = fields.find(([name]) => name === 'label_request_id')![1];
    const success = [
      ['label_request_id', id],
      ['label_url', 'https://labels.example/1.pdf'],
    ] as const;
    const signature = Buffer.from(sign(success, provider.apiKey), 'base64').toString('hex');
    const query = new URLSearchParams([...success.map(([name, value]) => [name, value]), ['signature', signature]]);
    assert.match(await hintOf('GET', `/label_callback/?${query}`), /base64 of the raw digest instead of hexadecimal/);

    // The service also takes a second report, so that nothing but its own mistake explains a refused one.
    query.set('signature', sign(success, provider.apiKey));
    assert.equal((await send('GET', `/label_callback/?${query}`, {})).status, 200);
    query.set('signature', signature);
    assert.match(await hintOf('GET', `/label_callback/?${query}`), /base64 of the raw digest instead of hexadecimal/);
    query.delete('signature');
    query.set('error_msg', 'No stock');
    assert.match(await hintOf('GET', `/label_callback/?${query}`), /^Send label_url or error_msg, not both\.$/);
  });

  test('a redirect with other parameters names them', async () => {
    const { token } = startInstall(service, { appId: app.id, websiteId: store.id });
    const hint = await hintOf('GET', `/app_callback/${token}?appId=${app.id}&extra=1`);
    assert.match(hint, /missing or changed: language, platformVersion; not as received: extra/);
  });

  test('no hint contains a key, a code or a signature', async () => {
    const keys = [store.apiKey, provider.apiKey, app.apiKey, installation.authCode];
    for (const [, , ...call] of cases) {
      const hint = await hintOf(...call);
      for (const key of keys) assert.ok(!hint.includes(key), hint);
      assert.match(hint, /^[\x20-\x7e]+$/);
    }
  });
});

test('served calls have no hint, and neither has a service under test', async () => {
  const served = await send('GET', METHODS, withKey(store.apiKey));
  assert.equal(served.headers.get(HINT_HEADER), null);
  const refused = await inProcess(memoryService())('GET', METHODS, {});
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get(HINT_HEADER), null);
});
