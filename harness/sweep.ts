/** Puts right what a crashed run left behind, from its ledger. */

import type { Client } from './target/client.ts';
import type { Profile } from './target/profile.ts';
import type { Undone } from './undo.ts';

export interface SweepReport {
  readonly run: string;
  readonly undone: readonly Undone[];
}

/** Sweeps one ledger. Refuses (UsageError) a ledger of another target. Idempotent. */
export async function sweepLedger(file: string, client: Client, profile: Profile): Promise<SweepReport> {
  throw new Error(`not written yet: ${file} ${client.requests} ${profile.name}`);
}
