import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS_BY_CLAUSE } from '../../contracts/generated/faults.generated.ts';
import { provingFaults, rerunCommand } from './rerun.ts';

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
  const precheck = { ...run, command: 'precheck app', party: 'integrator' } as const;
  assert.equal(rerunCommand(precheck, 'a.b'), 'npx proofmark precheck app … --only a.b');
  assert.equal(rerunCommand({ ...run, target: { name: 'x', kind: 'recording' } }, 'a.b'), undefined);
});

test('faults of a check are those that break one of its clauses, each once', () => {
  const clause = 'delivery.batch.replaces-all';
  const faults = provingFaults({ clauses: [clause, clause] });
  assert.ok(faults.includes('batch.adds-instead-of-replacing'));
  assert.equal(faults.length, FAULTS_BY_CLAUSE[clause]?.length);
  assert.deepEqual(provingFaults({ clauses: ['no.such.clause'] }), []);
});
