/** `npx playwright test` as a user has it: the same checks, verdicts and files as `proofmark run`, in Playwright's own words. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RunEvent } from '../../../contracts/run/events.ts';
import type { Results } from '../../../reports/results/index.ts';
import { CHECKS } from '../../../suites/index.ts';
import { type CommandResult, folderFor, proofmark, resultsIn, runScript } from '../../common/command.fixture.ts';
import { isTraced } from './config.ts';
import { grepOf } from './runner.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PLAYWRIGHT = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
/** A fault that one check finds, and that leaves others undecided. */
const FAULT = 'mock:fault=batch.adds-instead-of-replacing';
const FOUND_BY = 'delivery.batch.replaces-all';

interface Spec {
  readonly title: string;
  readonly tags: readonly string[];
  readonly tests: ReadonlyArray<{
    readonly projectName: string;
    readonly annotations: ReadonlyArray<{ readonly type: string; readonly description?: string }>;
    readonly results: ReadonlyArray<{
      readonly status: string;
      readonly error?: { readonly message: string };
      readonly attachments: ReadonlyArray<{ readonly name: string; readonly body?: string }>;
    }>;
  }>;
}
interface JsonSuite {
  readonly specs: readonly Spec[];
  /** Groups of checks that share something. */
  readonly suites?: readonly JsonSuite[];
}
interface JsonReport {
  readonly suites: readonly JsonSuite[];
}

/** With one worker, as `proofmark` of the tests. */
const playwright = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> =>
  runScript(PLAYWRIGHT, ['test', '--workers=1', ...args], { env: { PW_DISABLE_TS_ESM: '1', ...env } });

const specsIn = (report: string): readonly Spec[] => (JSON.parse(report) as JsonReport).suites.flatMap(specsBelow);
const specsBelow = ({ specs, suites = [] }: JsonSuite): readonly Spec[] => [...specs, ...suites.flatMap(specsBelow)];
const verdictsOf = (results: Results): string[] => results.checks.map(({ id, verdict }) => `${id}: ${verdict}`);

test('--list names every check once, with its project, and runs nothing', async (t) => {
  const out = folderFor(t);
  const ran = await playwright(['--list', '--reporter=json'], { PROOFMARK_OUT: out });
  assert.equal(ran.code, 0, ran.stderr);
  const specs = specsIn(ran.stdout);
  assert.deepEqual(specs.map(({ title }) => title).sort(), CHECKS.map(({ id, title }) => `${id} ${title}`).sort());
  assert.deepEqual([...new Set(specs.flatMap(({ tests }) => tests.map(({ projectName }) => projectName)))].sort(), [
    'apps',
    'delivery',
    'pages',
    'properties',
    'reseller',
  ]);
  const batch = specs.find(({ title }) => title.startsWith(`${FOUND_BY} `));
  assert.deepEqual([...(batch?.tags ?? [])].sort(), ['MUST', 'delivery', 'write']);
  const annotations = batch?.tests[0]?.annotations ?? [];
  assert.deepEqual(
    annotations.filter(({ type }) => type === 'clause').map(({ description }) => description),
    ['delivery.batch.replaces-all'],
  );
  assert.ok(annotations.some(({ type, description }) => type === 'section' && description !== ''));
  const source = annotations.find(({ type }) => type === 'source')?.description ?? '';
  const [file = '', line] = source.split(':');
  assert.match(
    readFileSync(join(ROOT, file), 'utf8').split('\n')[Number(line) - 1] ?? '',
    /check\(|replaces-all/,
    source,
  );
  assert.equal(existsSync(join(out, 'events.ndjson')), false);
});

describe('a run of some checks against a fault, without a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-playwright-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    PROOFMARK_TARGET: FAULT,
    PROOFMARK_OUT: join(folder, 'out'),
    PROOFMARK_BROWSER: 'none',
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, 'report.json'),
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: join(folder, 'junit.xml'),
    PLAYWRIGHT_BLOB_OUTPUT_FILE: join(folder, 'blob.zip'),
  };
  const args = ['--output', join(folder, 'test-results'), '--reporter=json,junit,blob,github'];
  let ran: CommandResult;
  let specs: readonly Spec[];
  before(async () => {
    ran = await playwright([...args, '--grep', String.raw`delivery\.batch\.|labels\.button\.|countries\.`], env);
    assert.equal(ran.code, 1, ran.stderr);
    specs = specsIn(readFileSync(env.PLAYWRIGHT_JSON_OUTPUT_FILE, 'utf8'));
  });

  test('a failed check is a failed test with its evidence; proofmark run gives the same verdicts', async () => {
    const other = join(folder, 'proofmark');
    const ofProofmark = await proofmark(['run', '--target', FAULT, '--only', 'delivery.batch.*', '--out', other]);
    assert.equal(ofProofmark.code, 1, ofProofmark.stdout);
    const ofBatches = verdictsOf(resultsIn(env.PROOFMARK_OUT)).filter((line) => line.startsWith('delivery.batch.'));
    assert.deepEqual(ofBatches, verdictsOf(resultsIn(other)));

    const statuses = new Map(specs.map((spec) => [spec.title.split(' ', 1)[0], spec.tests[0]?.results[0]]));
    const EXPECTED: Readonly<Record<string, string>> = { fail: 'failed', inconclusive: 'skipped' };
    // As the events have it: a breach that only a precondition met is a fail in the reports, and its test was skipped by then.
    const events = readFileSync(join(env.PROOFMARK_OUT, 'events.ndjson'), 'utf8').trim().split('\n');
    const ends = events.map((line) => JSON.parse(line) as RunEvent).filter((event) => event.type === 'check');
    assert.ok(ends.length > 20);
    for (const { id, verdict } of ends) assert.equal(statuses.get(id)?.status, EXPECTED[verdict] ?? 'passed', id);

    const failed = statuses.get(FOUND_BY);
    assert.match(
      failed?.error?.message ?? '',
      /must replace the first[\s\S]*Expected:[\s\S]*Actual:[\s\S]*delivery\.batch\.replaces-all/,
    );
    const bodies = new Map(
      failed?.attachments.map(({ name, body }) => [name, Buffer.from(body ?? '', 'base64').toString()]),
    );
    assert.deepEqual([...bodies.keys()], ['expected.json', 'actual.json', 'curl.txt', 'exchanges.json']);
    assert.match(bodies.get('curl.txt') ?? '', /^curl .*\$DELIVERY_PRIVATE_API_KEY/);
    const exchanges = JSON.parse(bodies.get('exchanges.json') ?? '[]') as { request: { url: string } }[];
    assert.ok(exchanges.length > 2);
    const keys = [...(bodies.get('exchanges.json') ?? '').matchAll(/ApiKey (\S+)"/g)].map(([, key]) => key);
    assert.deepEqual([...new Set(keys)], ['$DELIVERY_PRIVATE_API_KEY']);
  });

  test('an undecided check is skipped with its reason, an observation is an annotation', () => {
    const tests = specs.map(({ title, tests }) => ({ title, ...tests[0]! }));
    const seen = tests.find(({ title }) => title.startsWith('delivery.batch.observed-portion-without-list '));
    assert.equal(seen?.results[0]?.status, 'passed');
    assert.ok(seen?.annotations.some(({ type, description = '' }) => type === 'observed' && description.length > 10));
    const skipped = tests.filter(({ projectName }) => projectName === 'pages');
    assert.ok(skipped.length > 0);
    for (const { title, results, annotations } of skipped) {
      assert.equal(results[0]?.status, 'skipped', title);
      assert.match(annotations.find(({ type }) => type === 'skip')?.description ?? '', /no browser is available/);
    }
  });

  test('--last-failed runs what failed, and junit and blob are written beside our own reports', async () => {
    assert.match(ran.stdout, /::error .*replaces-all/);
    assert.match(readFileSync(env.PLAYWRIGHT_JUNIT_OUTPUT_FILE, 'utf8'), /errors="1"/);
    assert.ok(existsSync(env.PLAYWRIGHT_BLOB_OUTPUT_FILE));
    const out = join(folder, 'again');
    const again = await playwright([...args, '--last-failed'], { ...env, PROOFMARK_OUT: out });
    assert.equal(again.code, 1, again.stderr);
    assert.deepEqual(verdictsOf(resultsIn(out)), [`${FOUND_BY}: fail`]);
  });
});

test('a target that is not there is one sentence, and no test runs', async (t) => {
  const out = folderFor(t);
  const ran = await playwright(['--reporter=line'], { PROOFMARK_TARGET: '/nowhere/staging.json', PROOFMARK_OUT: out });
  assert.equal(ran.code, 1);
  assert.match(
    ran.stdout + ran.stderr,
    /\/nowhere\/staging\.json can't be read: the file does not exist\. Give PROOFMARK_TARGET a profile file/,
  );
  assert.equal(existsSync(join(out, 'events.ndjson')), false);
});

test('tests of the user beside ours in one config leave the target and the last reports alone when only they run', async (t) => {
  const folder = folderFor(t);
  const out = join(folder, 'out');
  const importedFrom = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const library = pathToFileURL(join(dirname(PLAYWRIGHT), 'index.mjs')).href;
  writeFileSync(
    join(folder, 'own.spec.mjs'),
    `import { test } from ${JSON.stringify(library)};\ntest('their own', () => {});\n`,
  );
  const config = join(folder, 'playwright.config.mjs');
  writeFileSync(
    config,
    `import { proofmark } from ${importedFrom('./config.ts')};
    const ours = proofmark();
    export default { ...ours, projects: [...ours.projects, { name: 'own', testDir: ${JSON.stringify(folder)} }] };`,
  );
  const env = { PROOFMARK_OUT: out };
  const own = await playwright(['-c', config, '--project=own', '--reporter=line'], env);
  assert.equal(own.code, 0, own.stdout + own.stderr);
  assert.match(own.stdout, /1 passed/);
  assert.doesNotMatch(own.stdout + own.stderr, /Proofmark:/);
  assert.equal(existsSync(join(out, 'results.json')), false);
  const both = await playwright(
    ['-c', config, '--grep', 'their own|delivery.method.name-read-only', '--reporter=line'],
    env,
  );
  assert.match(both.stdout, /2 passed/, both.stdout + both.stderr);
  assert.deepEqual(verdictsOf(resultsIn(out)), ['delivery.method.name-read-only: pass']);
});

test('globs of --only are the same selection as a pattern over titles', () => {
  const titles = CHECKS.map(({ id, title }) => ({ id, title: `delivery delivery.spec.ts ${id} ${title} @MUST` }));
  const chosen = (only: readonly string[]) =>
    titles.filter(({ title }) => new RegExp(grepOf(only), 'i').test(title)).map(({ id }) => id);
  const starting = (start: string) => CHECKS.map(({ id }) => id).filter((id) => id.startsWith(start));
  assert.deepEqual(chosen(['delivery.batch.*']), starting('delivery.batch.'));
  assert.deepEqual(chosen([FOUND_BY]), [FOUND_BY]);
  assert.deepEqual(chosen(['*']), starting(''));
  assert.deepEqual(chosen(['batch.*']), []);
});

test('steps are captured only on request', () => {
  for (const argv of [
    ['--trace', 'on'],
    ['--trace=retain-on-failure'],
    ['--ui'],
    ['--ui-port=0'],
    ['--debug'],
    ['test-server'],
  ])
    assert.equal(isTraced(argv), true, argv.join(' '));
  for (const argv of [[], ['--trace', 'off'], ['--trace=off'], ['--grep', 'trace']])
    assert.equal(isTraced(argv), false, argv.join(' '));
  assert.equal(isTraced([], 'on'), true);
});
