import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installHash } from '../../install-hash/index.ts';
import type { TrafficOptions } from '../index.ts';
import { broken, type ExchangeDescription, encoded, judged, KEY } from '../traffic.fixture.ts';

const SECRET = 'secret-77aE01c9D4b2f8';

describe('loads and returns of an app', () => {
  const PAGE = 'https://app.test/install?own=1';
  const RETURN = 'https://service.test/apps/return/';
  const load = (changes: Readonly<Record<string, string | undefined>> = {}, page = PAGE): ExchangeDescription => {
    const given = { appId: '7', language: 'lv', callback: RETURN, platformVersion: '4.2', ...changes };
    const pairs = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const address = `${page}${page.includes('?') ? '&' : '?'}${encoded(pairs)}`;
    const hash = installHash(new URL(address).search, SECRET);
    return {
      url: changes.hash === undefined ? `${address}&hash=${hash}` : address,
      headers: [],
      response: '',
      responseHeaders: [],
    };
  };
  const back = (query: string, init: Partial<ExchangeDescription> = {}): ExchangeDescription => ({
    url: `${RETURN}?${query}`,
    headers: [],
    response: '',
    responseHeaders: [],
    ...init,
  });
  const service = { keys: { APP_SECRET: SECRET, API_KEY: KEY } };

  test('that keep the contract break nothing', () => {
    const described = [load(), load({ authCode: 'code-1' }), load({ authCode: 'code-1' }, 'https://app.test/settings')];
    assert.deepEqual(broken(described, service), []);
    for (const clause of [
      'install.hash.first-load-correct',
      'install.hash.second-load-correct',
      'settings.request.hash-correct',
    ])
      assert.equal(judged(described, service)(clause)?.verdict, 'pass', clause);
  });

  const faults: ReadonlyArray<readonly [clause: string, described: ExchangeDescription]> = [
    ['install.parameters.app-id', load({ appId: '' })],
    ['install.parameters.language', load({ language: 'Latvian' })],
    ['install.parameters.callback', load({ callback: '/return/' })],
    ['install.parameters.platform-version', load({ platformVersion: undefined })],
    ['install.hash.present', load({ hash: '' })],
    ['install.hash.lowercase-hex', load({ hash: 'AB'.repeat(32) })],
    ['install.hash.first-load-correct', load({ hash: 'ab'.repeat(32) })],
    ['install.parameters.callback-without-query', load({ callback: `${RETURN}?a=1` })],
    ['install.hash.encodings-agree', load({ platformVersion: '4 2' })],
  ];
  for (const [clause, described] of faults)
    test(clause, () => assert.deepEqual(broken([described], service), [clause]));

  test('name one app for one authCode', () => {
    const byService = [['Referer', 'https://service.test/']] as const;
    const of = (
      appId: string,
      page = PAGE,
      headers: ExchangeDescription['headers'] = byService,
    ): ExchangeDescription => ({
      ...load({ appId, authCode: 'code-1' }, page),
      headers: headers ?? [],
    });
    const settings = 'https://app.test/settings';
    assert.deepEqual(broken([load(), of('7'), of('8', settings)], service), ['settings.request.app-id']);
    assert.deepEqual(broken([load(), of('7'), of('8')], service), ['install.parameters.app-id']);
    assert.deepEqual(broken([load(), of('7'), of('7', settings)], service), []);
    // Without a sign of its sender it may be a forged request.
    assert.deepEqual(broken([load(), of('7'), of('8', settings, [])], service), []);
  });

  test('by POST break the sequence, if a page of the service made them', () => {
    const posted = (
      page: string,
      code: Readonly<Record<string, string>>,
      headers: ReadonlyArray<readonly [string, string]>,
    ): ExchangeDescription => {
      const { url } = load(code, page);
      const [address = '', query] = url.split('?');
      const type = ['content-type', 'application/x-www-form-urlencoded'] as const;
      return { ...load(), method: 'POST', url: address, body: query, headers: [type, ...headers] };
    };
    const byService = [['Origin', 'https://service.test']] as const;
    const install = posted('https://app.test/install', {}, byService);
    const settings = posted('https://app.test/settings', { authCode: 'c' }, byService);
    const inQuery = { ...load({ authCode: 'c' }, 'https://app.test/settings'), method: 'POST', headers: byService };
    assert.deepEqual(broken([install], service), ['install.sequence.first-load']);
    for (const described of [settings, inQuery])
      assert.deepEqual(broken([described], service), ['settings.request.loads-settings-url']);
    const unknown = judged([{ ...inQuery, headers: [] }], service)('settings.request.loads-settings-url');
    assert.deepEqual([unknown?.verdict, unknown?.attribution], ['inconclusive', 'target']);
    // A form of the app's own page keeps the address, and need not say where it comes from.
    const first = load({ authCode: 'c' }, 'https://app.test/settings');
    const own = { ...first, method: 'POST', body: 'colour=red' };
    for (const party of ['service', 'integrator'] as const)
      assert.deepEqual(broken([first, own, { ...own, headers: byService }], { ...service, party }), []);
    assert.deepEqual(broken([{ ...own, headers: [['Origin', 'https://app.test']] }], service), []);
  });

  test('a hash over a value that a tool hid in its own way is left open', () => {
    for (const hidden of ['***', 'REDACTED', '[redacted]', '%3Chidden%3E', '{{code}}', '%7B%7Bcode%7D%7D']) {
      const described = load({ authCode: 'code-1' });
      const taken = { ...described, url: described.url.replace('code-1', hidden) };
      assert.equal(
        judged([load(), taken], service)('install.hash.second-load-correct')?.verdict,
        'inconclusive',
        hidden,
      );
      const called = { method: 'POST', url: `apps/installed/?authCode=${hidden}`, response: { error: false } };
      assert.deepEqual(broken([load(), taken, called], { ...service, party: 'integrator' }), [], hidden);
    }
  });

  test('a hash over a code that was taken out is judged with the code, and else left open', () => {
    const described = load({ authCode: 'code-1' });
    const hidden = { ...described, url: described.url.replace('code-1', '$AUTH_CODE') };
    const of = (keys: Record<string, string>) =>
      judged([load(), hidden], { keys })('install.hash.second-load-correct')?.verdict;
    assert.equal(of({ APP_SECRET: SECRET }), 'inconclusive');
    assert.equal(of({ APP_SECRET: SECRET, AUTH_CODE: 'code-1' }), 'pass');
    assert.equal(of({ APP_SECRET: SECRET, AUTH_CODE: 'code-2' }), 'inconclusive');
  });

  const app: Partial<TrafficOptions> = { party: 'integrator', headersComplete: true, complete: true };
  const right = 'own=1&appId=7&language=lv&platformVersion=4.2';

  test('returns carry what was received, in any order', () => {
    assert.deepEqual(broken([load(), back(right)], app), []);
    assert.deepEqual(broken([load(), back(right.split('&').reverse().join('&'))], app), []);
    assert.equal(judged([load(), back(right)], app)('app.install.first-load-redirects')?.verdict, 'pass');
    const second = [load(), back(right), load({ authCode: 'c' }), back(`${right}&authCode=c`), back(right)];
    assert.deepEqual(broken(second, app), []);
  });

  test('are not what an app passes on to itself', () => {
    const kept = 'callback=https%3A%2F%2Fservice.test%2Fapps%2Freturn%2F&appId=7&language=lv&platformVersion=4.2';
    const verify = `https://app.test/verify?step=2&${kept}`;
    const moved: ExchangeDescription = {
      ...load(),
      status: 302,
      responseHeaders: [['location', `/verify?step=2&${kept}`]],
    };
    const step = (headers: ExchangeDescription['headers'] = []): ExchangeDescription => ({
      url: verify,
      headers,
      response: '',
      responseHeaders: [],
    });
    const same = { ...load(), url: load().url.replace('/install?', '/api/verify?step=2&') };
    for (const described of [
      [moved, step()],
      [load(), step([['referer', load().url]])],
      [load(), same],
    ])
      assert.deepEqual(broken(described, service), []);
    assert.deepEqual(broken([load(), step()], service), ['install.hash.present']);
  });

  test('are not what the service does behind its callback', () => {
    const form: ExchangeDescription = {
      method: 'POST',
      url: RETURN,
      headers: [['Origin', 'https://service.test']],
      body: 'accept=1',
      response: '',
      responseHeaders: [],
    };
    const next = back('language=lv&step=accept', { headers: [['Referer', `${RETURN}?${right}`]] });
    const moved = back(right, { status: 302, responseHeaders: [['Location', '?language=lv&step=accept']] });
    for (const described of [
      [load(), back(right), form],
      [load(), back(right), next],
      [load(), moved, { ...next, headers: [] }],
    ])
      assert.deepEqual(broken(described, app), []);
    const posted = { ...form, headers: [['Origin', 'https://app.test'] as const] };
    assert.deepEqual(broken([load(), posted], app), ['app.install.first-load-redirects']);
  });

  const R = 'app.install.';
  const returns: ReadonlyArray<readonly [clause: string, query: string]> = [
    ['redirect-keeps-parameters', 'own=1&appId=7&language=lv'],
    ['redirect-keeps-parameters', right.replace('lv', 'en')],
    ['redirect-drops-hash-and-callback', `${right}&hash=x`],
    ['redirect-drops-hash-and-callback', `${right}&callback=${encodeURIComponent(RETURN)}`],
    ['redirect-adds-nothing', `${right}&from=app`],
    ['redirect-adds-nothing', `${right}&language=en`],
  ];
  for (const [clause, query] of returns)
    test(`${clause}: ${query.slice(-30)}`, () => assert.deepEqual(broken([load(), back(query)], app), [R + clause]));

  test('a return by POST brings no parameters', () => {
    assert.deepEqual(broken([load(), back('', { method: 'POST' })], app), [`${R}first-load-redirects`]);
  });

  test('pages over plain http are reported, except on this machine', () => {
    assert.deepEqual(broken([load({}, 'http://app.test/install')], app), ['app.manifest.https']);
    assert.deepEqual(broken([load({}, 'http://localhost:5000/install')], app), []);
  });

  test('a call of installed with the code of a load is one that was due', () => {
    const call: ExchangeDescription = { method: 'POST', url: 'apps/installed/?authCode=c', response: { error: false } };
    assert.equal(judged([load(), load({ authCode: 'c' }), call], app)(`${R}calls-installed`)?.verdict, 'pass');
    assert.equal(judged([load(), call], app)(`${R}calls-installed`), undefined);
  });

  test('a load with a wrong hash must not be served, where another one shows that the secret is right', () => {
    const known = { ...app, keys: { API_KEY: KEY, APP_SECRET: SECRET } };
    const forged = (described: ExchangeDescription): ExchangeDescription => ({
      ...described,
      url: described.url.replace(/.{4}$/, '0000'),
    });
    const control = load({ language: 'de' });
    assert.deepEqual(broken([control, forged(load()), back(right)], known), ['app.hash.forged-refused-first']);
    assert.deepEqual(broken([control, load(), forged(load()), back(right)], known), []);
    assert.deepEqual(broken([forged(load()), back(right)], known), []);
    const twice = { ...load(), url: load().url.replace('&hash=', '&hash=0&hash=') };
    assert.deepEqual(broken([control, twice, back(right)], known), []);
    const call: ExchangeDescription = { method: 'POST', url: 'apps/installed/?authCode=c', response: { error: false } };
    const second = load({ authCode: 'c' });
    assert.deepEqual(broken([control, forged(second), call], known), ['app.hash.forged-refused-second']);
    assert.deepEqual(broken([control, forged(second), second, call], known), []);
    assert.deepEqual(broken([forged(second), call], known), []);
  });

  test('a code that was changed on its way is reported, where it was refused', () => {
    const call = (code: string, status = 401): ExchangeDescription => ({
      url: `apps/user/?authCode=${code}`,
      status,
      response: status === 200 ? { user: {} } : { error: true, error_code: status, error_message: '' },
    });
    const found = (described: ExchangeDescription) => broken([load({ authCode: 'Code-17+4711' }), described], app);
    for (const code of ['Code-17', 'Code-17+4711', 'code-17%2B4711', 'Code-17%252B4711'])
      assert.deepEqual(found(call(code)), code === 'Code-17' ? [] : ['app.calls.auth-code-in-query'], code);
    assert.deepEqual(found(call('Code-17%2B4711')), []);
    assert.deepEqual(found(call('another-code-of-before')), []);
    assert.deepEqual(found(call('Code-17%2B47', 200)), []);
  });

  test('keys that reach a browser are reported', () => {
    const page = (response: string, agent = 'Mozilla/5.0'): ExchangeDescription => ({
      url: 'https://app.test/',
      headers: [['user-agent', agent]],
      response,
      responseHeaders: [],
    });
    const keys = { keys: { API_KEY: KEY, APP_SECRET: SECRET }, ...app };
    assert.deepEqual(broken([page(`<script>key='${KEY}'`)], keys), ['app.leaks.key']);
    assert.deepEqual(broken([page(Buffer.from(SECRET).toString('base64'))], keys), ['app.leaks.secret']);
    assert.deepEqual(broken([page('<p>$API_KEY</p>')], keys), ['app.leaks.key']);
    assert.deepEqual(broken([page(`key=${KEY}`, 'curl/8')], keys), []);
    assert.deepEqual(broken([page('nothing')], keys), []);
  });
});
