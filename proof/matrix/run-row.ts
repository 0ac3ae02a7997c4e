/** Runs the checks on the service of one row, in this process. */
import type { CheckResult } from '../../contracts/run/events.ts';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import { runInProcess, runsInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { deviationsById } from '../../mock/deviations.ts';
import { SUITES } from '../../suites/index.ts';
import { startIndependentService } from '../independent/service.ts';
import { type CheckReach, Reach } from './reach.ts';
import { openRow, type PlannedRow, ROOT, type RowTarget } from './rows.ts';

export interface RowJob {
  readonly row: PlannedRow;
  /** Ids of the checks to run. */
  readonly checks: readonly string[];
  readonly propertyRuns: number;
  /** Ids of the faults and variants of which to record whether each check reaches them; the row is the correct service. */
  readonly recordsReach?: readonly string[];
}

/** The part of a check result that the matrix keeps. */
export interface CheckVerdict {
  readonly check: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly because?: string;
  /** The clauses that it was about. */
  readonly clauses: readonly string[];
}

export interface RowDone {
  readonly verdicts: readonly CheckVerdict[];
  readonly durationMs: number;
  /** Only if the job asks for it. */
  readonly reach?: readonly CheckReach[];
}

/** Runs a job that came from another process. */
export async function runJob(job: RowJob): Promise<RowDone> {
  if (job.recordsReach === undefined) return runRow(job);
  const reach = new Reach(deviationsById(job.recordsReach));
  const done = await runRow(job, reach);
  return { ...done, reach: reach.met() };
}

/** Runs the checks of a job that need no browser; `reach` records their requests. */
export async function runRow({ row, checks, propertyRuns }: RowJob, reach?: Reach): Promise<RowDone> {
  const started = performance.now();
  const wanted = new Set(checks);
  const target = row.kind === 'independent' ? await openIndependent() : openRow(row, reach && [reach.asDeviation()]);
  const wire = target.wire && (reach?.notingWire(target.wire) ?? target.wire);
  try {
    const results = await runInProcess(
      SUITES,
      {
        profile: target.profile,
        instantPauses: true,
        propertyRuns,
        // Another check may have created or read what a check rests on.
        isolated: reach !== undefined,
        ...(wire === undefined ? {} : { wire }),
      },
      (check) => {
        reach?.begin(check.id);
        return runsInProcess(check) && wanted.has(check.id);
      },
    );
    const durationMs = Math.round(performance.now() - started);
    return { verdicts: results.map(verdictOf), durationMs };
  } finally {
    await target.close();
  }
}

export function verdictOf({ id, verdict, reason, because, clauses }: CheckResult): CheckVerdict {
  return {
    check: id,
    verdict,
    clauses,
    ...(reason === undefined ? {} : { reason }),
    ...(because === undefined ? {} : { because }),
  };
}

async function openIndependent(): Promise<RowTarget> {
  const service = await startIndependentService();
  const profile = parseProfile(JSON.stringify(service.profile), {
    file: 'independent',
    folder: ROOT,
    env: service.env,
  });
  return { profile, close: () => service.close() };
}
