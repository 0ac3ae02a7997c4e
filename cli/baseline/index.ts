/** `proofmark baseline`: writes the findings of a run as a file of known findings for `proofmark run --baseline`. */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaselineFinding } from '../../contracts/run/baseline.ts';
import { matchesAny } from '../../contracts/run/glob.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { RESULTS_FILE } from '../../reports/files.ts';
import type { CheckOutcome, Results } from '../../reports/results/index.ts';
import { isDay, parseFindings } from '../common/files/baseline-file.ts';
import { readFileOf } from '../common/files/read-file.ts';
import { resultsAt } from '../common/files/results-at.ts';
import { flagsOf } from '../common/flags.ts';

const BASELINE_HELP = `Usage: proofmark baseline [DIR] --reason TEXT --owner NAME --expires DAY [OPTION …]

Writes the failed checks of a run as known findings. \`proofmark run --baseline FILE\` does not fail for them, but fails
when one is fixed (remove its entry) or has expired. Errors of Proofmark and undecided clauses are never excused.

  DIR            the folder of the run, or its results.json (default: reports/latest)
  --reason TEXT  why these findings are accepted for now
  --owner NAME   who owns them
  --expires DAY  the last day on which they are excused, such as 2027-01-31
  --by KIND      check (the default) or clause: what each entry names
  --warnings     also list checks that warn (for runs with --fail-on warn)
  --out FILE     where to write (default: proofmark.baseline.json)
  --update       keep the entries of an existing FILE that still apply, remove those that are fixed, add what is new;
                 without --reason, --owner and --expires nothing is added

Exit codes: 0 written, 2 usage or configuration.`;

const DEFAULT_FILE = 'proofmark.baseline.json';

/** Throws a UsageError when the run or the file can't be used. */
export async function baselineCommand(argv: string[]): Promise<number> {
  const { values, positionals } = flagsOf(
    'baseline',
    argv,
    {
      reason: { type: 'string' },
      owner: { type: 'string' },
      expires: { type: 'string' },
      by: { type: 'string', default: 'check' },
      warnings: { type: 'boolean', default: false },
      out: { type: 'string', default: DEFAULT_FILE },
      update: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    1,
  );
  if (values.help) {
    console.log(BASELINE_HELP);
    return 0;
  }
  const { reason, owner, expires, by, out } = values;
  // Entries that are fixed go without a word about new ones.
  const removesOnly = values.update && reason === undefined && owner === undefined && expires === undefined;
  if (!removesOnly && (!reason?.trim() || !owner?.trim() || !isDay(expires))) {
    const missing = [
      ...(reason?.trim() ? [] : ['--reason TEXT']),
      ...(owner?.trim() ? [] : ['--owner NAME']),
      ...(isDay(expires) ? [] : ['--expires with a day such as 2027-01-31']),
    ];
    throw new UsageError(
      `proofmark baseline needs ${missing.join(', ')}: why the findings are accepted, who owns them, and until when.`,
    );
  }
  if (by !== 'check' && by !== 'clause') throw new UsageError(`--by must be check or clause, not "${by}".`);
  if (existsSync(out) && !values.update)
    throw new UsageError(`${out} exists: give --update to keep its entries, or another --out.`);
  const place = positionals[0] ?? join('reports', 'latest');
  const results = wholeRun(place);
  const found = results.checks.filter(({ verdict }) => verdict === 'fail' || (values.warnings && verdict === 'warn'));
  const old = existsSync(out) && !statSync(out).isDirectory() ? parseFindings(readFileOf(out, '--out'), out) : [];
  const kept = old.filter((entry) => !isFixed(entry, results));
  const fresh = newEntries(
    found.filter((check) => !kept.some((entry) => names(entry, check))),
    by,
  );
  const words = { reason: reason ?? '', owner: owner ?? '', expires: expires ?? '' };
  const added = removesOnly ? [] : fresh.map((what): BaselineFinding => ({ ...what, ...words }));
  writeFileSync(out, `${JSON.stringify({ findings: [...kept, ...added] }, null, 2)}\n`);
  console.log(`${out}: ${added.length} added, ${kept.length} kept, ${old.length - kept.length} removed.`);
  if (fresh.length > added.length)
    console.log(`Not listed: ${fresh.length} new. To accept them, give --reason, --owner and --expires.`);
  return 0;
}

/** A run that was cut off, or that was no run of a command with a baseline, lists too little. */
function wholeRun(place: string): Results {
  const results = resultsAt(place);
  if (results.truncated || results.interrupted !== undefined)
    throw new UsageError(`The run in ${place} did not finish: run again before you list its findings.`);
  if (results.command !== 'run')
    throw new UsageError(
      `${join(place, RESULTS_FILE)} was not written by \`proofmark run\`: only its results can have a baseline.`,
    );
  return results;
}

const names = ({ check, clause }: BaselineFinding, judged: CheckOutcome): boolean =>
  check === undefined
    ? judged.clauses.length > 0 && judged.clauses.every((id) => matchesAny(id, [clause ?? '']))
    : matchesAny(judged.id, [check]);

/** Everything that the entry names was judged, and none of it is a finding. What this run lacks is kept. */
function isFixed(entry: BaselineFinding, { checks, onlyPattern }: Results): boolean {
  if (onlyPattern !== undefined && !checks.some(({ id }) => id === entry.check)) return false;
  const named = checks.filter((judged) =>
    entry.check === undefined
      ? judged.clauses.some((id) => matchesAny(id, [entry.clause ?? '']))
      : matchesAny(judged.id, [entry.check]),
  );
  return named.length > 0 && named.every(({ verdict }) => verdict === 'pass' || verdict === 'observed');
}

function newEntries(
  found: readonly CheckOutcome[],
  by: 'check' | 'clause',
): Array<{ check: string } | { clause: string }> {
  if (by === 'check') return found.map(({ id }) => ({ check: id }));
  return [...new Set(found.flatMap(({ clauses }) => clauses))].map((clause) => ({ clause }));
}
