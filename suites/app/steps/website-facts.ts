/** Whose website a page of the app shows: its name, its address, the e-mail address of its user. */
import { type PageSnapshot, steady } from '../../../harness/integrator/page/page-inspection.ts';
import type { AppSession } from '../session.ts';

/**
 * A fact of another installation that a page shows instead of its own one: the name or the address of its website, or the e-mail address
 * of its user. A page that shows both may have a reason to; one that shows its own user beside another website has none.
 */
export function foreignFact(
  { counterpart }: AppSession,
  look: PageSnapshot,
  own: string,
  other: string,
): string | undefined {
  const text = look.lines.join('\n').toLowerCase();
  const isShown = (fact: string): boolean => text.includes(steady(fact).toLowerCase());
  const ofOwn = counterpart.factsOf(own);
  for (const [kind, facts] of Object.entries(counterpart.factsOf(other))) {
    const owned = ofOwn[kind] ?? [];
    const foreign = facts.find((fact) => !owned.includes(fact) && isShown(fact));
    if (foreign !== undefined && !owned.some(isShown)) return foreign;
  }
  return undefined;
}
