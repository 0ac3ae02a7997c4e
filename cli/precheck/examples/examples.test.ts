/**
 * The proof of `proofmark precheck`: it lets the correct integrators of `examples/integrators/` pass in three languages,
 * and finds in each faulty one exactly the clauses that its entry names.
 *
 * All of them take most of an hour, because each is driven through a browser; `npm test` takes a sample, of a faulty one the checks
 * of its clauses and one in 24 of the others, and of the correct ones a label page in PHP and what the minimal apps could differ
 * in: `app.test.ts` beside this folder tries the minimal app in TypeScript with all checks, through the command line.
 * `PROOFMARK_SOAK=1 npm test -- cli/precheck/examples` takes all, `PROOFMARK_FULL=app.hash` those whose ids begin so.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from '@playwright/test';
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { EXIT } from '../../../contracts/run/verdicts.ts';
import { decidedClauses } from '../../../contracts/traffic/index.ts';
import { type Example, examples } from '../../../examples/integrators/index.ts';
import { missing } from '../../../examples/integrators/start.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';
import { isDrawn } from '../../../proof/draw.ts';
import { APP_CHECKS } from '../../../suites/app/index.ts';
import { findBrowser } from '../../common/browser.ts';
import { showsBy } from '../../verify/rejudge.ts';
import { type PrecheckResult, precheckCorrect, precheckExample, precheckMinimal } from './run.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;
const isSoak = process.env.PROOFMARK_SOAK === '1';
/** Beginning of the ids that are wanted, `1` for all; a sample without it. */
const full = process.env.PROOFMARK_FULL ?? (isSoak ? '1' : '');
const all = await examples();

/** A MUST of an app; what a label page refuses is in the tests of the diagnoses. */
const SAMPLE = ['app.redirect.keeps-hash'];
const EVERY_LANGUAGE = ['ts', 'php', 'python'] as const;
const LANGUAGES = {
  app: full === '' ? [] : EVERY_LANGUAGE,
  label: full === '' ? (['php'] as const) : EVERY_LANGUAGE,
};
const isTaken = ({ id }: Example): boolean => (full === '' ? SAMPLE.includes(id) : full === '1' || id.startsWith(full));

/** Of the checks of other clauses, one in so many is drawn for a faulty example. */
const OTHERS_SAMPLE = 24;
const drawnFor = (example: Example): string[] =>
  APP_CHECKS.filter(
    ({ id, clauses }) =>
      clauses.some((clause) => example.clauses.includes(clause)) || isDrawn(`${example.id} ${id}`, OTHERS_SAMPLE),
  ).map(({ id }) => id);

/** What minimal apps in several languages could differ in. */
const ESSENTIAL = [
  'app.install.first-load-redirects',
  'app.install.redirect-keeps-parameters',
  'app.install.redirect-drops-hash-and-callback',
  'app.install.calls-installed',
  'app.install.shows-page',
  'app.settings.shows-page',
  'app.hash.authentic-accepted',
  'app.calls.authorization-header',
];

/** Longer than any page can hold up a precheck: what goes on then will not come to an end. */
const ENDLESS_MS = 1_200_000;

const levels = new Map(CLAUSES.map(({ id, level }) => [id, level]));
const ofLevel = ({ clauses }: Example, isMust: boolean): string[] =>
  clauses.filter((id) => (levels.get(id) === 'MUST') === isMust).sort();

let browser: Browser;

/** A browser that a hostile page has brought down is started again. */
async function aBrowser(): Promise<Browser> {
  if (browser === undefined || !browser.isConnected()) browser = await launchQuietly(found?.path ?? '');
  return browser;
}

describe('precheck on the examples', { skip }, () => {
  before(async () => void (await aBrowser()));
  after(() => browser?.close());

  for (const kind of ['app', 'label'] as const) {
    for (const language of LANGUAGES[kind]) {
      for (const tabMode of kind === 'app' && full !== '' ? (['blank', 'self'] as const) : (['blank'] as const)) {
        test(`the correct ${kind} in ${language}, tab mode ${tabMode}, is conformant`, async (t) => {
          const reason = missing(language);
          if (reason !== undefined) return t.skip(reason);
          const result = await precheckCorrect(kind, language, tabMode, await aBrowser());
          assert.deepEqual(result.findings, []);
          assert.equal(result.exitCode, EXIT.conformant);
          assert.deepEqual(refusedByVerify(result), []);
        });
      }
    }
  }

  // The one in TypeScript is judged as a whole by `app.test.ts`.
  for (const language of full === '' ? (['php', 'python'] as const) : EVERY_LANGUAGE) {
    const isWhole = full !== '';
    test(`the minimal app in ${language} of docs/integrator.md is conformant`, async (t) => {
      const reason = missing(language);
      if (reason !== undefined) return t.skip(reason);
      const result = await precheckMinimal(language, await aBrowser(), isWhole ? {} : { selected: ESSENTIAL });
      assert.deepEqual(result.findings, []);
      if (isWhole) assert.equal(result.exitCode, EXIT.conformant);
      else
        assert.ok(
          result.results.every(({ verdict }) => verdict === 'pass') && result.results.length === ESSENTIAL.length,
        );
    });
  }

  describeEach('fault', 'is found by its clauses and no others', (example, result) => {
    assert.deepEqual(result.broken, ofLevel(example, true), readable(result));
    assert.deepEqual(result.warned, ofLevel(example, false), readable(result));
    assert.equal(result.exitCode, result.broken.length > 0 ? EXIT.failed : EXIT.conformant);
  });

  describeEach('variant', 'is conformant', ({ kind }, result) => {
    assert.deepEqual(result.broken, [], readable(result));
    if (kind === 'app') assert.deepEqual(result.warned, [], readable(result));
    assert.equal(result.exitCode, EXIT.conformant, readable(result));
  });

  describeEach('hostile', 'is judged, ends, and does not break the precheck', (_, result) => {
    assert.ok(
      [EXIT.conformant, EXIT.failed, EXIT.inconclusive].some((code) => code === result.exitCode),
      readable(result),
    );
  });
});

/** The passes that `verify` would not believe, because they name no exchange that shows them. */
function refusedByVerify({ results }: PrecheckResult): string[] {
  const decided = new Set(decidedClauses('integrator'));
  return results
    .filter(({ verdict, exchanges }) => verdict === 'pass' && exchanges.length === 0)
    .filter((check) => check.clauses.some((one) => decided.has(one) && showsBy('integrator', check, one)))
    .map(({ id }) => id);
}

function describeEach(
  sort: Example['sort'],
  what: string,
  judge: (example: Example, result: PrecheckResult) => void,
): void {
  for (const example of all) {
    if (example.sort !== sort || !isTaken(example)) continue;
    test(`${example.id} ${what}`, { timeout: ENDLESS_MS }, async () => {
      const drawn = full === '' ? { selected: drawnFor(example) } : {};
      const result = await precheckExample(example, await aBrowser(), drawn);
      if (isSoak) console.log(figuresOf(example, result));
      judge(example, result);
    });
  }
}

function figuresOf({ id }: Example, { exitCode, durationMs }: PrecheckResult): string {
  const mib = Math.round(process.memoryUsage().rss / 1024 / 1024);
  return `${id}: exit ${exitCode} after ${(durationMs / 1000).toFixed(1)} s, ${mib} MiB in use`;
}

function readable({ findings }: PrecheckResult): string {
  return findings.join('\n');
}
