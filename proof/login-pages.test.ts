// Login links whose pages sign their visitor in by a script or by a button have to be followed in a browser.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { folderFor, proofmark, resultsIn, startMock } from '../cli/common/command.fixture.ts';

const REUSABLE = 'reseller.login-link-reusable';

// They mostly wait for pages to settle.
describe('login links', { concurrency: 3 }, () => {
  for (const [page, ...faults] of [['login.by-script'], ['login.by-button', REUSABLE], ['login.behind-hash']] as const)
    test(`of a service with ${[page, ...faults].join(' and ')}`, async (t) => {
      const folder = folderFor(t);
      const mock = await startMock(
        t,
        folder,
        [page, ...faults].flatMap((id) => ['--fault', id]),
      );
      const out = join(folder, 'out');
      const ran = await proofmark(
        ['run', '--target', mock.profile, '--workers', '1', '--out', out, '--only', 'reseller.login.*'],
        { cwd: folder },
      );
      const verdicts = resultsIn(out).checks.map(({ id, verdict }) => `${id} ${verdict}`);
      const single = faults.length > 0 ? 'fail' : 'pass';
      assert.deepEqual(
        verdicts.sort(),
        [
          'reseller.login.link pass',
          'reseller.login.link-observed observed',
          'reseller.login.new-link-per-call pass',
          'reseller.login.signs-in pass',
          `reseller.login.single-use ${single}`,
        ],
        ran.stdout,
      );
    });
});
