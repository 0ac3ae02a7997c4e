/** Temporary folders of runs: made so that a later command can see whether the run that made one was killed. */
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAbandoned, makeOwnedFolder } from '../../harness/process/owned-folder.ts';

const RUN_PREFIX = 'proofmark-run-';
/** Folders of commands and homes of their browsers, with the six letters that `mkdtemp` adds. */
const TEMPORARY = /^proofmark-(?:(?:run|browser|spool|package|selftest)-)?[A-Za-z0-9]{6}$/;

/** Makes the private folder of a run; only its user can look into it. */
export function makePrivateFolder(): string {
  return makeOwnedFolder(RUN_PREFIX);
}

/** Removes the temporary folders of this user whose processes are gone; the names of those that were removed. */
export function removeAbandonedFolders(now = Date.now()): string[] {
  const parent = tmpdir();
  return readdirSync(parent)
    .filter((name) => TEMPORARY.test(name))
    .filter((name) => {
      try {
        const folder = join(parent, name);
        if (!isAbandoned(folder, now)) return false;
        // Links inside are removed, never followed.
        rmSync(folder, { recursive: true, force: true });
        return true;
      } catch {
        // It belongs to another user, or is being removed at this moment.
        return false;
      }
    });
}
