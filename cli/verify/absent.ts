/** Whether what a package calls not applicable can be so: a part that the target lacks is lacking for every check about it. */
import type { CheckResult } from '../../contracts/run/events.ts';
import { PackageError } from '../../harness/evidence/package/read.ts';
import type { Definition } from './definitions.ts';

/** The reason that `harness/check/needs.ts` gives. */
const ABSENT = /^the profile declares "([^"]+)" absent$/;

/** Throws a `PackageError` for a part that is absent for one check and there for another. */
export function judgeAbsent(checks: readonly CheckResult[], known: readonly Definition[]): void {
  const partsOf = new Map(known.map(({ id, partList }) => [id, partList ?? []]));
  const absent = new Map<string, string>();
  for (const { id, verdict, reason, exchanges } of checks) {
    const part = verdict === 'not-applicable' ? ABSENT.exec(reason ?? '')?.[1] : undefined;
    if (part === undefined) continue;
    if (partsOf.get(id)?.includes(part) !== true)
      throw new PackageError(`calls ${id} not applicable because ${part} is missing, which it does not depend on`);
    if (exchanges.length > 0)
      throw new PackageError(`calls ${id} not applicable because ${part} is missing, but contains exchanges of it`);
    absent.set(part, id);
  }
  for (const { id, verdict } of checks) {
    const part = partsOf.get(id)?.find((one) => absent.has(one));
    if (part !== undefined && verdict !== 'not-applicable')
      throw new PackageError(`calls ${absent.get(part)} not applicable because ${part} is missing, but has run ${id}`);
  }
}
