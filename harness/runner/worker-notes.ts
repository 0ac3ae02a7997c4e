/**
 * What each worker process does, written down for others. A worker that hangs: the timeouts of the runner are kept by the worker
 * itself, so one that a text of the target keeps busy would never end; the process that judges the run ends it some time after the
 * run's own time. A worker that ends: it deletes the delivery methods that it kept for its checks, which changes the list of methods.
 */
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStillRunning } from '../cleanup/process-alive.ts';
import { until } from '../process/until.ts';
import { type Hindrances, joinHindrances } from '../target/client/notices.ts';

/** What a worker does, for the process that has to end it. */
interface WorkerNote {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The check that is running; empty between two. */
  readonly check: string;
  /** Whether it may keep delivery methods until it ends. */
  readonly keepsMethods: boolean;
}

const HINDRANCES = /^worker-\d+\.hindrances\.json$/;
const NOTES = /^worker-\d+\.ndjson$/;
const MIN_GRACE_MS = 10_000;
const MAX_GRACE_MS = 5 * 60_000;

/** How long workers have to clean up after the run's time: a tenth of it, within bounds. */
export const graceMsOf = (maxMinutes: number): number =>
  Math.min(MAX_GRACE_MS, Math.max(MIN_GRACE_MS, maxMinutes * 6_000));

/** A worker that still runs by then will not end soon; what it keeps stays in the list. */
const MAX_WAIT_MS = 10_000;

const fileOf = (folder: string, pid: number): string => join(folder, `worker-${pid}.ndjson`);

/** Notes what this process does from now on, in one line: replacing a file costs a flush to disk on some file systems. */
export function noteWorker(folder: string, check: string, keepsMethods = false): void {
  const note: WorkerNote = { pid: process.pid, since: Date.now(), check, keepsMethods };
  appendFileSync(fileOf(folder, process.pid), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** Notes that this process has cleaned up and does nothing any more, and what it met on the way. */
export function noteEnd(folder: string, hindrances: Hindrances): void {
  const file = join(folder, `worker-${process.pid}.hindrances.json`);
  writeFileSync(`${file}.new`, JSON.stringify(hindrances), { mode: 0o600 });
  // A worker that is killed meanwhile must not leave half of it where the end of the run reads it.
  renameSync(`${file}.new`, file);
  rmSync(fileOf(folder, process.pid), { force: true });
}

/** What the workers that have ended met on the way. */
export const hindrancesIn = (folder: string): Hindrances =>
  joinHindrances(
    readdirSync(folder)
      .filter((name) => HINDRANCES.test(name))
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Hindrances),
  );

/** Waits until no other worker is left that deletes delivery methods when it ends. The runner starts no further check in them. */
export async function othersEnded(folder: string, maxMs = MAX_WAIT_MS): Promise<void> {
  const isOpen = ({ pid, since, keepsMethods }: WorkerNote): boolean =>
    keepsMethods && pid !== process.pid && isStillRunning(pid, since);
  await until(() => (notesIn(folder).some(isOpen) ? undefined : true), maxMs);
}

/** Waits until every other worker that may keep delivery methods does something that it began after this time. */
export async function othersBeganSince(folder: string, at: number, maxMs: number): Promise<void> {
  const isOlder = ({ pid, since, keepsMethods }: WorkerNote): boolean =>
    keepsMethods && since < at && pid !== process.pid && isStillRunning(pid, since);
  await until(() => (notesIn(folder).some(isOlder) ? undefined : true), maxMs);
}

/** The present notes of all workers. */
function notesIn(folder: string): WorkerNote[] {
  return readdirSync(folder)
    .filter((name) => NOTES.test(name))
    .flatMap((name) => {
      try {
        return latestNote(readFileSync(join(folder, name), 'utf8')) ?? [];
      } catch (error) {
        // A worker that has ended meanwhile has no note.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    });
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

/** Ends the processes that have done the same for `graceMs`; the ids of their checks (empty: none was running). */
export function endHungWorkers(folder: string, graceMs: number, now = Date.now()): string[] {
  const ended: string[] = [];
  for (const { pid, since, check } of notesIn(folder)) {
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
