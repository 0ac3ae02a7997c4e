import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { examples } from '../../../examples/integrators/index.ts';
import { pageOf } from './examples-page.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples/integrators');
const all = await examples();

test('each example has a row that leads to its entry', () => {
  const page = pageOf(all);
  for (const { id, file, clauses } of all) {
    const row = page.split('\n').find((line) => line.startsWith(`| [${id}](../examples/integrators/${file}#L`));
    const line = Number(/#L(\d+)\)/.exec(row ?? '')?.[1]);
    const entry = readFileSync(join(EXAMPLES, file), 'utf8').split('\n')[line - 1];
    assert.equal(entry?.trim(), `'${id}': {`);
    for (const clause of clauses) assert.ok(row?.includes(`\`${clause}\``), id);
  }
});
