/** Reads the events of a run once, for everything that is made of them. */
import { closeSync, openSync } from 'node:fs';
import type { Exchange, RunEvent } from '../../contracts/run/events.ts';
import { type Evidence, evidenceFold } from '../html/exchanges/evidence.ts';
import { type ClauseText, type Results, ResultsFold } from '../results/index.ts';
import { eventAt, type Origin, type Place, readPlacedEvents } from './read.ts';

export interface FoldedRun {
  readonly results: Results;
  /** What the HTML report shows beside the results. */
  readonly evidence: Evidence;
}

/**
 * Folds `events.ndjson` as a stream into results and evidence. Of the exchanges only the places are kept; the few that the
 * report shows as text are read again from there. Throws an `EventsError` when the file is not a run's events.
 *
 * @param each is called with each event before the next one is read
 */
export async function foldRun(
  eventsFile: string,
  clauses: readonly ClauseText[],
  each: (event: RunEvent) => void = () => {},
  origin: Origin = {},
): Promise<FoldedRun> {
  const results = new ResultsFold(clauses);
  const evidence = evidenceFold();
  const places = new Map<number, Place>();
  for await (const { event, place } of readPlacedEvents(eventsFile, origin)) {
    each(event);
    results.add(event);
    evidence.add(event);
    if (event.type === 'exchange') places.set(event.n, place);
  }
  const folded = results.done();
  const exchangesOf = (numbers: ReadonlySet<number>) => exchangesAt(eventsFile, places, numbers);
  return { results: folded, evidence: evidence.done(folded, exchangesOf) };
}

function exchangesAt(file: string, places: ReadonlyMap<number, Place>, numbers: ReadonlySet<number>): Exchange[] {
  const descriptor = openSync(file, 'r');
  try {
    return [...places].flatMap(([n, place]) => (numbers.has(n) ? [eventAt(descriptor, place) as Exchange] : []));
  } finally {
    closeSync(descriptor);
  }
}
