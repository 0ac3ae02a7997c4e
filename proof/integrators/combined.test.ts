/**
 * Combined examples do what each of their parts does, and prechecks judge them by their fault alone: a few of them with a browser in the
 * soak, where each takes minutes.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findBrowser } from '../../cli/common/browser.ts';
import { precheckExample } from '../../cli/precheck/examples/run.ts';
import { installHash } from '../../contracts/install-hash/index.ts';
import { type Example, examples } from '../../examples/integrators/index.ts';
import { launchQuietly } from '../../harness/browser/launch.ts';
import { combined, drawnFaults, drawnVariants, fit } from './combined.ts';
import { problemsOf } from './problems.ts';

const all = await examples();
const exampleOf = (id: string): Example => {
  const found = all.find((one) => one.id === id);
  assert.ok(found, id);
  return found;
};
const SETTINGS = {
  ...{ origin: 'http://127.0.0.1:1', base: 'http://127.0.0.1:1/v1/', apiKey: 'key', appSecret: 'secret' },
  tabMode: 'blank',
} as const;
const QUERY = 'appId=1&platformVersion=2&callback=http%3A%2F%2F127.0.0.1%3A2%2Fback&language=en';

describe('combined examples', () => {
  test('do what each of their parts does', async () => {
    const parts = ['app.variant.redirect-307', 'app.variant.refuses-with-200'].map(exampleOf);
    const made = combined(parts).make(SETTINGS);
    const load = (hash: string) => made.respond(new Request(`http://127.0.0.1:1/install?${QUERY}&hash=${hash}`));
    assert.equal((await load(installHash(QUERY, 'secret'))).status, 307);
    assert.equal((await load('0')).status, 200);
  });

  test('call the steps of the parts before them', async () => {
    const inOrder = ['app.variant.own-query', 'app.variant.through-own-page', 'app.manifest.no-tos-url'].map(exampleOf);
    const manifest = await (
      await combined(inOrder).make(SETTINGS).respond(new Request('http://127.0.0.1:1/manifest.json'))
    ).json();
    const { app_install_url: address, app_vendor: vendor } = manifest as Record<string, unknown>;
    assert.match(String(address), /\?/);
    assert.notEqual(typeof (vendor as Record<string, unknown>).tos_url, 'string');
  });

  test('fit where no two of them change one step', () => {
    const parts = (...ids: string[]) => ids.map(exampleOf);
    assert.equal(fit(parts('app.variant.redirect-307', 'app.variant.refuses-with-200')), true);
    assert.equal(fit(parts('app.variant.redirect-307', 'app.variant.meta-refresh')), false);
    assert.equal(fit(parts('app.variant.redirect-307', 'app.variant.self-queue')), false);
  });

  test('are drawn the same from the same seed', () => {
    for (const kind of ['app', 'label'] as const) {
      const options = { kind, count: 20, most: 4, seed: 7 };
      const ids = drawnVariants(all, options).map(({ id }) => id);
      assert.deepEqual(
        drawnVariants(all, options).map(({ id }) => id),
        ids,
      );
      assert.ok(ids.every((id) => id.split(' + ').length <= 4) && ids.some((id) => id.split(' + ').length === 4));
      const faults = drawnFaults(all, options);
      assert.equal(faults.length, 20);
      assert.ok(faults.every(({ clauses }) => clauses.length > 0));
    }
  });
});

test('problems are clauses that no part breaks, and faults that are not found', () => {
  const none = { broken: [], warned: [], findings: ['inconclusive a.check: why'], results: [] };
  assert.deepEqual(problemsOf({ clauses: [] }, none), []);
  assert.deepEqual(problemsOf({ clauses: [] }, { ...none, broken: ['a.b'] }), ['blamed: a.b: ']);
  assert.deepEqual(problemsOf({ clauses: ['a.b'] }, { ...none, warned: ['a.b'] }), []);
  assert.deepEqual(problemsOf({ clauses: ['a.b'] }, { ...none, broken: ['a.b', 'a.c'] }), ['blamed: a.c: ']);
  assert.deepEqual(problemsOf({ clauses: ['a.b'] }, none), ['not found: a.b', 'inconclusive a.check: why']);
});

const SOAK = process.env.PROOFMARK_SOAK === '1';
const SEED = Number(process.env.PROOFMARK_SEED ?? 1);
/** A precheck of each takes a minute or some. */
const DRAWN = (['app', 'label'] as const).flatMap((kind) => [
  ...drawnVariants(all, { kind, count: SOAK ? 8 : 0, most: 4, seed: SEED }),
  ...drawnFaults(all, { kind, count: SOAK ? 12 : 0, most: 3, seed: SEED }),
]);

describe('prechecks judge', () => {
  for (const one of DRAWN)
    test(one.id, async () => {
      const browser = await launchQuietly((await findBrowser())?.path ?? '');
      try {
        assert.deepEqual(problemsOf(one, await precheckExample(one, browser)), []);
      } finally {
        await browser.close();
      }
    });
});
