/** A replay leaves browser checks out: what they make and learn must not be needed by the checks after them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBrowser } from '../../common/browser.ts';
import { folderFor, proofmark, resultsIn } from '../../common/command.fixture.ts';

const found = await findBrowser();

test('checks that one worker runs after browser checks reach their verdicts again', {
  skip: found === undefined && 'there is no browser here',
}, async (t) => {
  const cwd = folderFor(t);
  const scope = ['--only', 'labels.button.*', '--only', 'delivery.point.delete*'];
  const recorded = ['run', '--workers', '1', '--record', 'recorded', '--out', 'first', ...scope];
  const ran = await proofmark(recorded, { cwd });
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  const again = await proofmark(['run', '--replay', 'recorded', '--out', 'second'], { cwd });
  assert.equal(again.code, 3, again.stdout + again.stderr);
  const verdicts = resultsIn(join(cwd, 'second')).checks.map(({ id, verdict }) => `${id} ${verdict}`);
  assert.deepEqual(verdicts.sort(), [
    'delivery.point.delete-leaves-other-points pass',
    'delivery.point.delete-removes pass',
    'labels.button.hidden-without-url inconclusive',
    'labels.button.shown-with-url inconclusive',
  ]);
});
