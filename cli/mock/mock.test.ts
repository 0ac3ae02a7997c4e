import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadProfile, parseProfile } from '../../harness/target/profile/index.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'proofmark-mock-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the command; resolves with what it printed once it runs. */
async function started(
  ...flags: string[]
): Promise<{ child: ChildProcess; printed: string; code: Promise<number | null> }> {
  const child = spawn(process.execPath, [MAIN, 'mock', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const code = new Promise<number | null>((resolve) => child.on('exit', resolve));
  let printed = '';
  const running = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('Stop it with')) resolve();
    });
  });
  await Promise.race([running, code.then((ended) => assert.fail(`ended with ${ended}: ${printed}`))]);
  return { child, printed, code };
}

describe('proofmark mock', () => {
  test('prints a profile that is one, serves it, and ends with 0 when it is stopped', async () => {
    const { child, printed, code } = await started('--port', '0', '--log');
    let log = '';
    child.stdout?.on('data', (chunk) => {
      log += chunk;
    });
    const text = printed.slice(printed.indexOf('{\n'), printed.lastIndexOf('}') + 1);
    const profile = parseProfile(text, { file: 'printed', folder, env: {} });
    const key = profile.delivery?.private?.apiKey?.reveal() ?? '';
    const response = await fetch(`${profile.v1}store/delivery_methods/`, {
      headers: { authorization: `ApiKey ${key}` },
    });
    assert.equal(response.status, 200);
    const refused = await fetch(`${profile.v1}store/delivery_methods/`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(refused.headers.get('x-proofmark-hint'), 'the scheme is ApiKey, not Bearer');
    assert.equal((await fetch(new URL('/docs', profile.v1))).status, 200);
    // A response that still waits does not delay the end.
    await fetch(new URL('/_dev/api/latency', profile.v1), { method: 'POST', body: '{"ms": 60000}' });
    const cut = assert.rejects(fetch(`${profile.v1}store/delivery_methods/`));
    await fetch(new URL('/docs', profile.v1));
    child.kill('SIGTERM');
    assert.equal(await Promise.race([code, wait(30_000, 'it still runs', { ref: false })]), 0);
    await cut;
    assert.match(log, /GET {4}\/v1\/store\/delivery_methods\/ 401 .*\n {2}hint: the scheme is ApiKey, not Bearer\n/);
    assert.ok(!log.includes(key));
  });

  test('over HTTPS, with a profile and a certificate in files', async () => {
    const out = join(folder, 'mock.json');
    const { child, code } = await started('--port', '0', '--https', '--profile-out', out);
    const profile = loadProfile(out, {});
    const { hostname, port } = new URL(profile.api!);
    const status = await new Promise((resolve, reject) => {
      const options = { host: hostname, port, path: '/api/websites/', ca: readFileSync(`${out}.pem`) };
      request(options, (response) => resolve(response.statusCode))
        .on('error', reject)
        .end();
    });
    assert.equal(status, 401);
    child.kill('SIGINT');
    assert.equal(await code, 0);
  });

  test('one sentence and exit 2 for what it can’t use', () => {
    const foreign = join(folder, 'foreign.db');
    writeFileSync(foreign, 'text '.repeat(400));
    const wrong: [string[], RegExp][] = [
      [['--prot', '1'], /--prot/],
      [['--port', 'x'], /--port must be a whole number/],
      [['--port', '65536'], /--port must be a whole number/],
      [['--port', '0', '--cors', 'localhost:5173/app'], /--cors takes an origin such as/],
      [['--port', '0', '--fault', 'no.such.fault'], /The mock has no fault or variant "no.such.fault"/],
      [['--latency', '60001'], /--latency must be a whole number/],
      [['extra'], /extra/],
      [['--port', '0', '--db', foreign], /not a database of the mock/],
      [['--port', '0', '--db', ''], /name of the database file is empty/],
      [['--port', '0', '--fixtures', join(folder, 'none.json')], /the file does not exist/],
      [['--port', '0', '--profile-out', folder], /can't be written, it is a folder: name a file with --profile-out\./],
      [['--port', '0', '--profile-out', join(foreign, 'x')], /can't be written, a file has its name .*--profile-out\./],
    ];
    for (const [flags, sentence] of wrong) {
      const done = spawnSync(process.execPath, [MAIN, 'mock', ...flags], { encoding: 'utf8' });
      assert.equal(done.status, 2, flags.join(' '));
      assert.match(done.stderr, sentence);
      assert.equal(done.stderr.trim().split('\n').length, 1, done.stderr);
      assert.equal(done.stdout, '');
    }
  });
});
