/**
 * The large sizes of what `npm test` runs small: `npm run soak [PART OF A PATH …]`. Runs every test file that knows
 * PROOFMARK_SOAK, one after the other, and prints by section what they have found, as the plain lines that they print themselves.
 * Takes hours; `--list` shows the files.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { browserEnvironment, findBrowser } from '../browser/browser.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** By the beginning of a path; the first that fits. */
const SECTIONS: readonly (readonly [title: string, ...paths: readonly string[]])[] = [
  [
    'Faults and the kill matrix',
    'proof/matrix',
    'proof/mutants',
    'cli/selftest',
    'suites/app',
    'suites/provider',
    'cli/precheck',
  ],
  ['Properties', 'suites/properties', 'harness/property', 'contracts'],
  ['A hostile target', 'proof/hostile', 'harness/target'],
  ['Bad input to Proofmark', 'proof/fuzz', 'mock', 'cli/judge', 'cli/verify'],
  ['Offline, anywhere, every time', 'cli/run', 'proof/stability', 'proof/crashes', 'harness'],
];
const OTHERS = 'Others';

interface FileDone {
  readonly file: string;
  readonly failed: readonly string[];
  readonly passed: number;
  readonly skipped: number;
  readonly lines: readonly string[];
  readonly minutes: number;
}

const args = process.argv.slice(2);
const parts = args.filter((arg) => !arg.startsWith('--'));
const files = globSync('**/*.test.ts', {
  cwd: ROOT,
  exclude: (path) => /(^|\/)(node_modules|latest)(\/|$)/.test(String(path)),
})
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .filter((file) => knowsSoak(file))
  .sort();

/** By the file itself, or by what it keeps beside it: `hostile/targets.ts` for `hostile/hostile.test.ts`. */
function knowsSoak(file: string): boolean {
  return /PROOFMARK_SOAK/.test(readFileSync(join(ROOT, file), 'utf8'));
}

const sectionOf = (file: string): string =>
  SECTIONS.find(([, ...paths]) => paths.some((path) => file.startsWith(path)))?.[0] ?? OTHERS;

async function runFile(file: string): Promise<FileDone> {
  const started = performance.now();
  const failed: string[] = [];
  const lines: string[] = [];
  let [passed, skipped] = [0, 0];
  const stream = run({ files: [join(ROOT, file)], concurrency: 1, cwd: ROOT });
  stream.on('test:stdout', ({ message }) => lines.push(...message.split('\n').filter((line) => line.trim() !== '')));
  stream.on('test:pass', (data) => {
    if (data.details.type === 'suite' || data.name === data.file) return;
    if (data.skip !== undefined && data.skip !== false) skipped += 1;
    else passed += 1;
  });
  stream.on('test:fail', (data) => {
    if (data.details.type === 'suite' || data.name === data.file) return;
    const { cause } = data.details.error;
    failed.push(
      `${data.name}\n${String(cause instanceof Error ? (cause.stack ?? cause.message) : data.details.error)}`,
    );
  });
  for await (const _event of stream) {
    // The events above say all; the stream only has to flow.
  }
  return { file, failed, passed, skipped, lines, minutes: (performance.now() - started) / 60_000 };
}

if (args.includes('--list')) {
  for (const file of files) console.log(`${sectionOf(file)}: ${file}`);
} else {
  process.env.PROOFMARK_SOAK = '1';
  const browser = await findBrowser();
  Object.assign(process.env, browserEnvironment(browser));
  console.log(
    browser === undefined ? 'no browser here: tests that need one are skipped' : `browser: ${browser.version}`,
  );
  const done: FileDone[] = [];
  for (const section of [...SECTIONS.map(([title]) => title), OTHERS]) {
    const own = files.filter((file) => sectionOf(file) === section);
    if (own.length === 0) continue;
    console.log(`\n${section}`);
    for (const file of own) {
      const result = await runFile(file);
      done.push(result);
      const { failed, passed, skipped, lines, minutes } = result;
      const counts = `${passed} passed, ${failed.length} failed, ${skipped} skipped, ${minutes.toFixed(1)} min`;
      console.log(`${failed.length === 0 ? '✔' : '✖'} ${relative(ROOT, join(ROOT, file))} (${counts})`);
      for (const line of lines) console.log(`    ${line}`);
      for (const failure of failed) console.log(failure.replaceAll(/^/gm, '    '));
    }
  }
  const sum = (count: (one: FileDone) => number): number => done.reduce((total, one) => total + count(one), 0);
  const failures = sum(({ failed }) => failed.length);
  console.log(`\n${sum(({ passed }) => passed)} passed, ${failures} failed, ${sum(({ skipped }) => skipped)} skipped`);
  process.exitCode = failures === 0 && done.length > 0 ? 0 : 1;
}
