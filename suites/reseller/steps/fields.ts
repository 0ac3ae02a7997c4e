/** Judges fields of records if they are present. Values are personal data: only the shape of texts is reported. */
import type { Form } from '../../../contracts/fields/forms.ts';
import { pointerOf } from '../../../contracts/json/pointer.ts';
import { inWords } from '../../../contracts/json/words.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';

export interface FieldRule {
  readonly fields: readonly string[];
  readonly form: Form;
  /** The value is not personal and may be shown. */
  readonly mayShow?: boolean;
}

/** The shape of a text: digits as 9, letters as a or A. */
export function shapeOf(text: string): string {
  return text
    .replaceAll(/\p{Ll}/gu, 'a')
    .replaceAll(/\p{Lu}/gu, 'A')
    .replaceAll(/\d/g, '9')
    .slice(0, 40);
}

/**
 * Asserts that each present value of the fields is valid. `at` is the pointer of the records in the response.
 * Throws `Inconclusive` if no record has any of them: that is allowed, and then there is nothing to judge.
 */
export function judgeFields(
  { expect }: Context,
  records: readonly Json[],
  rule: FieldRule,
  response: ServiceResponse,
  at: readonly string[] = [],
): void {
  const { fields, form, mayShow } = rule;
  const { expected } = form;
  let judged = 0;
  for (const [index, record] of records.entries()) {
    for (const field of fields) {
      const value = record[field];
      if (form.isUnset(value)) continue;
      judged += 1;
      expect.that(form.holds(value), `${field} must be ${expected}`, {
        expected,
        actual: typeof value === 'string' && mayShow !== true ? `a text like ${shapeOf(value)}` : inWords(value),
        pointer: pointerOf(...at, ...(at.length === 0 ? [] : [index]), field),
        response,
      });
    }
  }
  if (judged === 0) {
    throw new Inconclusive(
      `${fields.join(', ')} has no value, which the contract allows: set one in the test account, so that its format can be judged`,
      'configuration',
    );
  }
}
