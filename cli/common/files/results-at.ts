/** The results of a run that a command line names. */
import { join } from 'node:path';
import { MAX_PART_BYTES } from '../../../harness/evidence/package/format.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { EventsError } from '../../../reports/events/read.ts';
import { RESULTS_FILE } from '../../../reports/files.ts';
import { readResults } from '../../../reports/results/file.ts';
import type { Results } from '../../../reports/results/index.ts';
import { readFileOf } from './read-file.ts';
import { statOf } from './stat-of.ts';

/** As much as a package takes. */
const MAX_RESULTS_BYTES = MAX_PART_BYTES['results.json'];

/** Reads a results.json, or that of a folder. Throws a UsageError when it is not there or not the results of a run. */
export function resultsAt(place: string): Results {
  const correct = 'give a results.json, or a folder that holds one';
  const isFolder = statOf(place, correct)?.isDirectory() === true;
  const file = isFolder ? join(place, RESULTS_FILE) : place;
  if (statOf(file, correct) === undefined) throw new UsageError(`There is no ${file}: ${correct}.`);
  try {
    return readResults(readFileOf(file, 'the path', MAX_RESULTS_BYTES), file);
  } catch (error) {
    if (error instanceof EventsError) throw new UsageError(error.message);
    throw error;
  }
}
