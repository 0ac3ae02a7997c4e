/**
 * What `proofmark judge` says of a client that does not look for faults: it blames neither a correct service nor the client, whatever
 * the service chooses where the contract is silent, and finds what such a client sees of a fault. A few services here, all in the soak.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { deviationsById, faults, variants } from '../../mock/deviations.ts';
import { drawn, singles } from '../readings/draw.ts';
import { deviationsOf, isOpen, nameOfChoice } from '../readings/reading.ts';
import { READINGS } from '../readings/rows/index.ts';
import { brokenIn, differ, type Recording, record } from './recording.ts';

const SOAK = process.env.PROOFMARK_SOAK === '1';
const SEED = Number(process.env.PROOFMARK_SEED ?? 1);
/** Each has many answers at once. */
const DRAWN = SOAK ? 500 : 5;

let correct: Recording;
before(async () => {
  correct = await record([]);
});

describe('correct services', () => {
  test('the client and the embedded service keep the contract', () => {
    assert.ok(correct.exchanges.filter(({ response }) => response?.status === 200).length > 250);
    assert.deepEqual(brokenIn(correct, 'service'), []);
    assert.deepEqual(brokenIn(correct, 'integrator'), []);
  });

  test('no variant is blamed', async () => {
    for (const variant of variants) assert.deepEqual(brokenIn(await record([variant]), 'service'), [], variant.id);
  });

  const alone = SOAK ? singles(READINGS).filter((choice) => !isOpen(choice)) : [];
  for (const choice of [...alone, ...drawn(READINGS, DRAWN, SEED, 12)])
    test(`not blamed: ${nameOfChoice(choice)}`, async () =>
      assert.deepEqual(brokenIn(await record(deviationsOf(choice)), 'service'), []));
});

describe('faulty services', () => {
  test('faults of all kinds are found', async () => {
    for (const [id, clause] of [
      ['methods.update-of-two-loses-second', 'delivery.method.update-applies'],
      ['points.update-to-empty-ignored', 'delivery.point.update-applies'],
      ['lists.item-repeated-between-pages', 'delivery.lists.every-item-once'],
      ['apps.snippet-never-cleared', 'apps.snippet.replaced'],
      ['reseller.disable-disables-all', 'reseller.website.only-named-website-changes'],
    ] as const) {
      const recording = await record(deviationsById([id]));
      assert.ok(differ(recording, correct), id);
      const blamed = brokenIn(recording, 'service').map((line) => line.split(': ', 1)[0]);
      assert.ok(blamed.includes(clause), `${id}: ${blamed.join(', ')}`);
    }
  });

  test('no fault blames the client', async () => {
    const wanted = faults.filter((_, at) => SOAK || at % 50 === SEED % 50);
    for (const fault of wanted) {
      const broken = brokenIn(await record([fault]), 'integrator');
      assert.deepEqual(broken, [], fault.id);
    }
  });
});
