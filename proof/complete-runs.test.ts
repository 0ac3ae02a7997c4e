/**
 * The matrix tries each check on a new service. In a complete run other checks came before it: they have changed the service, and the
 * run has chosen what it reads. A fault that the matrix has as found must be found there as well.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult } from '../contracts/run/events.ts';
import { runInProcess } from '../harness/runner/in-process.ts';
import { parseProfile } from '../harness/target/profile/index.ts';
import { faults } from '../mock/faults/index.ts';
import { profileOf } from '../mock/profile.ts';
import { createService } from '../mock/service.ts';
import type { Deviation } from '../mock/types/deviation.ts';
import { SUITES } from '../suites/index.ts';

/** Faults that only complete runs missed. */
const MISSED_BEFORE = new Set([
  'reseller.domain-add-detaches-others',
  'reseller.domain-removal-detaches-one-of-another-website',
  'reseller.enable-toggles',
]);

const isSoak = process.env.PROOFMARK_SOAK !== undefined;
const TRIED = faults.filter(({ id, surface }) => (isSoak ? surface !== 'browser' : MISSED_BEFORE.has(id)));

/** Whether a run without properties finds the fault; it ends with the first check that does. Outside the soak it has one part only. */
async function isFound(fault: Deviation): Promise<boolean> {
  const service = createService({ origin: 'http://127.0.0.1:9', deviations: [fault] });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const broken = fault.clauses ?? (fault.clause === undefined ? [] : [fault.clause]);
  const shows = ({ verdict, clauses }: Pick<CheckResult, 'verdict' | 'clauses'>): boolean =>
    (verdict === 'fail' || verdict === 'warn') && clauses.some((clause) => broken.includes(clause));
  let found = false;
  const results = await runInProcess(
    SUITES,
    {
      profile,
      transport: (request) => service.fetch(request),
      instantPauses: true,
      onResult: (result) => {
        found ||= shows(result);
      },
    },
    ({ id, partList }) =>
      !found &&
      !id.startsWith('properties.') &&
      (isSoak || fault.only === undefined || partList.some((part) => part === fault.only)),
  );
  service.close();
  // What the precondition of one check has found may decide another one at the end.
  return found || results.some(shows);
}

test(`a complete run finds ${isSoak ? 'each fault of the interfaces' : 'the faults that one has missed'}`, async () => {
  const missed: string[] = [];
  for (const fault of TRIED) if (!(await isFound(fault))) missed.push(fault.id);
  assert.deepEqual(missed, []);
});

test('every fault that was missed still exists', () => {
  assert.deepEqual(
    [...MISSED_BEFORE].filter((id) => !faults.some((fault) => fault.id === id)),
    [],
  );
});
