/** Runs of one target over time: the counts of each, and since when each check has been failing. Pure. */
import type { Results } from '../results/index.ts';
import { count, oneLine } from '../words/text.ts';

export interface TrendRow {
  readonly run: string;
  readonly startedAt: string;
  readonly outcome: Results['outcome'];
  readonly pass: number;
  readonly fail: number;
  readonly warn: number;
  readonly inconclusive: number;
  /** The run had a selection, so that its counts are smaller for that. */
  readonly isPartial: boolean;
}

export interface Trend {
  readonly target: string;
  /** Oldest first. */
  readonly runs: readonly TrendRow[];
  /** Checks that fail in the last run that judged them, with the run since which they do. */
  readonly failing: ReadonlyArray<{ readonly id: string; readonly since: string; readonly runs: number }>;
}

/** The runs of the target of `current` among `history`, with `current` itself once. */
export function trendOf(current: Results, history: readonly Results[]): Trend {
  const byRun = new Map([...history, current].map((results) => [results.run, results]));
  const runs = [...byRun.values()]
    .filter(({ target, command }) => target.name === current.target.name && command === current.command)
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const failing = new Map<string, { id: string; since: string; runs: number }>();
  for (const { checks, startedAt } of runs)
    for (const { id, verdict } of checks) {
      const known = failing.get(id);
      if (verdict === 'fail') failing.set(id, { id, since: known?.since ?? startedAt, runs: (known?.runs ?? 0) + 1 });
      // What was not decided says nothing about the failure before it.
      else if (verdict !== 'inconclusive' && verdict !== 'error') failing.delete(id);
    }
  return {
    target: current.target.name,
    runs: runs.map(({ run, startedAt, outcome, counts, onlyPattern }) => ({
      run,
      startedAt,
      outcome,
      pass: counts.pass,
      fail: counts.fail,
      warn: counts.warn,
      inconclusive: counts.inconclusive,
      isPartial: onlyPattern !== undefined,
    })),
    failing: [...failing.values()].sort((a, b) => (a.since < b.since ? -1 : 1)),
  };
}

const HEADS = ['started', 'passed', 'failed', 'warned', 'inconclusive', 'outcome'] as const;
const cellsOf = ({ startedAt, pass, fail, warn, inconclusive, outcome, isPartial }: TrendRow): string[] => [
  startedAt.slice(0, 16).replace('T', ' '),
  ...[pass, fail, warn, inconclusive].map(String),
  `${outcome}${isPartial ? ' (a selection)' : ''}`,
];

/** For a terminal. */
export function renderTrend({ target, runs, failing }: Trend): string {
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(16) : at < 5 ? cell.padStart(14) : `  ${cell}`)).join('');
  const since = failing.map(
    ({ id, since: day, runs: many }) => `  ${oneLine(id)}: since ${day.slice(0, 10)}, in ${count(many, 'run')}`,
  );
  return [
    `${oneLine(target)}: ${count(runs.length, 'run')}`,
    line(HEADS),
    ...runs.map((row) => line(cellsOf(row))),
    ...(since.length === 0 ? [] : ['', 'Failing:', ...since]),
    '',
  ].join('\n');
}

/** For a page. */
export function renderTrendMarkdown({ runs, failing }: Trend): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const since = failing.map(
    ({ id, since: day, runs: many }) => `- \`${id}\`: since ${day.slice(0, 10)}, in ${count(many, 'run')}`,
  );
  return [
    '## Trend',
    '',
    line(HEADS),
    line(HEADS.map(() => '---')),
    ...runs.map((row) => line(cellsOf(row))),
    ...(since.length === 0 ? [] : ['', '### Failing', '', ...since]),
    '',
  ].join('\n');
}
