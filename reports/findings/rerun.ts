/** Commands that a finding names: the one that runs its check again, and the one that shows that the check can fail. Pure. */
import { FAULTS_BY_CLAUSE } from '../../contracts/generated/faults.generated.ts';
import type { CheckOutcome, Results } from '../results/index.ts';

type Run = Pick<Results, 'target' | 'command' | 'profile' | 'party'>;

/** The command that runs one check again as it was run; `undefined` where the target is a recording. */
export function rerunCommand(results: Run, id: string): string | undefined {
  const { command, profile, party } = results;
  const only = ['--only', id];
  if (party === 'integrator') {
    if (!/^precheck [a-z-]+$/.test(command)) return undefined;
    return profile?.arguments === undefined
      ? `npx proofmark ${command} … ${words(only)}`
      : `npx proofmark ${command} ${words([...profile.arguments, ...only])}`;
  }
  const run = runCommand(results);
  return run === undefined ? undefined : `${run} ${words(only)}`;
}

/** `proofmark run` on the same target; `undefined` where that was not given to it. */
function runCommand({ target, profile }: Pick<Run, 'target' | 'profile'>): string | undefined {
  const isMock = target.kind === 'mock' || target.kind.startsWith('mock:');
  if (!isMock && target.kind !== 'profile') return undefined;
  const given = profile?.arguments ?? ['--target', isMock ? target.name : (profile?.file ?? 'PROFILE.json')];
  return `npx proofmark run ${words(given)}`;
}

/** The command that runs all failed checks again; only `proofmark run` has one. */
export function rerunFailuresCommand(results: Run, out = 'reports/latest'): string | undefined {
  const command = results.party === 'integrator' ? undefined : runCommand(results);
  if (command === undefined) return undefined;
  return `${command} --last-failed${out === 'reports/latest' ? '' : ` --out ${quoted(out)}`}`;
}

/** The command that removes what a run left on its target. The ledger knows the profile, and not the files of its variables. */
export function sweepCommand({ profile, run }: Pick<Results, 'profile' | 'run'>): string {
  const given = profile?.arguments ?? [];
  const envFiles = given.flatMap((word, at) => (word === '--env-file' ? [word, given[at + 1] ?? ''] : []));
  return `npx proofmark sweep ${words([...envFiles, run])}`;
}

/** Faults that break a clause of this check, so that it can be seen to fail. */
export function provingFaults({ clauses }: Pick<CheckOutcome, 'clauses'>): string[] {
  return [...new Set(clauses.flatMap((clause) => FAULTS_BY_CLAUSE[clause] ?? []))];
}

const words = (given: readonly string[]): string => given.map(quoted).join(' ');

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
