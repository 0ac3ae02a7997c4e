/**
 * What an installation held before the run, put back when the process ends and not after each check: every check sets what it
 * needs, so that putting back in between proves nothing.
 */
import type { Context } from '../../../harness/check/context.ts';
import type { Installation, LedgerEntry } from '../../../harness/cleanup/ledger.ts';
import type { Resources } from '../../../harness/resources/resources.ts';

type Entry = Extract<LedgerEntry, { kind: 'snippet' | 'app-data' }>;

/** Which of the two, of which installation, in which language. */
export interface Place {
  readonly kind: Entry['kind'];
  readonly installation: Installation;
  readonly language?: string;
}

const tracked = new WeakMap<Resources, Set<string>>();

const keyOf = ({ kind, installation, language = '' }: Place): string => `${kind} ${installation} ${language}`;

/** Whether the old value is written down already. */
export const isTracked = (context: Context, place: Place): boolean =>
  context.mayShare && tracked.get(context.resources)?.has(keyOf(place)) === true;

/** Writes the old value down, the first time; a check that shares nothing puts it back by itself. */
export function trackOnce(context: Context, entry: Entry): void {
  if (!context.mayShare) {
    context.given.track(entry);
    return;
  }
  const known = tracked.get(context.resources) ?? new Set<string>();
  if (known.has(keyOf(entry))) return;
  context.givenForAll.track(entry);
  tracked.set(context.resources, known.add(keyOf(entry)));
}
