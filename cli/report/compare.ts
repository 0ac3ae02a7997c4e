/** `proofmark report --against DIR` and `--history DIR`: a run beside earlier ones. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../harness/process/usage-error.ts';
import { changesSince, renderChanges, renderChangesMarkdown } from '../../reports/changes/against.ts';
import { renderTrend, renderTrendMarkdown, trendOf } from '../../reports/changes/trend.ts';
import { RESULTS_FILE } from '../../reports/files.ts';
import { resultsAt } from '../common/files/results-at.ts';

export interface Comparison {
  readonly against?: string | undefined;
  /** A folder with a folder for each run. */
  readonly history?: string | undefined;
  readonly format?: string | undefined;
}

const FORMATS = ['text', 'json', 'markdown'];

/** Prints what was asked for; the exit code is 1 when something got worse since the run of `--against`. */
export function compareRun(place: string, { against, history, format = 'text' }: Comparison): number {
  if (!FORMATS.includes(format)) throw new UsageError(`--format takes ${FORMATS.join(', ')}, not "${format}".`);
  const current = resultsAt(place);
  const changes = against === undefined ? undefined : changesSince(resultsAt(against), current);
  const trend = history === undefined ? undefined : trendOf(current, runsIn(history).map(resultsAt));
  if (format === 'json') process.stdout.write(`${JSON.stringify({ changes, trend }, null, 2)}\n`);
  else {
    const isText = format === 'text';
    const texts = [
      changes && (isText ? renderChanges(changes) : renderChangesMarkdown(changes)),
      trend && (isText ? renderTrend(trend) : renderTrendMarkdown(trend)),
    ];
    process.stdout.write(texts.filter((text) => text !== undefined).join('\n'));
  }
  return changes?.worse ? 1 : 0;
}

/** The folders of runs within a folder. */
function runsIn(folder: string): string[] {
  if (!existsSync(folder))
    throw new UsageError(`There is no ${folder}: give a folder that holds one folder for each run.`);
  const found = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, RESULTS_FILE)));
  if (found.length === 0)
    throw new UsageError(`No folder in ${folder} holds a ${RESULTS_FILE}: keep each run in a folder of its own there.`);
  return found;
}
