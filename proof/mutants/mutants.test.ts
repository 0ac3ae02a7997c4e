import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { before, describe, test } from 'node:test';
import { Classification, survivorRows } from './classification.ts';
import { killRate, markdownOf, plotOf, published, type Rate, ratesOf } from './figures.ts';
import { CONDITIONS } from './locations/conditions.ts';
import { OPERATIONS } from './locations/operations.ts';
import { MUTANTS } from './mutant.ts';
import { OPERATORS } from './operators/index.ts';
import { runMutants } from './running/pool.ts';
import type { Outcome } from './running/run.ts';
import { sampleOf } from './sample.ts';

const IS_SOAK = process.env.PROOFMARK_SOAK === '1';
/** `npm run soak` runs all of them. */
const SAMPLE = 8;
/** Sequences of each property: what survives runs all of them twice, and most mutants are found by single checks. */
const FEW_SEQUENCES = 3;
const SEED = 20_261_120;
const RUN_TIMEOUT_MS = IS_SOAK ? 36_000_000 : 900_000;

test('a second file of outcomes without an option of its own is refused', () => {
  const main = new URL('./main.ts', import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.execPath, [main, '--from', 'a.ndjson', 'b.ndjson'], {
    encoding: 'utf8',
  });
  assert.equal(status, 2);
  assert.match(stderr, /write --from before "b\.ndjson"/);
});

describe('the tables of mutants', () => {
  test('every id is unique and describes its parts', () => {
    assert.equal(new Set(MUTANTS.map(({ id }) => id)).size, MUTANTS.length);
    for (const { id, operation, operator, condition, field } of MUTANTS) {
      const where = field === undefined ? operation.id : `${operation.id}.${field.name}`;
      assert.equal(id, `${where}~${operator.id}${condition === undefined ? '' : `@${condition.id}`}`);
    }
  });

  test('every operator, operation and condition makes at least one mutant', () => {
    for (const operator of OPERATORS)
      assert.ok(
        MUTANTS.some((one) => one.operator === operator),
        operator.id,
      );
    for (const operation of OPERATIONS)
      assert.ok(
        MUTANTS.some((one) => one.operation === operation),
        operation.id,
      );
    for (const condition of CONDITIONS)
      assert.ok(
        MUTANTS.some((one) => one.condition === condition),
        condition.id,
      );
    for (const { id, fields } of OPERATIONS) {
      for (const field of fields) {
        assert.ok(
          MUTANTS.some((one) => one.operation.id === id && one.field === field),
          `${id}.${field.name}`,
        );
      }
    }
  });

  test('every row of the survivors matches existing mutants', () => {
    for (const row of survivorRows()) {
      const classification = new Classification([row]);
      assert.ok(
        MUTANTS.some(({ id }) => classification.rowOf({ id, fired: 0 })),
        row.mutants.join(' '),
      );
    }
  });
});

describe('a sample', () => {
  test('is the same for the same seed and different for another', () => {
    const ids = (seed: number): string[] => sampleOf(MUTANTS.slice(0, 2000), 50, seed).map(({ id }) => id);
    assert.deepEqual(ids(1), ids(1));
    assert.notDeepEqual(ids(1), ids(2));
    assert.equal(new Set(ids(1)).size, 50);
  });
});

describe('figures', () => {
  const killed = { id: MUTANTS[0]!.id, end: 'killed', fired: 3, checks: 1, dropped: [] } as const;
  const rates: Record<string, Rate[]> = ratesOf([killed], new Classification([]));

  test('count kills by operator, location and condition', () => {
    assert.deepEqual(Object.keys(rates), ['operator', 'location', 'condition']);
    for (const [rate] of Object.values(rates)) {
      assert.equal(rate?.killed, 1);
      assert.equal(killRate(rate), 1);
    }
  });

  test('a survivor without a row counts as missed', () => {
    const [rate] = ratesOf([{ ...killed, end: 'survived' }], new Classification([])).operator!;
    assert.equal(rate?.missed, 1);
    assert.equal(killRate(rate), 0);
  });

  test('a failure without a deviation is a problem', () => {
    const classification = new Classification([]);
    assert.equal(classification.problemWith(killed), undefined);
    assert.match(classification.problemWith({ ...killed, fired: 0 }) ?? '', /never deviated/);
  });

  test('are written between the marks of the page and into a chart', () => {
    const page = 'a\n<!-- mutants: begin -->\nold\n<!-- mutants: end -->\nb';
    assert.ok(published(page, rates).includes(markdownOf(rates)));
    assert.ok(!published(page, rates).includes('old'));
    assert.throws(() => published('nothing', rates), /has no/);
    assert.match(plotOf(rates), /^<svg[\s\S]*by operator[\s\S]*<\/svg>\n$/);
  });
});

/** Nothing is chosen in it, so that no demand of the service explains the refusal. */
const LATE = 'apps.user~refused@after-10-calls';
/** Each deviates only where two things meet: a value and a place, a key, an order or a method, or a call and a refusal before it. */
const MEETINGS = [
  'delivery.point.update.zip~lower-case@handle-6',
  'delivery.points.list.city~from-other-object@item-100',
  'delivery.points.list~reversed-pages@over-255-items',
  'delivery.points.list.title~escape-entities@other-key',
  'reseller.settings.set.addrCity~escape-entities@by-get',
  'reseller.logout~refusal-error-text@by-get',
  'reseller.website.enable~empty-body@after-refusal',
  'apps.user~key-accepted-longer@after-refusal',
  'delivery.method.create~refusal-html@public-key',
  'delivery.method.create.title~escape-entities@other-key',
  'delivery.points.list.attributes~escape-entities@item-51',
  'delivery.point.update.city~escape-entities@handle-6',
];
/** The first refused removal disables the website, before the checks that look at it; another one enables it in between. */
const LASTING = 'reseller.domain.remove~website-disabled-when-refused';

describe(IS_SOAK ? 'all mutants' : 'a pairwise sample of the mutants', () => {
  const outcomes: Outcome[] = [];
  const classification = new Classification();

  before(
    async () => {
      const named = MUTANTS.filter(({ id }) => [LATE, LASTING, ...MEETINGS].includes(id));
      const mutants = IS_SOAK ? MUTANTS : [...sampleOf(MUTANTS, SAMPLE, SEED), ...named];
      // Each process has to learn that again, so one process is faster for a few mutants.
      const workers = IS_SOAK ? availableParallelism() : 1;
      const size = IS_SOAK ? { workers } : { workers, propertyRuns: FEW_SEQUENCES };
      await runMutants(mutants, (outcome) => void outcomes.push(outcome), size);
      if (IS_SOAK) console.log(markdownOf(ratesOf(outcomes, classification)));
    },
    { timeout: RUN_TIMEOUT_MS },
  );

  test('each survivor is classified, no open one fails, and no evidence is dropped', () => {
    assert.deepEqual(
      outcomes.flatMap((outcome) => classification.problemWith(outcome) ?? []),
      [],
    );
  });

  test('a read that was served, and is refused later on, is found', () => {
    assert.equal(outcomes.find(({ id }) => id === LATE)?.end, 'killed');
  });

  test('a lasting change is found after another check has restored the value', () => {
    assert.equal(outcomes.find(({ id }) => id === LASTING)?.end, 'killed');
  });

  test('what deviates only where two things meet is found', () => {
    const ends = MEETINGS.map((id) => `${id} ${outcomes.find((one) => one.id === id)?.end}`);
    assert.deepEqual(
      ends,
      MEETINGS.map((id) => `${id} killed`),
    );
  });

  test('most detectable mutants are found', () => {
    assert.ok(outcomes.length >= SAMPLE);
    assert.ok(outcomes.filter(({ end }) => end === 'killed').length >= outcomes.length / 4);
  });
});
