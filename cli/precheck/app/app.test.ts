/** `proofmark precheck app` as a user has it: the real command line against an app in another process. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../../harness/process/free-port.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { findBrowser } from '../../common/browser.ts';
import { folderFor, proofmark, resultsIn } from '../../common/command.fixture.ts';
import { API_KEY, APP_SECRET as SECRET, startMinimal } from '../examples/run.ts';
import { precheckCommand } from '../index.ts';
import { startTinyApp, type TinyApp } from './tiny-app.fixture.ts';

const browser = await findBrowser();
const withoutBrowser = browser === undefined ? 'there is no browser here' : false;

interface Setting {
  readonly app: TinyApp;
  readonly out: string;
  precheck(...more: string[]): ReturnType<typeof proofmark>;
}

async function setting(t: Parameters<typeof startTinyApp>[0] & Parameters<typeof folderFor>[0]): Promise<Setting> {
  const port = await freePort();
  const app = await startTinyApp(t, { base: () => `http://127.0.0.1:${port}/v1/`, apiKey: API_KEY, secret: SECRET });
  const out = folderFor(t);
  return {
    app,
    out,
    precheck: (...more) =>
      proofmark([
        ...['precheck', 'app', '--manifest', app.manifestUrl, '--api-key', API_KEY],
        ...['--port', String(port), '--out', out, ...more],
      ]),
  };
}

// All checks on it; the same app in other languages is beside this folder, in `examples/`.
test('the minimal app of docs/integrator.md is conformant, and no output contains its secrets', {
  skip: withoutBrowser,
}, async (t) => {
  const port = await freePort();
  const app = await startMinimal('ts', `http://127.0.0.1:${port}/v1/`);
  t.after(() => app.close());
  const out = folderFor(t);
  const ran = await proofmark([
    ...['precheck', 'app', '--manifest', app.manifest, '--api-key', API_KEY, '--port', String(port), '--out', out],
  ]);
  const results = resultsIn(out);
  const bad = results.checks.filter(({ verdict }) => !['pass', 'observed', 'not-applicable'].includes(verdict));
  assert.deepEqual(
    bad.map(({ id, reason }) => `${id}: ${reason}`),
    [],
  );
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  assert.equal(results.party, 'integrator');
  assert.deepEqual(Object.keys(results.target.addresses ?? {}), ['install page', 'settings page', 'embedded service']);
  const html = readFileSync(join(out, 'report.html'), 'utf8');
  for (const shown of [`${app.origin}/install`, '>Manifest<', 'install it in the embedded service only'])
    assert.ok(html.includes(shown), shown);
  assert.deepEqual(
    results.clauses.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id),
    [],
  );
  const written = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'));
  for (const text of [ran.stdout, ran.stderr, ...written]) {
    assert.ok(!text.includes(SECRET) && !text.includes(API_KEY));
  }
  assert.match(readFileSync(join(out, 'events.ndjson'), 'utf8'), /"screenshots"/);
});

test('an app whose tab mode is unknown is not held to return to the service', { skip: withoutBrowser }, async (t) => {
  const { app, out, precheck } = await setting(t);
  app.change({ app_tab_mode: 'popup' });
  await precheck('--only', 'app.manifest.tab-mode', '--only', 'app.install.s*');
  const verdicts = resultsIn(out).checks.map(({ id, verdict }) => `${id} ${verdict}`);
  assert.deepEqual(verdicts.sort(), [
    'app.install.self-mode-returns not-applicable',
    'app.install.shows-page pass',
    'app.manifest.tab-mode fail',
  ]);
});

test('an app that reaches the service through a tunnel is judged the same way', { skip: withoutBrowser }, async (t) => {
  const [port, outside] = [await freePort(), await freePort()];
  const tunnel = createServer((socket) => {
    const inner = connect(port, '127.0.0.1');
    for (const end of [socket, inner]) end.on('error', () => void [socket.destroy(), inner.destroy()]);
    socket.pipe(inner).pipe(socket);
  });
  await new Promise<void>((resolve) => tunnel.listen(outside, '127.0.0.1', resolve));
  t.after(() => void tunnel.close());
  const publicUrl = `http://localhost:${outside}`;
  const app = await startTinyApp(t, { base: () => `${publicUrl}/v1/`, apiKey: API_KEY, secret: SECRET });
  const out = folderFor(t);
  const ran = await proofmark([
    ...['precheck', 'app', '--manifest', app.manifestUrl, '--api-key', API_KEY, '--port', String(port)],
    ...['--public-url', publicUrl, '--out', out, '--only', 'app.install.*', '--only', 'app.settings.*'],
  ]);
  const bad = resultsIn(out).checks.filter(({ verdict }) => !['pass', 'observed', 'not-applicable'].includes(verdict));
  assert.deepEqual(
    bad.map(({ id, reason }) => `${id}: ${reason}`),
    [],
  );
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
});

test('a manifest with faults is reported by line and pointer, and the app is still judged', {
  skip: withoutBrowser,
}, async (t) => {
  const { app, out, precheck } = await setting(t);
  app.change({ app_version: '1.0', app_permissions: ['SOME'] });
  const ran = await precheck('--only', 'app.manifest.*', '--only', 'app.install.*redirects');
  const failed = resultsIn(out).checks.filter(({ verdict }) => verdict === 'fail');
  assert.deepEqual(
    failed.map(({ clauses, pointer }) => [clauses, pointer]),
    [
      [['app.manifest.version'], '/app_version'],
      [['app.manifest.permissions'], '/app_permissions'],
    ],
  );
  assert.match(failed[0]?.reason ?? '', /line 1, \/app_version/);
  assert.equal(resultsIn(out).checks.find(({ id }) => id === 'app.install.first-load-redirects')?.verdict, 'pass');
  assert.equal(ran.code, 1);
});

test('--hold keeps the service open for a person; the traffic of that time is judged when Ctrl-C ends it', {
  skip: withoutBrowser,
}, async (t) => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}/v1/`;
  const app = await startTinyApp(t, { base: () => base, apiKey: API_KEY, secret: SECRET });
  const out = folderFor(t);
  const flags = ['--manifest', app.manifestUrl, '--api-key', API_KEY, '--port', String(port), '--out', out];
  let held = '';
  // A browser is open when Ctrl-C comes: it must not take the precheck with it.
  const only = ['--only', 'app.calls.*', '--only', 'app.install.first-load-redirects'];
  const ran = await proofmark(['precheck', 'app', ...flags, '--hold', ...only], {
    onStart: (child) => {
      child.stdout?.on('data', (chunk) => {
        const before = held.includes('stays open');
        held += chunk;
        if (before || !held.includes('stays open')) return;
        const headers = { authorization: `Bearer ${API_KEY}` };
        void fetch(`${base}apps/user/?authCode=some-code`, { headers }).then(() => child.kill('SIGINT'));
      });
    },
  });
  assert.match(held, /stays open at .*\/catalog\//);
  assert.equal(ran.code, 1, ran.stdout + ran.stderr);
  const { checks } = resultsIn(out);
  assert.equal(checks.find(({ id }) => id === 'app.install.first-load-redirects')?.verdict, 'pass');
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  assert.deepEqual(
    failed.map(({ id }) => id),
    ['app.calls.authorization-header'],
  );
});

test('an app that is down is inconclusive within the time it was waited for', { skip: withoutBrowser }, async (t) => {
  const { app, out, precheck } = await setting(t);
  app.change({ app_install_url: 'http://127.0.0.1:1/install', app_settings_url: 'http://127.0.0.1:1/settings' });
  const ran = await precheck('--wait', '1');
  assert.equal(ran.code, 3, ran.stdout);
  const { checks } = resultsIn(out);
  const redirects = checks.find(({ id }) => id === 'app.install.first-load-redirects');
  assert.equal(redirects?.verdict, 'inconclusive');
  assert.equal(redirects?.attribution, 'network');
  assert.match(redirects?.reason ?? '', /did not answer within 1 s.*Nothing listens/);
});

test('what can’t be used ends with one sentence and code 2', async (t) => {
  const folder = folderFor(t);
  const bad = join(folder, 'bad.json');
  writeFileSync(bad, '{\n "app_type": APP\n}');
  const cases: [string[], RegExp][] = [
    [[], /needs --manifest/],
    [['--manifest', join(folder, 'none.json')], /There is no manifest file/],
    [['--manifest', bad], /is not JSON, line 2, column 14/],
    [['--manifest', 'http://127.0.0.1:1/m.json', '--wait', '0', '--port', '0'], /can't be read\. Nothing listens/],
    [['--manifest', bad, '--api-key', 'short'], /--api-key takes a key of 8/],
    [['--manifest', bad, '--public-url', 'https://a.example/path'], /address without a path/],
    [['--manifest', bad, '--ca', join(folder, 'none.pem')], /There is no file/],
    [['--manifest', bad, '--only', 'nothing.*'], /matches no check/],
  ];
  for (const [args, message] of cases)
    await assert.rejects(precheckCommand(['app', '--out', join(folder, 'out'), ...args]), (error) => {
      assert.ok(error instanceof UsageError, String(error));
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  // This once as a user does.
  const ran = await proofmark(['precheck', 'app', '--manifest', bad, '--out', join(folder, 'out')]);
  assert.equal(ran.code, 2, ran.stderr);
  assert.match(ran.stderr, /is not JSON, line 2, column 14/);
  assert.equal(ran.stderr.trim().split('\n').length, 1);
});
