import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costsByFile } from './costs.ts';
import { entryOf, jobsFor, splitForSave, whyAlone } from './jobs.ts';
import { treeOf } from './tree.fixture.ts';

const TREE = treeOf({
  'a/one.test.ts': "test('x', () => {});",
  'a/two.test.ts': "import { x } from './two.ts';",
  'a/three.test.ts': '',
  'a/hooks.test.ts': 'beforeEach(() => {});',
  'a/inner-hooks.test.ts': "describe('x', () => {\n  before(() => {});\n});",
  'a/variables.test.ts': "process.env.HOME = '/';",
  'a/size.test.ts': "const IS_SOAK = process.env.PROOFMARK_SOAK === '1';",
  'a/size-set.test.ts': "process.env.PROOFMARK_SOAK = '1';",
  'a/starts.test.ts': "await proofmark(['run']); await proofmark(['run']);\nimport './x.command.fixture.ts';",
  'a/by-fixture.test.ts': "import { open } from './open.fixture.ts';",
  'a/open.fixture.ts': 'createServer();',
  'a/matrix.test.ts': "import 'node:child_process'; run(['selftest']);",
});
const TESTS = TREE.files.filter((file) => file.endsWith('.test.ts'));

test('a test file keeps its own process when it, or a fixture of it, reaches outside itself', () => {
  const alone = TESTS.filter((file) => whyAlone(file, TREE) !== undefined);
  assert.deepEqual(alone, [
    'a/hooks.test.ts',
    'a/variables.test.ts',
    'a/size-set.test.ts',
    'a/starts.test.ts',
    'a/by-fixture.test.ts',
    'a/matrix.test.ts',
  ]);
});

test('every test file is in one job, and the longest starts first', () => {
  const jobs = jobsFor(TESTS, TREE, new Map());
  assert.deepEqual(jobs.flatMap(({ files }) => files).sort(), [...TESTS].sort());
  assert.deepEqual(
    jobs.slice(0, 2).map(({ files }) => files),
    [['a/matrix.test.ts'], ['a/starts.test.ts']],
  );
  const measured = new Map([['a/hooks.test.ts', 500]]);
  assert.deepEqual(jobsFor(TESTS, TREE, measured)[0], { files: ['a/hooks.test.ts'], seconds: 500 });
  assert.deepEqual(jobsFor([], TREE, measured), []);
});

test('files that share processes are spread by the time that they take', () => {
  const seconds = new Map(Array.from({ length: 12 }, (_, at) => [`b/${at}.test.ts`, at === 0 ? 60 : 5]));
  const tree = treeOf(Object.fromEntries([...seconds.keys()].map((file) => [file, ''])));
  const jobs = jobsFor(tree.files, tree, seconds);
  const [longest, ...others] = jobs.map(({ files }) => files);
  assert.deepEqual(longest, ['b/0.test.ts']);
  const sizes = others.map(({ length }) => length);
  assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, `${sizes}`);
});

test('the cost of a process is shared by what its files took', () => {
  const clock = new Map([
    ['a', 3],
    ['b', 1],
  ]);
  const clockOf = (file: string): number => clock.get(file) ?? 0;
  const process = { file: 'shared', seconds: 8 };
  assert.deepEqual(costsByFile(process, ['a', 'b'], clockOf), [
    { file: 'a', seconds: 6 },
    { file: 'b', seconds: 2 },
  ]);
  assert.deepEqual(costsByFile(process, ['c'], clockOf), [{ file: 'c', seconds: 8 }]);
});

test('a save waits for tests of seconds, and for long ones beside the change', () => {
  const seconds = new Map([
    ['a/long.test.ts', 60],
    ['b/long.test.ts', 60],
    ['b/short.test.ts', 0.2],
  ]);
  assert.deepEqual(
    splitForSave([...seconds.keys()], ['a/x.ts'], (file) => seconds.get(file) ?? 0),
    { now: ['a/long.test.ts', 'b/short.test.ts'], later: ['b/long.test.ts'] },
  );
});

test('a file that cannot be loaded is a failed test of its process', () => {
  const entry = entryOf('/root', { files: ['a/one.test.ts', 'a/two.test.ts'], seconds: 1 });
  assert.match(entry, /\["\/root\/a\/one\.test\.ts","\/root\/a\/two\.test\.ts"\]/);
  assert.match(entry, /can be loaded/);
});
