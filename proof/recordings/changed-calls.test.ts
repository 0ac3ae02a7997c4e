/** A service that keeps the contract is blamed for nothing, whatever one operation of its client sends. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { variants } from '../../mock/deviations.ts';
import { isDrawn, numberOf } from '../draw.ts';
import { changedClients } from './changed-calls.ts';
import type { OutgoingCall } from './client.ts';
import { brokenIn, record } from './recording.ts';

/** One in so many of the changed clients; the soak takes all. */
const SAMPLE = process.env.PROOFMARK_SOAK === '1' ? 1 : 80;

const calls: OutgoingCall[] = [];
await record([], { change: (call) => void calls.push(call) });
const clients = changedClients(calls);

test('each operation of the client is changed in many ways, each under a name of its own', () => {
  assert.equal(new Set(clients.map(({ id }) => id)).size, clients.length);
  assert.ok(clients.length > 3_000, `${clients.length} clients`);
});

describe('a service that keeps the contract', () => {
  // One of each kind that was blamed before.
  const known =
    /method\/handle\/ · path with two slashes|GET .*pickup_points\/ · key in capitals|get_data\/ · parameter authCode in other/;
  const tried = clients.filter(({ id }) => known.test(id) || isDrawn(id, SAMPLE));
  test(`is not blamed for what ${tried.length} changed clients send, half of them to a variant`, async () => {
    const blamed: string[] = [];
    for (const { id, change } of tried) {
      const variant = variants[numberOf(id) % (2 * variants.length)];
      const recording = await record(variant === undefined ? [] : [variant], { change });
      const broken = brokenIn(recording, 'service');
      blamed.push(...broken.map((clause) => `${id} to ${variant?.id ?? 'the usual service'}: ${clause}`));
    }
    assert.deepEqual(blamed, []);
  });
});
