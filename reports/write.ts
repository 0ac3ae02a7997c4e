/** Writes the files of a run from its events. Each file is whole or not there: a reader never sees half of one. */
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TRACES_FOLDER } from '../contracts/run/events.ts';
import { renderCtrf } from './ci/ctrf.ts';
import { renderJunit } from './ci/junit.ts';
import { foldRun } from './events/fold.ts';
import type { Origin } from './events/read.ts';
import { EVENTS_FILE, isTraceName, REPORT_FILES, RESULTS_FILE } from './files.ts';
import { renderHtml } from './html/index.ts';
import { renderMarkdown } from './markdown.ts';
import type { ClauseText, Results } from './results/index.ts';

/**
 * Reads `eventsFile` once, as a stream, and writes results.json, report.html, junit.xml, ctrf.json and summary.md into `outDir`. Throws an `EventsError` when the file is not a run's events.
 */
export async function writeReports(
  outDir: string,
  eventsFile: string,
  clauses: readonly ClauseText[],
  origin: Origin = {},
): Promise<Results> {
  const { results, evidence } = await foldRun(eventsFile, clauses, undefined, origin);
  await mkdir(outDir, { recursive: true });
  await writeWhole(join(outDir, RESULTS_FILE), `${JSON.stringify(results, null, 2)}\n`);
  await writeWhole(join(outDir, 'report.html'), renderHtml(results, evidence));
  await writeWhole(join(outDir, 'junit.xml'), renderJunit(results));
  await writeWhole(join(outDir, 'ctrf.json'), renderCtrf(results));
  await writeWhole(join(outDir, 'summary.md'), renderMarkdown(results));
  return results;
}

/** Takes away the reports of an earlier run, so that a run that is killed does not leave them beside its own events. */
export async function removeReports(outDir: string): Promise<void> {
  for (const name of [...REPORT_FILES, EVENTS_FILE]) await rm(join(outDir, name), { force: true });
  const traces = join(outDir, TRACES_FOLDER);
  const found = await readdir(traces).catch((): string[] => []);
  for (const name of found) if (isTraceName(name)) await rm(join(traces, name), { force: true });
  // A folder that holds anything else stays.
  if (found.length > 0) await rmdir(traces).catch(() => undefined);
}

async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.new`;
  try {
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(text, 'utf8');
      // Without it a crash of the machine could leave the new name on an empty file.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
