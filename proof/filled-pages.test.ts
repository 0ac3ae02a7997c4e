// What a page that scripts fill shows is not in its HTML, so that a browser has to look for what must be gone as well.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock } from '../cli/common/command.fixture.ts';

const ONLY = 'apps.snippet.replaced-on-pages';

for (const [faults, verdict] of [
  [[], 'pass'],
  [['--fault', 'apps.snippet-emptied-stays-on-pages'], 'fail'],
] as const)
  test(`${ONLY}: ${verdict} on pages that scripts fill ${faults.length > 0 ? 'with an emptied snippet' : 'as they should'}`, async (t) => {
    const folder = folderFor(t);
    const mock = await startMock(t, folder, ['--fault', 'site.filled-by-scripts', ...faults]);
    const out = join(folder, 'out');
    // The check before it sees first that scripts fill the pages.
    const only = ['--only', 'apps.snippet.on-every-page', '--only', ONLY];
    const ran = await proofmark(['run', '--target', mock.profile, '--workers', '1', '--out', out, ...only], {
      cwd: folder,
    });
    assert.equal(resultsIn(out).checks.find(({ id }) => id === ONLY)?.verdict, verdict, ran.stdout);
  });
