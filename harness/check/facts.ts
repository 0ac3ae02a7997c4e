/** What a check says of itself, without its body: what reports, selection and clean-up need to know. */
import type { Part } from '../target/profile/shape/index.ts';

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
   * Keys of the profile that the verdict rests on where they are there. A missing one is not an obstacle; one that does not fit
   * the target makes the check inconclusive.
   */
  readonly prefers?: readonly Need[];
  /** Set where a delivery provider will do as the second store, which must not reach what the first one owns. */
  readonly takesProvider?: true;
  /** One effect, or several that must all be allowed. */
  readonly effects: Effect | readonly Effect[];
  /** Effects of which it uses those that are allowed; one of them has to be. */
  readonly usesAllowed?: readonly Exclude<Effect, 'read'>[];
  /** The part of the target that it needs, or several that are all needed. */
  readonly part: Part | readonly Part[];
  /**
   * Set on properties: each of the clauses is decided by checks of its own. Where this one comes to no verdict, its clauses
   * are not undecided for that.
   */
  readonly additional?: true;
  /** What it shares with the checks that name the same (see `once`): they run in one worker, one after another. */
  readonly shares?: string;
  /** Set where it judges the list of all delivery methods: no check that could change that list runs beside it. */
  readonly alone?: true;
  /**
   * Fields whose exact values the rule needs: stand-ins for them would prove nothing. `print_label_url` is not one that is left out;
   * `label-page` is each one, because the address leads to a page of the harness. `omitted-fields`: those that an update leaves out stay out.
   */
  readonly exactValues?: readonly ('print_label_url' | 'label-page' | 'id' | 'method' | 'omitted-fields')[];
}

/** A check without its body. */
export interface CheckFacts extends CheckOptions {
  readonly id: string;
  /** Where it is written: file and line from the root of the project. Set on the checks of `SUITES`. */
  readonly source?: string;
  readonly title: CheckTitle;
  readonly level: CheckLevel;
  readonly effectList: readonly Effect[];
  readonly partList: readonly Part[];
}
