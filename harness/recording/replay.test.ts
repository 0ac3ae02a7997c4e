/** Requests in flight together meet their responses in the recorded order, also when they are sent in another one. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
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

/** Refuses everything, and responds to the first request only when it has refused the second one twice. */
function refusingTarget(): Wire {
  const twice = Promise.withResolvers<void>();
  let seconds = 0;
  return {
    exchange: async ({ url }) => {
      if (url.endsWith('first')) await twice.promise;
      else {
        seconds += 1;
        // After the response to this request has been passed on.
        if (seconds === 2) setImmediate(twice.resolve);
      }
      return { status: 401, headers: [], bytes: Buffer.from('') };
    },
    close: async () => undefined,
  };
}

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
  const arrived = await check(recording.wire(refusingTarget()));
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
