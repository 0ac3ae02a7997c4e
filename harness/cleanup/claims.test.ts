import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { claim } from './claims.ts';

const folder = mkdtempSync(join(tmpdir(), 'proofmark-claims-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const endedPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

test('a claim lasts until it is released, and names its owner', () => {
  const file = join(folder, 'one');
  const first = claim(file, 'run one');
  assert.ok('release' in first);
  const second = claim(file, 'run two');
  assert.ok('heldBy' in second);
  assert.deepEqual([second.heldBy.what, second.heldBy.pid, second.heldBy.host], ['run one', process.pid, hostname()]);
  first.release();
  const third = claim(file, 'run three');
  assert.ok('release' in third);
  // Who was released before takes nothing away from the next holder.
  first.release();
  assert.ok(existsSync(file));
  third.release();
  assert.equal(existsSync(file), false);
});

test('a claim of a process that is gone, or of a broken file, is taken over; one of another machine is not', () => {
  const file = join(folder, 'two');
  const held = (pid: number, host: string) => writeFileSync(file, JSON.stringify({ what: 'x', pid, host, at: 0 }));
  held(endedPid(), hostname());
  const taken = claim(file, 'mine');
  assert.ok('release' in taken);
  taken.release();
  writeFileSync(file, '{"what":');
  const repaired = claim(file, 'mine');
  assert.ok('release' in repaired);
  repaired.release();
  held(endedPid(), 'another-machine');
  const other = claim(file, 'mine');
  assert.ok('heldBy' in other && other.heldBy.host === 'another-machine');
});

test('of many processes that want a stale claim at once, one gets it', async () => {
  const file = join(folder, 'three');
  writeFileSync(file, JSON.stringify({ what: 'x', pid: endedPid(), host: hostname(), at: 0 }));
  const code = `
    const { claim } = await import(${JSON.stringify(join(import.meta.dirname, 'claims.ts'))});
    const claimed = claim(${JSON.stringify(file)}, 'racer');
    process.stdout.write('release' in claimed ? 'got it\\n' : 'held\\n');
    process.stdin.resume().on('end', () => process.exit());
  `;
  const racers = Array.from({ length: 4 }, () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
    const said = new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())));
    return { child, said };
  });
  const said = await Promise.all(racers.map((one) => one.said));
  assert.deepEqual(said.sort(), ['got it', 'held', 'held', 'held']);
  assert.match(readFileSync(file, 'utf8'), /"what":"racer"/);
  for (const { child } of racers) child.stdin.end();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('three')),
    ['three'],
  );
});
