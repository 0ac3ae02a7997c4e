/**
 * `results.json`: what a run came to, folded from its events and the clauses of the contract. Pure: the same events give
 * the same results. Every other report shows these results and adds the exchanges.
 */

import { basesOf, withBrokenBases } from '../../contracts/run/attribution.ts';
import { type BaselineEntryOutcome, baselineOutcome, entryOf, excusedChecks } from '../../contracts/run/baseline.ts';
import type {
  CheckResult,
  Confirmation,
  Exchange,
  LedgerChange,
  ObservationSeen,
  PlannedCheck,
  RunEvent,
  RunFooter,
  RunHeader,
} from '../../contracts/run/events.ts';
import { levelsOf, withEvidence } from '../../contracts/run/evidence.ts';
import { unreached, unreachedReason } from '../../contracts/run/interruption.ts';
import {
  type ClauseVerdict,
  clauseVerdict,
  EXIT,
  outcomeOf,
  type Verdict,
  worse,
} from '../../contracts/run/verdicts.ts';
import { withCauses } from '../attribution.ts';
import type { CheckOutcome, ClauseOutcome, ClauseText, Counts, Results, SlowExchange } from './shape.ts';

export type { CheckOutcome, ClauseOutcome, ClauseText, Counts, Results, SlowExchange } from './shape.ts';

/** Events go in one by one; nothing of an exchange's bodies is kept. */
export interface ResultsFold {
  add(event: RunEvent): void;
  /** Throws when no header was among the events. */
  done(): Results;
}

/** Enough to see a pattern. */
const SLOWEST_SHOWN = 10;

/** Folds events that are all there. Throws when there is no header among them. */
export function foldResults(events: Iterable<RunEvent>, clauses: readonly ClauseText[]): Results {
  const fold = resultsFold(clauses);
  for (const event of events) fold.add(event);
  return fold.done();
}

export function resultsFold(clauses: readonly ClauseText[]): ResultsFold {
  let header: RunHeader | undefined;
  let footer: RunFooter | undefined;
  let sent = 0;
  let lastMs = 0;
  const found = new Map<string, CheckResult>();
  const observations: ObservationSeen[] = [];
  const ledger: LedgerChange[] = [];
  const confirmations = new Map<string, Confirmation>();
  let slowest: SlowExchange[] = [];
  return {
    add(event) {
      if (event.type === 'header') header = event;
      else if (event.type === 'footer') footer = event;
      else if (event.type === 'observation') observations.push(event);
      else if (event.type === 'ledger') ledger.push(event);
      else if (event.type === 'confirmation') confirmations.set(event.id, event);
      else if (event.type === 'check') {
        // Twice the same check (a worker that was started again): the worse result is the one that counts.
        const before = found.get(event.id);
        const { screenshots, ...result } = event;
        if (before === undefined || worse(before.verdict, event.verdict) !== before.verdict)
          found.set(event.id, result);
        lastMs = Math.max(lastMs, Date.parse(event.startedAt) + event.durationMs);
      } else {
        if (event.direction === 'sent') sent += 1;
        slowest = withSlow(slowest, event);
      }
    },
    done() {
      if (header === undefined) throw new TypeError('The events have no header, so there is no run to report.');
      const ofParty = clauses.filter(({ party }) => party === header?.party);
      const based = withBrokenBases([...found.values()], basesOf(ofParty));
      const { checks: ended, notices } = checksOf(header, footer, new Map(based.map((result) => [result.id, result])));
      const judged = withCauses(withEvidence(ended, levelsOf(ofParty)));
      const findings = baselineOutcome(header.baseline?.findings ?? [], judged, {
        day: header.startedAt.slice(0, 10),
        isPartial: header.onlyPattern !== undefined,
      });
      const excused = excusedChecks(findings, judged);
      const checks = judged
        .map((check) => (excused.has(check.id) ? withKnown(check, findings) : check))
        .map((check) => withConfirmation(check, confirmations.get(check.id)));
      const outcomes = clausesOf(header, checks, clauses, found);
      const truncated = footer === undefined;
      const facts = {
        checks: checks.map((check) => check.verdict),
        mustClauses: outcomes.filter((clause) => clause.level === 'MUST').map((clause) => clause.verdict),
        interrupted: footer?.interrupted !== undefined,
        allowInconclusive: footer?.allowInconclusive ?? false,
        harnessFailed: (footer?.errors?.length ?? 0) > 0,
        excused: checks.filter(({ known }) => known !== undefined).map(({ verdict }) => verdict),
        baselineOutdated: findings.some(({ status }) => status === 'stale' || status === 'expired'),
        failOnWarn: header.failOn === 'warn',
      };
      const decided = truncated ? { outcome: 'inconclusive' as const, exitCode: EXIT.inconclusive } : outcomeOf(facts);
      const place = placesOf(header);
      const of = (what: LedgerChange['what']) => ledger.filter((change) => change.what === what);
      return {
        proofmark: header.proofmark,
        contract: header.contract,
        target: header.target,
        ...optional('profile', header.profile),
        startedAt: header.startedAt,
        durationMs: footer?.durationMs ?? Math.max(0, Math.round(lastMs - Date.parse(header.startedAt)) || 0),
        ...decided,
        counts: countsOf(facts.checks),
        clauseCounts: {
          ...countsOf(outcomes.map((clause) => clause.verdict)),
          excluded: outcomes.filter((clause) => clause.verdict === 'excluded').length,
        },
        requests: footer?.requests ?? sent,
        ...optional('requestsByInterface', footer?.requestsByInterface),
        clauses: outcomes,
        checks,
        observations: observations.map(({ type: _, ...seen }) => seen).sort((a, b) => place(a.check) - place(b.check)),
        ledger: {
          created: of('created').length,
          removed: of('removed').length,
          restored: of('restored').length,
          changed: of('changed').length,
          orders: [...new Set(of('placed').map(({ object }) => object))],
          orphans: orphansIn(ledger),
        },
        run: header.run,
        command: header.command,
        party: header.party,
        node: header.node,
        seed: header.seed,
        ...optional('onlyPattern', header.onlyPattern),
        truncated,
        ...optional('interrupted', footer?.interrupted),
        notices: [
          ...(footer?.errors ?? []),
          ...notices,
          ...unknownClauses(checks, clauses),
          ...(footer?.notices ?? []),
        ],
        timings: footer?.timings ?? {},
        slowest,
        ...optional('baseline', header.baseline && { file: header.baseline.file, findings }),
        ...optional('failOn', header.failOn),
      };
    },
  };
}

function withKnown(check: CheckOutcome, findings: readonly BaselineEntryOutcome[]): CheckOutcome {
  const entry = entryOf(findings, check);
  return entry === undefined
    ? check
    : { ...check, known: { reason: entry.reason, owner: entry.owner, expires: entry.expires } };
}

/** The verdict stays: what was seen once happened, whatever a repetition sees. */
function withConfirmation(check: CheckOutcome, found: Confirmation | undefined): CheckOutcome {
  if (found === undefined) return check;
  const { verdict, reason = null, actual = null, exchanges } = found;
  return { ...check, confirmation: { verdict, reason, actual, exchanges } };
}

/** What was left and not put back later: one line for each object, with the last reason. */
function orphansIn(changes: readonly LedgerChange[]): { object: string; reason?: string }[] {
  const left = new Map<string, { object: string; reason?: string }>();
  for (const { what, object, reason } of changes) {
    if (what === 'orphan') left.set(object, { object, ...optional('reason', reason ?? left.get(object)?.reason) });
    if (what === 'removed' || what === 'restored') left.delete(object);
  }
  return [...left.values()];
}

/** Every selected check in its order, those without a result too, then those that were not selected. */
function checksOf(header: RunHeader, footer: RunFooter | undefined, found: ReadonlyMap<string, CheckResult>) {
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

/** The clauses of the judged party that this run was about, in the order of the contract. */
function clausesOf(
  header: RunHeader,
  checks: readonly CheckOutcome[],
  clauses: readonly ClauseText[],
  found: ReadonlyMap<string, CheckResult>,
): ClauseOutcome[] {
  const proving = new Map<string, string[]>();
  const prove = (clause: string, check: string): void => {
    const known = proving.get(clause);
    if (known === undefined) proving.set(clause, [check]);
    else if (!known.includes(check)) known.push(check);
  };
  const named = new Map<string, readonly string[]>(checks.map((check) => [check.id, check.clauses]));
  const rowsOf = new Map<string, string[]>();
  for (const row of clauses) {
    for (const check of row.checks ?? []) rowsOf.set(check, [...(rowsOf.get(check) ?? []), row.id]);
  }
  const undecided = new Map(checks.map((check) => [check.id, new Set(check.undecided)]));
  const waiting = new Map(
    checks.map(({ id, verdict, because }) => [id, verdict === 'inconclusive' ? because : undefined]),
  );
  for (const { id } of checks) {
    for (const clause of [...(named.get(id) ?? []), ...(undecided.get(id) ?? [])]) prove(clause, id);
    // A clause that a precondition saw broken is not proved by those that saw it kept.
    const seen = waiting.get(id);
    if (seen !== undefined) prove(seen, id);
    // A result names its clauses itself: a property names the one clause that it found broken, of the many it tries.
    if (!found.has(id)) for (const clause of rowsOf.get(id) ?? []) prove(clause, id);
  }
  const verdicts = new Map(checks.map((check) => [check.id, check.verdict]));
  const verdictOn = (clause: string, id: string): Verdict | undefined =>
    undecided.get(id)?.has(clause) ? 'inconclusive' : verdicts.get(id);
  return clauses.flatMap((row) => {
    if (row.party !== header.party) return [];
    const ofRow = proving.get(row.id) ?? [];
    const excluded = row.excluded !== undefined;
    if (header.onlyPattern !== undefined && !excluded && ofRow.length === 0) return [];
    // What other checks decide is not undecided because a property reached no verdict.
    const isDecided = ofRow.some((id) => !found.get(id)?.additional);
    const counted = ofRow.filter((id) => {
      const result = found.get(id);
      const isEvidence = waiting.get(id) === row.id;
      return isEvidence || !(isDecided && result?.additional && verdictOn(row.id, id) === 'inconclusive');
    });
    const verdictsOfRow = counted.flatMap((id) => verdictOn(row.id, id) ?? []);
    return {
      id: row.id,
      level: row.level,
      party: row.party,
      section: row.section,
      text: row.text,
      verdict: clauseVerdict(row.level, excluded, verdictsOfRow),
      checks: ofRow,
      ...optional('excluded', row.excluded),
    };
  });
}

function unknownClauses(checks: readonly CheckOutcome[], clauses: readonly ClauseText[]): string[] {
  const known = new Set(clauses.map((row) => row.id));
  return checks.flatMap((check) =>
    check.clauses
      .filter((id) => !known.has(id))
      .map((id) => `The check ${check.id} names the clause ${id}, which this contract does not have.`),
  );
}

function countsOf(verdicts: readonly ClauseVerdict[]): Counts {
  const of = (verdict: ClauseVerdict): number => verdicts.filter((one) => one === verdict).length;
  return {
    pass: of('pass'),
    fail: of('fail'),
    warn: of('warn'),
    inconclusive: of('inconclusive'),
    observed: of('observed'),
    notApplicable: of('not-applicable'),
    error: of('error'),
  };
}

function withSlow(slowest: SlowExchange[], exchange: Exchange): SlowExchange[] {
  const last = slowest.at(-1);
  if (slowest.length === SLOWEST_SHOWN && last !== undefined && exchange.durationMs <= last.durationMs) return slowest;
  const entry: SlowExchange = {
    n: exchange.n,
    check: exchange.check,
    method: exchange.request.method,
    url: exchange.request.url,
    status: exchange.response?.status ?? null,
    durationMs: exchange.durationMs,
  };
  return [...slowest, entry].sort((a, b) => b.durationMs - a.durationMs || a.n - b.n).slice(0, SLOWEST_SHOWN);
}

function placesOf(header: RunHeader): (check: string) => number {
  const places = new Map(header.selected.map((id, index) => [id, index]));
  return (check) => places.get(check) ?? places.size;
}

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
