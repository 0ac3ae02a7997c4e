/**
 * Claims of this machine: what only one run at a time may use (a reseller's session and settings, an installation's snippets,
 * a folder of reports). A claim is a file that names its holder; that of a process which is gone is taken over.
 */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { isStillRunning } from './process-alive.ts';

/** Who holds a claim. */
export interface Holder {
  /** What it does, for people: `run 11200747ab12cd`. */
  readonly what: string;
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type ClaimResult = { readonly release: () => void } | { readonly heldBy: Holder };

/** For a holder on another machine, of which it is unknown here whether it is gone: how to end its claim. */
export const staleClaimAdvice = (file: string, { host }: Holder): string =>
  host === hostname() ? '' : ` (or remove ${file}, if that process is gone)`;

/** Tries of a claim that others take at the same moment; each of them ends with one holder. */
const MAX_TRIES = 20;

/** Takes the claim of this file, or says who holds it. A file of another host is never taken over. */
export function claim(file: string, what: string): ClaimResult {
  const own: Holder = { what, pid: process.pid, host: hostname(), at: Date.now() };
  const text = `${JSON.stringify(own)}\n`;
  const prepared = `${file}.${process.pid}-${Math.trunc(performance.now() * 1000)}.new`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(prepared, text, { mode: 0o600 });
  try {
    for (let attempts = 0; attempts < MAX_TRIES; attempts += 1) {
      // A link is made whole or not at all, and by one process only.
      if (linked(prepared, file)) return { release: () => release(file, text) };
      const found = read(file);
      if (found === undefined) continue;
      const holder = holderOf(found);
      if (holder !== undefined && isHeld(holder)) return { heldBy: holder };
      takeAway(file, found);
    }
  } finally {
    rmSync(prepared, { force: true });
  }
  throw new Error(`The claim ${file} changes its owner too often.`);
}

const isHeld = ({ pid, host, at }: Holder): boolean => host !== hostname() || isStillRunning(pid, at);

function release(file: string, text: string): void {
  if (read(file) === text) rmSync(file, { force: true });
}

/** File systems without links (memory cards, some shared folders): there a claim is made in two steps, name and content. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

function linked(from: string, to: string, mayLink = true): boolean {
  try {
    if (mayLink) linkSync(from, to);
    else writeFileSync(to, readFileSync(from), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!mayLink || !NO_LINKS.has(code)) throw error;
    return linked(from, to, false);
  }
}

/** Moves a claim without a holder aside; what was put there meanwhile is put back. */
function takeAway(file: string, expected: string): void {
  const aside = `${file}.${process.pid}.gone`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (read(aside) !== expected) linked(aside, file);
  rmSync(aside, { force: true });
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    const { what, pid, host, at } = JSON.parse(text) as Partial<Holder>;
    const isWhole =
      typeof what === 'string' && typeof pid === 'number' && typeof host === 'string' && typeof at === 'number';
    return isWhole ? { what, pid, host, at } : undefined;
  } catch {
    return undefined;
  }
}
