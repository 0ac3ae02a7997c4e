/** For the tests of the whole-state properties: one property in this process, over the embedded service with a deviation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult } from '../../../contracts/run/events.ts';
import type { Suite } from '../../../harness/check/check.ts';
import { runInProcess } from '../../../harness/runner/in-process.ts';
import { parseProfile } from '../../../harness/target/profile/index.ts';
import { profileOf } from '../../../mock/profile.ts';
import { createService } from '../../../mock/service.ts';
import type { Deviation } from '../../../mock/types/deviation.ts';
import { wireToService } from '../../../proof/service-wire.ts';
import { PROPERTY_SUITES } from '../index.ts';

export type Http = Deviation['http'];
/** What a deviation does, made for each run, and the clause that its finding must name. */
export type DeviationRow = readonly [name: string, http: () => Http, clause: RegExp];

/** Sequences that blame no correct service: as many as a run makes on this machine. */
export const USUAL_RUNS = 20;

/** The result of a property against a service with this deviation. No method of the run may be left behind. */
export async function judged(
  id: string,
  http: Http,
  propertyRuns: number,
  suites: readonly Suite[] = PROPERTY_SUITES,
): Promise<CheckResult> {
  const about = 'A deviation of this test.';
  const deviations = http === undefined ? [] : [{ id: 'test.deviation', about, http }];
  const service = createService({ origin: 'http://127.0.0.1:9', deviations });
  const seeded = new Set(service.state.methods.all().map(({ handle }) => handle));
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const options = { profile, wire: wireToService(service), propertyRuns, instantPauses: true };
  const [result] = await runInProcess(suites, options, (check) => check.id === id);
  const left = service.state.methods.all().filter(({ handle }) => !seeded.has(handle));
  service.close();
  assert.deepEqual(left, [], 'methods of the run are left behind');
  assert.ok(result);
  return result;
}

/** One test per deviation: the property finds it and names the clause. */
export function findsEach(id: string, deviations: readonly DeviationRow[], propertyRuns: number): void {
  for (const [name, http, clause] of deviations) {
    test(`is found: ${name}`, async () => {
      const result = await judged(id, http(), propertyRuns);
      assert.equal(result.verdict, 'fail', result.reason);
      assert.equal(result.clauses.length, 1);
      assert.match(result.clauses[0] ?? '', clause, result.reason);
    });
  }
}
