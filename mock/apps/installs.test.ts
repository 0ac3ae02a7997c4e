import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { verifyInstallHash } from '../../contracts/install-hash/index.ts';
import { inProcess, memoryService } from '../client.fixture.ts';
import type { Pairs } from '../http/call.ts';
import type { MockService } from '../types/service.ts';
import { acceptPermissions, acceptReturn, catalog, installState, startInstall, startSettings } from './installs.ts';

describe('installations', () => {
  let service: MockService;
  let secret: string;
  beforeEach(() => {
    service = memoryService();
    secret = service.state.apps.get('3001')!.manifest.app_secret;
  });
  const queryOf = (url: string): Pairs => [...new URL(url).searchParams];
  const returnRedirect = (url: string): Pairs =>
    queryOf(url).filter(([name]) => name !== 'callback' && name !== 'hash');
  const named = (url: string) => Object.fromEntries(queryOf(url));
  const address = (changes: object) =>
    service.change(() => {
      const app = service.state.apps.get('3001')!;
      service.state.apps.patch('3001', { manifest: { ...app.manifest, ...changes } });
    });

  test('the whole sequence', async () => {
    const first = startInstall(service, { appId: '3001', websiteId: 55001, language: 'lv' });
    assert.ok(first.url.startsWith('https://chat-corner.example/install?'));
    assert.equal(verifyInstallHash(first.url, secret).authentic, true);
    const sent = named(first.url);
    assert.deepEqual(Object.keys(sent), ['appId', 'language', 'callback', 'platformVersion', 'hash']);
    assert.deepEqual([sent.appId, sent.language, sent.callback?.includes('?')], ['3001', 'lv', false]);
    assert.equal(acceptReturn(service, first.token, returnRedirect(first.url)).show, 'permissions');
    const second = acceptPermissions(service, first.token);
    assert.equal(verifyInstallHash(second.url, secret).authentic, true);
    const { authCode } = named(second.url);
    assert.deepEqual(installState(service, authCode!), { known: true, installed: false });
    const send = inProcess(service);
    const app = service.state.apps.get('3001')!;
    const reply = await send('POST', `/v1/apps/installed/?authCode=${authCode}`, {
      authorization: `ApiKey ${app.apiKey}`,
    });
    assert.equal(reply.status, 200);
    assert.deepEqual(installState(service, authCode!), { known: true, installed: true });
    assert.equal(acceptReturn(service, second.token, returnRedirect(second.url)).show, 'end');
    assert.equal(service.state.installations.all().filter((row) => row.websiteId === 55001).length, 2);
  });

  test('the parameters of the app’s address are kept and hashed; its fragment stays last', () => {
    address({ app_install_url: 'https://chat-corner.example/install?tab=a%20b&hash=mine&x#top' });
    const { url } = startInstall(service, { appId: '3001', websiteId: 55001 });
    assert.ok(url.endsWith('#top'));
    assert.equal(verifyInstallHash(url, secret).authentic, true);
    assert.deepEqual([named(url).tab, named(url).x], ['a b', '']);
    assert.equal(queryOf(url).filter(([name]) => name === 'hash').length, 1);
  });

  test('the values are the same in every encoding', () => {
    const { url } = startSettings(service, service.state.installations.all()[0]!.authCode);
    const response = verifyInstallHash(url, secret);
    assert.ok(response.authentic && response.agreeing.length > 3, JSON.stringify(response));
  });

  test('permissions are requested only after the return redirect, and granted once', () => {
    const { token, url } = startInstall(service, { appId: '3001', websiteId: 55001 });
    assert.throws(() => acceptPermissions(service, token), /not being requested/);
    assert.throws(() => acceptReturn(service, token, returnRedirect(url).slice(1)), /parameters other than/);
    assert.throws(() =>
      acceptReturn(
        service,
        token,
        returnRedirect(url).map(([name, value]) => [name, `${value}x`]),
      ),
    );
    assert.throws(() => acceptReturn(service, 'nothing', returnRedirect(url)));
    acceptReturn(service, token, returnRedirect(url));
    acceptPermissions(service, token);
    assert.throws(() => acceptPermissions(service, token));
  });

  test('the catalog shows approved apps; another one can be installed for a test', () => {
    assert.deepEqual(
      catalog(service).map(({ id }) => id),
      ['3001'],
    );
    assert.equal(startInstall(service, { appId: '3002', websiteId: 55001 }).tabMode, 'self');
  });

  test('settings requests carry the code', () => {
    const { authCode } = service.state.installations.all()[1]!;
    const { url, token } = startSettings(service, authCode, 'en');
    assert.ok(url.startsWith('https://chat-corner.example/settings?authCode='));
    assert.equal(named(url).authCode, authCode);
    assert.equal(acceptReturn(service, token, returnRedirect(url)).show, 'end');
    assert.throws(() => startSettings(service, 'nothing'));
  });
});
