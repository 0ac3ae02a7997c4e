import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { noticesOf } from '../target/client/notices.ts';
import { endHungWorkers, graceMsOf, hindrancesIn, noteEnd, noteWorker, othersEnded } from './worker-notes.ts';

test('a process that hangs is ended after its grace, this one and those that are gone are not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const child = spawn(process.execPath, ['-e', 'console.log(1); for (;;);'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const since = Date.now();
  const note = (pid: number | undefined, check: string): void =>
    appendFileSync(join(folder, `worker-${pid}.ndjson`), `${JSON.stringify({ pid, since, check })}\n`);
  note(child.pid, 'delivery.batch.before');
  note(child.pid, 'delivery.batch.hangs');
  appendFileSync(join(folder, `worker-${child.pid}.ndjson`), '{"pid":');
  note(2 ** 30, 'delivery.batch.gone');
  noteWorker(folder, 'delivery.batch.own');
  assert.deepEqual(endHungWorkers(folder, 5_000, since + 4_000), []);
  const exit = once(child, 'exit');
  assert.deepEqual(endHungWorkers(folder, 5_000, since + 6_000), ['delivery.batch.hangs']);
  assert.deepEqual(await exit, [null, 'SIGKILL']);
  assert.deepEqual(endHungWorkers(folder, 5_000, since + 6_000), []);
});

test('the grace is a tenth of the time, from ten seconds to five minutes', () => {
  assert.deepEqual([0.01, 10, 30, 600].map(graceMsOf), [10_000, 60_000, 180_000, 300_000]);
});

test('a check that judges all methods waits for other workers that keep some, and for no others', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const other = join(folder, `worker-${process.ppid}.ndjson`);
  const note = (keepsMethods: boolean): void =>
    appendFileSync(other, `${JSON.stringify({ pid: process.ppid, since: Date.now(), check: '', keepsMethods })}\n`);
  noteWorker(folder, 'delivery.lists.methods.desc', true);
  note(false);
  await othersEnded(folder, 60_000);
  note(true);
  let isOver = false;
  const over = othersEnded(folder, 60_000).then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isOver, false);
  rmSync(other);
  await over;
  assert.ok(isOver);
  noteEnd(folder, { throttled: 2, waitedMs: 3000, repeated: 0, away: 1, returned: 0, absentMs: 4000 });
  assert.ok(!readdirSync(folder).includes(`worker-${process.pid}.ndjson`));
  assert.match(
    noticesOf(hindrancesIn(folder)).join('\n'),
    /lower rate 2 times .* 3\.0 s .*\n.* 4\.0 s .*\n.* 502, 503 or 504 once/,
  );
  const ofOther = { throttled: 1, waitedMs: 500, repeated: 0, away: 0, returned: 0, absentMs: 2500 };
  writeFileSync(join(folder, 'worker-1.hindrances.json'), JSON.stringify(ofOther));
  assert.match(noticesOf(hindrancesIn(folder)).join('\n'), /lower rate 3 times .* 3\.5 s .*\n.* 4\.0 s /);
});
