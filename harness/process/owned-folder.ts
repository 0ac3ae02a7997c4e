/** Temporary folders that name the process they belong to, so that a later command can see whether it was killed. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isStillRunning } from '../cleanup/process-alive.ts';

/** Each says of one process that the folder belongs to it. */
const OWNER_FILE = /^owner-\d+\.json$/;
/** A folder that names no process is left alone until it is older than any run. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Makes a temporary folder of this process; only its user can look into it. */
export function makeOwnedFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  joinOwnedFolder(folder);
  return folder;
}

/** Keeps a folder of another process for this one as well, which may outlive the other. */
export function joinOwnedFolder(folder: string): void {
  writeFileSync(join(folder, `owner-${process.pid}.json`), JSON.stringify({ pid: process.pid, at: Date.now() }));
}

/** Whether a folder is this user's and its processes are gone. Throws where it can't be read. */
export function isAbandoned(folder: string, now: number): boolean {
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || (process.getuid !== undefined && stats.uid !== process.getuid())) return false;
  const owners = readdirSync(folder)
    .filter((name) => OWNER_FILE.test(name))
    .map((name) => ownerIn(join(folder, name)));
  if (owners.length === 0 || owners.includes(undefined)) return now - stats.mtimeMs > MAX_AGE_MS;
  return owners.every((owner) => owner === undefined || !isStillRunning(owner.pid, owner.at));
}

function ownerIn(file: string): { readonly pid: number; readonly at: number } | undefined {
  try {
    const { pid, at } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return Number.isInteger(pid) && typeof at === 'number' ? { pid: pid as number, at } : undefined;
  } catch {
    return undefined;
  }
}
