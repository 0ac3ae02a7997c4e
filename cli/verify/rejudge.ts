/** Judges the exchanges of a package anew, by the rules over traffic, and holds its verdicts against what they show. */
import type { CheckResult } from '../../contracts/events.ts';
import {
  canPass,
  decidedClauses,
  inStartOrder,
  type NoteKind,
  type TrafficVerdicts,
  trafficFold,
} from '../../contracts/traffic/index.ts';
import { type OpenPackage, PackageError } from '../../harness/package/read.ts';
import { type Contents, exchangesOf } from './contents.ts';

export interface Rejudged {
  readonly verdicts: TrafficVerdicts;
  /** Clauses that were passed and can't be judged again without the keys. */
  readonly withoutKeys: readonly string[];
}

/** Clauses about signatures and hashes. */
const SIGNATURES =
  /^(?:labels\.(?:request|page)\.(?:callback-)?(?:signature-correct|tracking-signed)|install\.hash\..*-correct|settings\.request\.hash-correct)$/;

/**
 * Clauses of which one exchange alone decides, so that a fail which rests on a good one is none. The others weigh an exchange
 * against things that are not in the traffic.
 */
const BY_ONE_EXCHANGE =
  /^(?:envelope\.(?!.*(?:unknown-path|malformed-input|bad-input))|status\..*(?:success-is-200|failure-is-4xx)|lists\.page-size|labels\.page\.callback-(?:by-get|signed|label-url)|apps\.calls\.(?!key|secret)|delivery\.calls\.(?!point-ids)|payload\.)/;

/** Throws a `PackageError` for a verdict that the exchanges do not support. */
export async function rejudge(
  opened: OpenPackage,
  { checks, header }: Contents,
  keys: Readonly<Record<string, string>>,
): Promise<Rejudged> {
  const notes = new Map<string, Map<number, Set<NoteKind>>>();
  const fold = trafficFold({
    party: header.party,
    keys,
    headersComplete: true,
    complete: true,
    told(kind, clause, n) {
      const ofClause = notes.get(clause) ?? new Map<number, Set<NoteKind>>();
      ofClause.set(n, (ofClause.get(n) ?? new Set()).add(kind));
      notes.set(clause, ofClause);
    },
  });
  for await (const exchange of inStartOrder(exchangesOf(opened))) fold.add(exchange);
  const verdicts = fold.done();
  const decided = new Set(decidedClauses(header.party));
  for (const check of checks) {
    for (const clause of check.clauses)
      if (decided.has(clause)) judgeCheck(check, clause, canPass(header.party, clause), notes.get(clause));
  }
  const passed = new Set(checks.filter(({ verdict }) => verdict === 'pass').flatMap(({ clauses }) => clauses));
  const withoutKeys = [...passed].filter((clause) => {
    const verdict = verdicts.clauses.get(clause)?.verdict;
    return SIGNATURES.test(clause) && (verdict === undefined || verdict === 'inconclusive');
  });
  return { verdicts, withoutKeys };
}

function judgeCheck(
  { id, level, verdict, exchanges, decisive, clauses }: CheckResult,
  clause: string,
  shows: boolean,
  notes: ReadonlyMap<number, ReadonlySet<NoteKind>> | undefined,
): void {
  const broken = exchanges.find((n) => notes?.get(n)?.has('breaks') === true);
  if (verdict === 'pass' && broken !== undefined) {
    throw new PackageError(
      `names a pass of ${id} that its exchanges do not support: exchange ${broken} breaks the clause ${clause}`,
    );
  }
  // What a manifest shows needs no traffic, nor does advice that nothing gave rise to.
  const needsTraffic = shows && level === 'MUST' && clauses.length === 1 && !clause.endsWith('.https');
  if (verdict === 'pass' && exchanges.length === 0 && needsTraffic) {
    throw new PackageError(`names a pass of ${id} (${clause}) without an exchange that shows it`);
  }
  const isFault = verdict === 'fail' || verdict === 'warn';
  if (!isFault || clauses.length > 1 || decisive === undefined || !BY_ONE_EXCHANGE.test(clause)) return;
  const said = notes?.get(decisive);
  if (broken === undefined && said?.has('keeps') === true && !said.has('advises')) {
    throw new PackageError(
      `names a ${verdict} of ${id} that its exchanges do not support: exchange ${decisive} keeps the clause ${clause}`,
    );
  }
}
