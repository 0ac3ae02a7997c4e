/** Whether a process that wrote something down once is still the one that has its id now. */
import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Boot time is known to some hundredths of a second, and clocks are corrected now and then. */
const TOLERANCE_MS = 2_000;

/** `since`: a time (milliseconds since 1970) at which it was running. After a restart of the machine, ids are given again. */
export function isStillRunning(pid: number, since: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const started = startOf(pid);
  return started === undefined || started <= since + TOLERANCE_MS;
}

/** When a process was started, where the system reports it (Linux). */
function startOf(pid: number): number | undefined {
  try {
    // The name in parentheses may hold anything; the fields after it are numbers, the twentieth is the start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\)\s*/s, '')
      .split(' ');
    const ticks = Number(fields[19]);
    const upSeconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    const start = Date.now() - (upSeconds - ticks / TICKS_PER_SECOND) * 1000;
    return Number.isFinite(start) ? start : undefined;
  } catch {
    return undefined;
  }
}
