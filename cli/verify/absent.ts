/** Whether the "not applicable" results of a package are plausible: a part that is absent is absent for every check about it. */
import type { CheckResult } from '../../contracts/run/events.ts';
import { PackageError } from '../../harness/evidence/package/read.ts';
import type { Definition } from './definitions.ts';

/** The reason text from `harness/check/needs/index.ts`. */
const ABSENT = /^the profile declares "([^"]+)" absent$/;

/** Throws a `PackageError` for a part that is absent for one check and present for another. */
export function judgeAbsent(checks: readonly CheckResult[], known: readonly Definition[]): void {
  const partsOf = new Map(known.map(({ id, partList }) => [id, partList ?? []]));
  const absent = new Map<string, string>();
  for (const { id, verdict, reason, exchanges } of checks) {
    const part = verdict === 'not-applicable' ? ABSENT.exec(reason ?? '')?.[1] : undefined;
    if (part === undefined) continue;
    if (partsOf.get(id)?.includes(part) !== true)
      throw new PackageError(
        `calls ${id} not applicable because ${part} is missing, but it does not depend on that part`,
      );
    if (exchanges.length > 0)
      throw new PackageError(`calls ${id} not applicable because ${part} is missing, but contains exchanges of it`);
    absent.set(part, id);
  }
  for (const { id, verdict } of checks) {
    const part = partsOf.get(id)?.find((one) => absent.has(one));
    if (part !== undefined && verdict !== 'not-applicable')
      throw new PackageError(`calls ${absent.get(part)} not applicable because ${part} is missing, but ran ${id}`);
  }
}
