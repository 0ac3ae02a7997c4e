/** How the browser is started: seen by a program in its place, which hands on to the real one. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBrowser } from '../../cli/common/browser.ts';
import { isAbandoned } from '../process/owned-folder.ts';
import { openBrowserHome } from './browser-home.ts';
import { launchQuietly } from './launch.ts';

const found = process.platform === 'win32' ? undefined : await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;

interface Test {
  after(end: () => unknown): void;
}

function folderOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-launch-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Notes arguments and environment. Without a sandbox of its own it says what Chromium says; then it starts the real one. */
function inItsPlace(folder: string, { forbidsSandbox = false } = {}): string {
  const file = join(folder, 'browser.sh');
  const refusal = forbidsSandbox
    ? `case " $* " in *" --no-sandbox "*) ;; *) echo "[1:1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox!" >&2; exit 1;; esac\n`
    : '';
  writeFileSync(
    file,
    `#!/bin/sh
printf '%s\\n' "$@" >> ${folder}/arguments
env > ${folder}/environment
ls -ld "$HOME" > ${folder}/home
${refusal}exec ${found?.path} --no-sandbox "$@"
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

test('the browser receives no secret, and a private home folder that is removed with it', { skip }, async (t) => {
  const folder = folderOf(t);
  process.env.PROOFMARK_TEST_KEY = 'key-in-the-environment';
  t.after(() => delete process.env.PROOFMARK_TEST_KEY);
  const browser = await launchQuietly(inItsPlace(folder), { notice: () => undefined });
  const page = await browser.newPage();
  await page.goto('data:text/html,<title>works</title>');
  assert.equal(await page.title(), 'works');
  const environment = read(folder, 'environment');
  assert.ok(!environment.includes('key-in-the-environment'));
  const home = /^HOME=(.*)$/m.exec(environment)?.[1] ?? '';
  assert.notEqual(home, process.env.HOME);
  assert.match(read(folder, 'home'), /^drwx------/);
  assert.ok(statSync(home).isDirectory());
  await browser.close();
  assert.ok(!existsSync(home));
});

test('the sandbox is on, unless the user is root', { skip }, async (t) => {
  for (const isRoot of [false, true]) {
    const folder = folderOf(t);
    const notices: string[] = [];
    const browser = await launchQuietly(inItsPlace(folder), { isRoot, notice: (sentence) => notices.push(sentence) });
    t.after(() => browser.close());
    await browser.close();
    assert.equal(read(folder, 'arguments').split('\n').includes('--no-sandbox'), isRoot);
    assert.equal(notices.length, isRoot ? 1 : 0);
    if (isRoot) assert.match(notices[0] ?? '', /without its sandbox, because Proofmark runs as root/);
  }
});

test('where the machine forbids the sandbox, the browser starts without it and says so', { skip }, async (t) => {
  const folder = folderOf(t);
  const notices: string[] = [];
  const place = inItsPlace(folder, { forbidsSandbox: true });
  const browser = await launchQuietly(place, { isRoot: false, notice: (sentence) => notices.push(sentence) });
  await browser.close();
  assert.deepEqual(notices, [
    'proofmark: the browser opens pages without its sandbox, because this machine forbids it: allow unprivileged user namespaces.',
  ]);
});

test('a browser that does not start for another reason is not tried without its sandbox', { skip }, async (t) => {
  const folder = folderOf(t);
  const file = join(folder, 'broken.sh');
  writeFileSync(file, `#!/bin/sh\necho start >> ${folder}/starts\necho broken >&2\nexit 1\n`);
  chmodSync(file, 0o755);
  await assert.rejects(launchQuietly(file, { isRoot: false }), /broken/);
  assert.equal(read(folder, 'starts'), 'start\n');
});

test('authorities that the user trusts are known to the browser, private keys are not', (t) => {
  const home = folderOf(t);
  mkdirSync(join(home, '.pki', 'nssdb'), { recursive: true });
  for (const name of ['cert9.db', 'key4.db']) writeFileSync(join(home, '.pki', 'nssdb', name), name);
  const opened = openBrowserHome('/usr/bin/chromium', { PATH: '/bin', LC_ALL: 'C', STORE_KEY: 'x', HOME: home }, home);
  t.after(opened.remove);
  assert.deepEqual(
    [opened.environment.PATH, opened.environment.LC_ALL, opened.environment.STORE_KEY],
    ['/bin', 'C', undefined],
  );
  assert.equal(opened.environment.HOME, opened.folder);
  assert.ok(!isAbandoned(opened.folder, Date.now()), 'a home is that of this process, which is running');
  assert.ok(existsSync(join(opened.folder, '.pki', 'nssdb', 'cert9.db')));
  assert.ok(!existsSync(join(opened.folder, '.pki', 'nssdb', 'key4.db')));
  const snap = openBrowserHome('/snap/bin/chromium', { HOME: home }, home);
  t.after(snap.remove);
  assert.equal(snap.environment.HOME, home);
});
