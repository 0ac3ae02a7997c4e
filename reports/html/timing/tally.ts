/** Counts over all exchanges of a run, for the plots: latency by operation, and requests over time. Memory is bounded. */
import { matchPath } from '../../../contracts/operations/match.ts';
import type { Exchange } from '../../../contracts/run/events.ts';

export interface OperationLatency {
  /** `GET /store/delivery_method/{handle}/`, as the documents name it. */
  readonly operation: string;
  readonly count: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** One stretch of the run: requests by what came of them. */
export interface TimelineSegment {
  readonly served: number;
  readonly refused: number;
  readonly failed: number;
}

export interface Tally {
  readonly latencies: readonly OperationLatency[];
  readonly stretches: readonly TimelineSegment[];
  readonly stretchMs: number;
}

const MAX_OPERATIONS = 24;
const MAX_KNOWN_OPERATIONS = 400;
const STRETCHES = 60;
/** Exchanges that are counted: a run of millions is not plotted in full. */
const MAX_COUNTED = 200_000;

interface Moment {
  readonly at: number;
  readonly status: number | undefined;
}

export class TallyWriter {
  readonly #durations = new Map<string, number[]>();
  readonly #moments: Moment[] = [];
  readonly #bases: readonly string[];

  /** `bases`: the addresses of the target, which operations do not repeat. */
  constructor(bases: readonly string[]) {
    this.#bases = [...bases].sort((a, b) => b.length - a.length);
  }

  add({ direction, at, durationMs, request, response }: Exchange): void {
    if (direction !== 'sent' || this.#moments.length >= MAX_COUNTED) return;
    const time = Date.parse(at);
    if (!Number.isNaN(time)) this.#moments.push({ at: time, status: response?.status });
    if (response === undefined || !Number.isFinite(durationMs)) return;
    const operation = operationOf(request.method, request.url, this.#bases);
    const known = this.#durations.get(operation);
    if (known !== undefined) known.push(durationMs);
    else if (this.#durations.size < MAX_KNOWN_OPERATIONS) this.#durations.set(operation, [durationMs]);
  }

  done(): Tally {
    const latencies = [...this.#durations]
      .map(([operation, durations]) => latencyOf(operation, durations))
      .sort((a, b) => b.count - a.count || (a.operation < b.operation ? -1 : 1))
      .slice(0, MAX_OPERATIONS);
    return { latencies, ...stretchesOf(this.#moments) };
  }
}

/** Method and path of the operation in the documents; elsewhere segments that name an object are `{…}`. */
export function operationOf(method: string, url: string, bases: readonly string[]): string {
  const [address = ''] = url.split(/[?#]/, 1);
  const base = bases.find((one) => address.startsWith(one));
  const behind = base === undefined ? undefined : address.slice(base.length);
  const match = behind === undefined ? undefined : (matchPath('v1', behind) ?? matchPath('api', behind));
  if (match?.exact === true && match.operations.has(method)) return `${method} ${match.template}`;
  const path = behind === undefined ? address.replace(/^[a-z]+:\/\/[^/]*/i, '') : `/${behind}`;
  const segments = path
    .split('/')
    .map((segment) => (/^[a-z_-]{1,40}$/i.test(segment) || segment === '' ? segment : '{…}'));
  return `${method.slice(0, 12)} ${segments.slice(0, 8).join('/')}`;
}

function latencyOf(operation: string, durations: readonly number[]): OperationLatency {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { operation, count: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), maxMs: sorted.at(-1) ?? 0 };
}

function stretchesOf(moments: readonly Moment[]): Pick<Tally, 'stretches' | 'stretchMs'> {
  if (moments.length === 0) return { stretches: [], stretchMs: 0 };
  const first = moments.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const last = moments.reduce((most, { at }) => Math.max(most, at), first);
  const stretchMs = Math.max(1, Math.ceil((last - first + 1) / STRETCHES));
  const counts = Array.from({ length: Math.ceil((last - first + 1) / stretchMs) }, () => ({
    served: 0,
    refused: 0,
    failed: 0,
  }));
  for (const { at, status } of moments) {
    const stretch = counts[Math.floor((at - first) / stretchMs)];
    if (stretch === undefined) continue;
    if (status === undefined || status >= 500) stretch.failed += 1;
    else if (status >= 400) stretch.refused += 1;
    else stretch.served += 1;
  }
  return { stretches: counts, stretchMs };
}
