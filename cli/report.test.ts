import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cleanRun, sampleRun } from '../reports/testing/sample.ts';

const home = mkdtempSync(join(tmpdir(), 'proofmark-report-'));
after(() => rmSync(home, { recursive: true, force: true }));

function runFolder(name: string, events: readonly unknown[]): string {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'events.ndjson'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return folder;
}
function report(...args: string[]) {
  const script = `
    import { reportCommand } from './report.ts';
    reportCommand(${JSON.stringify(args)}).then(
      (code) => { process.exitCode = code; },
      (error) => { console.error(error.name + ': ' + error.message); process.exitCode = error.exitCode ?? 4; },
    );`;
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
}

test('report DIR writes the reports again, prints the summary and ends as the run did', () => {
  const folder = runFolder('failed', sampleRun());
  const ran = report(folder);
  assert.equal(ran.status, 1, ran.stderr);
  assert.match(ran.stdout, /NOT CONFORMANT {2}staging/);
  assert.equal(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')).outcome, 'non-conformant');
  assert.equal(report(runFolder('cut', cleanRun().slice(0, -1))).status, 3);
});

test('report --diff compares folders or files, and says when something got worse', () => {
  const before = runFolder('before', cleanRun());
  const after = runFolder('after', sampleRun());
  report(before);
  report(after);
  const worse = report('--diff', before, join(after, 'results.json'));
  assert.equal(worse.status, 1, worse.stderr);
  assert.match(worse.stdout, /delivery\.method\.add/);
  assert.deepEqual([report('--diff', before, before).status], [0]);
});

test('bad input is one sentence and exit 2', () => {
  const broken = runFolder('broken', ['x']);
  for (const [args, message] of [
    [['nowhere'], /There is no nowhere.events\.ndjson: give the folder/],
    [[broken], /Line 1 of .* is not an event of a run/],
    [['--diff', broken], /compares two runs/],
    [['--diff', broken, broken], /There is no .*results\.json/],
    [['a', 'b'], /takes one folder/],
    [['--unknown'], /--unknown/],
  ] as const) {
    const ran = report(...args);
    assert.equal(ran.status, 2, ran.stderr);
    assert.match(ran.stderr, message);
    assert.equal(ran.stderr.trim().split('\n').length, 1);
  }
});
