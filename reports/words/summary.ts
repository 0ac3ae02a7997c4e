/** What every report says of a run first: the verdict in words, who has to act, and what is missing. */
import { isUnreached } from '../../contracts/run/interruption.ts';
import type { Attribution, ClauseVerdict, Verdict } from '../../contracts/run/verdicts.ts';
import { causesOf } from '../findings/causes.ts';
import type { CheckOutcome, ClauseOutcome, Results } from '../results/index.ts';
import { expectationText } from './baseline.ts';
import { clip, count, sentence } from './text.ts';

export interface Headline {
  /** A word or two: `Not conformant`. */
  readonly verdict: string;
  /** One sentence with the figures that decided it. */
  readonly why: string;
}

/** Selections that name hundreds of checks would hide what comes after them. */
const MAX_SELECTION_CHARACTERS = 200;

/** The outcome in words, and what a baseline and `--fail-on` make of it. */
export function headlineOf(results: Results): Headline {
  const { verdict, why } = outcomeInWords(results);
  return { verdict, why: `${why}${results.truncated ? '' : expectationText(results)}` };
}

function outcomeInWords(results: Results): Headline {
  const { counts, outcome, truncated, exitCode } = results;
  const must = results.clauses.filter((clause) => clause.level === 'MUST' && clause.verdict !== 'excluded');
  const undecided = must.filter((clause) => clause.verdict === 'inconclusive').length;
  const broken = must.filter((clause) => clause.verdict === 'fail').length;
  const scope =
    results.onlyPattern === undefined
      ? ''
      : ` in the selected scope (${clip(results.onlyPattern, MAX_SELECTION_CHARACTERS)})`;
  if (truncated) {
    const found = counts.fail === 0 ? '' : ` ${count(counts.fail, 'check')} had failed by then.`;
    return { verdict: 'Inconclusive', why: `The record ends before the run did, so it proves nothing.${found}` };
  }
  if (outcome === 'non-conformant') {
    return {
      verdict: 'Not conformant',
      why: `${count(counts.fail, 'check')} of ${results.checks.length} failed: ${count(broken, 'MUST clause')} of ${must.length} ${broken === 1 ? 'is' : 'are'} broken${scope}.`,
    };
  }
  if (outcome === 'error') {
    if (counts.error === 0)
      return {
        verdict: 'Harness error',
        why: `Error in Proofmark itself: ${sentence(results.notices[0] ?? '')}`,
      };
    return {
      verdict: 'Harness error',
      why: `${count(counts.error, 'check')} ended in an error of Proofmark itself, which proves nothing about the ${results.party}.`,
    };
  }
  if (outcome === 'conformant') {
    const warned = counts.warn === 0 ? '' : ` ${count(counts.warn, 'check')} ${counts.warn === 1 ? 'warns' : 'warn'}.`;
    const kept = must.filter((clause) => clause.verdict === 'pass').length;
    const absent = must.length - kept;
    const rest = absent === 0 ? '' : `; ${count(absent, 'clause')} of parts that it does not have`;
    return { verdict: 'Conformant', why: `${count(kept, 'MUST clause')} kept, none broken${rest}${scope}.${warned}` };
  }
  // A run on several machines may have more parts than groups of checks.
  if (results.checks.length === 0 && results.interrupted === undefined) {
    const what = scope === '' ? 'The run' : scope.replace(' in the', 'The');
    return { verdict: 'Inconclusive', why: `${what} has no checks, so nothing was judged.` };
  }
  const cut = results.interrupted === undefined ? '' : ` The run was interrupted: ${sentence(results.interrupted)}`;
  const nothing = counts.pass + counts.warn + counts.observed === 0 ? 'No check reached a verdict. ' : '';
  const allowed = exitCode === 0 ? ' This was allowed (--allow-inconclusive).' : '';
  return {
    verdict: 'Inconclusive',
    why: `${nothing}${count(undecided, 'MUST clause')} of ${must.length} could not be decided${scope}; none is broken.${cut}${allowed}`,
  };
}

/** One thing that keeps checks from deciding, with the checks that wait for it. */
export interface Remedy {
  readonly actor: ActorName;
  /** A sentence that says what to do. */
  readonly text: string;
  readonly checks: readonly CheckOutcome[];
  /** Clauses that no check decided although every check of theirs ran. */
  readonly clauses: readonly ClauseOutcome[];
}

/** `interruption`: nothing has to be changed, the run was only stopped. */
export type ActorName = Attribution | 'interruption';

const ACTORS: readonly ActorName[] = ['configuration', 'network', 'target', 'harness', 'contract', 'interruption'];

const actorFor = (check: CheckOutcome): ActorName =>
  isUnreached(check) ? 'interruption' : (check.attribution ?? 'harness');

function waitsFor({ clauses }: Results, clause: string): string {
  const isFound = clauses.some(({ id, verdict }) => id === clause && (verdict === 'fail' || verdict === 'warn'));
  return isFound
    ? `Waits for the clause ${clause}, which is broken: fix that first.`
    : `Met a violation of the clause ${clause}, perhaps caused by another failure: fix the other failures first.`;
}

/** The inconclusive checks by what would decide them, most checks first within each who has to act. */
export function remediesOf(results: Results): Remedy[] {
  const groups = new Map<string, { actor: ActorName; text: string; checks: CheckOutcome[] }>();
  for (const check of results.checks) {
    if (check.verdict !== 'inconclusive') continue;
    const actor = actorFor(check);
    const text =
      check.because === undefined
        ? sentence(check.reason ?? 'no reason was given, which is an error of Proofmark')
        : waitsFor(results, check.because);
    const key = `${actor} ${text}`;
    const group = groups.get(key) ?? { actor, text, checks: [] };
    group.checks.push(check);
    groups.set(key, group);
  }
  const remedies: Remedy[] = [...groups.values()].map((group) => ({ ...group, clauses: [] }));
  const unproven = unprovenClauses(results);
  if (unproven.length > 0) {
    const text = 'No check passed for these MUST clauses, so nothing shows that the target meets them.';
    remedies.push({ actor: 'harness', text, checks: [], clauses: unproven });
  }
  return remedies.sort(
    (a, b) =>
      ACTORS.indexOf(a.actor) - ACTORS.indexOf(b.actor) ||
      b.checks.length - a.checks.length ||
      (a.text < b.text ? -1 : 1),
  );
}

/** The remedies of checks that wait for no finding: those are named beside what they wait for. */
export function otherRemediesOf(results: Results): Remedy[] {
  const waiting = new Set(causesOf(results).flatMap((cause) => cause.waiting.map(({ id }) => id)));
  return remediesOf(results).flatMap((remedy) => {
    const checks = remedy.checks.filter(({ id }) => !waiting.has(id));
    return checks.length + remedy.clauses.length === 0 ? [] : [{ ...remedy, checks }];
  });
}

/** MUST clauses that are undecided because no check passed, not because one of their checks was. */
function unprovenClauses(results: Results): ClauseOutcome[] {
  const undecided = new Set(results.checks.flatMap((check) => (check.verdict === 'inconclusive' ? [check.id] : [])));
  return results.clauses.filter(
    (clause) =>
      clause.level === 'MUST' && clause.verdict === 'inconclusive' && !clause.checks.some((id) => undecided.has(id)),
  );
}

/** How many failed, undecided and erroneous checks wait for whom. */
export function actorsOf(results: Results): Array<{ actor: ActorName; checks: number; toDo: string }> {
  const waiting = results.checks.filter((check) => ['fail', 'inconclusive', 'error'].includes(check.verdict));
  const order: readonly ActorName[] = ['target', ...ACTORS.filter((actor) => actor !== 'target')];
  return order.flatMap((actor) => {
    const checks = waiting.filter((check) => actorFor(check) === actor).length;
    return checks === 0 ? [] : [{ actor, checks, toDo: toDoOf(actor, results) }];
  });
}

function toDoOf(actor: ActorName, results: Results): string {
  switch (actor) {
    case 'target':
      return `the ${results.party} must change`;
    case 'configuration':
      return incompleteIn(results.command);
    case 'network':
      return 'the network to the target must work';
    case 'harness':
      return 'this is an error of Proofmark: please report it';
    case 'contract':
      return 'the text of the contract is ambiguous: ask its owner';
    case 'interruption':
      return toDoAfterInterruption(results);
  }
}

/** What lacks something: recorded traffic has no profile, and an integrator none either. */
function incompleteIn(command: string): string {
  if (command === 'judge') return 'the recording does not show them';
  return command.startsWith('precheck')
    ? 'the driver or the options of this precheck are incomplete'
    : 'the profile, the driver or the options of this run are incomplete';
}

/** What to do about checks that the run did not reach. */
function toDoAfterInterruption({ truncated, interrupted }: Results): string {
  if (truncated || interrupted === undefined) return 'the run was cut off before these checks: run again';
  return `the run was interrupted before these checks (${interrupted}): ${before(interrupted)}run again`;
}

/** What would otherwise interrupt the next run, too. */
function before(interrupted: string): string {
  if (interrupted.includes('limits.maxMinutes')) return 'raise limits.maxMinutes or select fewer checks (--only), and ';
  if (interrupted.includes('globalTimeout')) return 'raise it or select fewer checks, and ';
  if (interrupted.startsWith('--bail')) return 'fix what failed, and ';
  return '';
}

/**
 * Checks worth a reader's time first, in the order in which reports show them: causes that others wait for, then other new
 * findings, then known ones.
 */
export function failuresOf(results: Results): CheckOutcome[] {
  return causesOf(results).flatMap(({ failed }) => failed);
}

/** The inconclusive checks that wait for the cause that a failed check begins. */
export function waitingFor(results: Results, { id }: CheckOutcome): readonly CheckOutcome[] {
  return causesOf(results).find(({ failed: [first] }) => first.id === id)?.waiting ?? [];
}

/** The checks that ended in an error of Proofmark. */
export function errorsOf(results: Results): CheckOutcome[] {
  return results.checks.filter((check) => check.verdict === 'error');
}

export interface Warning {
  readonly text: string;
  readonly checks: readonly CheckOutcome[];
}

/** What is legal but harmful, one entry a sentence: of warned checks, and what was found beside another verdict. */
export function warningsOf(results: Results): Warning[] {
  const found = new Map<string, CheckOutcome[]>();
  for (const check of results.checks) {
    const own = check.verdict === 'warn' ? [check.reason ?? check.title] : [];
    const texts = check.warnings?.length ? check.warnings : own;
    for (const text of new Set(texts.map(sentence))) found.set(text, [...(found.get(text) ?? []), check]);
  }
  return [...found].map(([text, checks]) => ({ text, checks }));
}

/** The clauses of a check, with their texts where this run's clauses have them. */
export function clausesOfCheck(results: Results, check: CheckOutcome): ClauseOutcome[] {
  const undecided = check.undecided ?? [];
  return results.clauses.filter(
    ({ id, checks }) => check.clauses.includes(id) || (checks.includes(check.id) && !undecided.includes(id)),
  );
}

/** Verdicts in the words of the reports. */
export const VERDICT_WORDS: Readonly<Record<ClauseVerdict, string>> = {
  fail: 'failed',
  error: 'error',
  inconclusive: 'inconclusive',
  warn: 'warned',
  pass: 'passed',
  observed: 'observed',
  'not-applicable': 'not applicable',
  excluded: 'excluded',
};

/** The key of `counts` for a verdict. */
export function countOf(results: Results, verdict: Verdict): number {
  return results.counts[verdict === 'not-applicable' ? 'notApplicable' : verdict];
}
