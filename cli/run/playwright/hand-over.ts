/** Files between `proofmark run` and the runner that it waits for. `proofmark run` loads this, so it imports nothing heavy. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSettings } from '../../../harness/runner/settings.ts';
import { describeError } from '../../common/failure.ts';

/** How a run ended, for `proofmark run`: the exit code, or the sentence why nothing was run. */
export interface Handover {
  readonly exitCode: number;
  readonly message?: string;
}

export const OUTCOME_FILE = 'outcome.json';
export const STOP_FILE = 'stop';

/** Reports to `proofmark run`, if it is waiting, how the run ended. */
export function handOver({ handOver: folder }: RunSettings, outcome: Handover): void {
  if (folder !== undefined) writeFileSync(join(folder, OUTCOME_FILE), JSON.stringify(outcome), { mode: 0o600 });
}

/** Reports to `proofmark run` what was thrown before or after the checks. */
export function handOverError(settings: RunSettings, error: unknown): void {
  handOver(settings, describeError(error));
}
