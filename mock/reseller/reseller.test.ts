import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { inProcess, memoryService, type Reply, type Send } from '../client.fixture.ts';
import { Refusal } from '../http/refusal.ts';
import type { MockService } from '../types/service.ts';
import { openEditor } from './editor.ts';

type Params = Record<string, string>;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('reseller', () => {
  let now = new Date('2026-11-20T10:00:00Z');
  let service: MockService;
  let send: Send;
  let account: { email: string; password: string };
  beforeEach(() => {
    now = new Date('2026-11-20T10:00:00Z');
    service = memoryService({ clock: () => now });
    send = inProcess(service);
    const { email, password } = service.state.resellers.get('9001')!;
    account = { email, password };
  });

  const ways: Record<string, (path: string, params: Params) => Promise<Reply>> = {
    GET: (path, params) => send('GET', `/api${path}?${new URLSearchParams(params)}`, {}),
    POST: (path, params) => send('POST', `/api${path}`, FORM, new URLSearchParams(params).toString()),
    mixed: (path, params) => {
      const { apiToken, ...rest } = params;
      const query = apiToken === undefined ? '' : `?apiToken=${apiToken}`;
      return send('POST', `/api${path}${query}`, FORM, new URLSearchParams(rest).toString());
    },
    multipart: async (path, params) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(params)) form.append(name, value);
      const response = await service.fetch(new Request(`${service.origin}/api${path}`, { method: 'POST', body: form }));
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
    },
  };
  const get = ways.GET!;
  const signIn = async (): Promise<string> => (await get('/authorize/', account)).body.apiToken;

  for (const [way, call] of Object.entries(ways)) {
    test(`every call by ${way}`, async () => {
      const { apiToken } = (await call('/authorize/', account)).body;
      const ok = async (path: string, params: Params = {}): Promise<Reply['body']> => {
        const { status, body } = await call(path, { apiToken, ...params });
        assert.deepEqual([status, body.error], [200, false], path);
        return body;
      };
      const site = async () =>
        (await ok('/websites/')).websites.find((website: { websiteID: number }) => website.websiteID === 55003);
      assert.deepEqual(Object.keys(await site()), [
        'userName',
        'userEmail',
        'userCountry',
        'userCreated',
        'userIsConfirmed',
        'userIsUnsubscribed',
        'websiteID',
        'websiteBrandname',
        'websiteAlias',
        'websiteType',
        'websiteCreated',
        'websiteModified',
        'websiteAccessed',
        'websiteStatus',
        'websiteIsPremium',
      ]);
      await ok('/website/55003/disable/');
      assert.equal((await site()).websiteStatus, 0);
      await ok('/website/55003/enable/');
      assert.equal((await site()).websiteStatus, 1);
      const before = (await ok('/balance/')).premiumWebsites;
      await ok('/website/55003/enable_premium/premiumplus/');
      assert.equal((await site()).websiteIsPremium, true);
      assert.equal((await ok('/balance/')).premiumWebsites, before + 1);
      await ok('/website/55003/disable_premium/');
      assert.equal((await site()).websiteIsPremium, false);
      assert.match((await ok('/website/55003/login/')).loginUrl, /^http:\/\/127\.0\.0\.1:4010\/login\/\w+$/);
      await ok('/website/55003/domain/add/', { domain: 'check.example' });
      const { domains } = await ok('/website/55003/domains/');
      const id: number = domains[0].domainID;
      assert.deepEqual(domains, [{ domainID: id, domain: 'check.example' }]);
      assert.ok(!JSON.stringify(await ok('/website/55001/domains/')).includes('check.example'));
      await ok(`/website/55003/domain/${id}/remove/`);
      assert.deepEqual((await ok('/website/55003/domains/')).domains, []);
      const settings = await ok('/settings/');
      await ok('/settings/set/', { company: 'Ābols & Co +', addrCountry: 'EE' });
      assert.deepEqual(await ok('/settings/'), { ...settings, company: 'Ābols & Co +', addrCountry: 'ee' });
      await ok('/password/', { password: 'a new one +&%' });
      assert.equal((await call('/authorize/', account)).status, 401);
      assert.equal((await call('/authorize/', { ...account, password: 'a new one +&%' })).status, 200);
      await ok('/authorize/logout/');
      assert.deepEqual((await call('/balance/', { apiToken })).body, {
        error: true,
        errorCode: 401,
        errorMsg: 'Unauthorized',
      });
    });
  }

  test('refusals change nothing and carry the envelope of this interface', async () => {
    const apiToken = await signIn();
    const near = `${apiToken.slice(0, -1)}${apiToken.endsWith('0') ? '1' : '0'}`;
    const before = await service.control.state();
    const attempts: [string, Params][] = [
      ['/websites/', {}],
      ['/websites/', { apiToken: near }],
      ['/websites/', { apiToken: apiToken.slice(0, 8) }],
      ['/authorize/', { email: account.email }],
      ['/authorize/', { ...account, password: `${account.password}x` }],
      ['/authorize/', { email: 'nobody@example.com', password: '' }],
      [
        '/authorize/',
        { email: 'hopeful@new-resellers.example', password: service.state.resellers.get('9002')!.password },
      ],
      ['/website/55005/disable/', { apiToken }],
      ['/website/99/disable/', { apiToken }],
      ['/website/55003x/disable/', { apiToken }],
      ['/website/55003/enable_premium/gold/', { apiToken }],
      ['/website/55003/enable_premium/', { apiToken }],
      ['/website/55003/domain/add/', { apiToken }],
      ['/website/55003/domain/add/', { apiToken, domain: 'www.check.example' }],
      ['/website/55003/domain/add/', { apiToken, domain: 'no domain' }],
      ['/website/55003/domain/add/', { apiToken, domain: 'Nordic-Honey.example' }],
      ['/website/55003/domain/8001/remove/', { apiToken }],
      ['/website/55001/domain/99/remove/', { apiToken }],
      ['/settings/set/', { apiToken }],
      ['/settings/set/', { apiToken, company: 'x', creditLimit: '9' }],
      ['/settings/set/', { apiToken, company: 'x', __proto__x: '9' }],
      ['/settings/set/', { apiToken, addrCountry: 'Latvia' }],
      ['/password/', { apiToken }],
      ['/password/', { apiToken, password: 'short' }],
      ['/nothing/', { apiToken }],
    ];
    for (const [path, params] of attempts) {
      const { status, body } = await get(path, params);
      assert.ok(status >= 400 && status < 500, `${path} ${status}`);
      assert.deepEqual(Object.keys(body), ['error', 'errorCode', 'errorMsg'], path);
      assert.deepEqual([body.error, typeof body.errorCode, typeof body.errorMsg], [true, 'number', 'string']);
    }
    assert.deepEqual(await service.control.state(), before);
  });

  test('a login link opens once, and for a quarter of an hour', async () => {
    const apiToken = await signIn();
    const link = async (): Promise<string> =>
      (await get('/website/55003/login/', { apiToken })).body.loginUrl.split('/').at(-1);
    const first = await link();
    assert.equal(openEditor(service, first).id, 55003);
    assert.throws(() => openEditor(service, first), Refusal);
    assert.equal(openEditor(service, await link()).accessed, '2026-11-20 10:00:00');
    const old = await link();
    now = new Date('2026-11-20T10:15:00Z');
    assert.throws(() => openEditor(service, old), /too old/);
    assert.throws(() => openEditor(service, 'nothing'), Refusal);
  });

  test('tokens: several at the same time, each ends separately', async () => {
    const [one, two] = [await signIn(), await signIn()];
    await get('/authorize/logout/', { apiToken: one });
    assert.equal((await get('/balance/', { apiToken: one })).status, 401);
    assert.equal((await get('/balance/', { apiToken: two })).status, 200);
  });
});
