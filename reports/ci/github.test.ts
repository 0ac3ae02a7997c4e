import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import type { CheckOutcome } from '../results/index.ts';
import { foldResults } from '../results/index.ts';
import { CLAUSES, sampleRun } from '../sample.fixture.ts';
import { annotationsOf, showOnGithub } from './github.ts';

const check = (verdict: Verdict, more: Partial<CheckOutcome> = {}): CheckOutcome => ({
  id: 'a.b.c',
  title: 'MUST do, as said: so',
  level: 'MUST',
  suite: 'a',
  clauses: [],
  verdict,
  attribution: null,
  reason: null,
  expected: null,
  actual: null,
  pointer: null,
  exchanges: [],
  durationMs: 1,
  ...more,
});

test('failed, undecided and harmful checks are annotated, others are not', () => {
  const verdicts: Verdict[] = ['pass', 'fail', 'warn', 'inconclusive', 'observed', 'error', 'not-applicable'];
  const checks = verdicts.map((verdict) => check(verdict));
  assert.deepEqual(
    annotationsOf({ checks }).map((line) => line.split(' ', 1)[0]),
    ['::error', '::error', '::warning', '::notice'],
  );
  const known = { reason: 'r', owner: 'o', expires: '2999-01-01' };
  assert.deepEqual(annotationsOf({ checks: [check('fail', { known })] }), []);
});

test('an entry of the baseline that fails the run is annotated', () => {
  const entry = { check: 'a.*', reason: 'r', owner: 'o', expires: '2999-01-01', status: 'stale' as const, checks: [] };
  const [line, ...rest] = annotationsOf({ checks: [], baseline: { file: 'b.json', findings: [entry] } });
  assert.match(line ?? '', /^::error title=baseline a\.\*::Stale/);
  assert.deepEqual(rest, []);
});

test('what a target sent cannot write commands', () => {
  const actual = 'x\n::set-env name=A::b\r\n::error::c 100%';
  const lines = annotationsOf({ checks: [check('fail', { expected: { n: 1 }, actual })] });
  assert.deepEqual(lines, [
    '::error title=a.b.c MUST do%2C as said%3A so::expected: {"n":1}%0Aactual: x%0A::set-env name=A::b%0D%0A::error::c 100%25',
  ]);
});

test('at most ten of a kind, which is what GitHub shows', () => {
  assert.equal(annotationsOf({ checks: Array.from({ length: 30 }, () => check('fail')) }).length, 10);
});

test('the job summary and annotations come by themselves, and only in GitHub Actions', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'summary');
  const results = foldResults(sampleRun(), CLAUSES);
  const printed: string[] = [];
  const show = (env: Record<string, string>) => showOnGithub(results, env, (line) => printed.push(line));
  show({ GITHUB_STEP_SUMMARY: file });
  assert.deepEqual(printed, []);
  show({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: file });
  assert.match(readFileSync(file, 'utf8'), /Not conformant: staging/);
  assert.match(printed[0] ?? '', /^::error title=delivery\.method\.add/);
});
