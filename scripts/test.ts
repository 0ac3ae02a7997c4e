/**
 * Everything that has to hold before a change lands, in one command: `npm test`.
 * Stages first (format, lint, types, documents, generated files), then every `*.test.ts` on Node's test runner.
 * Ends with the plain line `N passed, N failed, N skipped`. Arguments: parts of paths, to run only those test files, or
 * `--changed` (`--changed=REF`) for those that can be affected by what differs from HEAD (from where REF branched off).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type EventData, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { browserEnvironment, findBrowser } from './browser/browser.mjs';
import { affectedBy } from './testing/changed.ts';
import { whyNotAnnounced } from './testing/skips.ts';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules/.bin');
const IS_CI = process.env.CI === 'true' || process.env.CI === '1';
/** Node keeps compiled modules here, so that the many processes of the tests don't compile them again. */
const COMPILED = join(ROOT, 'node_modules/.cache/proofmark-tests');

const STAGES: ReadonlyArray<readonly [name: string, command: string, args: readonly string[]]> = [
  ['format and lint', join(BIN, 'biome'), ['check', '.']],
  ['type-check', process.execPath, ['node_modules/ts7/bin/tsc', '-p', '.']],
  [
    'lint of the documents',
    process.execPath,
    [
      'node_modules/@redocly/cli/bin/cli.js',
      'lint',
      '--config',
      'openapi/redocly.yaml',
      'openapi/v1.yaml',
      'openapi/api.yaml',
      'openapi/integrator.yaml',
    ],
  ],
  ['spelling', process.execPath, ['node_modules/cspell/bin.mjs', 'lint', '--no-progress', '--no-summary', '--quiet']],
  [
    'import directions and cycles',
    process.execPath,
    [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      ...[
        'bench',
        'cli',
        'contracts',
        'examples',
        'harness',
        'mock',
        'openapi',
        'proof',
        'reports',
        'scripts',
        'suites',
      ],
    ],
  ],
  ['generated files', process.execPath, ['scripts/generate/index.ts', '--check']],
  ['reference of the exports', process.execPath, ['scripts/api/reference.ts', '--check']],
];

/** Stages that a change can break within seconds. */
const QUICK_STAGES: readonly string[] = ['format and lint', 'type-check', 'generated files'];

const SHOWN_FILES = 10;

const counts = { passed: 0, failed: 0, skipped: 0 };
const args = process.argv.slice(2);
const changedSince = args.filter((arg) => /^--changed(=|$)/.test(arg)).map((arg) => arg.split('=')[1] || 'HEAD')[0];
const only = args.filter((arg) => !arg.startsWith('--'));

if (only.length === 0) {
  for (const [name, command, more] of STAGES) {
    if (changedSince !== undefined && !QUICK_STAGES.includes(name)) continue;
    const started = performance.now();
    const done = spawnSync(command, more, {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (done.status === 0) {
      counts.passed += 1;
      console.log(`✔ ${name} (${seconds} s)`);
    } else {
      counts.failed += 1;
      console.log(`✖ ${name} (${seconds} s)\n${done.stdout}${done.stderr}${done.error?.message ?? ''}`);
    }
  }
}

const browser = await findBrowser();
console.log(browser === undefined ? 'no browser here: what needs one is skipped' : `browser: ${browser.version}`);
const cpuFolder = mkdtempSync(join(tmpdir(), 'proofmark-cpu-'));
Object.assign(process.env, browserEnvironment(browser), {
  NODE_COMPILE_CACHE: COMPILED,
  PROOFMARK_TEST_CPU: cpuFolder,
});

const files = (changedSince === undefined ? allTests() : changedTests(changedSince))
  .filter((file) => only.length === 0 || only.some((part) => file.includes(part)))
  .sort()
  .map((file) => join(ROOT, file));

/** What each file's tests took, in milliseconds. */
const took = new Map<string, number>();
const failures: string[] = [];
if (files.length > 0) {
  const stream = run({
    files,
    concurrency: 2,
    cwd: ROOT,
    execArgv: ['--import', pathToFileURL(join(ROOT, 'scripts/testing/cpu.mjs')).href],
  });
  for (const event of ['test:pass', 'test:fail'] as const) {
    stream.on(event, (data) => count(event === 'test:pass', data));
  }
  for await (const chunk of stream.compose(new spec())) process.stdout.write(chunk);
  printCosts();
}
rmSync(cpuFolder, { recursive: true, force: true });

if (failures.length > 0) console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join('\n')}\n`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
const isNothingToDo = changedSince !== undefined && counts.failed === 0;
process.exitCode = counts.failed === 0 && (counts.passed > 0 || isNothingToDo) ? 0 : 1;

function allTests(): string[] {
  return globSync('**/*.test.ts', {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(node_modules|latest)(\/|$)/.test(String(path)),
  }).map((file) => file.replaceAll('\\', '/'));
}

/** The tests that can be affected by what differs from where `ref` branched off, new files included. */
function changedTests(ref: string): string[] {
  const git = (...more: string[]): string[] =>
    execFileSync('git', more, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
      .split('\n')
      .filter((line) => line !== '');
  const [base = ref] = git('merge-base', ref, 'HEAD');
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  const texts = new Map<string, string>();
  const read = (file: string): string => {
    const text = texts.get(file) ?? (existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '');
    texts.set(file, text);
    return text;
  };
  const known = [...git('ls-files'), ...git('ls-files', '--others', '--exclude-standard')];
  const { tests, byProcess } = affectedBy(changed, { files: known, read });
  console.log(`${changed.length} files changed, ${tests.length} test files can be affected`);
  if (byProcess.length > 0)
    console.log(`${byProcess.length} more start the changed command line in other processes: npm test runs them`);
  return tests.filter((file) => existsSync(join(ROOT, file)));
}

function count(isPass: boolean, data: EventData.TestPass | EventData.TestFail): void {
  const { file, name, nesting, skip, details } = data;
  const where = `${relative(ROOT, file ?? '')}: ${name}`;
  // A suite and a file are not tests; what they hold is counted by itself.
  const isFile = file !== undefined && name === file;
  if (file !== undefined && nesting === 0 && !isFile) took.set(file, (took.get(file) ?? 0) + details.duration_ms);
  if (skip !== undefined && skip !== false) {
    const why = IS_CI ? whyNotAnnounced(skip) : undefined;
    counts[why === undefined ? 'skipped' : 'failed'] += 1;
    if (why !== undefined) failures.push(`${where}: ${why}`);
    return;
  }
  if (details.type === 'suite' || isFile) {
    // A file that ends before its tests have, or cannot be loaded, has no failed test of its own.
    const isSilent = isFile && !failures.some((line) => line.startsWith(relative(ROOT, name)));
    if (isPass || !isSilent) return;
  }
  if (isPass) counts.passed += 1;
  else {
    counts.failed += 1;
    failures.push(where);
  }
}

/** The most expensive files: seconds of the processor with all that they started, and by the clock. */
function printCosts(): void {
  const costs = readdirSync(cpuFolder).map(
    (name) => JSON.parse(readFileSync(join(cpuFolder, name), 'utf8')) as { file: string; seconds: number },
  );
  const total = costs.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`\nWhere the time went (${total.toFixed(0)} s of the processor, then by the clock):`);
  for (const { file, seconds } of costs.sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN_FILES)) {
    const clock = `${((took.get(file) ?? 0) / 1000).toFixed(0)} s`;
    console.log(`  ${`${seconds.toFixed(1)} s`.padStart(8)} ${clock.padStart(7)}  ${relative(ROOT, file)}`);
  }
}
