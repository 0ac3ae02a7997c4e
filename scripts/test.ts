/**
 * Everything that has to hold before a change lands, in one command: `npm test`.
 * Stages first (format, lint, types, documents, generated files), then every `*.test.ts` on Node's test runner.
 * Ends with the plain line `N passed, N failed, N skipped`. Arguments: parts of paths, to run only those test files.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { findBrowser } from './browser.mjs';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules/.bin');

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

const counts = { passed: 0, failed: 0, skipped: 0 };
const only = process.argv.slice(2);

if (only.length === 0) {
  for (const [name, command, args] of STAGES) {
    const started = performance.now();
    const done = spawnSync(command, args, {
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
process.env.PROOFMARK_BROWSER = browser?.path ?? 'none';

const files = globSync('**/*.test.ts', {
  cwd: ROOT,
  exclude: (path) => /(^|\/)(node_modules|latest)(\/|$)/.test(String(path)),
})
  .filter((file) => only.length === 0 || only.some((part) => file.includes(part)))
  .sort()
  .map((file) => join(ROOT, file));

/** What each file's tests took, in milliseconds. */
const took = new Map<string, number>();
const durationOf = (data: { details: { duration_ms: number } }): number => data.details.duration_ms;

const failures: string[] = [];
const stream = run({ files, concurrency: 2, cwd: ROOT });
for (const event of ['test:pass', 'test:fail'] as const) {
  stream.on(event, (data) => {
    // A suite and a file are not tests; what they hold is counted by itself.
    if (data.file !== undefined && data.nesting === 0)
      took.set(data.file, (took.get(data.file) ?? 0) + durationOf(data));
    if (data.details.type === 'suite' || (data.file !== undefined && data.name === data.file)) return;
    if (data.skip !== undefined && data.skip !== false) counts.skipped += 1;
    else if (event === 'test:pass') counts.passed += 1;
    else {
      counts.failed += 1;
      failures.push(`${relative(ROOT, data.file ?? '')}: ${data.name}`);
    }
  });
}
for await (const chunk of stream.compose(new spec())) process.stdout.write(chunk);

const SHOWN_FILES = 10;
const slowest = [...took].sort(([, a], [, b]) => b - a).slice(0, SHOWN_FILES);
console.log('\nWhere the time went:');
for (const [file, ms] of slowest) console.log(`  ${(ms / 1000).toFixed(0).padStart(4)} s  ${relative(ROOT, file)}`);

if (failures.length > 0) console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join('\n')}\n`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
