/**
 * The spool of a worker: its own file in a private folder, to which it appends what it found while it runs.
 * A worker that dies loses nothing but a line it had not finished.
 */
import { closeSync, lstatSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../../../contracts/run/events.ts';
import { UsageError } from '../../process/usage-error.ts';
import type { Redacted } from '../redaction/redacted.ts';
import { appendText, linesOf } from './lines.ts';

/** What workers report; header and footer are the writer's. */
export type SpooledEvent = Exclude<RunEvent, { type: 'header' | 'footer' }>;

export interface Spool {
  readonly file: string;
  /** Appends events in one write; they survive a kill from then on. Exchanges carry the worker's own numbers. */
  append(...events: readonly Redacted<SpooledEvent>[]): void;
  close(): void;
}

export const SPOOL_SUFFIX = '.spool';

/** Makes a private folder for the spools of one run. `removeSpools` takes it away again. */
export function makeSpoolFolder(): string {
  return mkdtempSync(join(tmpdir(), 'proofmark-spool-'));
}

/** Removes a spool folder with everything in it. */
export function removeSpools(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Opens the spool of one worker, `FOLDER/WORKER.spool`. A worker that was started again under the same name gets a file
 * of its own, because its numbers begin again. Throws a `UsageError` when the folder is open to other users.
 */
export function openSpool(folder: string, worker: string): Spool {
  makePrivate(folder);
  const { file, fd } = createFile(folder, worker.replace(/[^A-Za-z0-9_-]/g, '_'));
  return {
    file,
    append: (...events) => {
      if (events.length > 0) appendText(fd, linesOf(events));
    },
    close: () => closeSync(fd),
  };
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const openToOthers = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  if (!found.isDirectory() || openToOthers) {
    throw new UsageError(
      `The folder ${folder} is not private: remove it, or make it readable only by its owner (chmod 700).`,
    );
  }
}

function createFile(folder: string, name: string): { file: string; fd: number } {
  for (let again = 0; ; again += 1) {
    const file = join(folder, `${name}${again === 0 ? '' : `.${again}`}${SPOOL_SUFFIX}`);
    try {
      // Exclusive: never another worker's file, never through a link that was planted there.
      return { file, fd: openSync(file, 'ax', 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
