import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { examples } from '../../examples/integrators/index.ts';
import { TABLE_BEGINS, TABLE_ENDS, withTables } from './integrator-page.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/integrators');
const all = await examples();

test('each example has a row that leads to its entry', () => {
  const page = withTables(`Before\n${TABLE_BEGINS}\nSTALE\n${TABLE_ENDS}\nAfter\n`, all);
  assert.match(page, /^Before\n[\s\S]*\nAfter\n$/);
  assert.ok(!page.includes('STALE'));
  for (const { id, file, clauses } of all) {
    const row = page.split('\n').find((line) => line.startsWith(`| [${id}](../examples/integrators/${file}#L`));
    const line = Number(/#L(\d+)\)/.exec(row ?? '')?.[1]);
    const entry = readFileSync(join(EXAMPLES, file), 'utf8').split('\n')[line - 1];
    assert.equal(entry?.trim(), `'${id}': {`);
    for (const clause of clauses) assert.ok(row?.includes(`\`${clause}\``), id);
  }
});

test('a page without a place for the tables says so', () => {
  assert.throws(() => withTables('Nothing here\n', all), /no place for the examples/);
});
