import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { affectedBy, importsOf } from './changed.ts';
import { treeOf } from './tree.fixture.ts';

const TREE = treeOf({
  'a/inner.ts': '',
  'a/outer.ts': "import { x } from './inner.ts';",
  'a/outer.test.ts': "import {\n  y,\n} from './outer.ts';",
  'a/other.test.ts': "import type { X } from './inner.ts';\nimport './words.ts';",
  'a/words.ts': '',
  'a/data.json': '',
  'b/named.test.ts': "read('../a/data.json')",
  'cli/main.ts': "await import('../a/outer.ts')",
  'cli/run.test.ts': "import { proofmark } from './common/command.fixture.ts';",
  'openapi/v1.yaml': '',
  'openapi/documents.test.ts': '',
});

test('a change reaches what imports it at any distance, but for types', () => {
  assert.deepEqual(affectedBy(['a/inner.ts'], TREE), { tests: ['a/outer.test.ts'], byProcess: ['cli/run.test.ts'] });
  assert.deepEqual(affectedBy(['a/words.ts'], TREE).tests, ['a/other.test.ts']);
  assert.deepEqual(affectedBy(['a/other.test.ts'], TREE), { tests: ['a/other.test.ts'], byProcess: [] });
  assert.deepEqual(affectedBy(['gone.ts'], TREE), { tests: [], byProcess: [] });
});

test('data reaches the tests of its row, or those beside it and those that name it', () => {
  assert.deepEqual(affectedBy(['openapi/v1.yaml'], TREE).tests, ['openapi/documents.test.ts']);
  assert.deepEqual(affectedBy(['a/data.json'], TREE).tests, ['a/other.test.ts', 'a/outer.test.ts', 'b/named.test.ts']);
});

test('every form of import in the project is seen', () => {
  const root = join(import.meta.dirname, '../..');
  const imports = importsOf('cli/selftest/index.ts', readFileSync(join(root, 'cli/selftest/index.ts'), 'utf8'));
  for (const file of ['proof/matrix/matrix.ts', 'proof/matrix/pool.ts', 'cli/selftest/file.ts', 'suites/index.ts'])
    assert.ok(imports.includes(file), file);
  assert.deepEqual(importsOf('a/b.ts', "new URL('./worker.ts', import.meta.url)"), ['a/worker.ts']);
  assert.deepEqual(importsOf('a/b.ts', "export * from '../c.ts';\nexport type { D } from './d.ts';"), ['c.ts']);
});
