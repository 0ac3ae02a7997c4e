/**
 * Checks of integrators: the same kind of value as the checks of a service, over a context of their own. They run one after
 * another in the process that plays the service, because all of them look at the same traffic.
 */
import { CHECK_ID } from '../check/check.ts';
import type { CheckLevel, CheckTitle } from '../check/facts.ts';
import type { CheckSummary } from '../check/findings/index.ts';

export interface IntegratorCheckOptions {
  /** The clauses this check decides. */
  readonly clauses: readonly string[];
  /** The observations it records. */
  readonly observations?: readonly string[];
  /** What it can't do without: names under which the session may say why it is not there (`browser`, `app`). */
  readonly needs: readonly string[];
}

export interface IntegratorCheck<C> extends CheckSummary, IntegratorCheckOptions {
  readonly title: CheckTitle;
  readonly clauses: readonly string[];
  /** Where it is written: file and line from the root of the project. */
  readonly source?: string;
  readonly body: (context: C) => Promise<void>;
}

export interface IntegratorSuite<C> {
  /** The heading in reports. */
  readonly name: string;
  readonly checks: readonly IntegratorCheck<C>[];
}

/** Makes a check of an integrator. `id` is a path of meaning (`app.install.first-load-redirects`), `title` says what it must do. */
export function integratorCheck<C>(
  id: string,
  title: CheckTitle,
  options: IntegratorCheckOptions,
  body: (context: C) => Promise<void>,
): IntegratorCheck<C> {
  if (!CHECK_ID.test(id))
    throw new TypeError(`The check id "${id}" is not a path of meaning such as app.install.first-load-redirects.`);
  return { ...options, id, title, level: title.split(' ', 1)[0] as CheckLevel, body };
}
