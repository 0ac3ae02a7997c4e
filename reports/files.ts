/** Names of what a run leaves behind in its folder. */

export const EVENTS_FILE = 'events.ndjson';
export const RESULTS_FILE = 'results.json';
/** In the order in which people want to open them. */
export const REPORT_FILES = ['report.html', 'summary.md', RESULTS_FILE, 'junit.xml', 'ctrf.json'] as const;
