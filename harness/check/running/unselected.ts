/**
 * What a run leaves out of what a failed check rests on. In a run of all checks the clauses that a clause rests on are decided by
 * their own checks, and the failure is put down to them when the run has ended (`contracts/run/attribution.ts`). A part of a run
 * (`--only`, a shard, a failed check that is repeated) may lack those checks: then they are run when a check has failed, so that
 * a part blames nothing else than the whole does.
 */
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { type Attributable, basesOf, isFailure, withBrokenBases } from '../../../contracts/run/attribution.ts';
import { becauseOf } from '../../../contracts/run/evidence.ts';
import { attempt } from '../../plain/attempts.ts';
import type { Resources } from '../../resources/resources.ts';
import type { Check } from '../check.ts';
import type { Context } from '../context.ts';
import { clausesOf, type Ending } from '../ending.ts';
import { missingFor, needsPages } from '../needs/index.ts';

const BASES = basesOf(CLAUSES);

/** The checks that decide a clause by themselves and have no part in the run. */
export type UnselectedChecks = (clause: string) => readonly Check[];

/** The checks of a clause among all checks, without properties and those that have a part in the run. */
export function unselectedChecksOf(all: readonly Check[], isRun: (id: string) => boolean): UnselectedChecks {
  return (clause) => all.filter(({ id, clauses, additional }) => clauses.includes(clause) && !additional && !isRun(id));
}

interface Attempted {
  readonly context: Context;
  readonly ending: Ending;
}

/** The ending of a check; of one that failed, undecided where a check that was left out finds a clause broken that it rests on. */
export async function withLeftOut(
  check: Check,
  { context, ending }: Attempted,
  resources: Resources,
  leftOut: UnselectedChecks,
): Promise<Ending> {
  const failed = failureOf(check, { context, ending });
  if (!isFailure(failed)) return ending;
  const results = [failed];
  const asked = new Set<string>();
  for (const { clauses } of results) {
    for (const base of clauses.flatMap(BASES)) {
      if (asked.has(base)) continue;
      asked.add(base);
      for (const other of leftOut(base).filter((one) => isAllowed(one, check, resources))) {
        const ran = await attempt(other, resources);
        context.adopt(ran.context);
        // The clauses that the failure rests on are checked next.
        if (ran.ending.verdict === 'fail') results.push(failureOf(other, ran));
      }
    }
  }
  const because = withBrokenBases(results, BASES)[0]?.because;
  const cause = results.slice(1).find(({ clauses }) => because !== undefined && clauses.includes(because));
  if (because === undefined || cause === undefined) return ending;
  const { reason = 'a check failed', evidence } = cause.ending;
  const undecided = { verdict: 'inconclusive', attribution: 'target', because } as const;
  // What the report shows is how that clause is broken: nothing else of the run shows it.
  return {
    ...undecided,
    reason: becauseOf(because, `${reason} (seen by ${check.id} as: ${ending.reason ?? 'a failure'})`),
    // It is still about the clauses that it failed for.
    evidence: { ...evidence, clauses: failed.clauses },
  };
}

interface Failure extends Attributable {
  readonly ending: Ending;
}

const failureOf = (check: Check, { context, ending }: Attempted): Failure => ({
  ...{ level: check.level, verdict: ending.verdict, warnings: context.warnings, ending },
  clauses: clausesOf(check, context, ending),
  ...(check.additional === undefined ? {} : { additional: check.additional }),
});

/** Whether a check can be run for another one: alone, without pages, and with no more effects on the target. */
function isAllowed(check: Check, other: Check, resources: Resources): boolean {
  const isHarmless = check.effectList.every((effect) => effect === 'read' || other.effectList.includes(effect));
  const isPlain = check.shares === undefined && check.alone === undefined && !needsPages(check);
  return isHarmless && isPlain && missingFor(check, resources) === undefined;
}
