/**
 * What the contract leaves open, as data: a row for each silence, with every plausible answer. A service is one choice of an
 * answer for each row, applied to the embedded service. It keeps the contract, so that no check may blame it.
 */
import { UsageError } from '../../harness/process/usage-error.ts';
import type { Deviation } from '../../mock/types/deviation.ts';

/** Checks that stay undecided under an answer, and why no better check could decide them. */
export interface Undecided {
  /** Globs of check ids: `delivery.batch.*`. */
  readonly checks: readonly string[];
  /** One sentence. */
  readonly because: string;
}

/** One way to read a silence. */
export interface ReadingAnswer extends Pick<Deviation, 'rules' | 'http' | 'fixtures'> {
  /** Unique within its row: `at-most-3`. */
  readonly id: string;
  /** One sentence: what such a service does. */
  readonly about: string;
  /** Checks that cannot be decided on such a service. */
  readonly undecides?: readonly Undecided[];
  /** The domain in the profile, where an answer is about how such a name is written. */
  readonly domain?: string;
  /** The website in the profile, where an answer is about the numbers of websites: from the number that the service has inside. */
  readonly website?: (id: number) => string;
  /** Open work: checks that raise a false alarm or leave undecided what they could decide. The answer is not drawn until it is done. */
  readonly open?: string;
  /** Answers of other rows that contradict this one: `row/answer`, or a whole row. */
  readonly without?: readonly string[];
}

/** One silence. The embedded service's own answer is always one more of its answers. */
export interface Reading {
  /** A path of meaning: `lists.order`. */
  readonly id: string;
  /** Section of the contract. */
  readonly section: string;
  /** What the contract does not say, in our own words. */
  readonly silence: string;
  readonly answers: readonly ReadingAnswer[];
}

/** The answers of a service by row; for other rows it behaves like the embedded service. */
export type Choice = ReadonlyMap<Reading, ReadingAnswer>;

/** The name of an answer: `lists.order/by-title`. */
export const nameOf = (reading: Reading, answer: ReadingAnswer): string => `${reading.id}/${answer.id}`;

/** The name of a choice: its answers, joined by plus signs; `usual` without answers. */
export const nameOfChoice = (choice: Choice): string =>
  [...choice].map(([reading, answer]) => nameOf(reading, answer)).join('+') || 'usual';

/** Whether one of its answers has open work. */
export const isOpen = (choice: Choice): boolean => [...choice.values()].some(({ open }) => open !== undefined);

/** The choice with this name. Throws a UsageError for a name that the rows do not have. */
export function choiceOf(readings: readonly Reading[], name: string): Choice {
  const wanted = name === 'usual' || name === '' ? [] : name.split('+');
  const found = readings.flatMap((reading) =>
    reading.answers
      .filter((answer) => wanted.includes(nameOf(reading, answer)))
      .map((answer) => [reading, answer] as const),
  );
  const unknown = wanted.find((one) => !found.some(([reading, answer]) => nameOf(reading, answer) === one));
  if (unknown !== undefined)
    throw new UsageError(`No reading has the answer "${unknown}": --singles --list prints all.`);
  return new Map(found);
}

/** Whether one service can give both answers. */
export function fit(a: readonly [Reading, ReadingAnswer], b: readonly [Reading, ReadingAnswer]): boolean {
  const excludes = (
    [, answer]: readonly [Reading, ReadingAnswer],
    [reading, other]: readonly [Reading, ReadingAnswer],
  ): boolean => (answer.without ?? []).some((name) => name === reading.id || name === nameOf(reading, other));
  return !excludes(a, b) && !excludes(b, a);
}

/** The deviations of the embedded service for a choice, in the order of the rows: later rows see the responses of earlier ones. */
export function deviationsOf(choice: Choice): Deviation[] {
  return [...choice].map(([reading, { rules, http, fixtures, ...answer }]) => ({
    id: nameOf(reading, answer),
    about: answer.about,
    ...(rules === undefined ? {} : { rules }),
    ...(http === undefined ? {} : { http }),
    ...(fixtures === undefined ? {} : { fixtures }),
  }));
}
