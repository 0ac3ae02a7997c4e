import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationsOf } from './annotate.mjs';

const check = (verdict: string, more: object = {}): object => ({
  id: 'a.b.c',
  title: 'MUST do, as said: so',
  verdict,
  ...more,
});

test('failed, undecided and harmful checks are annotated, others are not', () => {
  const checks = ['pass', 'fail', 'warn', 'inconclusive', 'observed', 'error', 'not-applicable'].map((verdict) =>
    check(verdict),
  );
  assert.deepEqual(
    annotationsOf({ checks }).map((line) => line.split(' ', 1)[0]),
    ['::error', '::error', '::warning', '::notice'],
  );
});

test('what a target sent can not write commands of its own', () => {
  const actual = 'x\n::set-env name=A::b\r\n::error::c 100%';
  const lines = annotationsOf({ checks: [check('fail', { expected: { n: 1 }, actual, reason: null })] });
  assert.deepEqual(lines, [
    '::error title=a.b.c MUST do%2C as said%3A so::expected: {"n":1}%0Aactual: x%0A::set-env name=A::b%0D%0A::error::c 100%25',
  ]);
});

test('at most ten of a kind, which is what GitHub shows', () => {
  assert.equal(annotationsOf({ checks: Array.from({ length: 30 }, () => check('fail')) }).length, 10);
});
