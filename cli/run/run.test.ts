/** `proofmark run` as a user has it: the real command line over real HTTP and HTTPS, in other processes. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { readEvents } from '../../reports/events/read.ts';
import type { Results } from '../../reports/results/index.ts';
import { coverageProblems } from '../../suites/coverage.ts';
import { CHECKS } from '../../suites/index.ts';
import { findBrowser } from '../common/browser.ts';
import {
  type CommandResult,
  folderFor,
  proofmark,
  resultsIn,
  startMock,
  writeProfile,
} from '../common/command.fixture.ts';
import { runCommand } from './index.ts';

const browser = await findBrowser();
const IS_SOAK = process.env.PROOFMARK_SOAK === '1';
/** In `npm test`: every interface, pages and a label request; in the soak all checks. */
const onlySome = selection([
  'delivery.lists.methods.*',
  'apps.credentials.accepted',
  'reseller.login.signs-in',
  'labels.request.signature-*',
  'install.hash.present',
]);
/** For what concerns every check of a kind alike. */
const onlyFew = selection(['delivery.lists.methods.page-size', 'apps.credentials.accepted', 'install.hash.present']);
function selection(globs: readonly string[]): string[] {
  return IS_SOAK ? [] : globs.flatMap((glob) => ['--only', glob]);
}

/**
 * One whole run on the embedded mock; its results and files are read by several tests. Properties have a few cases only:
 * that they hold in the usual number is shown in process (`suites/properties/properties.test.ts`).
 */
const wholeOut = mkdtempSync(join(tmpdir(), 'proofmark-whole-'));
let whole: CommandResult;
before(async () => {
  whole = await proofmark(['run', ...(IS_SOAK ? [] : ['--runs', '3']), '--out', wholeOut], { severalWorkers: true });
});
after(() => rmSync(wholeOut, { recursive: true, force: true }));

/** Exit code and the clauses of a run on a target that keeps every sentence. */
function assertConformant(results: Results, exitCode: number | null, printed: string): void {
  const bad = results.checks.filter((check) => ['fail', 'error'].includes(check.verdict));
  assert.deepEqual(
    bad.map((check) => `${check.id}: ${check.reason}`),
    [],
  );
  const undecided = results.clauses.filter((clause) => clause.level === 'MUST' && clause.verdict === 'inconclusive');
  if (browser === undefined) {
    assert.equal(exitCode, 3, printed);
    return;
  }
  assert.deepEqual(
    undecided.map((clause) => clause.id),
    [],
  );
  assert.equal(exitCode, 0, printed);
}

test('the embedded mock is conformant, and the checks that ran cover every clause', () => {
  const results = resultsIn(wholeOut);
  const ofForeignOrders = results.checks.find(({ id }) => id === 'labels.settings.order-with-store-method');
  if (browser !== undefined) assert.equal(ofForeignOrders?.verdict, 'pass', ofForeignOrders?.reason ?? '');
  assertConformant(results, whole.code, whole.stdout + whole.stderr);
  assert.deepEqual(
    coverageProblems(
      CLAUSES,
      CHECKS,
      results.checks.map((check) => check.id),
    ),
    [],
  );
});

test('the mock in another process over HTTPS, with a profile and a rate limit, is judged alike', async (t) => {
  const folder = folderFor(t);
  const mock = await startMock(t, folder, ['--https', '--port', '0', '--fault', 'throttle.occasional']);
  const manyCalls = selection(['delivery.lists.*']);
  const ran = await proofmark([
    ...['run', '--target', mock.profile, '--out', join(folder, 'out')],
    ...[...onlySome, ...manyCalls],
  ]);
  const results = resultsIn(join(folder, 'out'));
  assertConformant(results, ran.code, ran.stdout + ran.stderr);
  assert.match(results.notices.join(), /requested a lower rate .* limits\.requestsPerSecond in the profile/);
});

test('a profile that allows nothing changes nothing on the target', async (t) => {
  const folder = folderFor(t);
  const token = 'control-token-of-this-test';
  const mock = await startMock(t, folder, ['--port', '0'], { PROOFMARK_CONTROL_TOKEN: token });
  const state = async (): Promise<unknown> =>
    (await fetch(`${mock.origin}/_control/state`, { headers: { 'x-proofmark-control': token } })).json();
  const { allow: _allow, ...readOnly } = mock.json;
  const profile = writeProfile(folder, 'read-only.json', readOnly);
  const before = await state();
  const ran = await proofmark(['run', '--target', profile, '--out', join(folder, 'out')]);
  assert.deepEqual(await state(), before);
  const results = resultsIn(join(folder, 'out'));
  assert.equal(ran.code, 3, ran.stdout);
  assert.deepEqual(
    results.checks.filter((check) => ['fail', 'error'].includes(check.verdict)),
    [],
  );
  assert.ok((results.counts.pass ?? 0) > 10, 'reading checks still pass');
  for (const check of results.checks.filter((one) => one.verdict === 'inconclusive')) {
    assert.match(check.reason ?? '', /allow|driver|profile/, `${check.id} says what to do`);
  }
});

/** As a user gives them: what the command line, the command and the runner refuse. */
const BAD_COMMANDS: ReadonlyArray<readonly [what: string, args: readonly string[], sentence: RegExp]> = [
  ['an unknown command', ['jump'], /no command "jump"/],
  ['an unknown flag', ['run', '--tarpet', 'x'], /tarpet.*--help/],
  ['an unknown fault', ['run', '--target', 'mock:fault=nope'], /no fault "nope"/],
];
for (const [what, args, sentence] of BAD_COMMANDS) {
  test(`${what} gets one sentence and exit code 2`, async () => {
    const ran = await proofmark(args);
    assert.equal(ran.code, 2, ran.stderr);
    assert.match(ran.stderr, sentence);
    assert.equal(ran.stderr.trim().split('\n').length, 1, ran.stderr);
    assert.doesNotMatch(ran.stderr, /\n\s+at /);
  });
}

test('what the command refuses before it starts anything is one sentence', async (t) => {
  const file = join(folderFor(t), 'wrong.json');
  writeFileSync(file, '{\n  "name": "x",\n  "v2": "http://127.0.0.1:9/v1/"\n}');
  for (const [args, message] of [
    [['--only', 'nothing.*'], /^--only "nothing\.\*" matches no check/],
    [['--target', '/nowhere/staging.json'], /\/nowhere\/staging\.json/],
    [['--workers', 'many'], /^--workers must be a whole number/],
    // With line and column.
    [['--target', file], /wrong\.json:3:3.*"v2"/],
  ] as const)
    await assert.rejects(runCommand([...args]), (error) => {
      assert.ok(error instanceof UsageError, String(error));
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
});

test('a folder in which no ledger can be written is refused before anything is sent', async (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, '.proofmark'), '');
  const out = folderFor(t);
  const ran = await proofmark(['run', '--only', 'reseller.balance.current', '--out', out], { cwd: folder });
  assert.equal(ran.code, 2, ran.stderr);
  assert.match(
    ran.stderr,
    /^proofmark: The ledger .* can't be written, a part of its path is a file: run from a folder with write permission\.\n$/,
  );
  assert.deepEqual(readdirSync(out), []);
});

test('a dead target is inconclusive, attributed to the network, in one sentence', async (t) => {
  const folder = folderFor(t);
  const profile = writeProfile(folder, 'dead.json', {
    name: 'dead',
    v1: 'http://127.0.0.1:9/v1/',
    delivery: { private: { apiKey: 'some-key-of-a-store' } },
  });
  const ran = await proofmark(['run', '--target', profile, '--out', join(folder, 'out'), ...onlyFew]);
  assert.equal(ran.code, 3, ran.stderr);
  const results = resultsIn(join(folder, 'out'));
  assert.equal(results.counts.fail ?? 0, 0);
  const tried = results.checks.find((check) => check.id.startsWith('delivery.') && check.attribution === 'network');
  assert.match(tried?.reason ?? '', /127\.0\.0\.1:9/);
});

test('a target that answers web pages is a matter of the profile, not a list of failures', async (t) => {
  const folder = folderFor(t);
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const profile = writeProfile(folder, 'html.json', {
    name: 'html',
    v1: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
    delivery: { private: { apiKey: 'some-key-of-a-store' } },
  });
  const ran = await proofmark(['run', '--target', profile, '--out', join(folder, 'out'), ...onlyFew]);
  assert.equal(ran.code, 3, ran.stdout);
  const results = resultsIn(join(folder, 'out'));
  assert.equal(results.counts.fail ?? 0, 0);
  assert.ok(results.checks.some((check) => /web page/.test(check.reason ?? '')));
});

test('without a browser the rest is judged, and the browser checks say what to do', async (t) => {
  const out = folderFor(t);
  const ran = await proofmark(['run', '--out', out, ...onlyFew], { env: { PROOFMARK_BROWSER: 'none' } });
  assert.equal(ran.code, 3, ran.stdout);
  const results = resultsIn(out);
  assert.deepEqual(
    results.checks.filter((check) => ['fail', 'error'].includes(check.verdict)),
    [],
  );
  assert.match(ran.stdout, /No browser is available/);
  const undecided = results.checks.filter((check) => check.verdict === 'inconclusive');
  assert.ok(undecided.length > 0);
  for (const check of undecided) assert.match(check.reason ?? '', /npx playwright install chromium/);
});

test('the files of a run are there and hold together', async () => {
  const out = wholeOut;
  const events = readFileSync(join(out, 'events.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(events[0].type, 'header');
  assert.equal(events.at(-1).type, 'footer');
  assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /<!doctype html>/i);
  assert.match(readFileSync(join(out, 'junit.xml'), 'utf8'), /<testsuites/);
  assert.match(readFileSync(join(out, 'summary.md'), 'utf8'), browser === undefined ? /^## / : /^## .*Conformant/);
  const results = resultsIn(out);
  assert.equal(results.checks.length, events.filter((event) => event.type === 'check').length);
  // The run itself reads its own events without judging them by the schema.
  let valid = 0;
  for await (const _ of readEvents(join(out, 'events.ndjson'))) valid += 1;
  assert.equal(valid, events.length);
});
