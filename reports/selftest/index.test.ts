import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatrixCheck, MatrixRow, SelftestFile } from '../../contracts/run/selftest.ts';
import { renderSelftest } from './index.ts';

const check = (id: string, level: MatrixCheck['level'] = 'MUST'): MatrixCheck => ({
  id,
  title: `${level} <keep> ${id}`,
  level,
  suite: 's',
  clauses: ['clause.one'],
  browser: false,
});

const row = (over: Partial<MatrixRow>): MatrixRow => ({
  kind: 'fault',
  id: 'some.fault',
  about: 'Loses <b>all</b>.',
  clauses: ['clause.one'],
  cells: 'fpo',
  findings: [{ check: 'check.first', verdict: 'fail', reason: 'lost' }],
  durationMs: 4,
  ...over,
});

const file = (over: Partial<SelftestFile> = {}): SelftestFile => ({
  proofmark: '1',
  contract: 'v1',
  startedAt: '2026-01-02T03:04:05.000Z',
  durationMs: 1500,
  seed: 1,
  node: 'v24',
  workers: 2,
  ok: true,
  counts: {
    faults: 1,
    found: 1,
    untried: 0,
    variants: 0,
    combinations: 0,
    controls: 1,
    checks: 3,
    mustChecks: 2,
    killing: 1,
    verdicts: 6,
  },
  problems: [],
  checks: [check('check.first'), check('check.second'), check('check.seen', 'OBSERVES')],
  rows: [row({}), row({ kind: 'control', id: 'control.some', cells: 'ppo', findings: [], clauses: [] })],
  ...over,
});

test('a fault names the checks that found it, a control those that passed, a check its faults', () => {
  const page = renderSelftest(file());
  assert.match(page, /<td class="found"><code>check.first<\/code><\/td>/);
  assert.match(page, /<td class="found"><code>check.first<\/code><code>check.second<\/code><\/td>/);
  assert.match(page, /<td class="found"><code>some.fault<\/code><\/td>/);
  assert.match(page, /aria-label="1 fail, 1 pass"/);
});

test('texts are in it as text, and it loads nothing', () => {
  const page = renderSelftest(file());
  assert.ok(page.includes('Loses &lt;b&gt;all&lt;/b&gt;.'));
  assert.ok(page.includes('MUST &lt;keep&gt; check.first'));
  assert.ok(!/<script|src=|href="http/.test(page));
});

test('problems come first', () => {
  const message = 'no check fails on the fault some.fault';
  const page = renderSelftest(file({ ok: false, problems: [{ kind: 'not-found', row: 'some.fault', message }] }));
  assert.ok(page.includes(message));
  assert.ok(page.indexOf(message) < page.indexOf('rows-fault'));
  assert.match(page, /<h1 id="verdict">1 problem<\/h1>/);
  assert.ok(!renderSelftest(file()).includes('id="problems"'));
});

test('faults that nothing was run for are distinguished from those that were not found', () => {
  const { counts } = file();
  const page = renderSelftest(file({ counts: { ...counts, faults: 4, found: 1, untried: 3 } }));
  assert.match(page, /1 of 4 faults found \(3 not tried/);
  assert.ok(!renderSelftest(file()).includes('not tried'));
});
