/** Temporary folders that name the process they belong to, so that a later command can see whether it was killed. */
import { lstatSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isStillRunning } from '../cleanup/process-alive.ts';

/** Says which process a folder belongs to. */
const OWNER_FILE = 'owner.json';
/** A folder that names no process is left alone until it is older than any run. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Makes a temporary folder of this process; only its user can look into it. */
export function makeOwnedFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify({ pid: process.pid, at: Date.now() }));
  return folder;
}

/** Whether a folder is this user's and its process is gone. Throws where it can't be read. */
export function isAbandoned(folder: string, now: number): boolean {
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
