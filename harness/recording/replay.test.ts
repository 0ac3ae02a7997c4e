/** Requests in flight together meet their responses in the recorded order, also when they are sent in another one. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedaction } from '../evidence/redaction/index.ts';
import type { Wire, WireRequest } from '../target/network/network.ts';
import type { RecordingLine } from './format.ts';
import { createRecording } from './record.ts';
import { createReplay, recordedChecks } from './replay.ts';

const NO_PERSONS = { redaction: createRedaction(), mark: 'pm-1', showPersonalData: true };

const request = (path: string): WireRequest => ({
  method: 'GET',
  url: `http://127.0.0.1:1/${path}`,
  headers: [],
  body: undefined,
  timeoutMs: 1000,
  fresh: false,
});

/** The target refuses everything, the second request before the first. */
const target: Wire = {
  exchange: async ({ url }) => {
    await sleep(url.endsWith('first') ? 40 : 1);
    return { status: 401, headers: [], bytes: Buffer.from('') };
  },
  close: async () => undefined,
};

/** Sends two requests at once, and asks once more for the one that was refused first. */
async function check(wire: Wire): Promise<string[]> {
  const arrived: string[] = [];
  const send = async (path: string): Promise<void> => {
    await wire.exchange(request(path));
    arrived.push(path);
    if (arrived.length === 1) await send(path);
  };
  await Promise.all(['first', 'second'].map(send));
  return arrived;
}

test('the request that was refused first is asked again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-replay-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const recording = createRecording({ ...NO_PERSONS, folder, worker: 'worker-0' });
  recording.start('a.check', 'a');
  const arrived = await check(recording.wire(target));
  recording.end('a.check', 'pass');
  recording.close();
  const lines = readFileSync(join(folder, 'worker-0.ndjson'), 'utf8').split('\n').filter(Boolean);
  const [recorded] = recordedChecks(lines.map((line) => JSON.parse(line) as RecordingLine));
  assert.deepEqual(arrived, ['second', 'second', 'first']);

  const replay = createReplay({ ...NO_PERSONS, startedAt: 0 });
  replay.start(recorded!);
  assert.deepEqual(await check(replay.wire), arrived);
  assert.deepEqual(replay.end(), { unknown: [], unsent: [], inexact: 0 });
});
