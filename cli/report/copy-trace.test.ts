import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunEvent } from '../../contracts/run/events.ts';
import { folderFor } from '../common/command.fixture.ts';
import { copyTrace } from './copy-trace.ts';

const eventOf = (file: string): RunEvent => ({ type: 'check', trace: { file } }) as unknown as RunEvent;

test('a trace is copied from its part, and nothing that a link in the part leads to', (t) => {
  const folder = folderFor(t);
  const [part, linked, out] = ['part', 'linked', 'out'].map((name) => join(folder, name)) as [string, string, string];
  mkdirSync(join(part, 'traces'), { recursive: true });
  mkdirSync(linked);
  writeFileSync(join(folder, 'key.zip'), 'private');
  writeFileSync(join(part, 'traces', 'a.zip'), 'trace');
  symlinkSync(join(folder, 'key.zip'), join(part, 'traces', 'key.zip'));
  symlinkSync(join(part, 'traces'), join(linked, 'traces'));

  copyTrace(eventOf('traces/a.zip'), part, out);
  assert.equal(readFileSync(join(out, 'traces', 'a.zip'), 'utf8'), 'trace');
  copyTrace(eventOf('traces/key.zip'), part, out);
  copyTrace(eventOf('traces/missing.zip'), part, out);
  assert.ok(!existsSync(join(out, 'traces', 'key.zip')));
  const other = join(folder, 'other');
  copyTrace(eventOf('traces/a.zip'), linked, other);
  assert.ok(!existsSync(other));
});
