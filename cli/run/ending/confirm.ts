/** `--confirm`: repeats the failed checks of a run in a run of their own, and adds what that found to the reports. */

import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { withConfirmation } from '../../../reports/events/confirmation.ts';
import { readEvents } from '../../../reports/events/read.ts';
import { EVENTS_FILE, RESULTS_FILE } from '../../../reports/files.ts';
import type { Results } from '../../../reports/results/index.ts';
import { printSummary } from '../../../reports/terminal.ts';
import { count } from '../../../reports/words/text.ts';
import { writeReports } from '../../../reports/write.ts';
import { outFolderOf } from '../../common/files/out-folder.ts';
import { argumentsAsGiven } from '../../common/given/arguments.ts';
import type { RunOptions } from '../options.ts';
import { makePrivateFolder } from '../private-folder.ts';
import { targetFlags } from '../target/describe.ts';

/** Runs these options and prints nothing but progress. */
export type Repeat = (options: RunOptions & { readonly handOver: string }) => Promise<unknown>;

/** Prints the summary of the run in `options.out`, after its failed checks were repeated. Returns the exit code. */
export async function confirmFailures(options: RunOptions, repeat: Repeat): Promise<number> {
  const out = outFolderOf(options.out);
  const first = resultsIn(out);
  const ids = repeatable(first, options);
  const results = ids.length === 0 ? first : await withRepetition(options, out, ids, repeat);
  printSummary(results, { out: options.out, quiet: options.quiet, given: argumentsAsGiven(targetFlags(options)) });
  return results.exitCode;
}

const resultsIn = (folder: string): Results => JSON.parse(readFileSync(join(folder, RESULTS_FILE), 'utf8')) as Results;

/** What fails the run; nothing after Ctrl-C or when the time was over, since the run was to end then. */
function repeatable({ checks, interrupted, failOn }: Results, { bail }: RunOptions): string[] {
  if (interrupted !== undefined && bail === undefined) return [];
  const fails = failOn === 'warn' ? ['fail', 'warn'] : ['fail'];
  return checks.filter(({ verdict }) => fails.includes(verdict)).map(({ id }) => id);
}

async function withRepetition(
  options: RunOptions,
  out: string,
  ids: readonly string[],
  repeat: Repeat,
): Promise<Results> {
  if (!options.quiet) console.error(`Repeating ${count(ids.length, 'failed check')} (--confirm).`);
  const folder = makePrivateFolder();
  const again = join(folder, 'repeated');
  const { bail: _bail, baseline: _baseline, failOn: _failOn, record: _record, shard: _shard, ...rest } = options;
  try {
    await repeat({
      ...rest,
      only: ids,
      selection: '--confirm',
      out: again,
      quiet: true,
      drawn: false,
      promote: false,
      handOver: folder,
    });
    if (!existsSync(join(again, RESULTS_FILE))) throw new Error('the repetition of the failed checks wrote no results');
    const events = join(out, EVENTS_FILE);
    const joined = `${events}.${process.pid}.new`;
    const file = await open(joined, 'w');
    try {
      const all = withConfirmation(readEvents(events), readEvents(join(again, EVENTS_FILE)), resultsIn(again));
      for await (const event of all) await file.write(`${JSON.stringify(event)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    renameSync(joined, events);
    return await writeReports(out, events, CLAUSES);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
