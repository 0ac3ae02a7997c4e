/** The folder of `--out`: made before anything is judged, so that no verdict is lost because it can't be written. */
import { accessSync, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolders } from '../../../harness/process/make-folders.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { EVENTS_FILE, REPORT_FILES } from '../../../reports/files.ts';

const WRITTEN = [EVENTS_FILE, ...REPORT_FILES];

/** The errors of the system in words. */
const WHY_UNUSABLE: Readonly<Record<string, string>> = {
  EEXIST: ', a file has its name or that of a folder above it',
  ENOTDIR: ', a file has its name or that of a folder above it',
  EACCES: ', this user has no permission',
  EPERM: ', this user has no permission',
  EROFS: ', its file system is read-only',
  ENOSPC: ', the disk is full',
};

/** The folder that `--out` names, as an absolute path. */
export function outFolderOf(given: string): string {
  // An empty path never means the current folder: a variable of a CI job is not set.
  if (given.trim() === '') throw new UsageError('--out is empty: give the name of a folder.');
  return resolve(given);
}

/** Throws a UsageError when nothing can be written there, or files of another tool would be overwritten. */
export function makeOutFolder(folder: string): void {
  try {
    makeFolders(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = WHY_UNUSABLE[code ?? ''] ?? '';
    throw new UsageError(
      `The folder ${folder} can't be created or written${why} (${code}): give another one with --out.`,
    );
  }
  const taken = WRITTEN.find((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true);
  if (taken !== undefined)
    throw new UsageError(
      `${join(folder, taken)} is a folder, but a report is written under this name: give another folder with --out.`,
    );
  const foreign = WRITTEN.find((name) => isForeign(join(folder, name)));
  if (foreign !== undefined)
    throw new UsageError(
      `${join(folder, foreign)} was not written by Proofmark and would be overwritten: move it away, or give another folder with --out.`,
    );
}

/** Each of our reports has our name near its beginning or its end. */
const SEARCHED_BYTES = 64 * 1024;

/** Whether a file is there that is not one of our reports. An empty one loses nothing. */
function isForeign(file: string): boolean {
  // Opening a pipe would wait for its writer.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return false;
  }
  try {
    const { size } = fstatSync(fd);
    const pieceAt = (from: number): string => {
      const bytes = Buffer.alloc(SEARCHED_BYTES);
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, SEARCHED_BYTES, from));
    };
    return size > 0 && ![0, Math.max(0, size - SEARCHED_BYTES)].some((from) => /proofmark/i.test(pieceAt(from)));
  } finally {
    closeSync(fd);
  }
}
