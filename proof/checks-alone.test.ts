/**
 * A check decides alone what it decides among all others: `--only`, a shard and a worker of its own leave it without what other checks
 * would have found out before.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKS } from '../suites/index.ts';
import { isDrawn } from './draw.ts';
import { choiceOf } from './readings/reading.ts';
import { READINGS } from './readings/rows/index.ts';
import { runOverHttp } from './readings/run-over-http.ts';
import { runOnService } from './readings/run-service.ts';

const SOAK = process.env.PROOFMARK_SOAK === '1';
/** One in so many checks runs alone in `npm test`. */
const SAMPLE = 24;
const ids = CHECKS.map(({ id }) => id);

/** Services on which a check learns from another one what is taken, and the embedded service. In `npm test` the first. */
const SERVICES = [
  'methods.reference-form/known-services',
  'usual',
  'methods.reference-form/digits',
  'texts.length/at-most-20',
  'points.fixed/all-but-city',
];

for (const name of SOAK ? SERVICES : SERVICES.slice(0, 1))
  test(`each check alone decides what it decides among all others: ${name}`, async () => {
    const choice = choiceOf(READINGS, name);
    const all = await runOnService(choice);
    const drawn = all.results.filter(({ id }) => SOAK || isDrawn(id, SAMPLE));
    assert.ok(drawn.length >= all.results.length / SAMPLE / 2);
    for (const { id, verdict } of drawn) {
      const alone = await runOnService(choice, { wanted: (one) => one === id });
      assert.deepEqual(
        alone.results.map((result) => [result.id, result.verdict]),
        [[id, verdict]],
      );
    }
  });

/** Checks that drive a browser through installations. The first was undecided unless another one had been there before. */
const INSTALLING = [
  'apps.delete.new-installation-not-finished',
  ...ids.filter((id) => /^(apps\.delete|install)\./.test(id)),
];

for (const id of SOAK ? new Set(INSTALLING) : INSTALLING.slice(0, 1))
  test(`over HTTP, a check decides alone: ${id}`, async () => {
    const { results } = await runOverHttp(choiceOf(READINGS, 'usual'), [id]);
    assert.deepEqual(
      results.map((result) => result.id),
      [id],
    );
    assert.match(results[0]?.verdict ?? '', /^(pass|observed)$/);
  });
