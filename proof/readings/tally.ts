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
