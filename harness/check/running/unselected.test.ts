// A part of a run blames the same clause as the whole, whichever of its checks are left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '../../../mock/deviations.ts';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import { CHECKS, SUITES } from '../../../suites/index.ts';
import { runInProcess } from '../../runner/in-process.ts';
import { parseProfile } from '../../target/profile/index.ts';
import { unselectedChecksOf } from './unselected.ts';

const BASE = 'delivery.batch.replaces-all';
const TOP = 'delivery.batch.several-handles';

/** What these checks alone come to on the embedded service with this fault, and which points they sent. */
async function judged(fault: string, ids: readonly string[]) {
  const deviations = faults.filter(({ id }) => id === fault);
  assert.equal(deviations.length, 1);
  const service = createService({ origin: 'http://127.0.0.1:9', deviations });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  let requests = 0;
  const transport = (request: Request) => {
    requests += 1;
    return service.fetch(request);
  };
  const options = { profile, transport, instantPauses: true };
  const results = await runInProcess(SUITES, options, ({ id }) => ids.includes(id));
  service.close();
  assert.equal(service.state.methods.all().filter(({ reference }) => String(reference).startsWith('pm-')).length, 0);
  return { results: results.map(({ id, verdict, clauses, reason }) => ({ id, verdict, clauses, reason })), requests };
}

test('a failure is put down to the clause that it rests on, also where the checks of that clause are left out', async () => {
  const whole = await judged('batch.adds-instead-of-replacing', [BASE, TOP]);
  const verdicts = Object.fromEntries(whole.results.map(({ id, verdict }) => [id, verdict]));
  assert.deepEqual(verdicts, { [BASE]: 'fail', [TOP]: 'inconclusive' });
  const part = await judged('batch.adds-instead-of-replacing', [TOP]);
  // Nothing else says that the base is broken, so that the check which met it does.
  assert.deepEqual(
    part.results.map(({ verdict, clauses }) => [verdict, clauses]),
    [['fail', [BASE]]],
  );
  assert.match(
    part.results[0]?.reason ?? '',
    /delivery\.batch\.replaces-all is broken, .*: the second list must replace the first/,
  );
});

test('a failure that rests on nothing broken stays, and a pass asks nothing', async () => {
  const found = await judged('batch.first-handle-only', [TOP]);
  assert.deepEqual(
    found.results.map(({ verdict, clauses }) => [verdict, clauses]),
    [['fail', [TOP]]],
  );
  const passed = await judged('batch.accepts-only-99', [TOP]);
  assert.deepEqual(
    passed.results.map(({ verdict }) => verdict),
    ['pass'],
  );
  assert.ok(passed.requests < found.requests);
});

test('left out are the checks of a clause that have no part in the run, and no properties', () => {
  const without = (...ids: string[]) => unselectedChecksOf(CHECKS, (id) => ids.includes(id))(BASE).map(({ id }) => id);
  assert.deepEqual(without(), [BASE]);
  assert.deepEqual(without(BASE), []);
});
