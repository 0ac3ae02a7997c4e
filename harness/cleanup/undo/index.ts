/** Puts one ledger entry right again: shared by the clean-up at the end of a check and by `proofmark sweep`. */

import { NoResponse } from '../../target/client/no-response.ts';
import type { Client } from '../../target/client/types.ts';
import type { Profile } from '../../target/profile/types.ts';
import type { LedgerEntry } from '../ledger.ts';
import { undoData, undoInstallation, undoRegistration, undoSnippet, undoUninstall } from './apps.ts';
import { undoMethod, undoPoints } from './delivery/index.ts';
import { CannotUndo, type CleanupResult, type UndoRun, type UndoTools, undoTools } from './outcome.ts';
import { undoDomain, undoPassword, undoPremium, undoSettings, undoStatus } from './reseller/index.ts';

export type { CleanupResult, UndoRun } from './outcome.ts';

/**
 * Undoes one entry; does no harm when it was undone before, and touches nothing without the run's mark. What can't be undone
 * comes back as `left`, with a reason that says what a person has to do. Throws only `NoResponse`, when the target is not there.
 */
export async function undo(entry: LedgerEntry, client: Client, profile: Profile, run: UndoRun): Promise<CleanupResult> {
  const once = () => undoOf(entry, undoTools(client, profile, run));
  try {
    // It does no harm when it was undone before, so it is tried again after a connection was lost in the middle.
    return await once().catch((error: unknown) => {
      if (error instanceof NoResponse && error.isLost) return once();
      throw error;
    });
  } catch (error) {
    if (!(error instanceof CannotUndo)) throw error;
    return { outcome: 'left', object: objectOf(entry), reason: error.message };
  }
}

function undoOf(entry: LedgerEntry, tools: UndoTools): Promise<CleanupResult> {
  switch (entry.kind) {
    case 'delivery-method':
      return undoMethod(entry, tools);
    case 'pickup-points':
      return undoPoints(entry, tools);
    case 'snippet':
      return undoSnippet(entry, tools);
    case 'app-data':
      return undoData(entry, tools);
    case 'app-uninstalled':
      return undoUninstall(entry, tools);
    case 'installation':
      return undoInstallation(entry, tools);
    case 'registered-app':
      return undoRegistration(entry, tools);
    case 'reseller-settings':
      return undoSettings(entry, tools);
    case 'website-status':
      return undoStatus(entry, tools);
    case 'website-premium':
      return undoPremium(entry, tools);
    case 'domain':
      return undoDomain(entry, tools);
    case 'password':
      return undoPassword(tools);
  }
}

/** What an entry describes, for people. */
export function objectOf(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'delivery-method':
      return `delivery method ${entry.reference}`;
    case 'pickup-points':
      return `pickup points of delivery method ${entry.handle}`;
    case 'installation':
      return 'installation of the app';
    case 'registered-app':
      return 'addresses of the app';
    case 'domain':
      return `domain ${entry.domain} of website ${entry.website}`;
    case 'website-status':
    case 'website-premium':
      return `${entry.kind === 'website-status' ? 'status' : 'subscription'} of website ${entry.website}`;
    case 'reseller-settings':
      return `account settings ${Object.keys(entry.old).join(', ')}`;
    case 'password':
      return 'password of the reseller account';
    case 'snippet':
      return entry.language === undefined ? 'snippet' : `snippet for ${entry.language}`;
    case 'app-data':
      return 'app data';
    case 'app-uninstalled':
      return 'app installation';
  }
}
