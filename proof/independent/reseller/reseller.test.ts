import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, type Reply, second, secrets, send } from '../testing.ts';

test('reseller: sessions, websites, premium, login links, domains, settings, balance, password', async () => {
  const [email, password] = [secrets.RESELLER_EMAIL!, secrets.RESELLER_PASSWORD!];
  const post = async (path: string, fields: Record<string, string>, query = ''): Promise<Reply> => {
    const response = await fetch(`${second.origin}/api${path}${query}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    return { status: response.status, body: await response.json(), type: '' };
  };
  const first = (await post('/authorize/', { email, password })).body.apiToken;
  let apiToken = (await send('GET', `/api/authorize/?${new URLSearchParams({ email, password })}`, null)).body.apiToken;
  assert.equal((await post('/websites/', { apiToken: first })).status, 401);
  assert.equal((await post('/authorize/', { email, password: `${password}x` })).status, 401);
  const call = (path: string, fields: Record<string, string> = {}) =>
    post(path, fields, `?${new URLSearchParams({ apiToken })}`);
  const site = '/website/70412';
  const record = async () => (await call('/websites/')).body.websites.find((entry: Json) => entry.websiteID === 70412);
  const before = await record();
  for (const step of ['/disable/', '/enable/', '/enable/'])
    assert.equal((await call(`${site}${step}`)).body.error, false);
  assert.equal((await record()).websiteStatus, before.websiteStatus);
  await call(`${site}/enable_premium/premiumplus/`);
  assert.equal((await record()).websiteIsPremium, true);
  assert.equal((await call('/balance/')).body.premiumWebsites, 2);
  await call(`${site}/disable_premium/`);
  assert.equal((await record()).websiteIsPremium, false);
  assert.ok((await call(`${site}/enable_premium/`)).status >= 400);
  assert.equal((await call('/website/80001/disable/')).status, 404);

  const link = (await call(`${site}/login/`)).body.loginUrl;
  const entered = await fetch(link, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  const editor = new URL(entered.headers.get('location')!, link);
  assert.equal((await fetch(editor, { headers: { cookie } })).status, 200);
  assert.equal((await fetch(editor)).status, 403);
  assert.equal((await fetch(link, { redirect: 'manual' })).status, 410);

  const { domainID } = (await call(`${site}/domain/add/`, { domain: 'pārbaude.example' })).body;
  assert.equal((await call('/website/70411/domain/add/', { domain: 'PĀRBAUDE.example' })).status, 409);
  assert.equal((await call(`/website/70411/domain/${domainID}/remove/`)).status, 404);
  const names = async () => (await call(`${site}/domains/`)).body.domains.map((entry: Json) => entry.domain);
  assert.ok((await names()).includes('pārbaude.example'));
  assert.equal((await call(`${site}/domain/${domainID}/remove/`)).status, 200);
  assert.ok(!(await names()).includes('pārbaude.example'));

  const { settings } = (await call('/settings/')).body;
  assert.equal((await call('/settings/set/', { company: 'x' })).status, 422);
  const mixed = (await call('/settings/set/', { contactName: 'Jauns & <b>', company: 'x' })).body;
  assert.deepEqual(mixed, { error: false, ignored: ['company'] });
  assert.deepEqual((await call('/settings/')).body.settings, { ...settings, contactName: 'Jauns & <b>' });

  const next = 'jauna parole +&=ā';
  assert.equal((await call('/password/', { password: next })).body.error, false);
  assert.equal((await call('/websites/')).status, 401);
  assert.equal((await post('/authorize/', { email, password })).status, 401);
  apiToken = (await post('/authorize/', { email, password: next })).body.apiToken;
  assert.equal((await call('/password/', { password })).body.error, false);
  apiToken = (await post('/authorize/', { email, password })).body.apiToken;
  assert.equal((await call('/authorize/logout/')).body.error, false);
  assert.equal((await call('/websites/')).status, 401);
});
