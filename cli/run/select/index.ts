/** Which checks a command line selects: every option narrows, several values of one option widen. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { matchesAny } from '../../../contracts/run/glob.ts';
import type { Check, Suite } from '../../../harness/check/check.ts';
import { didYouMean } from '../../../harness/process/nearest.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { RESULTS_FILE } from '../../../reports/files.ts';
import { resultsAt } from '../../common/files/results-at.ts';
import { selectIds } from '../options.ts';
import type { Narrowing } from './narrowing.ts';

export interface Selection {
  /** Ids, in report order. */
  readonly ids: readonly string[];
  /** The options that narrowed the selection, as they were written; `undefined` if only globs of ids did. */
  readonly words?: string;
}

/** The parts of the contract that belong to each interface. */
const INTERFACES: Readonly<Record<string, readonly string[]>> = {
  delivery: ['delivery', 'labels', 'checkout'],
  apps: ['apps', 'install'],
  reseller: ['reseller'],
};
export const INTERFACE_NAMES = Object.keys(INTERFACES);

/** Throws a UsageError that names the word at fault, and when nothing is left. */
export function select(
  suites: readonly Suite[],
  only: readonly string[],
  narrowing: Narrowing,
  out: string,
): Selection {
  const checks = suites.flatMap((suite) => suite.checks);
  const ids = selectIds(
    'run',
    checks.map(({ id }) => id),
    only,
  );
  const words = wordsOf(narrowing);
  if (words.length === 0) return { ids };
  const tests = [
    bySuite(suites, narrowing.suites),
    byInterface(narrowing.interfaces),
    byClause(narrowing.clauses),
    narrowing.lastFailed ? byLastRun(out) : undefined,
  ].filter((test) => test !== undefined);
  const chosen = new Set(ids);
  const left = checks.filter((check) => chosen.has(check.id) && tests.every((test) => test(check)));
  const all = [...only.map((glob) => `--only ${glob}`), ...words].join(' ');
  if (left.length === 0) throw new UsageError(`No check matches ${all} together: omit one of them.`);
  return { ids: left.map(({ id }) => id), words: all };
}

function wordsOf({ suites, interfaces, clauses, lastFailed }: Narrowing): string[] {
  return [
    ...suites.map((name) => `--suite ${name}`),
    ...interfaces.map((name) => `--interface ${name}`),
    ...clauses.map((glob) => `--clause ${glob}`),
    ...(lastFailed ? ['--last-failed'] : []),
  ];
}

type Test = (check: Check) => boolean;

/** By name, by the folder of several (`delivery`), or by a glob. */
function bySuite(suites: readonly Suite[], names: readonly string[]): Test | undefined {
  const known = suites.map(({ name }) => name);
  const isNamed = (suite: string, name: string): boolean => suite.startsWith(`${name}/`) || matchesAny(suite, [name]);
  for (const name of names)
    if (!known.some((suite) => isNamed(suite, name)))
      throw new UsageError(`--suite "${name}" is not a suite.${didYouMean(name, known)} They are ${known.join(', ')}.`);
  if (names.length === 0) return undefined;
  const ids = new Set(
    suites
      .filter((suite) => names.some((name) => isNamed(suite.name, name)))
      .flatMap(({ checks }) => checks.map(({ id }) => id)),
  );
  return ({ id }) => ids.has(id);
}

function byInterface(names: readonly string[]): Test | undefined {
  for (const name of names)
    if (!INTERFACE_NAMES.includes(name))
      throw new UsageError(
        `--interface takes ${INTERFACE_NAMES.join(', ')}, not "${name}".${didYouMean(name, INTERFACE_NAMES)}`,
      );
  if (names.length === 0) return undefined;
  const parts = new Set(names.flatMap((name) => INTERFACES[name] ?? []));
  return ({ partList }) => partList.some((part) => parts.has(part.split('.', 1)[0] ?? ''));
}

function byClause(globs: readonly string[]): Test | undefined {
  const known = CLAUSES.map(({ id }) => id);
  for (const glob of globs)
    if (!known.some((id) => matchesAny(id, [glob])))
      throw new UsageError(
        `--clause "${glob}" matches no clause.${didYouMean(glob, known)} docs/catalogue.md lists them.`,
      );
  return globs.length === 0 ? undefined : ({ clauses }) => clauses.some((id) => matchesAny(id, globs));
}

function byLastRun(out: string): Test {
  if (!existsSync(join(out, RESULTS_FILE)))
    throw new UsageError(`--last-failed needs the reports of a run, and ${out} has none: run without it first.`);
  const failed = new Set(
    resultsAt(out).checks.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'error' ? [id] : [])),
  );
  if (failed.size === 0) throw new UsageError(`No check failed in the run in ${out}: run without --last-failed.`);
  return ({ id }) => failed.has(id);
}
