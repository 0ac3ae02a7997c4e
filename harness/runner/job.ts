/** What the main process hands to its workers: one JSON file in the private folder of the run. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunInfo } from '../resources/run-info.ts';
import type { RunSettings } from './settings.ts';

/** The environment variable with the path of the job's file. */
export const JOB_VARIABLE = 'PROOFMARK_JOB';
/** Its name in the private folder of the run. */
export const JOB_FILE = 'job.json';
/** Workers start while the main process still inspects the target. */
const POLL_MS = 15;

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
  /** The folder of the reports, for traces of browser steps; without it none are recorded. */
  readonly tracesOutDir?: string;
  /** A file whose presence asks the workers to start no further check; its text is the reason (Ctrl-C, the run's time is over). */
  readonly stopFile: string;
  /** What a failed check does to its test; `recorded` without it. */
  readonly failures?: RunSettings['failures'];
}

/** Writes the job, or the sentence that says why it does not exist. */
export function writeJob(file: string, job: Job | { readonly refused: string }): void {
  const prepared = `${file}.new`;
  writeFileSync(prepared, JSON.stringify(job), { mode: 0o600 });
  // Workers wait for the name: behind it the whole text has to be.
  renameSync(prepared, file);
}

/** Waits until the main process has written the job. Throws when there is no run, or when its preparation failed. */
export async function awaitJob(env: Readonly<Record<string, string | undefined>> = process.env): Promise<Job> {
  const file = env[JOB_VARIABLE];
  if (file === undefined) {
    throw new Error(
      'No run is prepared, because the reporter of Proofmark is not loaded: use the config that proofmark() returns, and leave PW_TEST_REPORTER unset.',
    );
  }
  while (!existsSync(file)) await pause(POLL_MS);
  const job = JSON.parse(readFileSync(file, 'utf8')) as Job | { readonly refused: string };
  if ('refused' in job) throw new Error(job.refused);
  if (job.vectorsFile === undefined) return job;
  return { ...job, run: { ...job.run, vectors: JSON.parse(readFileSync(job.vectorsFile, 'utf8')) } };
}
