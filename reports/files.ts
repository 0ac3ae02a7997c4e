/** Names of what a run leaves behind in its folder. */
import { TRACES_FOLDER } from '../contracts/run/events.ts';

export const EVENTS_FILE = 'events.ndjson';
export const RESULTS_FILE = 'results.json';
/** In the order in which people want to open them. */
export const REPORT_FILES = ['report.html', 'summary.md', RESULTS_FILE, 'junit.xml', 'ctrf.json'] as const;

/** Whether this is the file of a trace as a run names it: events may come from elsewhere, and reports link to it. */
export const isTraceFile = (name: string): boolean =>
  name.startsWith(`${TRACES_FOLDER}/`) && isTraceName(name.slice(TRACES_FOLDER.length + 1));

/** The same of its name in the folder of traces: the id of a check, and `.zip`. */
export const isTraceName = (name: string): boolean => /^[a-z0-9][a-z0-9.-]{0,200}\.zip$/.test(name);
