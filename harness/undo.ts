/** Puts one ledger entry right again: shared by the clean-up at the end of a check and by `proofmark sweep`. */
import type { LedgerEntry } from './ledger.ts';
import type { Client } from './target/client.ts';
import type { Profile } from './target/profile.ts';
import type { Secret } from './target/secret.ts';

export interface Undone {
  /** `left`: nothing could be done; `reason` says why and what a person has to do. */
  readonly outcome: 'removed' | 'restored' | 'left';
  /** For people: `delivery method pm-1a2b/…`. */
  readonly object: string;
  readonly reason?: string;
}

/** Undoes one entry; does no harm when it was undone before. `mark`: the run's, no object without it is touched. */
export async function undo(
  entry: LedgerEntry,
  client: Client,
  profile: Profile,
  run: { readonly run: string; readonly mark: string },
): Promise<Undone> {
  throw new Error(`not written yet: ${entry.kind} ${client.requests} ${profile.name} ${run.mark}`);
}

/** The password that a run sets for a while: derived from the old one, so that a crash can be repaired. */
export function temporaryPassword(old: Secret, run: string): string {
  throw new Error(`not written yet: ${old} ${run}`);
}
