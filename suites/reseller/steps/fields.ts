/** Judging fields of records where they are given. Values are personal data: of texts only the kind is reported. */
import { inWords, pointerOf } from '../../../contracts/run/fault.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';

export interface FieldRule {
  readonly fields: readonly string[];
  /** `a boolean`, for the report. */
  readonly expected: string;
  readonly isRight: (value: unknown) => boolean;
  /** Which values say that nothing is there. */
  readonly isUnset: (value: unknown) => boolean;
  /** The value is not personal and may be shown. */
  readonly mayShow?: boolean;
}

/** What a text looks like, without the text: digits as 9, letters as a or A. */
export function shapeOf(text: string): string {
  return text
    .replaceAll(/\p{Ll}/gu, 'a')
    .replaceAll(/\p{Lu}/gu, 'A')
    .replaceAll(/\d/g, '9')
    .slice(0, 40);
}

/**
 * Asserts that each value that is given for one of the fields is right. `at` is the pointer of the records in the response.
 * Throws `Inconclusive` when no record gives any of them: that is allowed, and then there is nothing to judge.
 */
export function judgeFields(
  { expect }: Context,
  records: readonly Json[],
  rule: FieldRule,
  answer: ServiceResponse,
  at: readonly string[] = [],
): void {
  const { fields, expected, isRight, isUnset } = rule;
  let judged = 0;
  for (const [index, record] of records.entries()) {
    for (const field of fields) {
      const value = record[field];
      if (isUnset(value)) continue;
      judged += 1;
      expect.that(isRight(value), `${field} must be ${expected}`, {
        expected,
        actual: typeof value === 'string' && rule.mayShow !== true ? `a text like ${shapeOf(value)}` : inWords(value),
        pointer: pointerOf(...at, ...(at.length === 0 ? [] : [index]), field),
        answer,
      });
    }
  }
  if (judged === 0) {
    throw new Inconclusive(
      `no value is given for ${fields.join(', ')}, which the contract allows: fill in one in the test account, so that its form can be judged`,
      'configuration',
    );
  }
}

/** Absent or null: for numbers and truths an empty text is a value of the wrong type. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** Top-level domains between commas, in any script, with or without a dot or a space in front. */
export function isListOfTlds(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const names = value.replace(/,\s*$/, '').split(',');
  return names.every((name) => /^\s*\.?[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}\p{M}])?\s*$/u.test(name));
}
