/**
 * Turns with the delivery methods of an owner that can have only few of them. Workers that create methods at the same time would
 * take them from each other, so once one of them meets that limit, checks with methods run in one worker at a time.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../check/check.ts';
import { claim } from '../cleanup/claims.ts';
import { until } from '../process/until.ts';
import { noteWorker, othersBeganSince } from './worker-notes.ts';

/** A worker that waits for longer goes on: the others hang, or their checks take very long. */
const MAX_WAIT_MS = 120_000;
const POLL_MS = 25;

export class MethodTurns {
  /** The private folder of the run. */
  readonly #folder: string;
  #release: (() => void) | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get #noteFile(): string {
    return join(this.#folder, 'few-methods');
  }

  /** Whether a worker has found that an owner can have only few methods. */
  get areNeeded(): boolean {
    return existsSync(this.#noteFile);
  }

  /** Whether it is this worker's turn. */
  get isOwn(): boolean {
    return this.#release !== undefined;
  }

  /** Tells all workers to take turns from their next check on. */
  announce(): void {
    if (this.areNeeded) return;
    try {
      writeFileSync(this.#noteFile, String(Date.now()), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      // Another worker was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }

  /** Waits for the turn of this worker, which must have no methods now, and until all others know that they have to wait. */
  async take(check: string): Promise<void> {
    if (this.isOwn) return;
    this.announce();
    noteWorker(this.#folder, check, true);
    const taken = await until(
      () => {
        const claimed = claim(join(this.#folder, 'methods.claim'), check);
        return 'release' in claimed ? claimed : undefined;
      },
      MAX_WAIT_MS,
      POLL_MS,
    );
    this.#release = taken?.release;
    await othersBeganSince(this.#folder, Number(readFileSync(this.#noteFile, 'utf8')), MAX_WAIT_MS);
  }

  /** Lets the next worker have its turn. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/** Parts of a target that have no delivery methods. */
const WITHOUT_METHODS: ReadonlySet<string> = new Set(['reseller', 'apps', 'website']);

/** Whether a check can change the list of all delivery methods. */
export const touchesMethods = ({ partList }: Pick<Check, 'partList'>): boolean =>
  partList.some((part) => !WITHOUT_METHODS.has(part));
