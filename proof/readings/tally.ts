/** Counts over many services: alarms and undecided checks by row, as the lines that a run of services prints. */
import type { Judgement } from './judge.ts';
import { type Choice, nameOf, nameOfChoice, type Reading } from './reading.ts';

export interface CheckSummary {
  readonly choice: Choice;
  readonly judgement: Judgement;
}

interface Line {
  readonly row: string;
  readonly answers: number;
  readonly services: number;
  readonly alarms: number;
  /** Undecided checks that no answer of their service forces. */
  readonly undecided: number;
  /** Different checks that the row's own answers force to stay undecided. */
  readonly forced: number;
}

/** One line for each row: its services, alarms, and undecided checks. */
export function linesOf(readings: readonly Reading[], judged: readonly CheckSummary[]): Line[] {
  return readings.map((reading) => {
    const own = judged.filter(({ choice }) => choice.has(reading));
    const problems = own.flatMap(({ judgement }) => judgement.problems);
    const names = new Set(reading.answers.map((answer) => nameOf(reading, answer)));
    const forced = own.flatMap(({ judgement }) => judgement.forced);
    return {
      row: reading.id,
      answers: reading.answers.length + 1,
      services: own.length,
      alarms: problems.filter(({ kind }) => kind !== 'undecided').length,
      undecided: problems.filter(({ kind }) => kind === 'undecided').length,
      forced: new Set(forced.filter(({ answers }) => answers.some((one) => names.has(one))).map(({ check }) => check))
        .size,
    };
  });
}

/** The problems of all services as sentences, with the answers that repeat them. */
export const problemsIn = (judged: readonly CheckSummary[]): string[] =>
  judged.flatMap(({ choice, judgement }) =>
    judgement.problems.map(({ kind, check, message }) => `${nameOfChoice(choice)}: ${check} ${kind}: ${message}`),
  );

/** The table by row, with a line of sums above. */
export function markdownOf(readings: readonly Reading[], judged: readonly CheckSummary[]): string {
  const lines = linesOf(readings, judged).filter(({ services }) => services > 0);
  const count = (wanted: (choice: Choice) => boolean): number => judged.filter(({ choice }) => wanted(choice)).length;
  const problems = judged.flatMap(({ judgement }) => judgement.problems);
  const alarms = problems.filter(({ kind }) => kind !== 'undecided').length;
  const alone = count(({ size }) => size === 1);
  const answers = readings.flatMap((reading) => reading.answers);
  const forcing = answers.filter(({ undecides }) => undecides !== undefined).length;
  const open = answers.filter((answer) => answer.open !== undefined).length;
  return [
    `${readings.length} rows with ${answers.length} answers besides those of the embedded service. ${forcing} answers leave checks ` +
      `undecided for a stated reason; ${open} ${open === 1 ? 'waits' : 'wait'} for a better check.`,
    '',
    `${judged.length} services (${alone} with one answer, ${judged.length - alone} with several): ${alarms} alarms, ` +
      `${problems.length - alarms} checks undecided without a reason.`,
    '',
    '| row | answers | services | alarms | undecided without a reason | checks undecided with one |',
    '|---|---|---|---|---|---|',
    ...lines.map(
      ({ row, answers, services, alarms, undecided, forced }) =>
        `| ${row} | ${answers} | ${services} | ${alarms} | ${undecided} | ${forced} |`,
    ),
  ].join('\n');
}

const MARKS = ['<!-- readings: begin -->', '<!-- readings: end -->'] as const;

/** A page with the table between its two marks. Throws an Error for a page that does not have them. */
export function published(page: string, table: string): string {
  const [begin, end] = MARKS.map((mark) => page.indexOf(mark)) as [number, number];
  if (begin === -1 || end < begin) throw new Error(`The page does not hold ${MARKS.join(' and then ')}.`);
  return `${page.slice(0, begin)}${MARKS[0]}\n\n${table}\n\n${page.slice(end)}`;
}
