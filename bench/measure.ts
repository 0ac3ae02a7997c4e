/** What a measurement is: figures that are compared within one run, because the machines are shared and noisy. */

/** One figure of a table. */
export interface Figure {
  readonly what: string;
  /** Median over the rounds. */
  readonly value: number;
  readonly unit: 's' | 'ms' | 'us' | 'MiB' | 'per s' | 'faults' | 'alarms' | 'failures' | 'requests' | 'KiB' | '%';
  /** Lowest and highest round, where there were several. */
  readonly range?: readonly [lowest: number, highest: number];
  /** Divided by the figure that it is compared with. */
  readonly ratio?: number;
}

/** Points of a plot: one line a series, both axes linear from 0. */
export interface Plot {
  readonly x: string;
  readonly y: string;
  readonly series: ReadonlyArray<{
    readonly name: string;
    readonly points: ReadonlyArray<readonly [x: number, y: number]>;
  }>;
}

export interface Measurement {
  readonly figures: readonly Figure[];
  /** Undefined where the goal could not be judged here: `note` says why. */
  readonly isMet?: boolean;
  readonly note?: string;
  readonly plot?: Plot;
}

export interface Measure {
  readonly id: string;
  readonly title: string;
  readonly goal?: string;
  readonly run: () => Promise<Measurement>;
}

export interface Rounds {
  readonly median: number;
  readonly range: readonly [lowest: number, highest: number];
}

/** The value in the middle; `share` takes another place: 0.99 for the 99th percentile. Throws for an empty list. */
export function quantile(values: readonly number[], share = 0.5): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('There is no median of nothing.');
  return value;
}

/** Runs every way once a round, in turn, so that a busy minute meets all of them; each way returns its figure. */
export async function inTurn<W extends string>(
  ways: Readonly<Record<W, () => Promise<number> | number>>,
  rounds: number,
): Promise<Record<W, Rounds>> {
  const values = {} as Record<W, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of Object.keys(ways) as W[]) {
      values[name] ??= [];
      values[name].push(await ways[name]());
    }
  }
  const result = {} as Record<W, Rounds>;
  for (const name of Object.keys(values) as W[]) {
    const all = values[name];
    result[name] = { median: quantile(all), range: [Math.min(...all), Math.max(...all)] };
  }
  return result;
}

/** A figure of rounds, divided by that of others. */
export function figureOf(what: string, unit: Figure['unit'], rounds: Rounds, over?: Rounds): Figure {
  return {
    what,
    unit,
    value: rounds.median,
    range: rounds.range,
    ...(over === undefined ? {} : { ratio: rounds.median / over.median }),
  };
}

/** Seconds that a job takes by the clock. */
export async function secondsOf(job: () => unknown): Promise<number> {
  const started = performance.now();
  await job();
  return (performance.now() - started) / 1000;
}
