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

/** The cost of a process by its test files: those that share one get shares by what their tests took by the clock. */
export function costsByFile({ seconds }: Cost, files: readonly string[], clockOf: (file: string) => number): Cost[] {
  const clock = files.reduce((sum, file) => sum + clockOf(file), 0);
  return files.map((file) => ({
    file,
    seconds: clock === 0 ? seconds / files.length : (seconds * clockOf(file)) / clock,
  }));
}

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

/** Below this the order of the start does not matter. */
const WORTH_KEEPING_SECONDS = 3;

/**
 * Replaces the costs that a new checkout begins with. Only the order of the start depends on them, so that they need not be
 * exact; a file that is not among them is estimated from its text.
 */
export function commitCosts(file: string, measured: ReadonlyMap<string, number>): void {
  const worth = [...measured].filter(([, seconds]) => seconds >= WORTH_KEEPING_SECONDS);
  const rounded = worth.sort(([, a], [, b]) => b - a).map(([test, seconds]) => [test, Math.round(seconds)]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rounded), undefined, 2)}\n`);
}
