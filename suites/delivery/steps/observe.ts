/** The texts of observations: the same for the same behavior, independent of handles and ids. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Check } from '../../../harness/check/check.ts';
import { check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckOptions } from '../../../harness/check/facts.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { OWN_METHODS } from './options.ts';

/** A check that records and judges nothing. */
export function observes(
  id: string,
  title: `OBSERVES ${string}`,
  observations: readonly string[],
  body: (context: Context) => Promise<void>,
  options: Pick<CheckOptions, 'needs' | 'effects' | 'part' | 'exactValues'> = OWN_METHODS,
): Check {
  return check(id, title, { ...options, clauses: [], observations }, body);
}

/** `served`, or the status and code of the refusal. */
export function outcomeOf(response: ServiceResponse): string {
  if (isServed(response)) return 'served';
  const code = isJsonObject(response.json) ? response.json.error_code : undefined;
  return `refused with status ${response.status}, error_code ${JSON.stringify(code) ?? 'left out'}`;
}

/** The form of an unset value. */
export function formOf(value: unknown): string {
  if (value === undefined) return 'left out';
  if (value === null || value === '') return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  if (isJsonObject(value)) return Object.keys(value).length === 0 ? '{}' : 'an object';
  return `a ${typeof value}`;
}
