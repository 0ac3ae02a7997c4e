/** Results of checks that gave none. */
import { tmpdir } from 'node:os';
import type { CheckResult } from '../../../contracts/run/events.ts';
import { unreached } from '../../../contracts/run/interruption.ts';
import { machineShortage } from '../../common/failure.ts';
import { emptyResult } from '../empty-result.ts';

/** What went wrong with the runner itself, by id of the check; under '' what belongs to none. */
export type RunnerFaults = ReadonlyMap<string, string>;

/** What is said of a worker that was killed, of its check and in the notices of the run. */
export const hungWorkerMessage = (check: string, graceMs: number): string =>
  `A worker did not exit within ${graceMs / 1000} s after the run's time and was killed${check === '' ? '' : ` in ${check}`}: what it created may be left on the target: run proofmark sweep.`;

/** What is reported for a selected check that gave no result: stopped before its turn, or lost with its worker. */
export function absentResult(
  faults: RunnerFaults,
  interrupted: string | undefined,
  hung: ReadonlyMap<string, number>,
): (id: string) => CheckResult | undefined {
  return (id) => {
    const base = emptyResult(id);
    if (base === undefined) return undefined;
    const graceMs = hung.get(id);
    if (graceMs !== undefined)
      return { ...base, verdict: 'inconclusive', attribution: 'harness', reason: hungWorkerMessage(id, graceMs) };
    if (interrupted !== undefined) return { ...base, ...unreached(interrupted) };
    const lost = faults.get(id) ?? faults.get('') ?? [...faults.values()][0];
    const shortage = machineShortage(lost ?? '');
    if (shortage !== undefined) {
      const reason = `the check was lost: ${shortage}. The temporary files of a run are in ${tmpdir()}`;
      return { ...base, verdict: 'inconclusive', attribution: 'configuration', reason };
    }
    const reason = lost === undefined ? 'the check has no result' : `the runner failed: ${lost}`;
    return { ...base, verdict: 'error', attribution: 'harness', reason };
  };
}
