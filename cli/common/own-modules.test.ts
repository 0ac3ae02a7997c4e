import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const OWN_MODULES = pathToFileURL(join(import.meta.dirname, 'own-modules.ts')).href;

/** What a module prints in a process that finds our modules by their addresses; `files` are beside it. */
function printedBy(text: string, files: (folder: string) => void = () => undefined): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'proofmark-modules-')));
  try {
    files(folder);
    writeFileSync(join(folder, 'main.ts'), text);
    // Registered before ours, it sees what ours leaves to Node.
    const seen = join(folder, 'seen.mjs');
    writeFileSync(
      seen,
      `import { registerHooks } from 'node:module';
      globalThis.leftToNode = [];
      registerHooks({ resolve: (name, context, next) => { leftToNode.push(name); return next(name, context); } });`,
    );
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const hooks = [pathToFileURL(seen).href, OWN_MODULES].flatMap((module) => ['--import', module]);
    const done = spawnSync(process.execPath, [...hooks, join(folder, 'main.ts')], { env, encoding: 'utf8' });
    assert.equal(done.stderr, '');
    return done.stdout.trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('finds the modules that ours import without asking Node', () => {
  const suites = JSON.stringify(pathToFileURL(join(ROOT, 'suites/index.ts')).href);
  const printed = printedBy(`
    const { CHECKS } = await import(${suites});
    const { leftToNode } = globalThis as unknown as { leftToNode: string[] };
    console.log(CHECKS.length > 300, leftToNode.filter((name) => /^\\.{1,2}\\/.*\\.ts$/.test(name)).length);
  `);
  assert.equal(printed, 'true 0');
});

test('leaves the modules of a user to Node, which follows links', () => {
  const printed = printedBy("import { where } from './link/helper.ts'; console.log(where);", (folder) => {
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other/helper.ts'), 'export const where: string = import.meta.url.slice(-16);');
    symlinkSync(join(folder, 'other'), join(folder, 'link'));
  });
  assert.equal(printed, '/other/helper.ts');
});
