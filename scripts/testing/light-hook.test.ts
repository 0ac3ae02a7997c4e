import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { entryOf } from './jobs.ts';

/** Loaded before everything else. */
const HOOK = new URL('./light-hook.mjs', import.meta.url).href;

/** Ends of tests that Node's runner has to see, each as the body of one. */
const ENDS = {
  'a promise that fails while nothing waits for it': `await null; void Promise.reject(new Error('late'));
    await new Promise((resolve) => setTimeout(resolve, 20));`,
  'an error in a timer': `await null; setTimeout(() => { throw new Error('late'); }, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));`,
  'a promise that fails after the test': `await null; setTimeout(() => void Promise.reject(new Error('late')), 20);`,
  'an assertion after several turns': `for (let n = 0; n < 3; n += 1) await null; assert.fail('late');`,
} as const;

/** Runs test files as `npm test` does; what it prints, and its exit code. */
function ran(t: { after(end: () => void): void }, body: string) {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-hook-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'one.test.mjs'),
    `import assert from 'node:assert/strict'; import { executionAsyncId } from 'node:async_hooks'; import { test } from 'node:test';
    test('one', async () => { ${body} }); test('two', () => undefined);`,
  );
  const entry = join(folder, 'shared.mjs');
  writeFileSync(entry, entryOf(folder, { files: ['one.test.mjs'], seconds: 0 }));
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--import', HOOK, entry], { encoding: 'utf8', env });
  return { status, stdout };
}

test('the test runner follows no promise', (t) => {
  const { status, stdout } = ran(
    t,
    `const ids = new Set(); for (let n = 0; n < 3; n += 1) { await null; ids.add(executionAsyncId()); }
    assert.equal(ids.size, 1);`,
  );
  assert.equal(status, 0, stdout);
});

for (const [what, body] of Object.entries(ENDS))
  test(`${what} fails the run all the same`, (t) => {
    const { status, stdout } = ran(t, body);
    assert.notEqual(status, 0, stdout);
    assert.match(stdout, /two/, 'the other test of the file was run');
  });
