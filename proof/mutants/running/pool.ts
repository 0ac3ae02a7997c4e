/** Distributes mutants to processes in portions. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Mutant } from '../mutant.ts';
import type { Outcome } from './run.ts';
import type { WorkerMessage } from './worker.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** The number of mutants per portion; small enough that all processes end at about the same time. */
const PORTION = 100;

export interface PoolOptions {
  /** Processes. */
  readonly workers: number;
  /** Sequences of each property; without it the default of `proofmark run`. */
  readonly propertyRuns?: number;
  /** Runs every check that a mutant reaches, also after the first failure. */
  readonly whole?: boolean;
}

/** Runs the mutants and calls `seen` with each outcome. Rejects when a process dies. */
export async function runMutants(
  mutants: readonly Mutant[],
  seen: (outcome: Outcome) => void,
  { workers, propertyRuns = 20, whole = false }: PoolOptions,
): Promise<void> {
  const waiting = mutants.map(({ id }) => id);
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
      const child: ChildProcess = fork(WORKER, [String(propertyRuns)], {
        env,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const next = (): void => {
        const ids = waiting.splice(0, PORTION);
        if (ids.length === 0) child.disconnect();
        else child.send({ ids, whole }, () => undefined);
      };
      child.on('error', reject);
      child.on('message', (message: WorkerMessage) => {
        if ('outcome' in message) seen(message.outcome);
        else next();
      });
      child.on('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`A process that runs mutants ended with code ${code}.`));
      });
    });
  await Promise.all(Array.from({ length: Math.min(workers, mutants.length) }, work));
}
