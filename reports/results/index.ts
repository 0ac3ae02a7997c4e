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
import type { CheckOutcome, ClauseOutcome, ClauseText, Counts, Results, SlowExchange } from './shape.ts';

export type { CheckOutcome, ClauseOutcome, ClauseText, Counts, Results, SlowExchange } from './shape.ts';

/** Enough to see a pattern. */
const SLOWEST_SHOWN = 10;

/** Folds events that are all there. Throws when there is no header among them. */
export function foldResults(events: Iterable<RunEvent>, clauses: readonly ClauseText[]): Results {
  const fold = new ResultsFold(clauses);
  for (const event of events) fold.add(event);
  return fold.done();
}

/** A fold over the events of one run. They go in one by one; nothing of an exchange's bodies is kept. */
export class ResultsFold {
  readonly #clauses: readonly ClauseText[];
  #header: RunHeader | undefined;
  #footer: RunFooter | undefined;
  #sent = 0;
  #lastMs = 0;
  readonly #found = new Map<string, CheckResult>();
  readonly #observations: ObservationSeen[] = [];
  readonly #ledger: LedgerChange[] = [];
  readonly #confirmations = new Map<string, Confirmation>();
  #slowest: SlowExchange[] = [];

  constructor(clauses: readonly ClauseText[]) {
    this.#clauses = clauses;
  }

  add(event: RunEvent): void {
    if (event.type === 'header') this.#header = event;
    else if (event.type === 'footer') this.#footer = event;
    else if (event.type === 'observation') this.#observations.push(event);
    else if (event.type === 'ledger') this.#ledger.push(event);
    else if (event.type === 'confirmation') this.#confirmations.set(event.id, event);
    else if (event.type === 'check') this.#addCheck(event);
    else {
      if (event.direction === 'sent') this.#sent += 1;
      this.#slowest = withSlow(this.#slowest, event);
    }
  }

  /** Twice the same check (a worker that was started again): the worse result is the one that counts. */
  #addCheck({ screenshots: _, ...result }: CheckResult): void {
    const before = this.#found.get(result.id);
    if (before === undefined || worse(before.verdict, result.verdict) !== before.verdict)
      this.#found.set(result.id, result);
    this.#lastMs = Math.max(this.#lastMs, Date.parse(result.startedAt) + result.durationMs);
  }

  /** Throws when no header was among the events. */
  done(): Results {
    const [header, footer] = [this.#header, this.#footer];
    if (header === undefined) throw new TypeError('The events have no header, so there is no run to report.');
    const { checks, findings, notices } = this.#judged(header);
    const outcomes = clausesOf(header, checks, this.#clauses, this.#found);
    const truncated = footer === undefined;
    const decided = truncated
      ? { outcome: 'inconclusive' as const, exitCode: EXIT.inconclusive }
      : outcomeOf(factsOf(header, footer, { checks, outcomes, findings }));
    const place = placesOf(header);
    return {
      proofmark: header.proofmark,
      contract: header.contract,
      target: header.target,
      ...optional('profile', header.profile),
      startedAt: header.startedAt,
      durationMs: footer?.durationMs ?? Math.max(0, Math.round(this.#lastMs - Date.parse(header.startedAt)) || 0),
      ...decided,
      counts: countsOf(checks.map((check) => check.verdict)),
      clauseCounts: {
        ...countsOf(outcomes.map((clause) => clause.verdict)),
        excluded: outcomes.filter((clause) => clause.verdict === 'excluded').length,
      },
      requests: footer?.requests ?? this.#sent,
      ...optional('requestsByInterface', footer?.requestsByInterface),
      clauses: outcomes,
      checks,
      observations: this.#observations
        .map(({ type: _, ...seen }) => seen)
        .sort((a, b) => place(a.check) - place(b.check)),
      ledger: ledgerOf(this.#ledger),
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
        ...unknownClauses(checks, this.#clauses),
        ...(footer?.notices ?? []),
      ],
      timings: footer?.timings ?? {},
      slowest: this.#slowest,
      ...optional('baseline', header.baseline && { file: header.baseline.file, findings }),
      ...optional('failOn', header.failOn),
    };
  }

  /** The checks with what other checks and the baseline say about them. */
  #judged(header: RunHeader) {
    const ofParty = this.#clauses.filter(({ party }) => party === header.party);
    const based = withBrokenBases([...this.#found.values()], basesOf(ofParty));
    const byId = new Map(based.map((result) => [result.id, result]));
    const { checks: ended, notices } = checksOf(header, this.#footer, byId);
    const judged = withCauses(withEvidence(ended, levelsOf(ofParty)));
    const findings = baselineOutcome(header.baseline?.findings ?? [], judged, {
      day: header.startedAt.slice(0, 10),
      isPartial: header.onlyPattern !== undefined,
    });
    const excused = excusedChecks(findings, judged);
    const checks = judged
      .map((check) => (excused.has(check.id) ? withKnown(check, findings) : check))
      .map((check) => withConfirmation(check, this.#confirmations.get(check.id)));
    return { checks, findings, notices };
  }
}

/** What the outcome of a run that ended follows from. */
function factsOf(
  { failOn }: RunHeader,
  { interrupted, allowInconclusive = false, errors = [] }: RunFooter,
  { checks, outcomes, findings }: Judged,
): Parameters<typeof outcomeOf>[0] {
  return {
    checks: checks.map((check) => check.verdict),
    mustClauses: outcomes.filter((clause) => clause.level === 'MUST').map((clause) => clause.verdict),
    interrupted: interrupted !== undefined,
    allowInconclusive,
    harnessFailed: errors.length > 0,
    excused: checks.filter(({ known }) => known !== undefined).map(({ verdict }) => verdict),
    baselineOutdated: findings.some(({ status }) => status === 'stale' || status === 'expired'),
    failOnWarn: failOn === 'warn',
  };
}

interface Judged {
  readonly checks: readonly CheckOutcome[];
  readonly outcomes: readonly ClauseOutcome[];
  readonly findings: ReturnType<typeof baselineOutcome>;
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
