/**
 * Which test files share a process, and in which order the processes start. Starting Node and loading modules takes as long as
 * most test files need for their tests, so that files which change nothing outside themselves are loaded into one process.
 */
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path/posix';
import { importsOf, type Tree } from './changed.ts';

/** What the test runner starts: one file in a process of its own, or several in one. */
export interface Job {
  readonly files: readonly string[];
  /** Seconds of the processor that it will probably take. */
  readonly seconds: number;
}

/** What a test file may not hold to share a process, each with the reason. A file that is in doubt keeps its own. */
const NEEDS_OWN_PROCESS: readonly (readonly [pattern: RegExp, because: string])[] = [
  [/\bprocess\s*\.\s*(?:on|once|chdir|cwd|umask|exitCode|exit|stdout|stderr)\b/, 'it reads or changes the process'],
  // How much is tried, and from which seed, is read and never changed.
  [
    /\bprocess\s*\.\s*env\b(?!\.PROOFMARK_(?:SOAK|SEED|SPEC|FUZZ_SEED|FUZZ_REQUESTS)\b(?!\s*=[^=]))/,
    'it needs variables',
  ],
  [/\bconsole\.\w+\s*=[^=]|\bglobalThis\b|\bglobal\./, 'it may replace what all share'],
  [/\bmock\.(?:timers|method|getter|setter|module)\b|from 'nock'/, 'it replaces clocks or modules'],
  [/child_process|worker_threads|command\.fixture/, 'it starts processes'],
  [/@playwright\/test|findBrowser|launchQuietly/, 'it may start a browser'],
  [/createServer|\.listen\(|\bserve(?:Locally|Apps)?\(|openListener|freePort/, 'it may leave a server open'],
  [/^(?:before|after|beforeEach|afterEach)\(/m, 'such a hook would be one of all files'],
  [/\bslow\b|timeout|performance\.now/i, 'it measures time'],
];

/**
 * Processes that the shared files are spread over: enough that every core has some. Those that run checks share them as well, for
 * whom loading and compiling the checks takes longer than many of their tests.
 */
const SHARED_PROCESSES = Math.max(4, availableParallelism());

/**
 * Seconds that a test file takes for what it holds, as long as it was never measured: only the order of the start depends on
 * it, so that it need not be kept exact.
 */
const SECONDS_FOR: readonly (readonly [pattern: RegExp, seconds: number])[] = [
  [/'selftest'/g, 60],
  [/\bof faults\b/g, 30],
  [/\bproofmark\(\[?\s*'run'|precheck\(|'npm'/g, 5],
  [/\bproofmark\(|playwright\(|startMock\(|spawn/g, 2],
  [/runInProcess\(|launchQuietly\(/g, 4],
  [/\btest\(/g, 0.1],
];

/** Why a test file keeps a process of its own; undefined when it may share one. Fixtures that it imports count. */
export function whyAlone(file: string, { files, read }: Tree): string | undefined {
  const known = new Set(files);
  const fixtures = importsOf(file, read(file)).filter(
    (imported) => imported.includes('.fixture.') && known.has(imported),
  );
  const texts = [file, ...fixtures].map(read);
  return NEEDS_OWN_PROCESS.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
}

/** The jobs for some test files, the longest first: a long one that starts last would leave the other cores idle. */
export function jobsFor(tests: readonly string[], tree: Tree, measured: ReadonlyMap<string, number>): Job[] {
  const alone = tests.filter((file) => whyAlone(file, tree) !== undefined);
  const shared = tests.filter((file) => !alone.includes(file));
  const secondsOf = (file: string): number => secondsFor(file, tree, measured);
  const count = Math.min(SHARED_PROCESSES, shared.length);
  return [
    ...alone.map((file) => ({ files: [file], seconds: secondsOf(file) })),
    ...spread(shared, count, secondsOf),
  ].sort((a, b) => b.seconds - a.seconds);
}

/** Files in so many groups that take about as long, each beginning with its longest file. */
function spread(files: readonly string[], count: number, secondsOf: (file: string) => number): Job[] {
  const groups = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const shortest = groups.reduce((least, group) => (group.seconds < least.seconds ? group : least));
    shortest.files.push(file);
    shortest.seconds += Math.max(secondsOf(file), MIN_SECONDS);
  }
  return groups;
}

/** What a file takes at least: loading it. */
const MIN_SECONDS = 0.1;

/** Seconds of the processor that a test file took, or will probably take. */
export const secondsFor = (file: string, { read }: Tree, measured: ReadonlyMap<string, number>): number =>
  measured.get(file) ??
  SECONDS_FOR.reduce((sum, [pattern, seconds]) => sum + seconds * (read(file).match(pattern)?.length ?? 0), 0);

/** What a save may wait for: a test file that takes longer than this runs when it is changed itself, or is beside the change. */
const MAX_SECONDS_ON_SAVE = 2;

/** Of the tests that a change can affect, those for every save, and those that are left to `npm test` because they take long. */
export function splitForSave(
  tests: readonly string[],
  changed: readonly string[],
  secondsOf: (file: string) => number,
): { readonly now: readonly string[]; readonly later: readonly string[] } {
  const folders = new Set(changed.map((file) => dirname(file)));
  const isNow = (file: string): boolean => folders.has(dirname(file)) || secondsOf(file) <= MAX_SECONDS_ON_SAVE;
  return { now: tests.filter(isNow), later: tests.filter((file) => !isNow(file)) };
}

/** A module that loads test files one after another; one that can't be loaded is a failed test. */
export const entryOf = (root: string, { files }: Job): string =>
  [
    "import { pathToFileURL } from 'node:url';",
    // A module of Node is loaded before any other is run, unless it is imported like this.
    "const { test } = await import('node:test');",
    `for (const file of ${JSON.stringify(files.map((file) => join(root, file)))}) {`,
    '  try { await import(pathToFileURL(file).href); }',
    '  catch (error) { test(`${file} can be loaded`, () => { throw error; }); }',
    '}',
    '',
  ].join('\n');
