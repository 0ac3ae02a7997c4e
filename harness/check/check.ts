/**
 * A check is a value: one runnable proof with a title whose type begins with its level. The same list of values is
 * run by Playwright (`proofmark run`), in process (`proofmark selftest`) and read by reports and coverage tests.
 */

import type { Context } from './context.ts';
import type { CheckFacts, CheckLevel, CheckOptions, CheckTitle } from './facts.ts';

export type CheckBody = (context: Context) => Promise<void>;

export interface Check extends CheckFacts {
  readonly body: CheckBody;
}

/** Paths of meaning. */
export const CHECK_ID = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/;

/**
 * Makes a check. `id` is a path of meaning (`delivery.batch.refuses-101`), pinned by a snapshot; `title` says what the
 * target must do, in words that a reader of the report understands.
 */
export function check(id: string, title: CheckTitle, options: CheckOptions, body: CheckBody): Check {
  if (!CHECK_ID.test(id))
    throw new TypeError(`The check id "${id}" is not a path of meaning such as delivery.batch.refuses-101.`);
  const level = title.split(' ', 1)[0] as CheckLevel;
  const effectList = typeof options.effects === 'string' ? [options.effects] : options.effects;
  const partList = typeof options.part === 'string' ? [options.part] : options.part;
  return { ...options, id, title, level, effectList, partList, body };
}

/** Checks that share one singleton or one login form a serial group and run in order. Serial groups run in parallel. */
export interface Suite {
  /** Names the folder of `suites/` and the heading in reports. */
  readonly name: string;
  readonly serialGroup: string;
  readonly checks: readonly Check[];
}
