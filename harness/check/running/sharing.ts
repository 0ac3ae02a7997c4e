/** Which checks rest on the exchanges of which others, because they share what one of them made (`once`). */
import type { CheckFacts } from '../facts.ts';

/** Returns, for the id of a check, the ids of all checks that share with it, itself among them. */
export function sharingOf(checks: readonly Pick<CheckFacts, 'id' | 'shares'>[]): (id: string) => readonly string[] {
  const named = checks.filter(({ shares }) => shares !== undefined);
  const groups = Map.groupBy(named, ({ shares }) => shares);
  const byId = new Map(named.map(({ id, shares }) => [id, (groups.get(shares) ?? []).map((one) => one.id)]));
  return (id) => byId.get(id) ?? [id];
}
