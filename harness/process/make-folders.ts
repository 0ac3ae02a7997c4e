/** Folders whose place a user chose. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** As `mkdirSync` with `recursive`, which never ends in a file system that takes no folders (`/proc`). */
export function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process was faster.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
