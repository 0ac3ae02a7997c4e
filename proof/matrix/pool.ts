/** Distributes rows to processes, one at a time to each, and replaces a process that hangs or dies. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RowDone, RowJob } from './run-row.ts';
import type { Reply } from './worker.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));
const OWN_MODULES = new URL('../../cli/common/own-modules.ts', import.meta.url).href;
/** A row takes a second or two, and some minutes on a very busy machine. A row that takes this long hangs. */
const ROW_TIMEOUT_MS = 900_000;

/** Exchanges live for one check: with more room for young objects, fewer of them are copied. It saves 5 % of the time. */
const YOUNG_MIB = 64;

/** Processes that run rows. They start with the first jobs and stay for the next ones, since loading the checks takes a second. */
export class Pool {
  readonly #workers: number;
  readonly #idle: ChildProcess[] = [];

  constructor(workers: number) {
    this.#workers = workers;
  }

  /**
   * Runs the jobs; `seen` is called as each ends, in any order. A job that could not be run ends with an error sentence. Rejects only
   * when no process can be started.
   */
  async run(jobs: readonly RowJob[], seen: (job: RowJob, end: RowDone | string) => void): Promise<void> {
    const waiting = [...jobs];
    const work = async (): Promise<void> => {
      let child = this.#idle.pop() ?? startWorker();
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        const end = await runOn(child, job);
        if (typeof end === 'string') {
          child.kill('SIGKILL');
          child = startWorker();
        }
        seen(job, end);
      }
      this.#idle.push(child);
    };
    await Promise.all(Array.from({ length: Math.min(this.#workers, jobs.length) }, work));
  }

  /** Lets the processes end. */
  close(): void {
    for (const child of this.#idle.splice(0)) if (child.connected) child.disconnect();
  }
}

function startWorker(): ChildProcess {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const execArgv = [...process.execArgv, `--max-semi-space-size=${YOUNG_MIB}`, '--import', OWN_MODULES];
  const child = fork(WORKER, { env, execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // If a process has just died, its `exit` event reports the lost message.
  child.on('error', () => undefined);
  return child;
}

function runOn(child: ChildProcess, job: RowJob): Promise<RowDone | string> {
  return new Promise((resolve) => {
    const end = (result: RowDone | string): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(result);
    };
    const onMessage = (reply: Reply): void => end(reply.done ?? reply.error ?? 'no reply');
    const onExit = (code: number | null): void => end(`the process that ran it ended with code ${code}`);
    const timer = setTimeout(() => end(`it did not end within ${ROW_TIMEOUT_MS / 1000} s`), ROW_TIMEOUT_MS);
    child.on('message', onMessage);
    child.on('exit', onExit);
    // A process that ended while it was idle reports no exit any more.
    if (!child.connected) end('the process that should run it has ended');
    else child.send(job, () => undefined);
  });
}
