import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { examples } from './index.ts';
import { PAGE, TABLE_BEGINS, TABLE_ENDS, withTables } from './table.ts';

const ROOT = join(import.meta.dirname, '../..');
const all = await examples();

test('the page shows the examples as they are', () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8');
  const advice = 'Run node scripts/node24.mjs examples/integrators/table.ts.';
  assert.equal(page, withTables(page, all), advice);
});

test('each example has a row that leads to its file', () => {
  const page = withTables(`Before\n${TABLE_BEGINS}\nSTALE\n${TABLE_ENDS}\nAfter\n`, all);
  assert.match(page, /^Before\n[\s\S]*\nAfter\n$/);
  assert.ok(!page.includes('STALE'));
  for (const { id, file, clauses } of all) {
    const row = page.split('\n').find((line) => line.startsWith(`| [${id}](../examples/integrators/${file})`));
    for (const clause of clauses) assert.ok(row?.includes(`\`${clause}\``), id);
  }
});

test('a page without a place for the tables says so', () => {
  assert.throws(() => withTables('Nothing here\n', all), /no place for the examples/);
});
