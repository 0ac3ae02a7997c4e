import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InstallationNotes, notesOfOneProcess } from '../../resources/installation-notes.ts';
import type { Resources } from '../../resources/resources.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import { Secret } from '../../target/secrets/secret.ts';
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
const NEW_CODE = new Secret('AUTH_CODE_OF_INSTALLATION', 'code-of-the-run');

/** Resources of a target that responds with `status` to the code of a new installation. */
const resourcesOf = (installation: InstallationNotes, status = 401) =>
  ({
    installation,
    profile: { apps: { apiKey: new Secret('APP_KEY', 'key-of-the-app') } },
    send: () => Promise.resolve(responding(status)),
  }) as unknown as Pick<Resources, 'installation' | 'profile' | 'send'>;

test('no check begins with a code that an installation of the run has ended, unless it does not use it', () => {
  const installation = notesOfOneProcess();
  assert.equal(missingInstallation(OF_PROFILE, { installation }), undefined);
  installation.noteEnd('own');
  assert.equal(missingInstallation(OF_PROFILE, { installation })?.attribution, 'configuration');
  assert.equal(missingInstallation(needing('apps.apiKey', 'browser'), { installation }), undefined);
  installation.noteEnd('own', NEW_CODE);
  assert.equal(missingInstallation(OF_PROFILE, { installation }), undefined);
});

test('a check that needs both installations does not begin without the second one', () => {
  const installation = notesOfOneProcess();
  installation.noteEnd('other');
  assert.equal(missingInstallation(OF_PROFILE, { installation }), undefined);
  const both = missingInstallation(needing('apps.authCode', 'apps.otherAuthCode'), { installation });
  assert.match(both?.reason ?? '', /"apps\.otherAuthCode"/);
});

test('a refusal that the end of an installation explains is not held against the target', async () => {
  const installation = notesOfOneProcess();
  const ending = failing(401);
  assert.equal(await withInstallation(OF_PROFILE, ending, resourcesOf(installation)), ending);
  installation.noteEnd('own');
  const undecided = await withInstallation(OF_PROFILE, ending, resourcesOf(installation));
  assert.deepEqual([undecided.verdict, undecided.attribution], ['inconclusive', 'configuration']);
  assert.match(undecided.reason ?? '', /"apps\.authCode"/);
});

test('a refusal counts while the installation in its place is served, and not once that one has ended as well', async () => {
  const installation = notesOfOneProcess();
  installation.noteEnd('own', NEW_CODE);
  const ending = failing(401);
  assert.equal(await withInstallation(OF_PROFILE, ending, resourcesOf(installation, 200)), ending);
  assert.equal((await withInstallation(OF_PROFILE, ending, resourcesOf(installation, 401))).verdict, 'inconclusive');
});

test('an error of the harness stays one', async () => {
  const installation = notesOfOneProcess();
  installation.noteEnd('own');
  const error = { ...failing(401), verdict: 'error' } as Ending;
  assert.equal(await withInstallation(OF_PROFILE, error, resourcesOf(installation)), error);
});

test('what was served before the installation ended still decides', async () => {
  const installation = notesOfOneProcess();
  installation.noteEnd('own');
  for (const ending of [failing(200), { verdict: 'pass' } as Ending])
    assert.equal(await withInstallation(OF_PROFILE, ending, resourcesOf(installation)), ending);
  const other = failing(401);
  assert.equal(await withInstallation(needing('apps.apiKey'), other, resourcesOf(installation)), other);
});
