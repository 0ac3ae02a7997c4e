/** `proofmark judge` finds the mistakes of clients in their recordings, each by its clause, and blames no client for what is allowed. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { brokenIn, type Recording, record } from '../recording.ts';
import { MISTAKES } from './index.ts';

let correct: Recording;
before(async () => {
  correct = await record([]);
});

/** What a client sent, without what the service made up. */
const sentIn = ({ exchanges }: Recording): string[] =>
  exchanges.map(({ request: { method, url, headers, body } }) => JSON.stringify([method, url, headers, body]));

const blamedIn = (recording: Recording): string[] =>
  brokenIn(recording, 'integrator', { verdicts: ['fail', 'warn'], advice: true });

test('ids name one mistake each', () => {
  const ids = MISTAKES.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)]);
});

test('without a mistake nothing is blamed', () => assert.deepEqual(blamedIn(correct), []));

describe('mistakes', () => {
  for (const { id, about, clause, unseen, change } of MISTAKES)
    test(`${id}: ${about}`, async () => {
      const recording = await record([], { change });
      assert.notDeepEqual(sentIn(recording), sentIn(correct), 'the client makes the mistake');
      const blamed = blamedIn(recording);
      if (unseen !== undefined) return;
      if (clause === undefined) assert.deepEqual(blamed, []);
      else
        assert.ok(
          blamed.some((line) => line.startsWith(`${clause}: `)),
          `${clause} in ${JSON.stringify(blamed)}`,
        );
    });
});
