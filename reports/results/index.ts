/**
 * `results.json`: what a run came to, folded from its events and the clauses of the contract. Pure: the same events give
 * the same results. Every other report shows these results and adds the exchanges.
 */

import { basesOf, withBrokenBases } from '../../contracts/run/attribution.ts';
import { baselineOutcome, excusedChecks } from '../../contracts/run/baseline.ts';
import type {
  CheckResult,
  Confirmation,
  Exchange,
  LedgerChange,
  ObservationSeen,
  RunEvent,
  RunFooter,
  RunHeader,
} from '../../contracts/run/events.ts';
import { levelsOf, withEvidence } from '../../contracts/run/evidence.ts';
import { optional } from '../../contracts/run/optional.ts';
import { type ClauseVerdict, EXIT, outcomeOf, worse } from '../../contracts/run/verdicts.ts';
import { withCauses } from '../attribution.ts';
import { checksOf, withConfirmation, withKnown } from './checks.ts';
import { clausesOf, unknownClauses } from './clauses.ts';
import type { ClauseText, Counts, Results, SlowExchange } from './shape.ts';

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

/** A fold over the events of one run. */
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
        ledger: ledgerOf(ledger),
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

/** How many objects a run has created and changed, and what is left of them. */
function ledgerOf(changes: readonly LedgerChange[]): Results['ledger'] {
  const of = (what: LedgerChange['what']) => changes.filter((change) => change.what === what);
  return {
    created: of('created').length,
    removed: of('removed').length,
    restored: of('restored').length,
    changed: of('changed').length,
    orders: [...new Set(of('placed').map(({ object }) => object))],
    orphans: orphansIn(changes),
  };
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

/** How many of the verdicts are each. */
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

/** The slowest exchanges so far, the slowest first. */
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

/** The place of a check among the selected ones; the others come after them. */
function placesOf(header: RunHeader): (check: string) => number {
  const places = new Map(header.selected.map((id, index) => [id, index]));
  return (check) => places.get(check) ?? places.size;
}
