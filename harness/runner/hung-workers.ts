/**
 * Worker processes that hang. The timeouts of the runner are kept by the worker itself, so one that a text of the target keeps
 * busy would never end: each writes down what it does, and who judges the run ends it some time after the run's own time.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStillRunning } from '../cleanup/process-alive.ts';

/** What a worker does, for the process that has to end it. */
interface WorkerNote {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The check that is running; empty between two. */
  readonly check: string;
}

const NOTES = /^worker-\d+\.ndjson$/;
const MIN_GRACE_MS = 10_000;
const MAX_GRACE_MS = 5 * 60_000;

/** How long workers have to clean up after the run's time: a tenth of it, within bounds. */
export const graceMsOf = (maxMinutes: number): number =>
  Math.min(MAX_GRACE_MS, Math.max(MIN_GRACE_MS, maxMinutes * 6_000));

/** Notes what this process does from now on, in one line: replacing a file costs a flush to disk on some file systems. */
export function noteWorker(folder: string, check: string): void {
  const note: WorkerNote = { pid: process.pid, since: Date.now(), check };
  appendFileSync(join(folder, `worker-${process.pid}.ndjson`), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** Ends the processes that have done the same for `graceMs`; the ids of their checks (empty: none was running). */
export function endHungWorkers(folder: string, graceMs: number, now = Date.now()): string[] {
  const ended: string[] = [];
  for (const name of readdirSync(folder).filter((one) => NOTES.test(one))) {
    const note = latestNote(readFileSync(join(folder, name), 'utf8'));
    if (note === undefined) continue;
    const { pid, since, check } = note;
    if (now - since < graceMs || pid === process.pid || !isStillRunning(pid, since)) continue;
    try {
      process.kill(pid, 'SIGKILL');
      ended.push(check);
    } catch {
      // It has ended at this moment.
    }
  }
  return ended;
}

/** The last whole line; a process may be in the middle of the next one. */
function latestNote(text: string): WorkerNote | undefined {
  const line =
    text
      .slice(0, text.lastIndexOf('\n') + 1)
      .trimEnd()
      .split('\n')
      .at(-1) ?? '';
  return line === '' ? undefined : (JSON.parse(line) as WorkerNote);
}
