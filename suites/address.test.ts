/** An id is an address: `delivery.batch.x` lives in `suites/delivery/batch.ts` or in a file under `suites/delivery/batch/`. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { APP_CHECKS } from './app/index.ts';
import { CHECKS } from './index.ts';
import { DELIVERY_CHECKS } from './provider/index.ts';

const ROOT = import.meta.dirname;
const IDS = [...CHECKS, ...APP_CHECKS, ...DELIVERY_CHECKS].map(({ id }) => id);
const SOURCES = globSync('**/*.ts', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

/** Whether a file below `suites/` is where the id leads. */
function isAddressOf(id: string, file: string): boolean {
  const [folder, second] = id.split('.');
  return file === `${folder}/${second}.ts` || file.startsWith(`${folder}/${second}/`);
}

test('every check id stands as a whole literal in one file at its address', () => {
  const problems = IDS.flatMap((id) => {
    const at = SOURCES.filter(({ file, text }) => isAddressOf(id, file) && text.includes(`'${id}'`));
    return at.length === 0 ? [`${id} has no literal in suites/${id.split('.').slice(0, 2).join('/')}`] : [];
  });
  assert.deepEqual(problems, []);
});

test('no two checks have the same id', () => {
  const twice = IDS.filter((id, at) => IDS.indexOf(id) !== at);
  assert.deepEqual(twice, []);
});
