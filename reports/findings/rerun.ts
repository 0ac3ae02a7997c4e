/** Commands that a finding names: the one that runs its check again, and the one that shows that the check can fail. Pure. */
import { FAULTS_BY_CLAUSE } from '../../contracts/generated/faults.generated.ts';
import type { CheckOutcome, Results } from '../results/index.ts';

/** The command that runs one check again on the same target; `undefined` where the target is a recording. */
export function rerunCommand(results: Pick<Results, 'target' | 'command' | 'profile' | 'party'>, id: string) {
  const { target, command, profile, party } = results;
  if (party === 'integrator') {
    const scope = /^precheck ([a-z-]+)$/.exec(command)?.[1];
    return scope === undefined ? undefined : `npx proofmark precheck ${scope} … --only ${quoted(id)}`;
  }
  if (target.kind === 'mock' || target.kind.startsWith('mock:')) {
    return `npx proofmark run --target ${quoted(target.name)} --only ${quoted(id)}`;
  }
  if (target.kind !== 'profile') return undefined;
  return `npx proofmark run --target ${profile?.file === undefined ? 'PROFILE.json' : quoted(profile.file)} --only ${quoted(id)}`;
}

/** Faults that break a clause of this check, so that it can be seen to fail. */
export function provingFaults({ clauses }: Pick<CheckOutcome, 'clauses'>): string[] {
  return [...new Set(clauses.flatMap((clause) => FAULTS_BY_CLAUSE[clause] ?? []))];
}

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
