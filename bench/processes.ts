/** Commands as processes of their own: their time, and the memory of all processes that they start. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The command line of the checkout. */
export const PROOFMARK = join(import.meta.dirname, '../cli/proofmark.mjs');

const POLL_MS = 200;

export interface CommandRun {
  readonly seconds: number;
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Most memory of each process at any look, largest first, by its command line; empty where the system does not report it. */
  readonly peaks: ReadonlyArray<{ readonly command: string; readonly mebibytes: number }>;
}

/** Runs a command to its end. Rejects only when it cannot be started. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { env = {}, watch = false, cwd }: { env?: Record<string, string>; watch?: boolean; cwd?: string } = {},
): Promise<CommandRun> {
  const started = performance.now();
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stdout = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  const peaks = new Map<number, { command: string; mebibytes: number }>();
  const look = (): void => {
    for (const [pid, seen] of memoryBelow(child.pid ?? -1)) {
      if (seen.mebibytes > (peaks.get(pid)?.mebibytes ?? 0)) peaks.set(pid, seen);
    }
  };
  const timer = watch ? setInterval(look, POLL_MS) : undefined;
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const seconds = (performance.now() - started) / 1000;
    return { seconds, exitCode, stdout, peaks: [...peaks.values()].sort((a, b) => b.mebibytes - a.mebibytes) };
  } finally {
    clearInterval(timer);
  }
}

/** Resident memory of a process and of all below it (Linux; empty elsewhere). */
function memoryBelow(root: number): Map<number, { command: string; mebibytes: number }> {
  const parents = new Map<number, number>();
  const found = new Map<number, { command: string; mebibytes: number }>();
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return found;
  }
  for (const name of names) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
      const kibibytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      found.set(Number(name), { command, mebibytes: kibibytes / 1024 });
    } catch {
      // The process has ended between the two looks.
    }
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (at === root) return true;
    return false;
  };
  for (const pid of [...found.keys()]) if (!isBelow(pid)) found.delete(pid);
  return found;
}
