/** Known findings from end to end: written from a run, excused by the next, and outdated when they are fixed or expired. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BaselineFinding } from '../../contracts/run/baseline.ts';
import { folderFor, proofmark, resultsIn } from '../common/command.fixture.ts';
import { runCommand } from '../run/index.ts';

const FAULT = ['--target', 'mock:fault=batch.adds-instead-of-replacing'];
const FOUND_BY = 'delivery.batch.replaces-all';
const SELECTED = ['--only', FOUND_BY, '--only', 'delivery.batch.refuses-101-points'];
const WORDS = ['--reason', 'the service adds', '--owner', 'delivery team', '--expires', '2999-12-31'];

test('a failure that the baseline lists does not fail the run; a fixed or expired one does', async (t) => {
  const folder = folderFor(t);
  const out = join(folder, 'out');
  const file = join(folder, 'known.json');
  const run = (...more: string[]) => proofmark(['run', ...SELECTED, '--out', out, ...more]);
  const entries = (): BaselineFinding[] => JSON.parse(readFileSync(file, 'utf8')).findings;

  // A finding of which the time is over counts, and can be written down again.
  writeFileSync(
    file,
    JSON.stringify({ findings: [{ check: FOUND_BY, reason: 'r', owner: 'o', expires: '2020-01-31' }] }),
  );
  const expired = await run(...FAULT, '--baseline', file);
  assert.equal(expired.code, 1);
  assert.match(expired.stdout, /Expired on 2020-01-31/);
  rmSync(file);

  const written = await proofmark(['baseline', out, '--out', file, ...WORDS]);
  assert.equal(written.code, 0, written.stderr);
  assert.deepEqual(
    entries().map(({ check, owner }) => [check, owner]),
    [[FOUND_BY, 'delivery team']],
  );
  assert.equal((await proofmark(['baseline', out, '--out', file, ...WORDS])).code, 2, 'it is not overwritten');

  const known = await run(...FAULT, '--baseline', file);
  assert.equal(known.code, 0, known.stdout + known.stderr);
  assert.match(known.stdout, /Known until 2999-12-31 \(delivery team\): the service adds/);
  const results = resultsIn(out);
  assert.equal(results.outcome, 'non-conformant');
  assert.equal(results.checks.find(({ id }) => id === FOUND_BY)?.known?.owner, 'delivery team');
  assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /Known until 2999-12-31/);
  assert.match(readFileSync(join(out, 'summary.md'), 'utf8'), /Known until 2999-12-31/);
  assert.doesNotMatch(readFileSync(join(out, 'junit.xml'), 'utf8'), /<failure/);

  const fixed = await run('--baseline', file);
  assert.equal(fixed.code, 1);
  assert.match(fixed.stdout, /Stale: no longer found/);
  assert.match(readFileSync(join(out, 'junit.xml'), 'utf8'), /<failure type="baseline"/);
  // As the message of the stale entry says, without a word about new findings.
  assert.equal((await proofmark(['baseline', out, '--out', file, '--update'])).code, 0);
  assert.deepEqual(entries(), [], 'the fixed entry is removed');
});

const MISTAKES: ReadonlyArray<readonly [unknown, RegExp]> = [
  [{ check: 'delivery.nothing.*' }, /Entry 1 of .*: "delivery\.nothing\.\*" matches no check/],
  [{ clause: 'delivery.nothing' }, /matches no clause/],
  [{ check: FOUND_BY, clause: 'delivery.batch.*' }, /needs either "check" or "clause"/],
  [{}, /needs either/],
  [{ check: FOUND_BY, owner: '' }, /needs a string as "owner"/],
  [{ check: FOUND_BY, expires: '2027-02-30' }, /needs a day .* not "2027-02-30"/],
  [{ check: FOUND_BY, until: 'x' }, /unknown key "until"/],
];

test('a baseline with a mistake is refused before anything is run', async (t) => {
  const folder = folderFor(t);
  const file = join(folder, 'known.json');
  // The command in this process: another one each time would take most of the test's time.
  for (const [over, message] of MISTAKES) {
    const entry = { reason: 'r', owner: 'o', expires: '2999-01-01', ...(over as object) };
    writeFileSync(file, JSON.stringify({ findings: [entry] }));
    await assert.rejects(runCommand(['--list', '--baseline', file]), { name: 'UsageError', message });
  }
  // This once as a user does.
  const { code, stderr } = await proofmark(['run', '--list', '--baseline', file]);
  assert.equal(code, 2, stderr);
  assert.match(stderr, MISTAKES.at(-1)![1]);
});
