/** Mistakes of clients in many languages, each over HTTP on a running service: the refusal names the mistake. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { overSocket, type Send } from '../client.fixture.ts';
import { type RunningServer, serve } from '../http/serve.ts';
import type { MockService } from '../types/service.ts';
import { HINT_HEADER } from './request.ts';

const METHODS = '/v1/store/delivery_methods/';
const METHOD = '/v1/store/delivery_method/';
const json = { 'content-type': 'application/json' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const twice = (text: string): string => encodeURIComponent(encodeURIComponent(text));
const query = (fields: Record<string, string>): string => String(new URLSearchParams(fields));

/** What the service knows. */
interface Known {
  readonly store: string;
  readonly provider: string;
  readonly app: string;
  readonly secret: string;
  readonly code: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}
type Call = readonly [method: string, path: string, headers?: Record<string, string>, body?: string];

const key = (value: string): Record<string, string> => ({ authorization: `ApiKey ${value}` });
const MISTAKES: ReadonlyArray<readonly [what: string, hint: RegExp, call: (known: Known) => Call]> = [
  ['a key in a JSON body', /not into the body$/, ({ store }) => ['POST', METHOD, json, `{"api_key":"${store}"}`]],
  ['a colon behind ApiKey', /no ":"/, ({ store }) => ['GET', METHODS, { authorization: `ApiKey: ${store}` }]],
  ['an equals sign behind ApiKey', /no "="/, ({ store }) => ['GET', METHODS, { authorization: `ApiKey=${store}` }]],
  ['a key with its name', /without a name/, ({ store }) => ['GET', METHODS, key(`key=${store}`)]],
  ['a key in base64', /it is one in base64/, ({ store }) => ['GET', METHODS, key(base64(store))]],
  ['a user name and a key', /behind a user name/, ({ store }) => ['GET', METHODS, key(base64(`api:${store}`))]],
  ['a percent-encoded key', /percent-encoded/, ({ store }) => ['GET', METHODS, key(`${store}%0A`)]],
  ['a token of Reseller as the key', /an apiToken of Reseller/, ({ token }) => ['GET', METHODS, key(token)]],
  [
    'a secret as the key',
    /the app_secret/,
    ({ secret, code }) => ['GET', `/v1/apps/user/?authCode=${code}`, key(secret)],
  ],
  ['an id as the key', /it is an id/, ({ code }) => ['GET', `/v1/apps/user/?authCode=${code}`, key('3001')]],
  ['a key as the code', /^authCode has a key/, ({ app }) => ['GET', `/v1/apps/user/?authCode=${app}`, key(app)]],
  [
    'a code in base64',
    /authCode is in base64/,
    ({ app, code }) => ['GET', `/v1/apps/user/?authCode=${encodeURIComponent(base64(code))}`, key(app)],
  ],
  [
    'a token in a header',
    /not the header x-api-token/,
    ({ token }) => ['GET', '/api/balance/', { 'x-api-token': token }],
  ],
  ['a token in a cookie', /not a cookie/, ({ token }) => ['GET', '/api/balance/', { cookie: `apiToken=${token}` }]],
  ['an empty token', /apiToken is empty/, () => ['GET', '/api/balance/?apiToken=']],
  ['a key as the token', /has the key of a store/, ({ store }) => ['GET', `/api/balance/?apiToken=${store}`]],
  [
    'a login the wrong way round',
    /are exchanged/,
    ({ email, password }) => ['GET', `/api/authorize/?${query({ email: password, password: email })}`],
  ],
  [
    'a password with a line break',
    /a line break around it/,
    ({ email, password }) => ['GET', `/api/authorize/?${query({ email, password: `${password}\n` })}`],
  ],
  [
    'a bare plus sign',
    /encode it as %2B/,
    () => ['GET', '/api/authorize/?email=plus+sign@resellers.example&password=x'],
  ],
  [
    'an override in a header',
    /with the method DELETE itself/,
    ({ store }) => ['POST', `${METHOD}m/`, { ...key(store), 'x-http-method-override': 'delete' }],
  ],
  [
    'an override in a body',
    /with the method PUT itself/,
    ({ store }) => ['POST', `${METHOD}m/`, { ...key(store), ...json }, '{"_method":"PUT"}'],
  ],
  [
    'a path that is encoded twice',
    /encoded twice/,
    ({ store }) => ['GET', `${METHOD}honey-courier/pickup_point/${twice('a/b')}/`, key(store)],
  ],
  [
    'a plus sign for a space',
    /a space as %20/,
    ({ store }) => ['GET', `${METHOD}honey-courier/pickup_point/a+b/`, key(store)],
  ],
  ['a placeholder', /holds a placeholder/, ({ store }) => ['GET', `${METHOD}%7Bhandle%7D/`, key(store)]],
  [
    'a path of Reseller below /v1/',
    /below another base: \/api\/websites\//,
    ({ token }) => ['GET', `/v1/websites/?apiToken=${token}`],
  ],
  [
    'a path of Delivery below /api/',
    /below another base: \/v1\/store/,
    ({ store }) => ['GET', '/api/store/delivery_methods/', key(store)],
  ],
  ['no base', /below another base: \/v1\/store/, ({ store }) => ['GET', '/store/delivery_methods/', key(store)]],
  [
    'another version',
    /below another base: \/v1\/store/,
    ({ store }) => ['GET', '/v2/store/delivery_methods/', key(store)],
  ],
  [
    'a parameter of the body in the query',
    /order_uuid goes into a body of JSON/,
    ({ provider }) => ['POST', '/v1/store/delivery_provider_settings/?order_uuid=x', key(provider)],
  ],
  [
    'a map of points',
    /array_values/,
    ({ store }) => [
      'POST',
      `${METHOD}honey-courier/pickup_points/batch_replace/`,
      { ...key(store), ...json },
      '{"pickup_points":{"3":{"id":"1"}}}',
    ],
  ],
  [
    'JSON within JSON',
    /not a text that holds JSON/,
    ({ store }) => ['POST', METHOD, { ...key(store), ...json }, '{"delivery_method":"{}"}'],
  ],
  [
    'the name of a domain',
    /takes the domainID/,
    ({ token }) => ['GET', `/api/website/55003/domain/a.example/remove/?apiToken=${token}`],
  ],
  [
    'the alias of a website',
    /takes the websiteID/,
    ({ token }) => ['GET', `/api/website/nordic-honey/enable/?apiToken=${token}`],
  ],
];

describe('a refusal over HTTP names the mistake', () => {
  let server: RunningServer;
  let send: Send;
  let known: Known;
  before(async () => {
    server = await serve({ hints: true });
    send = overSocket(server.origin);
    known = await knownOf(server.service, send);
  });
  after(() => server.close());

  for (const [what, hint, call] of MISTAKES)
    test(what, async () => {
      const [method, path, headers = {}, body] = call(known);
      const reply = await send(method, path, headers, body);
      assert.ok(reply.status >= 400, String(reply.status));
      const shown = reply.headers.get(HINT_HEADER) ?? '';
      assert.match(shown, hint);
      for (const secret of Object.values(known)) assert.ok(!shown.includes(secret), shown);
    });

  test('also where the service does not get the request', async () => {
    const reply = await send('GET', METHODS, { expect: 'tea' });
    assert.equal(reply.status, 417);
    assert.match(reply.headers.get(HINT_HEADER) ?? '', /100-continue/);
  });

  test('and an empty list of parameters in JSON counts as no parameters', async () => {
    for (const body of ['{}', '[]', 'null']) {
      const reply = await send('POST', `/api/balance/?apiToken=${known.token}`, json, body);
      assert.equal(reply.status, 200, body);
    }
  });
});

async function knownOf(service: MockService, send: Send): Promise<Known> {
  const { state } = service;
  const reseller = state.resellers.all()[0]!;
  const { email, password } = reseller;
  const other = { ...reseller, id: 77, email: 'plus+sign@resellers.example' };
  service.change(() => state.resellers.set('77', other));
  const { body } = await send('GET', `/api/authorize/?${query({ email, password })}`, {});
  const app = state.apps.all()[0]!;
  return {
    ...{ email, password, token: body.apiToken, store: state.websites.all()[0]!.apiKey },
    ...{ provider: state.providers.all()[0]!.apiKey, app: app.apiKey, secret: app.manifest.app_secret },
    code: state.installations.all()[0]!.authCode,
  };
}
