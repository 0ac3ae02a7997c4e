/** Reads the spools of a run while the workers write them. */
import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LineReader, lineReader } from './lines.ts';
import { SPOOL_SUFFIX, type SpooledEvent } from './spool.ts';

/** From a worker's own exchange numbers to those of the run. */
export type Numbers = Map<number, number>;

export interface SpoolFollower {
  add(folder: string): void;
  /** Gives every event that was finished since the last call. */
  take(each: (event: SpooledEvent, numbers: Numbers) => void): void;
  /** Closes the files; returns how many of them end in a line that a killed worker did not finish. */
  close(): number;
}

/** Follows all spools in the folders that are added. */
export function followSpools(): SpoolFollower {
  const folders = new Set<string>();
  const open = new Map<string, { readonly fd: number; readonly reader: LineReader; readonly numbers: Numbers }>();
  const opened = (path: string) => {
    const known = open.get(path);
    if (known !== undefined) return known;
    const fd = openSync(path, 'r');
    const spool = { fd, reader: lineReader(fd), numbers: new Map<number, number>() };
    open.set(path, spool);
    return spool;
  };
  return {
    add: (folder) => void folders.add(folder),
    take(each) {
      for (const folder of folders) {
        for (const name of spoolsIn(folder)) {
          const { reader, numbers } = opened(join(folder, name));
          reader.take((line) => each(JSON.parse(line) as SpooledEvent, numbers));
        }
      }
    },
    close() {
      let torn = 0;
      for (const { fd, reader } of open.values()) {
        if (reader.pendingBytes > 0) torn += 1;
        closeSync(fd);
      }
      open.clear();
      folders.clear();
      return torn;
    },
  };
}

/** Names of the spools in a folder, in a fixed order; none when the folder is not there (yet). */
function spoolsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(SPOOL_SUFFIX));
    return names.sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
