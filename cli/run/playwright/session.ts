/**
 * What happens once in a process that judges a service, for any caller: the target is opened and the folder of the
 * reports is claimed before any test, and both are given back after the last. Playwright's global setup opens the session;
 * the reporter begins a run in it, `--ui` one after another.
 */

import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeLedgerFolder } from '../../../harness/cleanup/ledger.ts';
import { joinOwnedFolder } from '../../../harness/process/owned-folder.ts';
import type { RunSettings } from '../../../harness/runner/settings.ts';
import { outFolderOf } from '../../common/files/out-folder.ts';
import { claimFolder } from '../out-folder.ts';
import { makePrivateFolder } from '../private-folder.ts';
import { LEDGER_FOLDER } from '../target/leftovers.ts';
import { openTarget, type Target } from '../target/target.ts';

export interface Session {
  readonly settings: RunSettings;
  readonly target: Target;
  /** Absolute. */
  readonly out: string;
  readonly privateFolder: string;
  /** Keeps the folders until what it returns is called: Playwright tears down before its reporters have ended. */
  hold(): () => void;
  close(): Promise<void>;
}

let current: Session | undefined;

/** The session of this process; `undefined` where nothing is run (`--list`, merging of reports). */
export const currentSession = (): Session | undefined => current;

/** Throws a UsageError when the target or the folder can't be used; then nothing stays open. */
export async function openSession(settings: RunSettings): Promise<Session> {
  const out = outFolderOf(settings.out);
  makeLedgerFolder(resolve(LEDGER_FOLDER));
  const target = await openTarget(settings.target);
  let releaseFolder: () => void;
  try {
    releaseFolder = claimFolder(out);
  } catch (error) {
    await target.close();
    throw error;
  }
  const privateFolder = settings.handOver ?? makePrivateFolder();
  // A killed command must not take the folder with it: a sweep would remove it under the running checks.
  if (settings.handOver !== undefined) joinOwnedFolder(privateFolder);
  let holders = 1;
  const release = (): void => {
    holders -= 1;
    if (holders > 0) return;
    releaseFolder();
    if (settings.handOver === undefined) rmSync(privateFolder, { recursive: true, force: true });
  };
  current = {
    settings,
    target,
    out,
    privateFolder,
    hold: () => {
      holders += 1;
      return release;
    },
    close: async () => {
      current = undefined;
      await target.close();
      release();
    },
  };
  return current;
}
