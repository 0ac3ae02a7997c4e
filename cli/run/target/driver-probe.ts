/**
 * Loads a user's driver in a process of its own and says which functions it has, before a run that takes minutes: a module
 * that throws, hangs or ends the process must not do so in ours.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Redaction } from '../../../harness/evidence/redaction/index.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';

const CHILD = fileURLToPath(new URL('./driver-probe-child.ts', import.meta.url));
/** Longer than the loader of drivers itself waits, with the start of a process on a busy machine. */
const PROBE_TIMEOUT_MS = 120_000;
/** Node's exit code for a module that waits for something which never happens. */
const WAITS_FOREVER = 13;

export interface ProbeReply {
  /** Names of the functions. */
  readonly members?: readonly string[];
  /** A sentence, when the module can't be used. */
  readonly problem?: string;
}

/**
 * Names of the functions of a driver. Throws a UsageError that names the file and what is wrong with it, without the secrets that the
 * module may have put into what it throws.
 */
export function probeDriver(
  file: string,
  redaction: Redaction,
  timeoutMs: number = PROBE_TIMEOUT_MS,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const child = fork(CHILD, [file], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    let replied = false;
    const refuse = (what: string): void =>
      reject(new UsageError(`The driver ${file} can't be loaded: ${what}: correct the module.`));
    const timer = setTimeout(() => {
      refuse(`it was still loading after ${timeoutMs / 1000} s`);
      child.kill('SIGKILL');
    }, timeoutMs);
    child.on('message', ({ members, problem }: ProbeReply) => {
      replied = true;
      if (problem === undefined) resolve(members ?? []);
      else reject(new UsageError(redaction.text(problem)));
      child.kill('SIGKILL');
    });
    child.on('error', (error) => refuse(error.message));
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (replied) return;
      refuse(
        code === WAITS_FOREVER
          ? 'it waits for something that never happens'
          : `it ended the process with code ${code ?? 'none'}`,
      );
    });
  });
}
