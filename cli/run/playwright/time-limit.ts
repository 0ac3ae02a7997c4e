/** The time that a run may take: at its end the run is stopped, and a worker that still hangs after a grace is killed. */
import { endHungWorkers, graceMsOf } from '../../../harness/runner/worker-notes.ts';

export class TimeLimit {
  readonly #folder: string;
  readonly #stop: (why: string) => void;
  readonly #hung = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** `folder`: the private folder of the run, with the notes of its workers. `stop` asks them to start no further check. */
  constructor(folder: string, stop: (why: string) => void) {
    this.#folder = folder;
    this.#stop = stop;
  }

  /** Checks whose worker hung and was killed, with the milliseconds that it was given. */
  get hung(): ReadonlyMap<string, number> {
    return this.#hung;
  }

  /** Begins to count; `maxMinutes` is that of the profile. */
  begin(maxMinutes: number): void {
    const why = `the run took longer than limits.maxMinutes (${maxMinutes})`;
    this.#timer = setTimeout(() => this.#end(why, graceMsOf(maxMinutes)), maxMinutes * 60_000);
    this.#timer.unref();
  }

  /** The run has ended by itself. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  /** Lets the running checks clean up, and ends what still hangs after the grace; a worker that takes its place, too. */
  #end(why: string, graceMs: number): void {
    this.#stop(why);
    this.#timer = setInterval(() => {
      const ended = endHungWorkers(this.#folder, graceMs);
      if (ended.length === 0) return;
      for (const check of ended) this.#hung.set(check, graceMs);
      const during = ended.filter((check) => check !== '').join(', ');
      console.error(
        `A worker did not exit within ${graceMs / 1000} s after the run's time and was killed${during === '' ? '' : ` (in ${during})`}; when the run has ended: proofmark sweep.`,
      );
    }, graceMs);
    this.#timer.unref();
  }
}
