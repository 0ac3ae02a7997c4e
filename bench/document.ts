/** Results of a benchmark as Markdown, and the part of docs/speed.md that holds them. */
import type { Figure, Measurement } from './measure.ts';

export interface MeasureResult extends Measurement {
  readonly id: string;
  readonly title: string;
  readonly goal?: string;
  /** Why it could not be measured here. */
  readonly failure?: string;
}

export interface BenchResults {
  readonly at: string;
  readonly machine: string;
  readonly proofmark: string;
  readonly measures: readonly MeasureResult[];
}

export const BEGIN = '<!-- bench: written by npm run bench -->';
export const END = '<!-- /bench -->';

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(value >= 10 ? 3 : 2)).toString();

function row({ what, value, unit, range, ratio }: Figure): string {
  const spread = range === undefined ? '' : `${number(range[0])} to ${number(range[1])}`;
  return `| ${what} | ${number(value)} ${unit} | ${spread} | ${ratio === undefined ? '' : `x ${number(ratio)}`} |`;
}

const verdictOf = ({ isMet }: MeasureResult): string =>
  isMet === undefined ? 'not measured' : isMet ? 'met' : '**not met**';

/** One row for each goal, so that a reader sees at once which are met. */
function goalsOf(measures: readonly MeasureResult[]): string {
  const rows = measures
    .filter(({ goal }) => goal !== undefined)
    .map((measure) => `| ${measure.title} | ${measure.goal} | ${verdictOf(measure)} |`);
  return ['| what | goal | |', '|---|---|---|', ...rows].join('\n');
}

export function markdownOf({ at, machine, proofmark, measures }: BenchResults): string {
  const parts = measures.map(({ id, title, goal, figures, isMet, note, plot, failure }) => {
    const verdict = isMet === undefined ? '' : isMet ? ' Met.' : ' **Not met.**';
    return [
      `### ${title}`,
      goal === undefined ? '' : `Goal: ${goal}.${verdict}`,
      failure === undefined ? '' : `Not measured: ${failure}`,
      figures.length === 0
        ? ''
        : ['| what | median | range | ratio |', '|---|---|---|---|', ...figures.map(row)].join('\n'),
      note ?? '',
      plot === undefined ? '' : `![${title}](images/bench-${id}.svg)`,
    ]
      .filter((text) => text !== '')
      .join('\n\n');
  });
  return [
    `Measured with Proofmark ${proofmark} on ${at.slice(0, 10)}, ${machine}. \`npm run bench\` repeats it; \`bench/results.json\` has the figures.`,
    goalsOf(measures),
    ...parts,
  ].join('\n\n');
}

/** The page with its measured part replaced. Throws where the marks are missing. */
export function withResults(page: string, results: BenchResults): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error('docs/speed.md has lost the marks between which results are written.');
  return `${page.slice(0, from + BEGIN.length)}\n\n${markdownOf(results)}\n\n${page.slice(to)}`;
}
