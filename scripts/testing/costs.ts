/** What test files used of the processor: printed at the end of a run, and kept in the checkout to order the next one. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Cost {
  /** Path of what was started. */
  readonly file: string;
  /** Of the processor, with all processes that it started. */
  readonly seconds: number;
}

/** What the processes of the test runner noted (`cpu.mjs`), the most expensive first. */
export const costsIn = (folder: string): Cost[] =>
  readdirSync(folder)
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Cost)
    .sort((a, b) => b.seconds - a.seconds);

/** Seconds by test file, as far as earlier runs in this checkout measured them. A file that can't be read holds none. */
export function measuredCosts(file: string): Map<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>));
  } catch {
    return new Map();
  }
}

/** Adds what a run measured to what is known. */
export function keepCosts(file: string, measured: ReadonlyMap<string, number>): void {
  const all = new Map([...(existsSync(file) ? measuredCosts(file) : []), ...measured]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(Object.fromEntries(all)));
}
