/** Kill rates by operator and by location, as a table and a chart. */
import { Classification, type SurvivorClass } from './classification.ts';
import { MUTANTS, type Mutant } from './mutant.ts';
import type { Outcome } from './running/run.ts';

export interface Rate {
  readonly name: string;
  readonly mutants: number;
  readonly killed: number;
  readonly warned: number;
  readonly open: number;
  readonly unreachable: number;
  readonly missed: number;
}

type Ending = 'killed' | 'warned' | SurvivorClass;

function endingOf(outcome: Outcome, classification: Classification): Ending {
  if (outcome.end === 'killed') return 'killed';
  if (outcome.end === 'warned') return 'warned';
  return classification.rowOf(outcome)?.class ?? 'missed';
}

const locationOf = ({ operation: { iface, id, effect }, field }: Mutant): string => {
  if (field !== undefined) return `${iface}: fields ${effect === 'read' || effect === 'list' ? 'shown' : 'stored'}`;
  return id;
};

/** Rates by operator group, by location, and by condition. */
export function ratesOf(outcomes: readonly Outcome[], classification = new Classification()): Record<string, Rate[]> {
  const byId = new Map(MUTANTS.map((mutant) => [mutant.id, mutant]));
  const rows = outcomes.flatMap((outcome) => {
    const mutant = byId.get(outcome.id);
    return mutant === undefined ? [] : [{ mutant, ending: endingOf(outcome, classification) }];
  });
  const by = (nameOf: (mutant: Mutant) => string): Rate[] =>
    [...Map.groupBy(rows, ({ mutant }) => nameOf(mutant))].map(([name, group]) => {
      const count = (ending: Ending): number => group.filter((one) => one.ending === ending).length;
      return {
        name,
        mutants: group.length,
        killed: count('killed'),
        warned: count('warned'),
        open: count('open'),
        unreachable: count('unreachable'),
        missed: count('missed'),
      };
    });
  return {
    operator: by(({ operator }) => operator.group),
    location: by(locationOf),
    condition: by(({ condition }) => condition?.group ?? 'every call'),
  };
}

/** The share of detectable mutants that a run finds. */
export const killRate = ({ killed, missed }: Rate): number => (killed + missed === 0 ? 1 : killed / (killed + missed));

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;

export function markdownOf(rates: Record<string, Rate[]>): string {
  return Object.entries(rates)
    .map(([title, rows]) => {
      const lines = rows.map((rate) => {
        const { name, mutants, killed, warned, open, unreachable, missed } = rate;
        return `| ${name} | ${mutants} | ${killed} | ${warned} | ${open} | ${unreachable} | ${missed} | ${percent(killRate(rate))} |`;
      });
      return [
        `| ${title} | mutants | killed | warned | open | unreachable | missed | killed of what a run can find |`,
        '|---|---|---|---|---|---|---|---|',
        ...lines,
      ].join('\n');
    })
    .join('\n\n');
}

const ROW_PX = 22;
const LABEL_PX = 330;
const BAR_PX = 480;
const COLOURS: readonly (readonly [keyof Rate, string])[] = [
  ['killed', '#2f7d4f'],
  ['warned', '#d9a514'],
  ['open', '#9db4c9'],
  ['unreachable', '#c9c9c9'],
  ['missed', '#c0392b'],
];

/** One bar per row; its parts are the shares of the outcomes. */
export function plotOf(rates: Record<string, Rate[]>): string {
  const rows = Object.entries(rates).flatMap(([title, list]) => [title, ...list]);
  const height = (rows.length + 2) * ROW_PX;
  const legend = COLOURS.map(
    ([name, colour], at) =>
      `<rect x="${LABEL_PX + at * 96}" y="5" width="12" height="12" fill="${colour}"/><text x="${LABEL_PX + 16 + at * 96}" y="15">${name}</text>`,
  );
  const bars = rows.map((row, at) => {
    const y = (at + 1) * ROW_PX;
    if (typeof row === 'string') return `<text x="4" y="${y + 15}" font-weight="bold">by ${row}</text>`;
    let x = LABEL_PX;
    const parts = COLOURS.map(([name, colour]) => {
      const width = (Number(row[name]) / row.mutants) * BAR_PX;
      const part = `<rect x="${x.toFixed(1)}" y="${y + 3}" width="${width.toFixed(1)}" height="16" fill="${colour}"/>`;
      x += width;
      return part;
    });
    return `<text x="4" y="${y + 15}">${escaped(row.name)} (${row.mutants})</text>${parts.join('')}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LABEL_PX + BAR_PX + 10}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<title>Kill rates of mutants by operator, location and condition</title>',
    '<rect width="100%" height="100%" fill="white"/>',
    ...legend,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const BEGIN = '<!-- mutants: begin -->';
const END = '<!-- mutants: end -->';

/** The page with the tables between its two marks replaced. Throws when the marks are missing. */
export function published(page: string, rates: Record<string, Rate[]>): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error(`The page has no "${BEGIN}" and "${END}": put them where the tables belong.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${markdownOf(rates)}\n\n${page.slice(end)}`;
}
