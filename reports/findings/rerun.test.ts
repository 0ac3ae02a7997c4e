import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS_BY_CLAUSE } from '../../contracts/generated/faults.generated.ts';
import { provingFaults, rerunCommand, rerunFailuresCommand, sweepCommand } from './rerun.ts';

test('a check is run again on the target of its run, with names that a shell takes as they are', () => {
  const run = { target: { name: 'staging', kind: 'profile' }, command: 'run', party: 'service' } as const;
  assert.equal(rerunCommand(run, 'a.b'), 'npx proofmark run --target PROFILE.json --only a.b');
  const profile = { permissions: [], file: `our 'own'.json` };
  assert.equal(
    rerunCommand({ ...run, profile }, 'a.b'),
    `npx proofmark run --target 'our '\\''own'\\''.json' --only a.b`,
  );
  const mock = { ...run, target: { name: 'mock:fault=x', kind: 'mock:fault' } };
  assert.equal(rerunCommand(mock, 'a.b'), 'npx proofmark run --target mock:fault=x --only a.b');
  const given = ['--target', 'profiles/staging.json', '--env-file', 'my env', '--trust', 'reseller.website'];
  assert.equal(
    rerunCommand({ ...run, profile: { ...profile, arguments: given } }, 'a.b'),
    "npx proofmark run --target profiles/staging.json --env-file 'my env' --trust reseller.website --only a.b",
  );
  const precheck = { ...run, command: 'precheck app', party: 'integrator' } as const;
  assert.equal(rerunCommand(precheck, 'a.b'), 'npx proofmark precheck app … --only a.b');
  const known = { ...precheck, profile: { permissions: [], arguments: ['--manifest', 'app.json', '--port', '4020'] } };
  assert.equal(rerunCommand(known, 'a.b'), 'npx proofmark precheck app --manifest app.json --port 4020 --only a.b');
  assert.equal(rerunCommand({ ...run, target: { name: 'x', kind: 'recording' } }, 'a.b'), undefined);
});

test('what failed is run again with the folder in which its reports are', () => {
  const run = { target: { name: 'a', kind: 'profile' }, command: 'run', party: 'service' } as const;
  const given = { ...run, profile: { permissions: [], arguments: ['--target', 'a.json', '--env-file', '.env'] } };
  const command = 'npx proofmark run --target a.json --env-file .env --last-failed';
  assert.equal(rerunFailuresCommand(given), command);
  assert.equal(rerunFailuresCommand(given, 'reports/nightly'), `${command} --out reports/nightly`);
  assert.equal(rerunFailuresCommand({ ...run, party: 'integrator' }), undefined);
  assert.equal(rerunFailuresCommand({ ...run, target: { name: 'a', kind: 'recording' } }), undefined);
});

test('what a run left is swept with the variables of the run', () => {
  const profile = { permissions: [], arguments: ['--target', 'a.json', '--env-file', '.env', '--env-file', 'b.env'] };
  assert.equal(sweepCommand({ profile, run: 'r-1' }), 'npx proofmark sweep --env-file .env --env-file b.env r-1');
  assert.equal(sweepCommand({ run: 'r-1' }), 'npx proofmark sweep r-1');
});

test('faults of a check are those that break one of its clauses, each once', () => {
  const clause = 'delivery.batch.replaces-all';
  const faults = provingFaults({ clauses: [clause, clause] });
  assert.ok(faults.includes('batch.adds-instead-of-replacing'));
  assert.equal(faults.length, FAULTS_BY_CLAUSE[clause]?.length);
  assert.deepEqual(provingFaults({ clauses: ['no.such.clause'] }), []);
});
