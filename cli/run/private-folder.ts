/** Temporary folders of runs: made so that a later command can tell whether the run that made one was killed. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isStillRunning } from '../../harness/cleanup/process-alive.ts';

const RUN_PREFIX = 'proofmark-run-';
/** Says which process a folder belongs to. */
const OWNER_FILE = 'owner.json';
/** Folders of commands, with the six letters that `mkdtemp` adds. */
const TEMPORARY = /^proofmark-(?:(?:run|spool|package|selftest)-)?[A-Za-z0-9]{6}$/;
/** A folder that names no process is left alone until it is older than any run. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Makes the private folder of a run; only its user can look into it. */
export function makePrivateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), RUN_PREFIX));
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify({ pid: process.pid, at: Date.now() }));
  return folder;
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
        // Somebody else's, or being removed at this moment.
        return false;
      }
    });
}

function isAbandoned(folder: string, now: number): boolean {
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || (process.getuid !== undefined && stats.uid !== process.getuid())) return false;
  const owner = ownerOf(folder);
  return owner === undefined ? now - stats.mtimeMs > MAX_AGE_MS : !isStillRunning(owner.pid, owner.at);
}

function ownerOf(folder: string): { readonly pid: number; readonly at: number } | undefined {
  try {
    const { pid, at } = JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8')) as Record<string, unknown>;
    return Number.isInteger(pid) && typeof at === 'number' ? { pid: pid as number, at } : undefined;
  } catch {
    return undefined;
  }
}
