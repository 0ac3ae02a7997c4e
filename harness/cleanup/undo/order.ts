/** In which order changes are undone: by `proofmark sweep` and at the end of a check alike. */
import type { LedgerEntry } from '../ledger.ts';

/** What is changed of a website: whether a service changes any of it while the website is disabled is not stated. */
const OF_WEBSITES: ReadonlySet<LedgerEntry['kind']> = new Set(['website-status', 'website-premium', 'domain']);

/** A website is enabled before its other changes are undone, and disabled after them. */
function rankOf(entry: LedgerEntry): number {
  if (entry.kind !== 'website-status') return 1;
  return entry.old === 'enabled' ? 0 : 2;
}

/** Steps as they are undone, the last change first. Those of websites exchange places only among themselves. */
export function undoOrder<Step>(steps: readonly Step[], entryOf: (step: Step) => LedgerEntry | undefined): Step[] {
  const reversed = steps.toReversed();
  const ranked = reversed.flatMap((step) => {
    const entry = entryOf(step);
    return entry !== undefined && OF_WEBSITES.has(entry.kind) ? [{ step, rank: rankOf(entry) }] : [];
  });
  const places = new Set(ranked.map(({ step }) => step));
  const sorted = ranked.toSorted((a, b) => a.rank - b.rank).map(({ step }) => step);
  return reversed.map((step) => (places.has(step) ? sorted.shift()! : step));
}
