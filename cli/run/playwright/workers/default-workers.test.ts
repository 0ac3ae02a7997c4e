import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor } from '../../../common/command.fixture.ts';
import { defaultWorkers, situationOf } from './default-workers.ts';

const TABLE: ReadonlyArray<
  readonly [isLoopback: boolean, requestsPerSecond: number | undefined, cores: number, workers: number]
> = [
  [true, undefined, 1, 1],
  [true, undefined, 2, 2],
  [true, undefined, 64, 8],
  [true, 5, 4, 4],
  [false, 5, 1, 2],
  [false, 20, 1, 4],
  [false, 500, 1, 8],
  [false, undefined, 1, 8],
];

test('cores count on this machine, the rate limit elsewhere', () => {
  for (const [isLoopback, requestsPerSecond, cores, workers] of TABLE)
    assert.equal(
      defaultWorkers({ isLoopback, requestsPerSecond }, cores),
      workers,
      JSON.stringify({ isLoopback, requestsPerSecond, cores }),
    );
});

test('a target says where it is and what it allows', (t) => {
  const file = join(folderFor(t), 'staging.json');
  const write = (json: object) =>
    writeFileSync(file, JSON.stringify({ name: 'staging', v1: 'https://shop.example/v1/', ...json }));
  write({});
  assert.deepEqual(situationOf(file), { isLoopback: false, requestsPerSecond: 5 });
  write({ limits: { requestsPerSecond: 40 } });
  assert.deepEqual(situationOf(file), { isLoopback: false, requestsPerSecond: 40 });
  assert.deepEqual(situationOf('mock:fault=any'), { isLoopback: true, requestsPerSecond: undefined });
  assert.equal(situationOf('/nowhere.json').isLoopback, true);
});
