/** The trace that a result names, from its part of a run; each check ran in one of them. */
import { copyFileSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { RunEvent } from '../../contracts/run/events.ts';
import { isTraceFile } from '../../reports/files.ts';

/** Copies it from the folder of the part into that of the whole run, where the part has it. */
export function copyTrace(event: RunEvent, folder: string, out: string): void {
  const trace = event.type === 'check' ? event.trace : undefined;
  if (trace === undefined || !('file' in trace) || !isTraceFile(trace.file)) return;
  const from = join(folder, trace.file);
  // The parts may have been collected without their traces.
  if (!existsSync(from)) return;
  // A part from elsewhere may hold a link to a file of this machine, which would be published with the reports.
  if (relative(realpathSync(folder), realpathSync(from)) !== join(trace.file)) return;
  mkdirSync(dirname(join(out, trace.file)), { recursive: true });
  copyFileSync(from, join(out, trace.file));
}
