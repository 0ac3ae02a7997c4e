/** An app may answer a request first, and call the service for it afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from '../../../examples/integrators/index.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';
import { findBrowser } from '../../common/browser.ts';
import { precheckExample } from '../examples/run.ts';

const found = await findBrowser();
const skip = found === undefined ? 'there is no browser here' : false;

test('what an app does for an authentic settings request is not taken for work for the forged one after it', {
  skip,
}, async (t) => {
  const browser = await launchQuietly(found?.path ?? '');
  t.after(() => browser.close());
  const app = (await examples()).find(({ id }) => id === 'app.variant.reads-after-settings')!;
  const { results } = await precheckExample(app, browser, { selected: ['app.hash.forged-refused-settings'] });
  assert.deepEqual(
    results.map(({ verdict, reason }) => [verdict, reason]),
    [['pass', undefined]],
  );
});
