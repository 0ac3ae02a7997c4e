import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunSettings } from '../../../harness/runner/settings.ts';
import { folderFor } from '../../common/command.fixture.ts';
import { handedOver, handOver, shortageIn } from './hand-over.ts';

test('how a run ended is handed over whole or not at all', (t) => {
  const folder = folderFor(t);
  assert.equal(handedOver(folder), undefined);
  handOver({ handOver: folder } as RunSettings, { exitCode: 3 });
  assert.deepEqual(handedOver(folder), { exitCode: 3 });
  // What a full disk leaves.
  for (const part of ['', '{"exitC']) {
    writeFileSync(join(folder, 'outcome.json'), part);
    assert.equal(handedOver(folder), undefined);
  }
});

test('a folder that takes files is not short of anything', (t) => {
  assert.equal(shortageIn(folderFor(t)), undefined);
});
