/** Each label page that is not simply correct differs from the correct one in what it says of itself, and in nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDrawn } from '../../proof/draw.ts';
import { type Example, examples } from './index.ts';
import LabelPage from './label/correct.ts';
import Uploader from './label/upload.ts';
import { assertDiffers } from './testing/differences.ts';
import { EXPECTED } from './testing/label-differences.ts';
import { EXPECTED_UPLOADS } from './testing/upload-differences.ts';
import { probeUpload } from './testing/upload-probes.ts';

/** Their callbacks come when the probes have ended. On a busy machine their timers could end before. */
const LATER: ReadonlySet<string> = new Set(['label.variant.reports-later', 'label.variant.reports-much-later']);

/** It takes seconds for each label; how it differs is a matter of time alone. */
const SLOW = 'label.variant.one-at-a-time';
const CORRECT: Pick<Example, 'kind' | 'make'> = { kind: 'label', make: (settings) => new LabelPage(settings) };
const correctUpload: Example['make'] = (settings) => new Uploader(settings);
const pages = (await examples()).filter(({ id, kind, sort }) => kind === 'label' && sort !== 'hostile' && id !== SLOW);
/** One in so many: each prints a dozen labels. The soak takes all. */
const SAMPLE = process.env.PROOFMARK_SOAK === '1' ? 1 : 6;

for (const page of pages.filter(({ id }) => isDrawn(id, SAMPLE))) {
  const [situations, shows] = EXPECTED_UPLOADS[page.id] ?? [];
  test(page.id, async (t) => {
    if (LATER.has(page.id)) t.mock.timers.enable({ apis: ['setTimeout'] });
    if (situations === undefined || shows === undefined) {
      return assertDiffers(page, CORRECT, EXPECTED[page.id]);
    }
    const [right, seen] = [await probeUpload(correctUpload), await probeUpload(page.make)];
    const differing = Object.keys(right).filter((part) => right[part] !== seen[part]);
    assert.deepEqual(differing.sort(), [...situations].sort());
    for (const part of differing) assert.match(seen[part] ?? '', shows, part);
    await assertDiffers(page, CORRECT, [[], /./]);
  });
}

test('the upload that is correct', async () => {
  const { calls, sizes, begins, ends, ...rest } = await probeUpload(correctUpload);
  assert.equal(calls, 'delivery_method/, delivery_method/lockers/pickup_points/batch_replace/');
  assert.deepEqual([sizes, begins, ends], ['100, 100, 50', 'true, false, false', 'false, false, true']);
  assert.equal(rest['different ids'], '250');
});

test('the tables name no page that is not there', () => {
  const named = [...Object.keys(EXPECTED), ...Object.keys(EXPECTED_UPLOADS)];
  assert.deepEqual(named.sort(), pages.map(({ id }) => id).sort());
});
