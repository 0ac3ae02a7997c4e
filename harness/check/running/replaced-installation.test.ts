import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notesOfOneProcess } from '../../resources/installation-notes.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import type { Check } from '../check.ts';
import type { Ending } from '../ending.ts';
import { missingInstallation, withInstallation } from './replaced-installation.ts';

const needing = (...needs: string[]): Check => ({ needs }) as unknown as Check;
const OF_PROFILE = needing('apps.apiKey', 'apps.authCode');
const responding = (status: number): ServiceResponse =>
  ({ status, json: { error: status !== 200 } }) as unknown as ServiceResponse;
const failing = (status: number): Ending => ({
  verdict: 'fail',
  attribution: 'target',
  reason: 'it failed',
  evidence: { response: responding(status) } as NonNullable<Ending['evidence']>,
});

test('no check begins with a code that an installation of the run has ended, unless it does not use it', () => {
  const installation = notesOfOneProcess();
  assert.equal(missingInstallation(OF_PROFILE, { installation }), undefined);
  installation.noteEnd();
  assert.equal(missingInstallation(OF_PROFILE, { installation })?.attribution, 'configuration');
  assert.equal(missingInstallation(needing('apps.apiKey', 'browser'), { installation }), undefined);
});

test('a refusal that the end of the installation explains is not held against the target', async () => {
  const installation = notesOfOneProcess();
  const ending = failing(401);
  assert.equal(await withInstallation(OF_PROFILE, ending, { installation }), ending);
  installation.noteEnd();
  const undecided = await withInstallation(OF_PROFILE, ending, { installation });
  assert.deepEqual([undecided.verdict, undecided.attribution], ['inconclusive', 'configuration']);
  assert.match(undecided.reason ?? '', /"apps\.authCode"/);
});

test('an error of the harness stays one', async () => {
  const installation = notesOfOneProcess();
  installation.noteEnd();
  const error = { ...failing(401), verdict: 'error' } as Ending;
  assert.equal(await withInstallation(OF_PROFILE, error, { installation }), error);
});

test('what was served before the installation ended still decides', async () => {
  const installation = notesOfOneProcess();
  installation.noteEnd();
  for (const ending of [failing(200), { verdict: 'pass' } as Ending])
    assert.equal(await withInstallation(OF_PROFILE, ending, { installation }), ending);
  const other = failing(401);
  assert.equal(await withInstallation(needing('apps.apiKey'), other, { installation }), other);
});
