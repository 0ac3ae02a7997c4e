/**
 * Known findings: which failures of a run are expected, until when, and who owns them. Pure; `verdicts.ts` decides
 * what they do to the exit code.
 */
import { matchesAny } from './glob.ts';
import type { Verdict } from './verdicts.ts';

/** One entry of a baseline file: findings of the checks that match `check`, or of every check of the clauses that match `clause`. */
export interface BaselineFinding {
  /** Glob over ids of checks. */
  readonly check?: string;
  /** Glob over ids of clauses. */
  readonly clause?: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it excuses, as YYYY-MM-DD in UTC. */
  readonly expires: string;
}

/** The content of a baseline file, with the name under which reports show it. */
export interface Baseline {
  readonly file: string;
  readonly findings: readonly BaselineFinding[];
}

/**
 * `known`: still found, and excused. `stale`: everything it names was judged, and nothing is found any more. `expired`: its
 * last day has passed. `undecided`: a check that it names reached no verdict. `not-run`: this run has none of its checks.
 */
export type BaselineStatus = 'known' | 'stale' | 'expired' | 'undecided' | 'not-run';

export interface BaselineEntryOutcome extends BaselineFinding {
  readonly status: BaselineStatus;
  /** Ids of the checks of this run in which the finding was met. */
  readonly checks: readonly string[];
}

interface JudgedCheck {
  readonly id: string;
  readonly clauses: readonly string[];
  readonly verdict: Verdict;
}

const isFinding = ({ verdict }: JudgedCheck): boolean => verdict === 'fail' || verdict === 'warn';
/** The check was not decided, so nothing shows that the finding is gone. */
const isUndecided = ({ verdict }: JudgedCheck): boolean => verdict === 'inconclusive' || verdict === 'error';

/**
 * Each entry with what this run says of it. `day` is the day of the run, as YYYY-MM-DD. A run of some of the checks may
 * lack the one that fails, so that only an entry for a single check can be stale there.
 */
export function baselineOutcome(
  findings: readonly BaselineFinding[],
  checks: readonly JudgedCheck[],
  { day, isPartial }: { readonly day: string; readonly isPartial: boolean },
): BaselineEntryOutcome[] {
  return findings.map((finding) => {
    const named = checks.filter((check) => isNamedBy(finding, check));
    const found = named.filter(isFinding);
    const status = statusOf(finding, named, found, day);
    const isOpen = status === 'stale' && isPartial && !named.some(({ id }) => id === finding.check);
    return { ...finding, status: isOpen ? 'not-run' : status, checks: found.map(({ id }) => id) };
  });
}

function statusOf(
  { expires }: BaselineFinding,
  named: readonly JudgedCheck[],
  found: readonly JudgedCheck[],
  day: string,
): BaselineStatus {
  if (named.every(({ verdict }) => verdict === 'not-applicable')) return 'not-run';
  if (day > expires) return 'expired';
  if (found.length > 0) return 'known';
  return named.some(isUndecided) ? 'undecided' : 'stale';
}

function isNamedBy({ check, clause }: BaselineFinding, judged: JudgedCheck): boolean {
  if (check !== undefined) return matchesAny(judged.id, [check]);
  return clause !== undefined && judged.clauses.some((id) => matchesAny(id, [clause]));
}

/**
 * The ids of the checks that the baseline excuses: those that failed or warned and that a valid entry names, or each of
 * whose clauses a valid entry names. A check that also breaks a clause that is not listed is a new finding.
 */
export function excusedChecks(
  entries: readonly BaselineEntryOutcome[],
  checks: readonly JudgedCheck[],
): ReadonlySet<string> {
  const valid = entries.filter(({ status }) => status === 'known');
  const ids = valid.flatMap(({ check }) => check ?? []);
  const clauses = valid.flatMap(({ clause }) => clause ?? []);
  const isExcused = (judged: JudgedCheck): boolean =>
    matchesAny(judged.id, ids) ||
    (judged.clauses.length > 0 && judged.clauses.every((clause) => matchesAny(clause, clauses)));
  return new Set(checks.filter((judged) => isFinding(judged) && isExcused(judged)).map(({ id }) => id));
}

/** The entry that excuses a check, for the reports. */
export function entryOf(
  entries: readonly BaselineEntryOutcome[],
  check: { readonly id: string; readonly clauses: readonly string[] },
): BaselineEntryOutcome | undefined {
  return entries.find((entry) => entry.status === 'known' && isNamedBy(entry, { ...check, verdict: 'fail' }));
}
