/**
 * A check is a value: one runnable proof with a title whose type begins with its level. The same list of values is
 * run by Playwright (`proofmark run`), in process (`proofmark selftest`) and read by reports and coverage tests.
 */

import type { Part } from '../target/profile/index.ts';
import type { Context } from './context.ts';

/** `OBSERVES` records what a target does where the spec is silent; it never passes or fails on it. */
export type CheckLevel = 'MUST' | 'SHOULD' | 'MAY' | 'OBSERVES';
export type CheckTitle = `${CheckLevel} ${string}`;

/** What a check may do to the target: reading only, writing the run's own objects, or a group the profile must allow. */
export const EFFECTS = [
  'read',
  'write',
  'drive',
  'settings',
  'site-status',
  'billing',
  'domains',
  'password',
  'uninstall',
] as const;
export type Effect = (typeof EFFECTS)[number];

/**
 * What a check can't do without: keys of the profile (`delivery.private.apiKey`), `v1` or `api`, members of the driver
 * (`driver.openOrder`), or `browser`. A missing one makes the check inconclusive and is named in the reason.
 */
export type Need = string;

export interface CheckOptions {
  /** The clauses this check decides. */
  readonly clauses: readonly string[];
  /** The observations it records. */
  readonly observations?: readonly string[];
  readonly needs: readonly Need[];
  /**
   * Keys of the profile that the verdict rests on where they are there. A missing one is no obstacle; one that does not fit
   * the target makes the check inconclusive.
   */
  readonly prefers?: readonly Need[];
  /** One effect, or several that must all be allowed. */
  readonly effects: Effect | readonly Effect[];
  /** The part of the target that it is about, or several that must all be there. */
  readonly part: Part | readonly Part[];
  /**
   * Set on properties: each of the clauses is decided by checks of its own. Where this one comes to no verdict, its clauses
   * are not undecided for that.
   */
  readonly additional?: true;
}

export type CheckBody = (context: Context) => Promise<void>;

export interface Check extends CheckOptions {
  readonly id: string;
  /** Where it is written: file and line from the root of the project. Set on the checks of `SUITES`. */
  readonly source?: string;
  readonly title: CheckTitle;
  readonly level: CheckLevel;
  readonly effectList: readonly Effect[];
  readonly partList: readonly Part[];
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

/** Checks that share one singleton or one login run in one lane, in order; lanes run beside each other. */
export interface Suite {
  /** Names the folder of `suites/` and the heading in reports. */
  readonly name: string;
  readonly lane: string;
  /** Set where lists are judged that other checks of the run change: nothing else runs beside these checks. */
  readonly alone?: true;
  readonly checks: readonly Check[];
}
