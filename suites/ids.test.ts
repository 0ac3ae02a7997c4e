/** Ids are used in scripts, baselines and bookmarks: a changed one has to be changed here as well, on purpose. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLAUSES, OBSERVATIONS } from '../contracts/clauses/index.ts';
import { ALL_CHECKS } from '../scripts/generate/coverage.ts';

const SNAPSHOT = join(import.meta.dirname, 'ids.snapshot.txt');

test('the ids of clauses, checks and observations are those of the snapshot', () => {
  const ids = (kind: string, rows: readonly { readonly id: string }[]) => rows.map(({ id }) => `${kind} ${id}`);
  const now = [...ids('check', ALL_CHECKS), ...ids('clause', CLAUSES), ...ids('observation', OBSERVATIONS)].sort();
  if (process.env.PROOFMARK_UPDATE_SNAPSHOT === '1') writeFileSync(SNAPSHOT, `${now.join('\n')}\n`);
  const pinned = readFileSync(SNAPSHOT, 'utf8').trimEnd().split('\n');
  const message = 'run this test with PROOFMARK_UPDATE_SNAPSHOT=1 if the change of ids is meant';
  assert.deepEqual({ added: now.filter((id) => !pinned.includes(id)) }, { added: [] }, message);
  assert.deepEqual({ removed: pinned.filter((id) => !now.includes(id)) }, { removed: [] }, message);
});
