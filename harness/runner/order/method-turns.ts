/**
 * Turns with the delivery methods of an owner that can have only few of them. Workers that create methods at the same time would
 * take them from each other, so once one of them meets that limit, checks with methods run in one worker at a time.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../../check/check.ts';
import { claim } from '../../cleanup/claims.ts';
import { until } from '../../process/until.ts';
import { noteWorker, othersBeganSince, othersEnded } from '../worker-notes.ts';

/** A worker that waits for longer goes on: the others hang, or their checks take very long. */
const MAX_WAIT_MS = 120_000;
const POLL_MS = 25;

/** Where turns come from: the workers of a run, or a recording. */
export interface Turns {
  /** Whether a worker has found that an owner can have only few methods. */
  readonly areNeeded: boolean;
  /** Whether it is this worker's turn. */
  readonly isOwn: boolean;
  /** Makes all workers take turns from their next check on. */
  announce(): void;
  /** Announces to the other workers which check begins here, and waits for them if it has to run alone. */
  begins(check: Check, keepsMethods: boolean): Promise<void>;
  /** Waits for the turn of this worker. */
  take(check: string): Promise<void>;
  /** Lets the next worker have its turn. */
  release(): void;
}

export class MethodTurns implements Turns {
  /** The private folder of the run. */
  readonly #folder: string;
  #release: (() => void) | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get #noteFile(): string {
    return join(this.#folder, 'few-methods');
  }

  get areNeeded(): boolean {
    return existsSync(this.#noteFile);
  }

  get isOwn(): boolean {
    return this.#release !== undefined;
  }

  announce(): void {
    if (this.areNeeded) return;
    try {
      writeFileSync(this.#noteFile, String(Date.now()), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      // Another worker was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }

  async begins(check: Check, keepsMethods: boolean): Promise<void> {
    noteWorker(this.#folder, check.id, keepsMethods);
    if (check.alone === true) await othersEnded(this.#folder);
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
