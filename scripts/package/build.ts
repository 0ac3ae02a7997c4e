/**
 * Compiles the package into `dist/`: `npm run build`, and `npm pack` before it packs. `dist/` has the folders of the checkout, so a
 * file that is read beside a module is found in the same place in both. What is compiled: `tsconfig.build.json`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { examplesForPackage, urlsOfModules, withJsImports } from './rewrite.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');

const EXAMPLES = 'examples';

/** Folders whose data files (documents, clauses, vectors, schemas, styles) belong to the package. */
const DATA_FOLDERS = ['cli', 'contracts', 'docs', 'harness', 'mock', 'openapi', 'reports', 'scripts', 'suites'];
const DATA = '*.{json,yaml,css,mjs,d.mts}';
/** Of `scripts/` the commands need one module; its other files work on the checkout. */
const NOT_PACKED = /(^|\/)testing\/|^cli\/proofmark\.mjs$|^scripts\/(?!browser\/browser\.)/;

rmSync(DIST, { recursive: true, force: true });
compile();
for (const file of filesIn(DIST, ['**/*.d.ts'])) edit(join(DIST, file), withJsImports);
for (const file of filesIn(DIST, ['**/*.js'])) edit(join(DIST, file), urlsOfModules);
for (const file of filesIn(
  ROOT,
  DATA_FOLDERS.map((folder) => `${folder}/**/${DATA}`),
)) {
  if (!NOT_PACKED.test(file)) copy(file);
}
copyExamples();

function compile(): void {
  const compiler = join(ROOT, 'node_modules/ts7/bin/tsc');
  const done = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** Examples are for copying, so they stay sources. Tools of this repository among them are left out. */
function copyExamples(): void {
  const files = filesIn(ROOT, [`${EXAMPLES}/**/*.*`]).filter((file) => !/\.test\.ts$|(^|\/)testing\//.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  for (const [file, text] of examplesForPackage(EXAMPLES, texts)) {
    const to = join(DIST, file);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  }
}

function filesIn(folder: string, patterns: readonly string[]): string[] {
  return globSync([...patterns], {
    cwd: folder,
    exclude: (path) => /(^|[\\/])node_modules([\\/]|$)/.test(String(path)),
  })
    .map((file) => file.split(sep).join('/'))
    .sort();
}

function copy(file: string): void {
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  cpSync(join(ROOT, file), join(DIST, file));
}

function edit(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed !== text) writeFileSync(file, changed);
}
