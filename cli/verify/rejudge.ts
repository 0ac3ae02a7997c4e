/** Judges the exchanges of a package again with the traffic rules and compares its verdicts with the result. */
import type { ClauseParty } from '../../contracts/clauses/clause-row.ts';
import type { CheckResult, Exchange } from '../../contracts/run/events.ts';
import {
  canPass,
  decidedClauses,
  inStartOrder,
  type NoteKind,
  TrafficFold,
  type TrafficVerdicts,
} from '../../contracts/traffic/index.ts';
import { type OpenPackage, PackageError } from '../../harness/evidence/package/read.ts';
import { showsForCertain } from './clocks.ts';
import { type Contents, exchangesOf } from './contents.ts';
import { isLabelClause, requiresRefusal, showsBroken, showsClauseKept, wasServed } from './single-exchange.ts';

export interface Rejudged {
  readonly verdicts: TrafficVerdicts;
  /** Passed clauses that can't be judged again without the keys. */
  readonly withoutKeys: readonly string[];
  /** Checks whose verdict one of their exchanges confirms. */
  readonly supported: number;
  /** Checks whose verdict no single exchange can confirm: they compare responses or inspect pages. */
  readonly asNamed: number;
}

/** Verdicts of which an exchange may say that they conceal something. */
const NOTHING_FOUND: ReadonlySet<string> = new Set(['pass', 'not-applicable']);

/** Verdicts about the target itself. */
const DECIDED: ReadonlySet<string> = new Set(['pass', 'fail', 'warn']);

/** Clauses about signatures and hashes. */
const SIGNATURES =
  /^(?:labels\.request\.signature-correct|provider\.callback\.(?:signature|tracking-signed)|install\.hash\..*-correct|settings\.request\.hash-correct)$/;

/**
 * Clauses that a single exchange decides, so a fail whose decisive exchange keeps the clause is refused. Other clauses compare an exchange
 * with things that are not in the traffic.
 */
const BY_ONE_EXCHANGE =
  /^(?:envelope\.(?!.*(?:unknown-path|malformed-input|bad-input|changes-nothing))|delivery\.lists\.page-size|provider\.callback\.(?:by-get|signed|label-url)|app\.calls\.|provider\.calls\.(?:authorization-header|known-operations|wrapped-bodies|field-types|country-codes|name-not-sent))/;

/** Clauses about every exchange of their kind, so "not applicable" means that none was sent. */
const MET_WITH =
  /^(?:provider\.callback\.(?!error-)|provider\.calls\.(?:.*portion|list-sent|ids-unique)|app\.(?:calls|leaks)\.)/;

/** Throws a `PackageError` for a verdict that the exchanges do not support. */
export async function rejudge(
  opened: OpenPackage,
  { checks, header }: Contents,
  keys: Readonly<Record<string, string>>,
): Promise<Rejudged> {
  const notes = new Map<string, Map<number, Set<NoteKind>>>();
  const fold = new TrafficFold({
    party: header.party,
    keys,
    headersComplete: true,
    complete: true,
    onNote(kind, clause, n) {
      const ofClause = notes.get(clause) ?? new Map<number, Set<NoteKind>>();
      ofClause.set(n, (ofClause.get(n) ?? new Set()).add(kind));
      notes.set(clause, ofClause);
    },
  });
  const single = singleJudge(checks);
  const order = inStartOrder((exchange) => {
    fold.add(exchange);
    single.look(exchange);
  });
  for await (const exchange of exchangesOf(opened)) order.add(exchange);
  order.end();
  const verdicts = fold.done();
  const supported = new Set(single.done());
  const decided = new Set(decidedClauses(header.party));
  if (header.command === 'run') judgePassesWithoutExchanges(checks);
  // What is broken shows in the calls of other checks as well, which pass or do not apply: where it is reported, nothing is concealed.
  const isBroken = checks.some(({ level, verdict }) => level === 'MUST' && verdict === 'fail');
  const found = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const warned = new Set(found.flatMap(({ clauses }) => clauses));
  const reported = new Set(found.flatMap(({ exchanges }) => exchanges));
  for (const check of checks) {
    for (const clause of check.clauses) {
      if (!decided.has(clause) || (NOTHING_FOUND.has(check.verdict) && (isBroken || warned.has(clause)))) continue;
      const facts = { shows: showsBy(header.party, check, clause), reported };
      const breach = check.verdict === 'pass' ? breachIn(check, reported, notes.get(clause)) : undefined;
      if (breach !== undefined) {
        const traffic = { party: header.party, keys, exchanges: exchangesOf(opened) };
        if (await showsForCertain({ check: check.id, clause, n: breach }, traffic))
          throw unsupported(check.id, breach, clause);
      } else if (judgeCheck(check, clause, facts, notes.get(clause))) supported.add(check.id);
    }
  }
  const passed = new Set(checks.filter(({ verdict }) => verdict === 'pass').flatMap(({ clauses }) => clauses));
  const withoutKeys = [...passed].filter((clause) => {
    const verdict = verdicts.clauses.get(clause)?.verdict;
    return SIGNATURES.test(clause) && (verdict === undefined || verdict === 'inconclusive');
  });
  const named = checks.filter(({ verdict }) => DECIDED.has(verdict));
  return { verdicts, withoutKeys, supported: supported.size, asNamed: named.length - supported.size };
}

/** A service that was never called can't pass. An integrator can, since its manifest alone shows something. */
function judgePassesWithoutExchanges(checks: readonly CheckResult[]): void {
  const empty = checks.find(({ verdict, exchanges }) => verdict === 'pass' && exchanges.length === 0);
  if (empty !== undefined) throw new PackageError(`claims a pass of ${empty.id} without an exchange that shows it`);
}

/**
 * Whether a pass of a clause has to name an exchange that shows it. A manifest needs no traffic, and neither does advice that was never
 * needed.
 */
export const showsBy = (
  party: ClauseParty,
  { level, clauses }: Pick<CheckResult, 'level' | 'clauses'>,
  clause: string,
): boolean => canPass(party, clause) && level === 'MUST' && clauses.length === 1 && !clause.endsWith('.https');

/** The exchange of a passed check that breaks its clause, as far as no finding rests on it. */
const breachIn = (
  { exchanges }: CheckResult,
  reported: ReadonlySet<number>,
  notes: ReadonlyMap<number, ReadonlySet<NoteKind>> | undefined,
): number | undefined => exchanges.find((n) => notes?.get(n)?.has('breaks') === true && !reported.has(n));

/** Throws for a verdict that its exchanges contradict; true if one of them confirms it. */
function judgeCheck(
  { id, verdict, exchanges, decisive, clauses }: CheckResult,
  clause: string,
  { shows, reported }: { readonly shows: boolean; readonly reported: ReadonlySet<number> },
  notes: ReadonlyMap<number, ReadonlySet<NoteKind>> | undefined,
): boolean {
  const broken = exchanges.find((n) => notes?.get(n)?.has('breaks') === true);
  if (verdict === 'not-applicable' && MET_WITH.test(clause)) {
    const [met] = [...(notes ?? [])].find(([n, said]) => said.has('breaks') && !reported.has(n)) ?? [];
    if (met !== undefined)
      throw new PackageError(`calls ${id} not applicable, but exchange ${met} breaks the clause ${clause}`);
  }
  if (verdict === 'pass' && exchanges.length === 0 && shows) {
    throw new PackageError(`claims a pass of ${id} (${clause}) without an exchange that shows it`);
  }
  if (verdict === 'pass') return exchanges.some((n) => notes?.get(n)?.has('keeps') === true);
  if (verdict !== 'fail' && verdict !== 'warn') return false;
  const said = decisive === undefined ? undefined : notes?.get(decisive);
  const isContradicted = broken === undefined && said?.has('keeps') === true && !said.has('advises');
  if (clauses.length === 1 && decisive !== undefined && isContradicted && BY_ONE_EXCHANGE.test(clause))
    throw contradicted(verdict, id, decisive, clause);
  return broken !== undefined;
}

const unsupported = (id: string, n: number, clause: string): PackageError =>
  new PackageError(
    `claims a pass of ${id} that its exchanges do not support: exchange ${n} breaks the clause ${clause}`,
  );

const contradicted = (verdict: string, id: string, n: number, clause: string): PackageError =>
  new PackageError(
    `claims a ${verdict} of ${id} that its exchanges do not support: exchange ${n} keeps the clause ${clause}`,
  );

/** Whether a check passes by refusals. One in addition to those of its clause judges something else, such as what a call leaves. */
const mustRefuse = ({ level, additional, clauses }: CheckResult): boolean =>
  level === 'MUST' && additional !== true && clauses.some(requiresRefusal);

/** Compares each exchange with the verdicts that refer to it. */
function singleJudge(checks: readonly CheckResult[]) {
  const ofExchange = new Map<number, CheckResult[]>();
  const add = (n: number, check: CheckResult): void => {
    ofExchange.set(n, [...(ofExchange.get(n) ?? []), check]);
  };
  for (const check of checks) {
    const { verdict, decisive, clauses, exchanges } = check;
    if (verdict === 'fail' && decisive !== undefined && clauses.length === 1) add(decisive, check);
    const isRefusal = mustRefuse(check);
    if (verdict === 'pass' && (isRefusal || clauses.some(isLabelClause))) for (const n of exchanges) add(n, check);
  }
  const roles = new Map<CheckResult, { control: boolean; probe: boolean }>();
  return {
    look(exchange: Exchange): void {
      for (const check of ofExchange.get(exchange.n) ?? []) {
        const [clause = ''] = check.clauses;
        if (check.verdict === 'fail') {
          if (showsClauseKept(clause, exchange)) throw contradicted('fail', check.id, exchange.n, clause);
          continue;
        }
        if (showsBroken(clause, exchange)) throw unsupported(check.id, exchange.n, clause);
        if (!mustRefuse(check)) continue;
        const served = wasServed(exchange);
        const seen = roles.get(check) ?? { control: false, probe: false };
        roles.set(check, seen);
        if (exchange.role === 'probe' && served === true) {
          throw new PackageError(
            `claims a pass of ${check.id} that its exchanges do not support: exchange ${exchange.n} should have been refused and was served`,
          );
        }
        seen.probe ||= exchange.role === 'probe' && served === false;
        seen.control ||= exchange.role === 'control' && served !== false;
      }
    },
    /** Ids of the checks whose refused probe and accepted control are both in the package. */
    done(): string[] {
      return checks.flatMap((check) => {
        if (check.verdict !== 'pass' || !mustRefuse(check)) return [];
        const seen = roles.get(check);
        if (seen?.probe === true && seen.control) return [check.id];
        throw new PackageError(`claims a pass of ${check.id} without a refused call and its accepted control request`);
      });
    },
  };
}
