/**
 * Everything that has to hold before a change lands, in one command: `npm test`.
 * Stages first (format, lint, types, documents, generated files), then every `*.test.ts` on Node's test runner.
 * Ends with the plain line `N passed, N failed, N skipped`. Arguments: parts of paths, to run only those test files, or
 * `--changed` (`--changed=REF`) for those that can be affected by what differs from HEAD (from where REF branched off), and
 * `--commit-costs` to keep what the files took for the order in which a new checkout starts them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type EventData, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { browserEnvironment, findBrowser } from './browser/browser.mjs';
import { affectedBy, type Tree } from './testing/changed.ts';
import { commitCosts, costsByFile, costsIn, keepCosts, measuredCosts } from './testing/costs.ts';
import { entryOf, type Job, jobsFor, secondsFor, splitForSave } from './testing/jobs.ts';
import { whyNotAnnounced } from './testing/skips.ts';
import { runStages, stagesOf } from './testing/stages.ts';

const ROOT = join(import.meta.dirname, '..');
const IS_CI = process.env.CI === 'true' || process.env.CI === '1';
/** In this checkout, so that no other user can put anything there. Node keeps compiled modules for the processes of the tests. */
const COMPILED = join(ROOT, 'node_modules/.cache/proofmark-tests');
const COSTS = join(ROOT, 'node_modules/.cache/proofmark-test-costs.json');
/** What a checkout begins with that has measured nothing yet. */
const FIRST_COSTS = join(ROOT, 'scripts/testing/costs.json');
/** Three more than cores: a test that waits for a page or another process leaves its core to the next. */
const CONCURRENCY = availableParallelism() + 3;
/** Exchanges live for one check: with more room for young objects, fewer of them are copied. */
const YOUNG_MIB = 64;
const SHOWN_FILES = 20;

const counts = { passed: 0, failed: 0, skipped: 0 };
const args = process.argv.slice(2);
const unknown = args.find((arg) => arg.startsWith('-') && !/^--(changed(=|$)|commit-costs$)/.test(arg));
if (unknown !== undefined) {
  console.error(
    `npm test has no option ${unknown}: it takes parts of paths, --changed[=REF] and --commit-costs (see CONTRIBUTING.md).`,
  );
  process.exit(2);
}
const changedSince = args.filter((arg) => /^--changed(=|$)/.test(arg)).map((arg) => arg.split('=')[1] || 'HEAD')[0];
const only = args.filter((arg) => !arg.startsWith('--'));

if (only.length === 0) {
  const stages = stagesOf(ROOT).filter(({ isQuick }) => changedSince === undefined || isQuick);
  await runStages(stages, ROOT, ({ name, seconds, complaint }) => {
    counts[complaint === undefined ? 'passed' : 'failed'] += 1;
    const sign = complaint === undefined ? '✔' : '✖';
    console.log(`${sign} ${name} (${seconds.toFixed(1)} s)${complaint === undefined ? '' : `\n${complaint}`}`);
  });
}

const browser = await findBrowser();
console.log(browser === undefined ? 'no browser here: tests that need one are skipped' : `browser: ${browser.version}`);
const scratch = mkdtempSync(join(tmpdir(), 'proofmark-tests-'));
const cpuFolder = join(scratch, 'cpu');
mkdirSync(cpuFolder);
Object.assign(process.env, browserEnvironment(browser), {
  NODE_COMPILE_CACHE: COMPILED,
  PROOFMARK_TEST_CPU: cpuFolder,
});

const files = (changedSince === undefined ? filesHere('**/*.test.ts') : changedTests(changedSince))
  .filter((file) => only.length === 0 || only.some((part) => file.includes(part)))
  .sort();
const jobs = jobsFor(files, codeHere(), knownCosts());
const entries = new Map(jobs.map((job, at) => [entryFor(job, at), job]));

/** What each file's tests took, in milliseconds. */
const took = new Map<string, number>();
const failures: string[] = [];
if (jobs.length > 0) {
  const stream = run({
    files: [...entries.keys()],
    concurrency: CONCURRENCY,
    cwd: ROOT,
    execArgv: [
      // What replaces a function of the test runner comes before anything that loads it.
      ...['scripts/testing/light-hook.mjs', 'scripts/testing/cpu.mjs', 'cli/common/own-modules.ts'].flatMap(
        (module) => ['--import', pathToFileURL(join(ROOT, module)).href],
      ),
      `--max-semi-space-size=${YOUNG_MIB}`,
    ],
  });
  for (const event of ['test:pass', 'test:fail'] as const) {
    stream.on(event, (data) => count(event === 'test:pass', data));
  }
  for await (const chunk of stream.compose(new spec())) process.stdout.write(chunk);
  countSilentFiles();
  printCosts();
}
rmSync(scratch, { recursive: true, force: true });

if (failures.length > 0) console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join('\n')}\n`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
const isNothingToDo = changedSince !== undefined && counts.failed === 0;
process.exitCode = counts.failed === 0 && (counts.passed > 0 || isNothingToDo) ? 0 : 1;

/** What the test runner starts for a job: the test file itself, or a module that loads several. */
function entryFor(job: Job, at: number): string {
  const [file = ''] = job.files;
  if (job.files.length === 1) return join(ROOT, file);
  const entry = join(scratch, `shared-${at + 1}.mjs`);
  writeFileSync(entry, entryOf(ROOT, job));
  return entry;
}

function git(...more: string[]): string[] {
  return execFileSync('git', more, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\n')
    .filter((line) => line !== '');
}

/** The code as it is now, new files included. */
function codeHere(): Tree {
  const texts = new Map<string, string>();
  const read = (file: string): string => {
    const text = texts.get(file) ?? (existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '');
    texts.set(file, text);
    return text;
  };
  return { files: filesHere('**/*.{ts,mjs,js}'), read };
}

function filesHere(pattern: string): string[] {
  const isForeign = (path: unknown): boolean => /(^|[\\/])(node_modules|latest|dist)([\\/]|$)/.test(String(path));
  return globSync(pattern, { cwd: ROOT, exclude: isForeign }).map((file) => file.replaceAll('\\', '/'));
}

/** The tests that can be affected by what differs from where `ref` branched off, new files included. */
function changedTests(ref: string): string[] {
  const [base = ref] = git('merge-base', ref, 'HEAD');
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  const code = codeHere();
  const { tests, byProcess } = affectedBy(changed, code);
  const measured = knownCosts();
  const { now, later } = splitForSave(tests, changed, (file) => secondsFor(file, code, measured));
  console.log(`${changed.length} files changed: ${now.length} test files`);
  const left = later.length + byProcess.length;
  if (left > 0) console.log(`${left} more take long, or start the changed command line elsewhere: npm test runs them`);
  return now.filter((file) => existsSync(join(ROOT, file)));
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

/** A file that wrote over the results of its own tests has neither passed nor failed any. */
function countSilentFiles(): void {
  for (const file of files) {
    if (took.has(join(ROOT, file)) || failures.some((line) => line.startsWith(`${file}:`))) continue;
    counts.failed += 1;
    failures.push(`${file}: reported no test`);
  }
}

/** The most expensive files: seconds of the processor with all that they started, and by the clock. */
function printCosts(): void {
  const clockOf = (file: string): number => (took.get(join(ROOT, file)) ?? 0) / 1000;
  const costs = costsIn(cpuFolder).flatMap((cost) => costsByFile(cost, entries.get(cost.file)?.files ?? [], clockOf));
  const total = costs.reduce((sum, { seconds }) => sum + seconds, 0);
  costs.sort((a, b) => b.seconds - a.seconds);
  console.log(`\nWhere the time went (${total.toFixed(0)} s of the processor, then by the clock):`);
  for (const { file, seconds } of costs.slice(0, SHOWN_FILES)) {
    console.log(`  ${`${seconds.toFixed(1)} s`.padStart(8)} ${`${clockOf(file).toFixed(0)} s`.padStart(7)}  ${file}`);
  }
  // A file that mostly waits has to start early as well.
  const measured = new Map(
    costs.map(({ file, seconds }) => [file, Math.max(seconds, clockOf(file) / CONCURRENCY)] as const),
  );
  keepCosts(COSTS, measured);
  if (args.includes('--commit-costs')) commitCosts(FIRST_COSTS, measured);
}

function knownCosts(): Map<string, number> {
  return new Map([...measuredCosts(FIRST_COSTS), ...measuredCosts(COSTS)]);
}
