/**
 * A Playwright trace (`trace.zip`) of browser steps that a finding rests on, without secrets. It is built from what is known to be
 * harmless, cleaned, packed, and then read again: a trace that still shows a secret is not kept.
 */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Redaction } from '../redaction/index.ts';
import { asRedacted, leakIn, type Redacted } from '../redaction/redacted.ts';
import { parseLines, shownEvents, typedTexts } from './actions.ts';
import { createCleaner } from './clean.ts';
import { learnFromRequests, shownRequests } from './network.ts';
import type { RawTrace } from './raw-trace.ts';

export interface PackOptions {
  readonly redaction: Redaction;
  readonly showPersonalData: boolean;
  /** More is not kept; by default a size that is opened in a second, so that a report with fifty of them can still be sent around. */
  readonly maxBytes?: number;
}

/** The zip, or one sentence that says why it was not kept. */
export type PackedTrace = { readonly zip: Redacted<Uint8Array> } | { readonly omitted: string };

const MAX_TRACE_BYTES = 1024 * 1024;
/** The same in every zip: when the steps were made is in the trace, and a zip's times are local. */
const NO_TIME = new Date(1980, 0, 1);

/** Packs the traces of several browser contexts into one. */
export function packTrace(traces: readonly RawTrace[], options: PackOptions): PackedTrace {
  const { redaction, maxBytes = MAX_TRACE_BYTES } = options;
  for (const { requests } of traces) learnFromRequests(requests, redaction);
  const entries: Record<string, Uint8Array> = {};
  let actions = 0;
  for (const trace of traces) {
    const events = parseLines(trace.lines);
    const cleaner = createCleaner({ ...options, typed: typedTexts(events) });
    const [context, ...shown] = shownEvents(events, cleaner);
    if (context === undefined) continue;
    const { wallTime, monotonicTime } = context as { wallTime: number; monotonicTime: number };
    const requests = shownRequests(trace.requests, { wallTime, monotonicTime }, cleaner);
    if (shown.length + requests.length === 0) continue;
    const name = Object.keys(entries).length / 2;
    entries[`${name}-trace.trace`] = strToU8(linesOf([context, ...shown]));
    entries[`${name}-trace.network`] = strToU8(linesOf(requests));
    actions += shown.length + requests.length;
  }
  if (actions === 0) return { omitted: 'there is no trace of the browser steps, because none was recorded' };
  const zip = zipSync(entries, { level: 6, mtime: NO_TIME });
  if (zip.length > maxBytes)
    return {
      omitted: `the trace of the browser steps was not kept, because it has more than ${maxBytes / 1024} KB`,
    };
  const leak = leakInTrace(zip, redaction);
  if (leak !== undefined)
    return {
      omitted: `the trace of the browser steps was not kept, because a secret was left in it (${leak}): please report it`,
    };
  return { zip: asRedacted(zip) };
}

/** Where a packed trace shows a secret: its entry and what of it; undefined when it shows none. */
export function leakInTrace(zip: Uint8Array, redaction: Redaction): string | undefined {
  for (const [name, bytes] of Object.entries(unzipSync(zip))) {
    const text = strFromU8(bytes);
    for (const line of parseLines(text)) {
      const path = leakIn(line, redaction.value(line), (value) => redaction.value(value));
      if (path !== undefined) return `${name}: ${path}`;
    }
    // Also what is split over several members, or encoded over their borders.
    const unlabelled = text.replace(/\$\w+/g, ' ');
    if (redaction.text(unlabelled) !== unlabelled) return name;
  }
  return undefined;
}

const linesOf = (events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
