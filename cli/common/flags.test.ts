import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagsOf } from './flags.ts';

const OPTIONS = {
  seed: { type: 'string' },
  only: { type: 'string', multiple: true },
  quiet: { type: 'boolean' },
} as const;
const parse = (...argv: string[]) => flagsOf('run', argv, OPTIONS).values;

test('a flag without its value is one sentence', () => {
  assert.throws(() => parse('--seed'), /^UsageError: --seed needs a value: see proofmark run --help\.$/);
  assert.throws(
    () => parse('--seed', '--quiet'),
    /--seed needs a value, and "--quiet" follows it \(write --seed=--quiet/,
  );
  assert.throws(() => parse('--quiet=yes'), /'--quiet' does not take an argument: see proofmark run --help\./);
  assert.throws(() => parse('-x'), /has no option -x\. See proofmark run --help\./);
  assert.throws(() => parse('--sed', '1'), /has no option --sed\. Did you mean "--seed"\?/);
});

test('a flag with one value is not given two, and a list takes as many as it likes', () => {
  assert.throws(() => parse('--seed', '1', '--seed=2'), /--seed was given as "1" and as "2": give it once\./);
  assert.equal(parse('--seed', '1', '--seed', '1').seed, '1');
  assert.deepEqual(parse('--only', 'a', '--only', 'b').only, ['a', 'b']);
});

test('a value may begin with a dash where it is joined to its flag, and be one dash', () => {
  assert.equal(parse('--seed=-1').seed, '-1');
  assert.equal(parse('--seed', '-').seed, '-');
});

test('a profile without its flag is answered with the flag', () => {
  const run = (word: string) => flagsOf('run', [word], { target: { type: 'string' } });
  assert.throws(() => run('staging.json'), /does not take "staging\.json": write --target staging\.json\.$/);
  assert.throws(() => run('mock:fault=x'), /write --target mock:fault=x/);
  assert.throws(() => run('delivery'), /see proofmark run --help/);
  assert.throws(() => parse('staging.json'), /see proofmark run --help/);
});
