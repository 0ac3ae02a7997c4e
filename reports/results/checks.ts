/** The checks of a run with what they came to, whether or not they gave a result. */
import { type BaselineEntryOutcome, entryOf } from '../../contracts/run/baseline.ts';
import type { CheckResult, Confirmation, PlannedCheck, RunFooter, RunHeader } from '../../contracts/run/events.ts';
import { unreached, unreachedReason } from '../../contracts/run/interruption.ts';
import { optional } from '../../contracts/run/optional.ts';
import type { CheckOutcome } from './shape.ts';

/** Every selected check in its order, those without a result too, then those that were not selected. */
export function checksOf(header: RunHeader, footer: RunFooter | undefined, found: ReadonlyMap<string, CheckResult>) {
  const plan = new Map((header.plan ?? []).map((planned) => [planned.id, planned]));
  const checks: CheckOutcome[] = [];
  let missing = 0;
  const selected = new Set(header.selected);
  for (const id of selected) {
    const result = found.get(id);
    if (result !== undefined) checks.push(outcomeOfCheck(result, plan.get(id)));
    else {
      missing += 1;
      checks.push({ ...absentResult(footer), ...withoutResult(id, plan.get(id)) });
    }
  }
  for (const result of found.values()) if (!selected.has(result.id)) checks.push(outcomeOfCheck(result));
  const notices: string[] = [];
  if (footer === undefined) {
    notices.push(
      `truncated: the events end without a footer, so the run was cut off; ${missing} of ${selected.size} checks gave no result. Nothing here proves conformance: run it again, after \`proofmark sweep\` if it wrote to the target.`,
    );
  } else if (footer.interrupted !== undefined) notices.push(`interrupted: ${footer.interrupted}`);
  return { checks, notices };
}

/** A check that was to run and says nothing is never taken for one that found nothing. */
function absentResult(footer: RunFooter | undefined): Pick<CheckOutcome, 'verdict' | 'attribution' | 'reason'> {
  if (footer === undefined) {
    return {
      verdict: 'inconclusive',
      attribution: 'harness',
      reason: unreachedReason('the run was cut off before this check gave a result'),
    };
  }
  if (footer.interrupted !== undefined) {
    return unreached(`the run was interrupted (${footer.interrupted}) before this check gave a result`);
  }
  return {
    verdict: 'error',
    attribution: 'harness',
    reason:
      'the check was selected and gave no result although the run finished: its line was removed from the events, or this is an error of Proofmark',
  };
}

function withoutResult(id: string, planned: PlannedCheck | undefined) {
  return {
    id,
    title: planned?.title ?? id,
    level: planned?.level ?? 'MUST',
    suite: planned?.suite ?? id.split('.', 1)[0] ?? id,
    clauses: planned?.clauses ?? [],
    ...optional('source', planned?.source),
    expected: null,
    actual: null,
    pointer: null,
    exchanges: [],
    durationMs: 0,
  };
}

function outcomeOfCheck(result: CheckResult, planned?: PlannedCheck): CheckOutcome {
  return {
    id: result.id,
    title: result.title,
    level: result.level,
    suite: result.suite,
    clauses: result.clauses,
    ...optional('source', planned?.source),
    verdict: result.verdict,
    attribution: result.attribution ?? null,
    reason: result.reason ?? null,
    expected: result.expected ?? null,
    actual: result.actual ?? null,
    pointer: result.pointer ?? null,
    exchanges: result.exchanges,
    durationMs: result.durationMs,
    ...optional('seed', result.seed),
    ...optional('because', result.because),
    ...optional('restsOn', result.restsOn),
    ...optional('breaches', result.breaches),
    ...optional('warnings', result.warnings),
    ...optional('decisive', result.decisive),
    ...optional('curl', result.curl),
    ...optional('replay', result.replay),
    ...optional('counterexample', result.counterexample),
    ...optional('trace', result.trace),
  };
}

/** The check with what the baseline says about it. */
export function withKnown(check: CheckOutcome, findings: readonly BaselineEntryOutcome[]): CheckOutcome {
  const entry = entryOf(findings, check);
  return entry === undefined
    ? check
    : { ...check, known: { reason: entry.reason, owner: entry.owner, expires: entry.expires } };
}

/** The verdict stays: what was seen once happened, whatever a repetition sees. */
export function withConfirmation(check: CheckOutcome, found: Confirmation | undefined): CheckOutcome {
  if (found === undefined) return check;
  const { verdict, reason = null, actual = null, exchanges } = found;
  return { ...check, confirmation: { verdict, reason, actual, exchanges } };
}
