/** What the main process hands to its workers: one JSON text in one environment variable. */
import { readFileSync } from 'node:fs';
import type { RunInfo } from '../resources/run-info.ts';

export const JOB_VARIABLE = 'PROOFMARK_JOB';

export interface Job {
  readonly run: RunInfo;
  /** A profile file, read again by each worker so that its secrets stay in the environment; or the text of the mock's. */
  readonly profile: { readonly file: string } | { readonly text: string; readonly folder: string };
  /** Private folder of this run, removed at its end. */
  readonly privateFolder: string;
  readonly spoolFolder: string;
  readonly ledgerFolder: string;
  readonly ledger: {
    readonly mark: string;
    readonly proofmark: string;
    readonly startedAt: string;
    readonly target: { readonly name: string; readonly v1: string | null; readonly api: string | null };
    readonly profile: string | null;
  };
  readonly rateAddress?: string;
  /** JSON of the cases that properties try first, in the private folder. */
  readonly vectorsFile?: string;
  /** Private folder for the recordings of the workers, when the run is recorded. */
  readonly recordFolder?: string;
  /** A file whose presence asks the workers to start no further check (Ctrl-C, the run's time is over). */
  readonly stopFile: string;
  readonly workers: number;
}

/** Reads the job from the environment; `undefined` outside a run. */
export function jobOf(env: Readonly<Record<string, string | undefined>> = process.env): Job | undefined {
  const text = env[JOB_VARIABLE];
  if (text === undefined) return undefined;
  const job = JSON.parse(text) as Job;
  if (job.vectorsFile === undefined) return job;
  return { ...job, run: { ...job.run, vectors: JSON.parse(readFileSync(job.vectorsFile, 'utf8')) } };
}
