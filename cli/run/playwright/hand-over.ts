/** Files between `proofmark run` and the runner that it waits for. `proofmark run` loads this, so it imports nothing heavy. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSettings } from '../../../harness/runner/settings.ts';
import { describeError, machineShortage } from '../../common/failure.ts';

/** How a run ended, for `proofmark run`: the exit code, or the sentence why nothing was run. */
export interface Handover {
  readonly exitCode: number;
  readonly message?: string;
}

const OUTCOME_FILE = 'outcome.json';
export const STOP_FILE = 'stop';
const PROBE_FILE = 'probe';
/** More than what may be free in a block that another file began. */
const PROBE = 'x'.repeat(64 * 1024);

/** Reports to `proofmark run`, if it is waiting, how the run ended. */
export function handOver({ handOver: folder }: RunSettings, outcome: Handover): void {
  if (folder !== undefined) writeFileSync(join(folder, OUTCOME_FILE), JSON.stringify(outcome), { mode: 0o600 });
}

/** What the runner reported; undefined if it did not come to that, or could write only a part of it, as on a full disk. */
export function handedOver(folder: string): Handover | undefined {
  const file = join(folder, OUTCOME_FILE);
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Handover) : undefined;
  } catch {
    return undefined;
  }
}

/** Why nothing can be written into a folder of temporary files any more; undefined if it can. */
export function shortageIn(folder: string): string | undefined {
  try {
    writeFileSync(join(folder, PROBE_FILE), PROBE);
    return undefined;
  } catch (error) {
    return machineShortage((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** Reports to `proofmark run` what was thrown before or after the checks. */
export function handOverError(settings: RunSettings, error: unknown): void {
  handOver(settings, describeError(error));
}
