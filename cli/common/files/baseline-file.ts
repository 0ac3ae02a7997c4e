/** Reads the file of known findings that `--baseline` names. */

import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Baseline, BaselineFinding } from '../../../contracts/run/baseline.ts';
import { matchesAny } from '../../../contracts/run/glob.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { parseJson, readFileOf } from './read-file.ts';

const KEYS = ['check', 'clause', 'reason', 'owner', 'expires'] as const;

/** Throws a UsageError that names the entry at fault. `checks` are the ids of all checks, selected or not. */
export function readBaseline(file: string, checks: readonly string[]): Baseline {
  const findings = parseFindings(readFileOf(file, '--baseline'), file);
  const clauses = CLAUSES.map(({ id }) => id);
  for (const [at, { check, clause }] of findings.entries()) {
    const [kind, glob, ids] = check === undefined ? ['clause', clause ?? '', clauses] : ['check', check, checks];
    if (!ids.some((id) => matchesAny(id, [glob])))
      throw new UsageError(
        `Entry ${at + 1} of ${file}: "${glob}" matches no ${kind} of this version: correct it or remove the entry.`,
      );
  }
  return { file, findings };
}

/** The entries of such a file. */
export function parseFindings(text: string, file: string): readonly BaselineFinding[] {
  const json = parseJson(text, file, 'correct it, or write it again');
  const findings = isJsonObject(json) ? json.findings : undefined;
  if (!Array.isArray(findings))
    throw new UsageError(`${file} has no list "findings": write it with \`proofmark baseline\`.`);
  for (const [at, finding] of findings.entries()) {
    const problem = problemOf(finding);
    if (problem !== undefined) throw new UsageError(`Entry ${at + 1} of ${file} ${problem}.`);
  }
  return findings as BaselineFinding[];
}

function problemOf(finding: unknown): string | undefined {
  if (!isJsonObject(finding)) return 'is not an object: give it "check" or "clause", "reason", "owner" and "expires"';
  const unknown = Object.keys(finding).find((key) => !(KEYS as readonly string[]).includes(key));
  if (unknown !== undefined) return `has the unknown key "${unknown}": its keys are ${KEYS.join(', ')}`;
  const { check, clause, expires } = finding;
  if ((check === undefined) === (clause === undefined)) return 'needs either "check" or "clause"';
  for (const key of KEYS) {
    const value = finding[key];
    if ((key === 'check' || key === 'clause') && value === undefined) continue;
    if (typeof value !== 'string' || value.trim() === '') return `needs a string as "${key}"`;
  }
  return isDay(expires) ? undefined : `needs a day such as 2027-01-31 as "expires", not "${expires}"`;
}

/** Whether a text is a day of the calendar, as YYYY-MM-DD. */
export function isDay(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
