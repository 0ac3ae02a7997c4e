/** `proofmark run --replay DIR`: the checks of a recording once more, without a network. */

import { join } from 'node:path';
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { planOf } from '../../../harness/check/plan.ts';
import { EventWriter } from '../../../harness/evidence/events/writer.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../../harness/process/version.ts';
import { type ReadRecording, readRecording } from '../../../harness/recording/files.ts';
import { replayChecks } from '../../../harness/runner/replay.ts';
import { EVENTS_FILE } from '../../../reports/files.ts';
import { printSummary } from '../../../reports/terminal.ts';
import { removeReports, writeReports } from '../../../reports/write.ts';
import { CHECKS, SUITES } from '../../../suites/index.ts';
import { outFolderOf } from '../../common/files/out-folder.ts';
import { emptyResult } from '../empty-result.ts';
import { claimFolder } from '../out-folder.ts';
import { showProgress } from '../progress.ts';

export interface ReplayOptions {
  readonly folder: string;
  /** Globs of `--only`, or ids; none: all that was recorded. */
  readonly only: readonly string[];
  /** The options that narrowed the scope, as they were written, where those are not `only`. */
  readonly selection?: string;
  /** Ids that the globs select, in the order of the report. */
  readonly selected: readonly string[];
  readonly out: string;
  readonly allowInconclusive: boolean;
}

/** Replays a recording, writes the reports and returns the exit code. */
export async function replayCommand(options: ReplayOptions): Promise<number> {
  const started = performance.now();
  const recording = readRecording(options.folder);
  const { header } = recording;
  const scope = new Set(header.run.selected);
  const all = options.only.length === 0;
  const selected = all ? options.selected.filter((id) => scope.has(id)) : options.selected;
  const out = outFolderOf(options.out);
  const release = claimFolder(out);
  try {
    const { only, selection = only.join(' ') } = all ? header : options;
    return await replayInto(out, recording, selected, { ...options, selection }, started);
  } finally {
    release();
  }
}

async function replayInto(
  out: string,
  recording: ReadRecording,
  selected: readonly string[],
  options: ReplayOptions & { readonly selection: string },
  started: number,
): Promise<number> {
  const { header } = recording;
  const progress = showProgress(SUITES, selected);
  await removeReports(out);
  const file = join(out, EVENTS_FILE);
  const events = new EventWriter(
    file,
    {
      type: 'header',
      proofmark: PROOFMARK_VERSION,
      contract: CONTRACT_VERSION,
      command: 'run',
      run: header.run.run,
      target: { name: header.target.name, kind: 'recording' },
      party: 'service',
      startedAt: new Date().toISOString(),
      seed: header.run.seed,
      selected,
      ...(options.selection === '' ? {} : { onlyPattern: options.selection }),
      node: process.version,
      plan: planOf(SUITES, selected),
    },
    { redact: (value) => value, seen: (event) => progress.seen(event) },
  );
  const wanted = new Set(selected);
  let leftOut = 0;
  await replayChecks(recording, {
    checks: new Map(CHECKS.map((check) => [check.id, check])),
    wanted: (id) => wanted.has(id),
    onEvent: (event) => {
      if (event.type === 'check' && event.verdict === 'inconclusive' && event.exchanges.length === 0) leftOut += 1;
      events.append(event);
    },
  });
  events.merge(undefined, (id) => {
    const base = emptyResult(id);
    if (base === undefined) return undefined;
    const why = header.interrupted === undefined ? 'it was made without it' : `${header.interrupted} before it`;
    const reason = `the recording ${options.folder} contains nothing of this check (${why}): record again with it`;
    return { ...base, verdict: 'inconclusive', attribution: 'configuration', reason };
  });
  progress.stop();
  const notices = [
    `This is a replay of the run ${header.run.run} on ${header.target.name}, recorded ${header.startedAt}: no request left this machine.`,
    ...(leftOut === 0 ? [] : [`${leftOut} checks were not replayed or could not be decided; each has its reason.`]),
  ];
  events.close({
    type: 'footer',
    endedAt: new Date().toISOString(),
    durationMs: Math.round(performance.now() - started),
    requests: 0,
    allowInconclusive: options.allowInconclusive,
    notices,
    timings: { checks: Math.round(performance.now() - started) },
  });
  const results = await writeReports(out, file, CLAUSES);
  printSummary(results, { out: options.out });
  return results.exitCode;
}
