/** The folder of `--out`: made before anything is judged, so that no verdict is lost because it can't be written. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { EVENTS_FILE, REPORT_FILES } from '../../../reports/files.ts';

const WRITTEN = [EVENTS_FILE, ...REPORT_FILES];

/** As `mkdirSync` with `recursive`, which never ends in a file system that takes no folders (`/proc`). */
function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process was faster.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/** The errors of the system in words. */
const WHY_UNUSABLE: Readonly<Record<string, string>> = {
  EEXIST: ', a file has its name or that of a folder above it',
  ENOTDIR: ', a file has its name or that of a folder above it',
  EACCES: ', this user has no permission',
  EPERM: ', this user has no permission',
  EROFS: ', its file system is read-only',
  ENOSPC: ', the disk is full',
};

/** Throws a UsageError when nothing can be written there. */
export function makeOutFolder(folder: string): void {
  // An empty path never means the current folder: a variable of a CI job is not set.
  if (folder.trim() === '') throw new UsageError('--out is empty: give the name of a folder.');
  try {
    makeFolders(resolve(folder));
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
}
