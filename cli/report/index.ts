/** `proofmark report DIR` writes the reports of a run again from its events; `proofmark report --diff A B` compares two runs. */

import { join } from 'node:path';
import { UsageError } from '../../harness/process/usage-error.ts';
import { diffResults, renderDiff } from '../../reports/changes/diff.ts';
import { EventsError, readEvents } from '../../reports/events/read.ts';
import { EVENTS_FILE } from '../../reports/files.ts';
import type { Results } from '../../reports/results/index.ts';
import { printSummary } from '../../reports/terminal.ts';
import { writeReports } from '../../reports/write.ts';
import { resultsAt } from '../common/files/results-at.ts';
import { statOf } from '../common/files/stat-of.ts';
import { flagsOf } from '../common/flags.ts';
import { clausesOfCommand } from '../precheck/scope.ts';
import { compareRun } from './compare.ts';
import { writeHar, writePdf } from './export.ts';
import { mergeShards } from './merge.ts';

/** Parts of a run that are merged at once. */
const MAX_FOLDERS = 1000;

const REPORT_HELP = `Usage: proofmark report [DIR] [--har] [--pdf [--evidence]]
       proofmark report [DIR] --against FOLDER [--history FOLDER] [--format text|json|markdown]
       proofmark report --diff A B
       proofmark report --merge DIR… --out FOLDER

  DIR               a folder with the events.ndjson of a run (default: reports/latest). Its report.html, summary.md,
                    results.json, junit.xml and ctrf.json are written again. The exit code is that of the run; 3 when it was cut off.
  --har             also writes exchanges.har: every exchange, for browser tools. Secrets are removed, as in all reports.
  --pdf             also prints report.pdf: verdict, findings and remedies
  --evidence        with --pdf: the contract and the exchanges as well
  --against FOLDER  what changed in DIR since the run in FOLDER, compared on what both contain. Exit code 1 when anything got worse.
  --history FOLDER  the results of the runs in the subfolders of FOLDER, and since when each check has been failing
  --format FORMAT   for --against and --history: text (the default), json or markdown
  --diff A B        which verdicts changed between two results.json files, or the folders that hold them. Exit code 1 when any
                    got worse.
  --merge DIR…      the folders of all parts of a run (\`proofmark run --shard N/M\`); the reports of the whole run are written
                    into --out. The exit code is that of the whole run; 2 when a part is missing, given twice, or of another
                    run, version or target.
  --out FOLDER      with --merge: where the reports are written`;

/** Throws a `UsageError` when what it was given is not a run. */
export async function reportCommand(argv: string[]): Promise<number> {
  const { values, positionals } = flagsOf(
    'report',
    argv,
    {
      diff: { type: 'boolean' },
      har: { type: 'boolean' },
      pdf: { type: 'boolean' },
      evidence: { type: 'boolean' },
      merge: { type: 'boolean' },
      out: { type: 'string' },
      against: { type: 'string' },
      history: { type: 'string' },
      format: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    MAX_FOLDERS,
  );
  if (values.help) {
    console.log(REPORT_HELP);
    return 0;
  }
  if (values.evidence && !values.pdf)
    throw new UsageError('proofmark report takes --evidence only with --pdf: add it.');
  if ((values.har || values.pdf) && (values.diff || values.merge)) {
    throw new UsageError('proofmark report writes --har and --pdf for one run: give its folder alone.');
  }
  if (values.merge) return merge(positionals, values.out);
  if (values.out !== undefined) throw new UsageError('proofmark report takes --out only with --merge: leave it out.');
  const [first, second, third] = positionals;
  if (third !== undefined) throw new UsageError(`proofmark report does not take "${third}": see --help.`);
  if (values.diff) {
    if (first === undefined || second === undefined) {
      throw new UsageError(
        'proofmark report --diff compares two runs: give two results.json, or two folders that hold one.',
      );
    }
    return compare(first, second);
  }
  if (second !== undefined) {
    throw new UsageError(`proofmark report takes one folder, not "${second}" too: use --diff to compare two runs.`);
  }
  const folder = first ?? join('reports', 'latest');
  const { against, history, format } = values;
  if (against !== undefined || history !== undefined) return compareRun(folder, { against, history, format });
  if (format !== undefined) throw new UsageError('proofmark report takes --format only with --against or --history.');
  const exitCode = await rebuild(folder);
  if (values.har) console.log(`HAR: ${await writeHar(folder)}`);
  if (values.pdf) console.log(`PDF: ${await writePdf(folder, values.evidence === true)}`);
  return exitCode;
}

async function merge(folders: readonly string[], out: string | undefined): Promise<number> {
  if (out === undefined || folders.length === 0)
    throw new UsageError('proofmark report --merge takes the folders of all parts, and --out for the whole run.');
  const results = await mergeShards(folders, out);
  printSummary(results, { out });
  return results.exitCode;
}

async function rebuild(folder: string): Promise<number> {
  const events = join(folder, EVENTS_FILE);
  const correct = 'give the folder that `proofmark run --out` wrote';
  if (statOf(events, correct) === undefined) throw new UsageError(`There is no ${events}: ${correct}.`);
  let results: Results;
  try {
    results = await writeReports(folder, events, clausesOfCommand(await commandIn(events)));
  } catch (error) {
    if (error instanceof EventsError) throw new UsageError(error.message);
    throw error;
  }
  printSummary(results, { out: folder });
  return results.exitCode;
}

/** The command that wrote a record, from its header. */
async function commandIn(events: string): Promise<string> {
  for await (const event of readEvents(events)) return event.type === 'header' ? event.command : '';
  return '';
}

function compare(before: string, after: string): number {
  const diff = diffResults(resultsAt(before), resultsAt(after));
  process.stdout.write(renderDiff(diff));
  return diff.worse ? 1 : 0;
}
