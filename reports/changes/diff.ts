/** What changed between two runs: verdicts of checks and clauses, the outcome, what was observed. Pure. */
import { type ClauseVerdict, type Outcome, VERDICTS, type Verdict } from '../../contracts/run/verdicts.ts';
import type { Results } from '../results/index.ts';
import { VERDICT_WORDS } from '../words/summary.ts';
import { clip, compact, count, oneLine } from '../words/text.ts';

/** `changed`: neither better nor worse, such as from passed to not applicable. */
export type Direction = 'worse' | 'better' | 'changed';

export interface VerdictChange {
  readonly id: string;
  readonly text: string;
  /** `null`: not in the first run. */
  readonly from: ClauseVerdict | null;
  /** `null`: not in the second run. */
  readonly to: ClauseVerdict | null;
  readonly direction: Direction;
}

export interface ResultsDiff {
  readonly outcome: { readonly from: Outcome; readonly to: Outcome };
  readonly checks: readonly VerdictChange[];
  readonly clauses: readonly VerdictChange[];
  readonly observations: ReadonlyArray<{
    readonly id: string;
    readonly question: string;
    readonly from: unknown;
    readonly to: unknown;
  }>;
  /** Something is worse in the second run than in the first. */
  readonly worse: boolean;
}

/** Verdicts that require action, worst first. */
const TROUBLE: ReadonlySet<ClauseVerdict> = new Set(['fail', 'error', 'inconclusive', 'warn']);

/** Compares run `a` with the later run `b`. */
export function diffResults(a: Results, b: Results): ResultsDiff {
  const checks = changes(a.checks, b.checks, (check) => check.title);
  const clauses = changes(a.clauses, b.clauses, (clause) => clause.text);
  const before = new Map(a.observations.map((seen) => [`${seen.id} ${seen.check}`, seen]));
  const observations = b.observations.flatMap((seen) => {
    const old = before.get(`${seen.id} ${seen.check}`);
    if (old === undefined || compact(old.seen) === compact(seen.seen)) return [];
    return { id: seen.id, question: seen.question, from: old.seen, to: seen.seen };
  });
  const worse = [...checks, ...clauses].some((change) => change.direction === 'worse');
  return { outcome: { from: a.outcome, to: b.outcome }, checks, clauses, observations, worse };
}

function changes<T extends { readonly id: string; readonly verdict: ClauseVerdict }>(
  before: readonly T[],
  after: readonly T[],
  textOf: (item: T) => string,
): VerdictChange[] {
  const old = new Map(before.map((item) => [item.id, item]));
  const now = new Map(after.map((item) => [item.id, item]));
  const items = [...after, ...before.filter((item) => !now.has(item.id))];
  const found = items.flatMap((item): VerdictChange[] => {
    const from = old.get(item.id)?.verdict ?? null;
    const to = now.get(item.id)?.verdict ?? null;
    if (from === to) return [];
    return [{ id: item.id, text: textOf(item), from, to, direction: directionOf(from, to) }];
  });
  const order: readonly Direction[] = ['worse', 'better', 'changed'];
  return found.sort((x, y) => order.indexOf(x.direction) - order.indexOf(y.direction));
}

function directionOf(from: ClauseVerdict | null, to: ClauseVerdict | null): Direction {
  const weight = (verdict: ClauseVerdict | null): number =>
    verdict !== null && TROUBLE.has(verdict) ? VERDICTS.length - VERDICTS.indexOf(verdict as Verdict) : 0;
  if (weight(to) > weight(from)) return 'worse';
  // From trouble to a pass is better; from trouble to "not applicable", or out of the run, proves nothing.
  if (weight(to) < weight(from) && (to === 'pass' || to === 'observed' || weight(to) > 0)) return 'better';
  return 'changed';
}

/** The differences for a terminal; one sentence if nothing differs. */
export function renderDiff(diff: ResultsDiff): string {
  const lines: string[] = [];
  if (diff.outcome.from !== diff.outcome.to) lines.push(`Outcome: ${diff.outcome.from} -> ${diff.outcome.to}`, '');
  lines.push(...block('Checks', diff.checks), ...block('Clauses', diff.clauses));
  if (diff.observations.length > 0) {
    lines.push(`Observations: ${diff.observations.length} changed`);
    for (const { id, from, to } of diff.observations) {
      lines.push(`    ${oneLine(id)}: ${clip(compact(from), 120)} -> ${clip(compact(to), 120)}`);
    }
    lines.push('');
  }
  if (lines.length === 0) lines.push('No verdict and no observation changed.', '');
  return lines.join('\n');
}

const SIGNS: Readonly<Record<Direction, string>> = { worse: '-', better: '+', changed: '~' };

function block(title: string, found: readonly VerdictChange[]): string[] {
  if (found.length === 0) return [];
  const of = (direction: Direction): number => found.filter((change) => change.direction === direction).length;
  const word = (verdict: ClauseVerdict | null): string => (verdict === null ? 'not there' : VERDICT_WORDS[verdict]);
  return [
    `${title}: ${count(of('worse'), 'verdict')} worse, ${of('better')} better, ${of('changed')} otherwise changed`,
    ...found.map(
      ({ id, text, from, to, direction }) =>
        `  ${SIGNS[direction]} ${word(from)} -> ${word(to)}  ${oneLine(id)}  ${oneLine(clip(text, 120))}`,
    ),
    '',
  ];
}
