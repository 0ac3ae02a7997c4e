/** Clients of the Reseller interface: what keeps the contract, and mistakes of which each is laid to its clause alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { API, broken, type ExchangeDescription, judged, OK, WHOLE } from '../traffic.fixture.ts';

const INTEGRATOR = { party: 'integrator' } as const;
const FORM = ['content-type', 'application/x-www-form-urlencoded'] as const;
const TOKEN = 'tok+en/12345=';
const SENT = `apiToken=${encodeURIComponent(TOKEN)}`;
const REFUSED = { status: 400, response: { error: true, errorCode: 400, errorMsg: 'No.' } };

const post = (path: string, body: string, more: Partial<ExchangeDescription> = {}): ExchangeDescription => ({
  method: 'POST',
  url: API + path,
  headers: [FORM],
  body,
  response: OK,
  ...more,
});
const refused = (path: string, body: string): ExchangeDescription => post(path, body, REFUSED);
const authorized = post('authorize/', 'email=a%40b.test&password=secret-1', {
  response: { error: false, apiToken: TOKEN },
});
const inJson = (path: string, body: object): ExchangeDescription => ({
  ...refused(path, ''),
  headers: [['content-type', 'application/json']],
  body,
});

describe('a client that keeps the contract', () => {
  const cases: Record<string, readonly ExchangeDescription[]> = {
    'parameters in the query, in a form, or in both': [
      { url: `${API}website/7/domain/add/?${SENT}&domain=b%C3%BCcher.test`, headers: [], response: OK },
      post(`website/7/domain/add/?${SENT}`, 'domain=xn--bcher-kva.test'),
      post('settings/set/', `${SENT}&company=&language=en`),
      post('password/?lang=en', `${SENT}&password=+`),
    ],
    'a token that was older than the recording': [refused('websites/', 'apiToken=older-than-this'), authorized],
    'a token that the service gives again after logging out': [
      authorized,
      post('authorize/logout/', SENT),
      authorized,
      refused('balance/', SENT),
    ],
    'a call that was under way while the client logged out': [
      authorized,
      post('authorize/logout/', SENT, { at: 10_000, durationMs: 50 }),
      { ...refused('balance/', SENT), at: 10_020 },
    ],
    'a second token beside an empty one': [authorized, post('balance/?apiToken=', SENT)],
  };
  for (const [what, described] of Object.entries(cases))
    test(what, () => assert.deepEqual(broken([authorized, ...described], INTEGRATOR), []));

  test('is not blamed for a content type that was not recorded', () => {
    const untyped = { ...authorized, headers: [] };
    assert.deepEqual(broken([untyped, { ...post('settings/set/', `${SENT}&company=x`), headers: [] }], INTEGRATOR), []);
  });

  test('is not blamed for a body that was not recorded', () => {
    const described = { ...post('settings/set/', SENT), body: undefined, headers: [FORM] };
    const [exchange] = [authorized, described];
    assert.deepEqual(broken([exchange as ExchangeDescription], INTEGRATOR), []);
  });
});

describe('a mistake of a client', () => {
  const cases: ReadonlyArray<readonly [clause: string, reason: RegExp, described: readonly ExchangeDescription[]]> = [
    ['parameters', /has no parameter email$/, [refused('authorize/', 'login=a%40b.test&password=secret-1')]],
    ['parameters', /it is in a JSON body/, [inJson('authorize/', { email: 'a@b.test', password: 'secret-1' })]],
    ['parameters', /has no parameter domain/, [refused('website/7/domain/add/', `${SENT}&name=shop.test`)]],
    ['parameters', /has no parameter domain/, [refused('website/7/domain/add/', `${SENT}&domain=`)]],
    ['parameters', /JSON body/, [inJson(`website/7/domain/add/?${SENT}`, { domain: 'shop.test' })]],
    ['parameters', /has no parameter password/, [refused('password/', `${SENT}&newPassword=secret-2`)]],
    ['parameters', /changes no setting/, [refused('settings/set/', SENT)]],
    ['parameters', /changes no setting/, [refused('settings/set/', `${SENT}&settings%5Bcompany%5D=x`)]],
    ['parameters', /changes no setting/, [refused('settings/set/', `${SENT}&name=company&value=x`)]],
    ['ids-in-paths', /"my-shop" instead of the id of the website$/, [refused('website/my-shop/enable/', SENT)]],
    ['ids-in-paths', /"undefined" .*a program did not fill in/, [refused('website/undefined/login/', SENT)]],
    ['ids-in-paths', /the id of the domain/, [refused('website/7/domain/shop.test/remove/', SENT)]],
    ['domain-without-www', /whole address/, [refused('website/7/domain/add/', `${SENT}&domain=http%3A%2F%2Fa.test`)]],
    ['domain-without-www', /"\/" in its name/, [refused('website/7/domain/add/', `${SENT}&domain=a.test%2Fhome`)]],
    ['token', /no apiToken parameter: it is in a JSON body/, [inJson('websites/', { apiToken: TOKEN })]],
    ['token', /did not fill in/, [refused('websites/', 'apiToken=undefined')]],
    ['token', /changed on its way/, [refused('websites/', `apiToken=${TOKEN}`)]],
    [
      'token',
      /changed on its way/,
      [refused('websites/', `apiToken=${encodeURIComponent(encodeURIComponent(TOKEN))}`)],
    ],
    ['token', /changed on its way/, [refused('websites/', `apiToken=Bearer+${encodeURIComponent(TOKEN)}`)]],
    ['token', /changed on its way/, [refused('websites/', `apiToken=${encodeURIComponent(TOKEN.slice(0, -2))}`)]],
    ['token', /after logging out/, [post('authorize/logout/', SENT), refused('balance/', SENT)]],
  ];
  for (const [clause, reason, described] of cases) {
    const last = described.at(-1) as ExchangeDescription;
    test(`${clause}: ${last.url.slice(API.length)} ${JSON.stringify(last.body)}`, () => {
      const outcomes = judged([authorized, ...described], INTEGRATOR);
      assert.deepEqual(broken([authorized, ...described], INTEGRATOR), [`reseller.calls.${clause}`]);
      assert.match(outcomes(`reseller.calls.${clause}`)?.reason ?? '', reason);
    });
  }

  test('is not laid to the value of a token that the service takes', () => {
    assert.deepEqual(broken([authorized, post('balance/', 'apiToken=undefined')], INTEGRATOR), []);
  });
});

describe('names that no setting has', () => {
  const adviceIn = (...described: readonly ExchangeDescription[]): string | undefined =>
    judged([authorized, ...described], WHOLE)('reseller.calls.parameters')?.advice?.finding.pointer;
  const sent = post('settings/set/', `${SENT}&company=x&contact_phone=1`);

  test('are advised against beside others', () => assert.equal(adviceIn(sent), 'query contact_phone'));

  test('are not, where the service shows such a setting before or after', () => {
    const settings = post('settings/', SENT, { response: { ...OK, company: 'x', contact_phone: '' } });
    assert.equal(adviceIn(settings, sent), undefined);
    assert.equal(adviceIn(sent, settings), undefined);
  });

  test('are not, where they are the language of messages', () =>
    assert.equal(adviceIn(post('settings/set/?lang=en', `${SENT}&company=x&language=en`)), undefined));
});
